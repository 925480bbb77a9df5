// Hovers with data of Aptos networks: a summary, and the transfers and NFTs of an account.

import { type CancellationToken, Hover, l10n } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { formatFault, getFaultCode, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createClient } from '../../client/client.ts';
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
import { createCommandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { type AptosHoverLookup, getAptosHoverLookup, getLiteralNetwork } from '../../view/hover/hoverLookups.ts';
import type { HoverRequests } from '../../view/hover/hoverRequests.ts';
import type { LastHovers, RenderHover } from '../../view/hover/lastHovers.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredAptosNetwork } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { toHoverMarkdown } from './hoverMarkdown.ts';
import type { LookupPermissions } from './lookupPermissions.ts';

export interface AptosHoversDeps {
  readonly settings: SettingsSource;
  readonly worker: WorkerClient;
  readonly book: AddressBook;
  readonly log: Log;
  readonly permissions: LookupPermissions;
  readonly lastHovers: LastHovers;
  readonly requests: HoverRequests;
}

/** `slow` says that the network has not responded for a while. */
export type AptosHoverPart = 'summary' | 'activity' | 'slow';

export interface AptosHovers {
  /** `null` when the network has nothing to show or must not be queried without a click. */
  provide(
    network: ConfiguredAptosNetwork,
    part: AptosHoverPart,
    documentLiteral: DocumentLiteral,
    token: CancellationToken,
  ): Promise<Hover | null>;
  /** Links that allow the literal to be sent to remote networks; empty when there are none. */
  createLookUpLinks(documentLiteral: DocumentLiteral): string;
}

/** A pointer that only passes over a literal must not cause a request to a remote node. */
const REMOTE_DELAY_MS = 120;

/** Says that a node takes long; its own part follows in the same hover. */
export function renderSlow(chain: string, key: string): string {
  const cancel = createCommandLink(l10n.t('Cancel'), hoverCommands.cancelHover, [key], l10n.t('Cancel the request'));
  return `$(watch) ${escapeMarkdown(l10n.t('Still waiting for the node of {chain}.', { chain }))} ${cancel}`;
}

/** The chain of a network in `LookupPermissions`; differs from all names of EVM chains. */
const getPermissionChain = (network: string) => `aptos:${network}`;

export function createAptosHovers({
  settings,
  worker,
  book,
  log,
  permissions,
  lastHovers,
  requests,
}: AptosHoversDeps): AptosHovers {
  const client = createClient(worker.transport);

  const getDecision = (
    { name, isOnLoopback, isUserConfigured }: ConfiguredAptosNetwork,
    { literal, fileName }: DocumentLiteral,
  ) =>
    checkAptosDisclosure(
      literal,
      {
        isLocal: isOnLoopback,
        isConfigured: isUserConfigured,
        isUserRequested: permissions.isAllowed(getPermissionChain(name), literal.text),
      },
      { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' },
    ).decision;

  /** A hash that nothing connects with Aptos is not looked up there, unless the user works with Aptos. */
  const concernsNetwork = ({ name }: ConfiguredAptosNetwork, { literal }: DocumentLiteral): boolean => {
    if (literal.kind === 'hash32' && !worker.aptosUse.isUsed()) return false;
    const named = getLiteralNetwork(literal);
    return named === null || named === name;
  };

  const createContext = (network: string, now: number): AptosSummaryHoverContext => ({
    parts: settings.current().hover.parts,
    now,
    getName: address => book.getName(address, network),
  });

  async function renderSummary(
    request: AptosHoverLookup,
    network: string,
    signal: AbortSignal,
  ): Promise<RenderHover | null> {
    if (request.kind === 'coin') {
      const { coinType } = request;
      const coin = await worker.lookup('aptosCoinSummary', { network, coinType }, signal);
      return now => renderAptosCoin(coin, createContext(network, now));
    }
    if (request.kind === 'address') {
      const { address } = request;
      const account = await worker.lookup('aptosAccountSummary', { network, address }, signal);
      return now => renderAptosAccount(account, createContext(network, now));
    }
    if (request.kind === 'either') return renderAccountOrTransaction(request.literal, network, signal);
    const { transaction } = request;
    const found = await worker.lookup('aptosTransactionSummary', { network, transaction }, signal);
    return now =>
      found.kind === 'aptosNothing'
        ? renderAptosNotFound(network)
        : renderAptosTransaction(found, createContext(network, now));
  }

  /** For a literal that may be an address or a hash: shows only what exists. */
  async function renderAccountOrTransaction(
    literal: Hex,
    network: string,
    signal: AbortSignal,
  ): Promise<RenderHover | null> {
    const [account, transaction] = await Promise.all([
      worker.lookup('aptosAccountSummary', { network, address: literal }, signal),
      worker.lookup('aptosTransactionSummary', { network, transaction: literal }, signal),
    ]);
    if (transaction.kind === 'aptosTransaction')
      return now => renderAptosTransaction(transaction, createContext(network, now));
    return account.holds === 'nothing' ? null : now => renderAptosAccount(account, createContext(network, now));
  }

  async function renderActivity(
    request: AptosHoverLookup,
    network: string,
    signal: AbortSignal,
  ): Promise<RenderHover | null> {
    const { parts } = settings.current().hover;
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
        log.warn(`Hover on Aptos ${network}: ${getFaultCode(error)}`);
        return null; // the summary shows the problem of the network
      }
    };
    const [transfers, nfts] = await Promise.all([
      fetchRows(parts.transfers, () => client.aptosWalletCoinTransfers(input, { signal })),
      fetchRows(parts.nfts, () => client.aptosWalletNfts(input, { signal })),
    ]);
    return now => renderAptosActivity(network, address, transfers, nfts, createContext(network, now));
  }

  /** What the network adds to a literal; a fault is a text too. Rejects only with `cancelled`. */
  async function render(
    network: ConfiguredAptosNetwork,
    part: 'summary' | 'activity',
    literalText: string,
    request: AptosHoverLookup,
    signal: AbortSignal,
  ): Promise<string | null> {
    const key = `${getPermissionChain(network.name)} ${part} ${literalText}`;
    try {
      if (!network.isOnLoopback) await systemClock.sleep(REMOTE_DELAY_MS, signal);
      const rendered = await (part === 'summary' ? renderSummary : renderActivity)(request, network.name, signal);
      const text = rendered?.(systemClock.now()) ?? null;
      if (rendered !== null && text) lastHovers.set(key, rendered);
      return text;
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      log.warn(`Hover on Aptos ${network.name}: ${getFaultCode(error)}`);
      const retryLink = createCommandLink(
        l10n.t('Retry'),
        hoverCommands.lookUpAddress,
        [getPermissionChain(network.name), literalText],
        l10n.t('Query this Aptos network'),
      );
      const last = lastHovers.render(key, error, retryLink);
      if (last !== null) return last;
      // A default network that the user did not ask for shows no errors: a localnet is mostly not running.
      const isRequested =
        network.isUserConfigured || permissions.isAllowed(getPermissionChain(network.name), literalText);
      if (part === 'activity' || request.kind === 'either' || !isRequested) return null;
      const action = createCommandLink(
        l10n.t('Show log'),
        hoverCommands.showOutput,
        [],
        l10n.t('Open the HexLens output'),
      );
      const message = escapeMarkdown(`Aptos ${network.name}: ${formatFault(error)}`);
      return `$(debug-disconnect) ${message}  \n${action}`;
    }
  }

  return {
    async provide(network, part, documentLiteral, token) {
      const request = getAptosHoverLookup(documentLiteral.literal);
      if (
        request === null ||
        !concernsNetwork(network, documentLiteral) ||
        !(part === 'activity' ? network.canList : network.hasNode)
      )
        return null;
      if (getDecision(network, documentLiteral) !== 'yes') return null;
      const { text: literalText } = documentLiteral.literal;
      const toKey = (of: string) => `${getPermissionChain(network.name)} ${of} ${literalText}`;
      const run = (of: 'summary' | 'activity') => (own: AbortSignal) => render(network, of, literalText, request, own);
      const { signal, release } = toAbortSignal(token);
      try {
        if (part === 'slow') {
          const key = toKey('summary');
          if (!(await requests.isSlow(key, run('summary'), signal))) return null;
          return new Hover(toHoverMarkdown(renderSlow(`Aptos ${network.name}`, key)), documentLiteral.range);
        }
        const text = await requests.run(toKey(part), run(part), signal);
        return text ? new Hover(toHoverMarkdown(text), documentLiteral.range) : null;
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        throw error;
      } finally {
        release.dispose();
      }
    },

    createLookUpLinks(documentLiteral) {
      if (getAptosHoverLookup(documentLiteral.literal) === null) return '';
      const links = worker
        .aptosNetworks()
        .filter(
          network => concernsNetwork(network, documentLiteral) && getDecision(network, documentLiteral) === 'click',
        )
        .map(({ name }) =>
          createCommandLink(
            escapeMarkdown(name),
            hoverCommands.lookUpAddress,
            [getPermissionChain(name), documentLiteral.literal.text],
            l10n.t('Query this Aptos network'),
          ),
        );
      return links.length === 0 ? '' : `${l10n.t('Look up on Aptos')}: ${links.join(' · ')}`;
    },
  };
}
