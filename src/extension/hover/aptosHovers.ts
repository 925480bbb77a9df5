// What an Aptos network says of the subject under the pointer: summaries at once, what an account did and owns when it comes.
import { type CancellationToken, Hover, l10n } from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { systemClock } from '../../base/clock.ts';
import { escapeMarkdown } from '../../base/displayText.ts';
import { formatFault, getFaultCode, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { type Client, createClient } from '../../client/client.ts';
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
import {
  type AptosLookupRequest,
  checkAptosLookup,
  getAptosLookupRequest,
  getLiteralNetwork,
} from '../../view/hover/lookupRequests.ts';
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
  readonly backend: WorkerClient;
  readonly book: AddressBook;
  readonly log: Log;
  readonly permissions: LookupPermissions;
}

export type AptosHoverPart = 'summary' | 'activity';

export interface AptosHovers {
  /** `null` where the network says nothing, or may not be asked without a click. */
  provide(
    network: ConfiguredAptosNetwork,
    part: AptosHoverPart,
    here: DocumentLiteral,
    token: CancellationToken,
  ): Promise<Hover | null>;
  /** The clicks that let the question go to networks that are not on this machine; empty where there are none. */
  createLookUpLinks(here: DocumentLiteral): string;
}

/** A pointer that only passes by should not cost a request to somebody else's node. */
const PASSING_MS = 120;

/** Under which a click on a literal is remembered: no name of a chain begins like this. */
const permissionName = (network: string) => `aptos:${network}`;

export function createAptosHovers({ settings, backend, book, log, permissions }: AptosHoversDeps): AptosHovers {
  let made: Client | undefined;
  const client = () => {
    made ??= createClient(backend.transport);
    return made;
  };

  const verdictOn = (
    { name, local, isUserConfigured: chosen }: ConfiguredAptosNetwork,
    { literal: subject, fileName }: DocumentLiteral,
  ) =>
    checkAptosLookup(
      subject,
      { name, local, isConfigured: chosen, userRequested: permissions.isAllowed(permissionName(name), subject.text) },
      { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' },
    );

  const meant = ({ name }: ConfiguredAptosNetwork, { literal: subject }: DocumentLiteral): boolean => {
    const named = getLiteralNetwork(subject);
    return named === null || named === name;
  };

  const contextOf = (network: string): AptosSummaryHoverContext => ({
    parts: settings.current().hover.parts,
    now: Date.now(),
    getName: address => sortByChain(book.findByAddress(address), network)[0]?.name ?? null,
  });

  async function summary(question: AptosLookupRequest, network: string, signal: AbortSignal): Promise<string | null> {
    const context = contextOf(network);
    if (question.kind === 'coin') {
      const { coinType } = question;
      return renderAptosCoin(await backend.lookup('aptosCoinSummary', { network, coinType }, signal), context);
    }
    if (question.kind === 'address') {
      const { address } = question;
      return renderAptosAccount(await backend.lookup('aptosAccountSummary', { network, address }, signal), context);
    }
    if (question.kind === 'either') return either(question.literal, network, context, signal);
    const { transaction } = question;
    const found = await backend.lookup('aptosTransactionSummary', { network, transaction }, signal);
    return found.kind === 'aptosNothing' ? renderAptosNotFound(network) : renderAptosTransaction(found, context);
  }

  /** Nothing names it: only what is really there is worth saying. */
  async function either(literal: Hex, network: string, context: AptosSummaryHoverContext, signal: AbortSignal) {
    const [account, transaction] = await Promise.all([
      backend.lookup('aptosAccountSummary', { network, address: literal }, signal),
      backend.lookup('aptosTransactionSummary', { network, transaction: literal }, signal),
    ]);
    if (transaction.kind === 'aptosTransaction') return renderAptosTransaction(transaction, context);
    return account.holds === 'nothing' ? null : renderAptosAccount(account, context);
  }

  async function activity(question: AptosLookupRequest, network: string, signal: AbortSignal): Promise<string | null> {
    const { parts } = settings.current().hover;
    if (question.kind !== 'address') return null;
    const { address } = question;
    const input = { ownerAddresses: [address], limit: REQUESTED_ROWS, network };
    const page = async <Row>(
      wanted: boolean,
      ask: () => Promise<{ readonly result: readonly Row[]; readonly hasNextPage?: boolean | null }>,
    ): Promise<HoverRows<Row> | null> => {
      if (!wanted) return null;
      try {
        const { result, hasNextPage } = await ask();
        return { rows: result, hasMore: hasNextPage === true };
      } catch (error) {
        if (isFault(error, 'cancelled')) throw error;
        log.warn(`Hover on Aptos ${network}: ${getFaultCode(error)}`);
        return null; // the summary has said what is wrong with the network
      }
    };
    const [transfers, nfts] = await Promise.all([
      page(parts.transfers, () => client().aptosWalletCoinTransfers(input, { signal })),
      page(parts.nfts, () => client().aptosWalletNfts(input, { signal })),
    ]);
    return renderAptosActivity(network, address, transfers, nfts, contextOf(network));
  }

  return {
    async provide(network, part, here, token) {
      const question = getAptosLookupRequest(here.literal);
      if (question === null || !meant(network, here) || !(part === 'summary' ? network.hasNode : network.canList))
        return null;
      if (verdictOn(network, here).decision !== 'yes') return null;
      const { signal, release } = toAbortSignal(token);
      try {
        if (!network.local) await systemClock.sleep(PASSING_MS, signal);
        const text = await (part === 'summary' ? summary : activity)(question, network.name, signal);
        return text ? new Hover(toHoverMarkdown(text), here.range) : null;
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        log.warn(`Hover on Aptos ${network.name}: ${getFaultCode(error)}`);
        // The localnet of the defaults is most often not running, and nobody has asked for it.
        const asked =
          network.isUserConfigured || permissions.isAllowed(permissionName(network.name), here.literal.text);
        if (part === 'activity' || question.kind === 'either' || !asked) return null;
        const action = createCommandLink(
          l10n.t('Show log'),
          hoverCommands.showOutput,
          [],
          l10n.t('Open the HexLens output'),
        );
        const said = escapeMarkdown(`Aptos ${network.name}: ${formatFault(error)}`);
        return new Hover(toHoverMarkdown(`$(debug-disconnect) ${said}  \n${action}`), here.range);
      } finally {
        release.dispose();
      }
    },

    createLookUpLinks(here) {
      if (getAptosLookupRequest(here.literal) === null) return '';
      const links = backend
        .aptosNetworks()
        .filter(network => meant(network, here) && verdictOn(network, here).decision === 'click')
        .map(({ name }) =>
          createCommandLink(
            escapeMarkdown(name),
            hoverCommands.lookUpAddress,
            [permissionName(name), here.literal.text],
            l10n.t('Ask this Aptos network'),
          ),
        );
      return links.length === 0 ? '' : `${l10n.t('Look up on Aptos')}: ${links.join(' · ')}`;
    },
  };
}
