// Hovers with data of Aptos networks: a summary, and the transfers and NFTs of an account.

import { systemClock } from '../../base/clock.ts';
import { getFaultCode, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { PrivacyDecision } from '../../detect/privacy.ts';
import { checkAptosDisclosure } from '../../view/checkDisclosure.ts';
import {
  type AptosSummaryHoverContext,
  type HoverRows,
  REQUESTED_ROWS,
  renderAptosAccount,
  renderAptosActivity,
  renderAptosCoin,
  renderAptosNotFound,
  renderAptosTransaction,
} from '../../view/hover/aptosSummaryHover.ts';
import { type AptosHoverLookup, getAptosHoverLookup, getLiteralNetwork } from '../../view/hover/hoverLookups.ts';
import { REMOTE_DELAY_MS } from '../../view/hover/hoverRequests.ts';
import type { RenderHover } from '../../view/hover/lastHovers.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import {
  createAptosLookUpLink,
  getAptosPermissionChain,
  renderFault,
  renderSlow,
} from '../../view/hover/requestLines.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredAptosNetwork } from '../worker/configuredChains.ts';
import type { ChainHoversDeps } from './chainHovers.ts';
import { findHashKind, isFoundKind } from './findHashKind.ts';

export interface AptosHoversDeps
  extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'log'>,
    Pick<ChainHoversDeps, 'permissions' | 'lastHovers' | 'requests'> {}

/** `slow` says that the network has not responded for a while. */
export type AptosHoverPart = 'summary' | 'activity' | 'slow';

export class AptosHovers {
  readonly #deps: AptosHoversDeps;
  readonly #client: Client;

  constructor(deps: AptosHoversDeps) {
    this.#deps = deps;
    this.#client = createClient(deps.worker.transport);
  }

