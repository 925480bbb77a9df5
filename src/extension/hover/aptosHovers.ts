// What an Aptos network says of the subject under the pointer: summaries at once, what an account did and owns when it comes.
import { type CancellationToken, Hover, l10n } from 'vscode';
import { fittingFirst } from '../../addressBook/addressBookIndex.ts';
import { systemClock } from '../../base/clock.ts';
import { escapeMarkdown } from '../../base/displayText.ts';
import { faultCode, isFault, readable } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { type Client, createClient } from '../../client/client.ts';
import { type AptosQuestion, aptosQuestionOf, mayAskAptos, networkOf } from '../../view/hover/aptosLookupRequests.ts';
import {
  type AptosHoverContext,
  ASKED,
  aptosAccountMarkdown,
  aptosActivityMarkdown,
  aptosCoinMarkdown,
  aptosNothingMarkdown,
  aptosTransactionMarkdown,
  type PageOf,
} from '../../view/hover/aptosSummaryHover.ts';
import { commandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import type { Book } from '../addressBook/addressBook.ts';
import type { ConfiguredNetwork } from '../backend/aptosNetworks.ts';
import type { SubjectHere } from '../editor/detectLiteral.ts';
import { signalOf } from '../editor/toAbortSignal.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { markdown } from './hoverMarkdown.ts';
import type { Permissions } from './lookupPermissions.ts';

export interface AptosHoversDeps {
  readonly settings: SettingsSource;
  readonly backend: BackendHost;
  readonly book: Book;
  readonly log: Log;
  readonly permissions: Permissions;
}

export type AptosPart = 'summary' | 'activity';

export interface AptosHovers {
  /** `null` where the network says nothing, or may not be asked without a click. */
  on(network: ConfiguredNetwork, part: AptosPart, here: SubjectHere, token: CancellationToken): Promise<Hover | null>;
  /** The clicks that let the question go to networks that are not on this machine; empty where there are none. */
  askLinks(here: SubjectHere): string;
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

  const verdictOn = ({ name, local, chosen }: ConfiguredNetwork, { subject, fileName }: SubjectHere) =>
    mayAskAptos(
      subject,
      { name, local, chosen, userAsked: permissions.allowed(permissionName(name), subject.text) },
      { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' },
    );

  const meant = ({ name }: ConfiguredNetwork, { subject }: SubjectHere): boolean => {
    const named = networkOf(subject);
    return named === null || named === name;
  };

  const contextOf = (network: string): AptosHoverContext => ({
    parts: settings.current().hover.parts,
    now: Date.now(),
    nameOf: address => fittingFirst(book.byAddress(address), network)[0]?.name ?? null,
  });

  async function summary(question: AptosQuestion, network: string, signal: AbortSignal): Promise<string | null> {
    const context = contextOf(network);
    if (question.kind === 'coin') {
      const { coinType } = question;
      return aptosCoinMarkdown(await backend.lookup('aptosCoinSummary', { network, coinType }, signal), context);
    }
    if (question.kind === 'address') {
      const { address } = question;
      return aptosAccountMarkdown(await backend.lookup('aptosAccountSummary', { network, address }, signal), context);
    }
    if (question.kind === 'either') return either(question.literal, network, context, signal);
    const { transaction } = question;
    const found = await backend.lookup('aptosTransactionSummary', { network, transaction }, signal);
    return found.kind === 'aptosNothing' ? aptosNothingMarkdown(network) : aptosTransactionMarkdown(found, context);
  }

  /** Nothing names it: only what is really there is worth saying. */
  async function either(literal: Hex, network: string, context: AptosHoverContext, signal: AbortSignal) {
    const [account, transaction] = await Promise.all([
      backend.lookup('aptosAccountSummary', { network, address: literal }, signal),
      backend.lookup('aptosTransactionSummary', { network, transaction: literal }, signal),
    ]);
    if (transaction.kind === 'aptosTransaction') return aptosTransactionMarkdown(transaction, context);
    return account.holds === 'nothing' ? null : aptosAccountMarkdown(account, context);
  }

  async function activity(question: AptosQuestion, network: string, signal: AbortSignal): Promise<string | null> {
    const { parts } = settings.current().hover;
    if (question.kind !== 'address') return null;
    const { address } = question;
    const input = { ownerAddresses: [address], limit: ASKED, network };
    const page = async <Row>(
      wanted: boolean,
      ask: () => Promise<{ readonly result: readonly Row[]; readonly hasNextPage?: boolean | null }>,
    ): Promise<PageOf<Row> | null> => {
      if (!wanted) return null;
      try {
        const { result, hasNextPage } = await ask();
        return { rows: result, more: hasNextPage === true };
      } catch (error) {
        if (isFault(error, 'cancelled')) throw error;
        log.warn(`Hover on Aptos ${network}: ${faultCode(error)}`);
        return null; // the summary has said what is wrong with the network
      }
    };
    const [transfers, nfts] = await Promise.all([
      page(parts.transfers, () => client().aptosWalletCoinTransfers(input, { signal })),
      page(parts.nfts, () => client().aptosWalletNfts(input, { signal })),
    ]);
    return aptosActivityMarkdown(network, address, transfers, nfts, contextOf(network));
  }

  return {
    async on(network, part, here, token) {
      const question = aptosQuestionOf(here.subject);
      if (question === null || !meant(network, here) || !(part === 'summary' ? network.hasNode : network.listed))
        return null;
      if (verdictOn(network, here).answer !== 'yes') return null;
      const { signal, release } = signalOf(token);
      try {
        if (!network.local) await systemClock.sleep(PASSING_MS, signal);
        const text = await (part === 'summary' ? summary : activity)(question, network.name, signal);
        return text ? new Hover(markdown(text), here.range) : null;
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        log.warn(`Hover on Aptos ${network.name}: ${faultCode(error)}`);
        // The localnet of the defaults is most often not running, and nobody has asked for it.
        const asked = network.chosen || permissions.allowed(permissionName(network.name), here.subject.text);
        if (part === 'activity' || question.kind === 'either' || !asked) return null;
        const action = commandLink(l10n.t('Show log'), hoverCommands.showOutput, [], l10n.t('Open the HexLens output'));
        const said = escapeMarkdown(`Aptos ${network.name}: ${readable(error)}`);
        return new Hover(markdown(`$(debug-disconnect) ${said}  \n${action}`), here.range);
      } finally {
        release.dispose();
      }
    },

    askLinks(here) {
      if (aptosQuestionOf(here.subject) === null) return '';
      const links = backend
        .aptosNetworks()
        .filter(network => meant(network, here) && verdictOn(network, here).answer === 'click')
        .map(({ name }) =>
          commandLink(
            escapeMarkdown(name),
            hoverCommands.lookUpAddress,
            [permissionName(name), here.subject.text],
            l10n.t('Ask this Aptos network'),
          ),
        );
      return links.length === 0 ? '' : `${l10n.t('Look up on Aptos')}: ${links.join(' · ')}`;
    },
  };
}
