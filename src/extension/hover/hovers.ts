// What a hover says: at once what a literal says by itself, later what a chain says. Loaded with the first hover.
import { type CancellationToken, Hover, l10n, type Position, type TextDocument } from 'vscode';
import { fittingFirst } from '../../addressBook/addressBookIndex.ts';
import { chainById, chainByName } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import { escapeMarkdown } from '../../base/displayText.ts';
import { faultCode, isFault, readable } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createAbiBook } from '../../decode/abiRegistry.ts';
import { functionsOfCall } from '../../decode/decodeAbi.ts';
import { eventByTopic } from '../../decode/signatures/findSignatures.ts';
import { withWorkspaceAbis } from '../../detect/addWorkspaceSignatures.ts';
import { developmentAccount } from '../../detect/developmentAccounts.ts';
import { commandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { localMarkdown } from '../../view/hover/localHover.ts';
import { chainIdOf, mayAsk, type Question, questionOf } from '../../view/hover/lookupRequests.ts';
import {
  addressMarkdown,
  blockMarkdown,
  type HoverContext,
  nothingMarkdown,
  transactionMarkdown,
} from '../../view/hover/summaryHover.ts';
import type { Abis } from '../abi/abiProvider.ts';
import type { Book } from '../addressBook/addressBook.ts';
import type { ConfiguredNetwork } from '../backend/aptosNetworks.ts';
import { type SubjectHere, subjectAt } from '../editor/detectLiteral.ts';
import { signalOf } from '../editor/toAbortSignal.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { type AptosPart, createAptosHovers } from './aptosHovers.ts';
import { markdown } from './hoverMarkdown.ts';
import type { Permissions } from './lookupPermissions.ts';
import { createMoveNames } from './moveNamedAddresses.ts';

export interface HoversDeps {
  readonly settings: SettingsSource;
  readonly backend: BackendHost;
  readonly book: Book;
  readonly log: Log;
  readonly permissions: Permissions;
  readonly abis: Abis;
}

export interface Hovers {
  local(document: TextDocument, position: Position): Promise<Hover | null>;
  onChain(
    chain: ConfiguredChain,
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | null>;
  onAptos(
    network: ConfiguredNetwork,
    part: AptosPart,
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | null>;
  /** The address under a position in EIP-55 form. */
  checksummedAddressAt(document: TextDocument, position: Position): Hex | null;
}

/** A pointer that only passes by should not cost a request to somebody else's node. */
const PASSING_MS = 120;

/** The bundled signatures alone, until the workspace's files are read. */
const bundled = createAbiBook();

const wellKnown = (address: Hex) => developmentAccount(address)?.name ?? null;

function contextOf(settings: SettingsSource, book: Book, abis: Abis, chain: string): HoverContext {
  const own = abis.current();
  return {
    parts: settings.current().hover.parts,
    now: Date.now(),
    nameOf: address => book.nameOf(address, chain) ?? wellKnown(address),
    functionOf: input => functionsOfCall(own ?? bundled, input)[0]?.canonical ?? null,
    eventOf: topic => (own?.events(topic).workspace[0] ?? eventByTopic(topic)[0])?.canonical ?? null,
  };
}

async function answer(
  question: Question,
  chain: string,
  backend: BackendHost,
  context: HoverContext,
  signal: AbortSignal,
): Promise<string | null> {
  if (question.kind === 'address')
    return addressMarkdown(
      await backend.lookup('addressSummary', { chain, address: question.address }, signal),
      context,
    );
  const found =
    question.kind === 'hash'
      ? await backend.lookup('hashSummary', { chain, hash: question.hash }, signal)
      : await backend.lookup('blockSummary', { chain, block: question.block }, signal);
  if (found.kind === 'transaction') return transactionMarkdown(found, context);
  if (found.kind === 'block') return blockMarkdown(found, context);
  // With several chains each would say so, and only one of them can have it.
  return backend.chains().length === 1 ? nothingMarkdown(found.chain) : null;
}

/** The click that lets a question go to a node that is not on this machine. */
function askLink(question: Question, chain: ConfiguredChain, text: string): string {
  const command = question.kind === 'address' ? hoverCommands.lookUpAddress : hoverCommands.lookUpHash;
  const label = l10n.t('Look up on {chain}', { chain: escapeMarkdown(chain.selector) });
  return commandLink(label, command, [chain.selector, text], l10n.t('Ask the node of this chain'));
}

/** What a hover says when a chain could not be asked: one sentence and the way out of it. */
function faultText(chain: ConfiguredChain, error: unknown): string {
  const action = isFault(error, 'node-unreachable', 'no-node', 'egress-refused')
    ? commandLink(l10n.t('Change nodes'), hoverCommands.openNodeSettings, [], l10n.t('Open the setting hexlens.nodes'))
    : commandLink(l10n.t('Show log'), hoverCommands.showOutput, [], l10n.t('Open the HexLens output'));
  const said = readable(error);
  const name = said.includes(chain.selector) ? '' : `${chain.selector}: `;
  return `$(debug-disconnect) ${escapeMarkdown(name + said)}  \n${action}`;
}

export function createHovers({ settings, backend, book, log, permissions, abis }: HoversDeps): Hovers {
  const aptos = createAptosHovers({ settings, backend, book, log, permissions });
  const moveNames = createMoveNames();
  const visible = async (document: TextDocument, position: Position): Promise<SubjectHere | null> => {
    if (!settings.current().hover.enabled) return null;
    const names =
      document.languageId === 'move' || document.uri.path.endsWith('.move') ? await moveNames.of(document) : null;
    const here = subjectAt(document, position, names ?? undefined);
    return here === null ? null : { ...here, subject: withWorkspaceAbis(here.subject, abis.current()) };
  };
  return {
    async local(document, position) {
      const { hover } = settings.current();
      const here = await visible(document, position);
      if (here === null) return null;
      const id = chainIdOf(here.subject);
      const chain = id === null ? null : (chainById(id)?.name ?? null);
      const said = localMarkdown(here.subject, {
        parts: hover.parts,
        nameOf: wellKnown,
        entriesOf: address => fittingFirst(book.byAddress(address), chain),
        aptos: backend.aptosNetworks().length > 0,
      });
      const text = [said, hover.parts.actions ? aptos.askLinks(here) : ''].filter(part => part !== '').join('\n\n');
      return text === '' ? null : new Hover(markdown(text), here.range);
    },

    async onChain(chain, document, position, token) {
      const { privacy } = settings.current();
      const here = await visible(document, position);
      const question = here === null ? null : questionOf(here.subject);
      if (here === null || question === null) return null;
      // A link to one chain's explorer is about that chain; a local node may be anything, even a fork of it.
      const named = chainIdOf(here.subject);
      const id = chainByName(chain.selector)?.id ?? null;
      if (named !== null && id !== null && named !== id) return null;
      const verdict = mayAsk(
        here.subject,
        { local: chain.local, userAsked: permissions.allowed(chain.selector, here.subject.text) },
        { fileName: here.fileName, addressesOnClick: privacy.lookUp === 'onClick' },
      );
      if (verdict.answer === 'never') return null;
      if (verdict.answer === 'click') {
        const text = `${askLink(question, chain, here.subject.text)} · ${escapeMarkdown(verdict.reason)}`;
        return new Hover(markdown(text), here.range);
      }
      const { signal, release } = signalOf(token);
      try {
        if (!chain.local) await systemClock.sleep(PASSING_MS, signal);
        const context = contextOf(settings, book, abis, chain.selector);
        const text = await answer(question, chain.selector, backend, context, signal);
        return text === null ? null : new Hover(markdown(text), here.range);
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        log.warn(`Hover on ${chain.selector}: ${faultCode(error)}`);
        return new Hover(markdown(faultText(chain, error)), here.range);
      } finally {
        release.dispose();
      }
    },

    async onAptos(network, part, document, position, token) {
      const here = await visible(document, position);
      return here === null ? null : aptos.on(network, part, here, token);
    },

    checksummedAddressAt(document, position) {
      const subject = subjectAt(document, position)?.subject;
      return subject?.kind === 'address' || subject?.kind === 'paddedAddress' ? checksumAddress(subject.address) : null;
    },
  };
}