  /** `null` when the network has nothing to show or must not be queried without a click. Rejects only with `cancelled`. */
  async render(
    network: ConfiguredAptosNetwork,
    part: AptosHoverPart,
    found: DocumentLiteral,
    signal: AbortSignal,
  ): Promise<string | null> {
    const request = getAptosHoverLookup(found.literal);
    if (request === null || !this.#concernsNetwork(network, found)) return null;
    if (!(part === 'activity' ? network.canList : network.hasNode)) return null;
    if (this.#getDecision(network, found) !== 'yes') return null;
    const { requests } = this.#deps;
    const { text } = found.literal;
    const fetched = part === 'slow' ? 'summary' : part;
    const key = `${getAptosPermissionChain(network.name)} ${fetched} ${text}`;
    const fetch = (own: AbortSignal) => this.#fetch(network, fetched, key, text, request, own);
    if (part !== 'slow') return (await requests.run(key, fetch, signal)) || null;
    return (await requests.isSlow(key, fetch, signal)) ? renderSlow(`Aptos ${network.name}`, key) : null;
  }

  /** Links that allow the literal to be sent to remote networks; empty when there are none, and for a hash that a chain of this machine has. */
  async createLookUpLinks(found: DocumentLiteral): Promise<string> {
    if (getAptosHoverLookup(found.literal) === null) return '';
    const links = this.#deps.worker
      .aptosNetworks()
      .filter(network => this.#concernsNetwork(network, found) && this.#getDecision(network, found) === 'click')
      .map(({ name }) => createAptosLookUpLink(name, found.literal.text, escapeMarkdown(name)));
    if (links.length === 0 || isFoundKind(await findHashKind(found, this.#deps))) return '';
    return `${t('Look up on Aptos')}: ${links.join(' · ')}`;
  }

  #getDecision(
    { name, isOnLoopback, isUserConfigured }: ConfiguredAptosNetwork,
    { literal, fileName }: DocumentLiteral,
  ): PrivacyDecision {
    return checkAptosDisclosure(
      literal,
      {
        isLocal: isOnLoopback,
        isConfigured: isUserConfigured,
        isUserRequested: this.#deps.permissions.isAllowed(getAptosPermissionChain(name), literal.text),
      },
      { fileName, addressesOnClick: this.#deps.settings.current().privacy.lookUp === 'onClick' },
    ).decision;
  }

  /** A hash that nothing connects with Aptos is not looked up there, unless the user works with Aptos. */
  #concernsNetwork({ name }: ConfiguredAptosNetwork, { literal }: DocumentLiteral): boolean {
    if (literal.kind === 'hash32' && !this.#deps.worker.aptosUse.isUsed()) return false;
    const named = getLiteralNetwork(literal);
    return named === null || named === name;
  }

  #createContext(network: string, now: number): AptosSummaryHoverContext {
    return {
      parts: this.#deps.settings.current().hover.parts,
      now,
      getName: address => this.#deps.book.getName(address, network),
    };
  }

  async #fetchSummary(request: AptosHoverLookup, network: string, signal: AbortSignal): Promise<RenderHover | null> {
    const { worker } = this.#deps;
    if (request.kind === 'coin') {
      const { coinType } = request;
      const coin = await worker.lookup('aptosCoinSummary', { network, coinType }, signal);
      return now => renderAptosCoin(coin, this.#createContext(network, now));
    }
    if (request.kind === 'address') {
      const { address } = request;
      const account = await worker.lookup('aptosAccountSummary', { network, address }, signal);
      return now => renderAptosAccount(account, this.#createContext(network, now));
    }
    if (request.kind === 'either') return this.#fetchAccountOrTransaction(request.literal, network, signal);
    const { transaction } = request;
    const found = await worker.lookup('aptosTransactionSummary', { network, transaction }, signal);
    return now =>
      found.kind === 'aptosNothing'
        ? renderAptosNotFound(network)
        : renderAptosTransaction(found, this.#createContext(network, now));
  }

  /** For a literal that may be an address or a hash: shows only what exists. */
  async #fetchAccountOrTransaction(literal: Hex, network: string, signal: AbortSignal): Promise<RenderHover | null> {
    const [account, transaction] = await Promise.all([
      this.#deps.worker.lookup('aptosAccountSummary', { network, address: literal }, signal),
      this.#deps.worker.lookup('aptosTransactionSummary', { network, transaction: literal }, signal),
    ]);
    if (transaction.kind === 'aptosTransaction')
      return now => renderAptosTransaction(transaction, this.#createContext(network, now));
    return account.holds === 'nothing' ? null : now => renderAptosAccount(account, this.#createContext(network, now));
  }

  async #fetchActivity(request: AptosHoverLookup, network: string, signal: AbortSignal): Promise<RenderHover | null> {
    const { parts } = this.#deps.settings.current().hover;
    if (request.kind !== 'address') return null;
    const { address } = request;
    const input = { ownerAddresses: [address], limit: REQUESTED_ROWS, network };
    const fetchRows = async <Row>(
      isWanted: boolean,
      fetch: () => Promise<{ readonly result: readonly Row[]; readonly hasNextPage?: boolean | null }>,
    ): Promise<HoverRows<Row> | null> => {
      if (!isWanted) return null;
      try {
        const { result, hasNextPage } = await fetch();
        return { rows: result, hasMore: hasNextPage === true };
      } catch (error) {
        if (isFault(error, 'cancelled')) throw error;
        this.#deps.log.warn(`Hover on Aptos ${network}: ${getFaultCode(error)}`);
        return null; // the summary shows the problem of the network
      }
    };
    const [transfers, nfts] = await Promise.all([
      fetchRows(parts.transfers, () => this.#client.aptosWalletCoinTransfers(input, { signal })),
      fetchRows(parts.nfts, () => this.#client.aptosWalletNfts(input, { signal })),
    ]);
    return now => renderAptosActivity(network, address, transfers, nfts, this.#createContext(network, now));
  }

  /** What the network adds to a literal; a fault is a text too. */
  async #fetch(
    { name, isOnLoopback, isUserConfigured }: ConfiguredAptosNetwork,
    part: 'summary' | 'activity',
    key: string,
    literalText: string,
    request: AptosHoverLookup,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { lastHovers, log, permissions } = this.#deps;
    try {
      if (!isOnLoopback) await systemClock.sleep(REMOTE_DELAY_MS, signal);
      const rendered = await (part === 'summary'
        ? this.#fetchSummary(request, name, signal)
        : this.#fetchActivity(request, name, signal));
      const text = rendered?.(systemClock.now()) ?? null;
      if (rendered !== null && text) lastHovers.set(key, rendered);
      return text;
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      log.warn(`Hover on Aptos ${name}: ${getFaultCode(error)}`);
      const last = lastHovers.render(key, error, createAptosLookUpLink(name, literalText, t('Retry')));
      if (last !== null) return last;
      // A default network that the user did not ask for shows no errors: a localnet is mostly not running.
      const isRequested = isUserConfigured || permissions.isAllowed(getAptosPermissionChain(name), literalText);
      if (part === 'activity' || request.kind === 'either' || !isRequested) return null;
      return renderFault(`Aptos ${name}`, error, true);
    }
  }
}
