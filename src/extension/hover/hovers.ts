// What a hover says: at once what a literal says by itself, later what a chain says. Loaded with the first hover.
import { type CancellationToken, Hover, l10n, type Position, type TextDocument } from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { getChainById, getChainByName } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import { escapeMarkdown } from '../../base/displayText.ts';
import { formatFault, getFaultCode, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import { findMatchingFunctions } from '../../decode/decodeAbi.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import { addWorkspaceSignatures } from '../../detect/addWorkspaceSignatures.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { createCommandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { renderLocalHover } from '../../view/hover/localHover.ts';
import {
  checkLookup,
  getLiteralChainId,
  getLookupRequest,
  type LookupRequest,
} from '../../view/hover/lookupRequests.ts';
import {
  renderAddressSummary,
  renderBlockSummary,
  renderNotFound,
  renderTransactionSummary,
  type SummaryHoverContext,
} from '../../view/hover/summaryHover.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { type DocumentLiteral, detectLiteral } from '../editor/detectLiteral.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredAptosNetwork, ConfiguredChain } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { type AptosHoverPart, createAptosHovers } from './aptosHovers.ts';
import { toHoverMarkdown } from './hoverMarkdown.ts';
import type { LookupPermissions } from './lookupPermissions.ts';
import { createMoveNamedAddressReader } from './moveNamedAddresses.ts';

export interface HoversDeps {
  readonly settings: SettingsSource;
  readonly backend: WorkerClient;
  readonly book: AddressBook;
  readonly log: Log;
  readonly permissions: LookupPermissions;
  readonly abis: AbiProvider;
}

export interface Hovers {
  provideLocal(document: TextDocument, position: Position): Promise<Hover | null>;
  provideForChain(
    chain: ConfiguredChain,
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | null>;
  provideForAptos(
    network: ConfiguredAptosNetwork,
    part: AptosHoverPart,
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | null>;
  /** The address under a position in EIP-55 form. */
  getChecksummedAddress(document: TextDocument, position: Position): Hex | null;
}

/** A pointer that only passes by should not cost a request to somebody else's node. */
const PASSING_MS = 120;

/** The bundled signatures alone, until the workspace's files are read. */
const bundled = createAbiRegistry();

const wellKnown = (address: Hex) => findDevelopmentAccount(address)?.name ?? null;

function contextOf(settings: SettingsSource, book: AddressBook, abis: AbiProvider, chain: string): SummaryHoverContext {
  const own = abis.current();
  return {
    parts: settings.current().hover.parts,
    now: Date.now(),
    getName: address => book.getName(address, chain) ?? wellKnown(address),
    getFunctionText: input => findMatchingFunctions(own ?? bundled, input)[0]?.canonical ?? null,
    getEventText: topic => (own?.events(topic).workspace[0] ?? findEventSignatures(topic)[0])?.canonical ?? null,
  };
}

async function answer(
  question: LookupRequest,
  chain: string,
  backend: WorkerClient,
  context: SummaryHoverContext,
  signal: AbortSignal,
): Promise<string | null> {
  if (question.kind === 'address')
    return renderAddressSummary(
      await backend.lookup('addressSummary', { chain, address: question.address }, signal),
      context,
    );
  const found =
    question.kind === 'hash'
      ? await backend.lookup('hashSummary', { chain, hash: question.hash }, signal)
      : await backend.lookup('blockSummary', { chain, block: question.block }, signal);
  if (found.kind === 'transaction') return renderTransactionSummary(found, context);
  if (found.kind === 'block') return renderBlockSummary(found, context);
  // With several chains each would say so, and only one of them can have it.
  return backend.chains().length === 1 ? renderNotFound(found.chain) : null;
}

/** The click that lets a question go to a node that is not on this machine. */
function askLink(question: LookupRequest, chain: ConfiguredChain, text: string): string {
  const command = question.kind === 'address' ? hoverCommands.lookUpAddress : hoverCommands.lookUpHash;
  const label = l10n.t('Look up on {chain}', { chain: escapeMarkdown(chain.selector) });
  return createCommandLink(label, command, [chain.selector, text], l10n.t('Ask the node of this chain'));
}

/** What a hover says when a chain could not be asked: one sentence and the way out of it. */
function faultText(chain: ConfiguredChain, error: unknown): string {
  const action = isFault(error, 'node-unreachable', 'no-node', 'egress-refused')
    ? createCommandLink(
        l10n.t('Change nodes'),
        hoverCommands.openNodeSettings,
        [],
        l10n.t('Open the setting hexlens.nodes'),
      )
    : createCommandLink(l10n.t('Show log'), hoverCommands.showOutput, [], l10n.t('Open the HexLens output'));
  const said = formatFault(error);
  const name = said.includes(chain.selector) ? '' : `${chain.selector}: `;
  return `$(debug-disconnect) ${escapeMarkdown(name + said)}  \n${action}`;
}

export function createHovers({ settings, backend, book, log, permissions, abis }: HoversDeps): Hovers {
  const aptos = createAptosHovers({ settings, backend, book, log, permissions });
  const moveNames = createMoveNamedAddressReader();
  const visible = async (document: TextDocument, position: Position): Promise<DocumentLiteral | null> => {
    if (!settings.current().hover.enabled) return null;
    const names =
      document.languageId === 'move' || document.uri.path.endsWith('.move') ? await moveNames.read(document) : null;
    const here = detectLiteral(document, position, names ?? undefined);
    return here === null ? null : { ...here, literal: addWorkspaceSignatures(here.literal, abis.current()) };
  };
  return {
    async provideLocal(document, position) {
      const { hover } = settings.current();
      const here = await visible(document, position);
      if (here === null) return null;
      const id = getLiteralChainId(here.literal);
      const chain = id === null ? null : (getChainById(id)?.name ?? null);
      const said = renderLocalHover(here.literal, {
        parts: hover.parts,
        getName: wellKnown,
        getEntries: address => sortByChain(book.findByAddress(address), chain),
        hasAptosNetworks: backend.aptosNetworks().length > 0,
      });
      const text = [said, hover.parts.actions ? aptos.createLookUpLinks(here) : '']
        .filter(part => part !== '')
        .join('\n\n');
      return text === '' ? null : new Hover(toHoverMarkdown(text), here.range);
    },

    async provideForChain(chain, document, position, token) {
      const { privacy } = settings.current();
      const here = await visible(document, position);
      const question = here === null ? null : getLookupRequest(here.literal);
      if (here === null || question === null) return null;
      // A link to one chain's explorer is about that chain; a local node may be anything, even a fork of it.
      const named = getLiteralChainId(here.literal);
      const id = getChainByName(chain.selector)?.id ?? null;
      if (named !== null && id !== null && named !== id) return null;
      const verdict = checkLookup(
        here.literal,
        { local: chain.local, userRequested: permissions.isAllowed(chain.selector, here.literal.text) },
        { fileName: here.fileName, addressesOnClick: privacy.lookUp === 'onClick' },
      );
      if (verdict.decision === 'never') return null;
      if (verdict.decision === 'click') {
        const text = `${askLink(question, chain, here.literal.text)} · ${escapeMarkdown(verdict.reason)}`;
        return new Hover(toHoverMarkdown(text), here.range);
      }
      const { signal, release } = toAbortSignal(token);
      try {
        if (!chain.local) await systemClock.sleep(PASSING_MS, signal);
        const context = contextOf(settings, book, abis, chain.selector);
        const text = await answer(question, chain.selector, backend, context, signal);
        return text === null ? null : new Hover(toHoverMarkdown(text), here.range);
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        log.warn(`Hover on ${chain.selector}: ${getFaultCode(error)}`);
        return new Hover(toHoverMarkdown(faultText(chain, error)), here.range);
      } finally {
        release.dispose();
      }
    },

    async provideForAptos(network, part, document, position, token) {
      const here = await visible(document, position);
      return here === null ? null : aptos.provide(network, part, here, token);
    },

    getChecksummedAddress(document, position) {
      const subject = detectLiteral(document, position)?.literal;
      return subject?.kind === 'address' || subject?.kind === 'paddedAddress' ? checksumAddress(subject.address) : null;
    },
  };
}
