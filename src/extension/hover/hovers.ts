// The content of hovers: what the literal shows by itself, and what each chain or Aptos network adds.

import { type CancellationToken, Hover, l10n, type Position, type TextDocument, workspace } from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { getChainById, getChainByName } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import { formatFault, getFaultCode, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import { findMatchingFunctions } from '../../decode/decodeAbi.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import { addWorkspaceSignatures } from '../../detect/addWorkspaceSignatures.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { createCommandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { renderLocalHover } from '../../view/hover/localHover.ts';
import { getLiteralChainId, getLookupRequest, type LookupRequest } from '../../view/hover/lookupRequests.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
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
  readonly worker: WorkerClient;
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
  /** The address at a position in EIP-55 form. */
  getChecksummedAddress(document: TextDocument, position: Position): Hex | null;
}

/** A pointer that only passes over a literal must not cause a request to a remote node. */
const REMOTE_DELAY_MS = 120;

/** Only the bundled signatures, until the artifacts of the workspace are read. */
const bundled = createAbiRegistry();

const getWellKnownName = (address: Hex) => findDevelopmentAccount(address)?.name ?? null;

function createContext(
  settings: SettingsSource,
  book: AddressBook,
  abis: AbiProvider,
  chain: string,
): SummaryHoverContext {
  const workspaceAbis = abis.current();
  return {
    parts: settings.current().hover.parts,
    now: Date.now(),
    getName: address => book.getName(address, chain) ?? getWellKnownName(address),
    getFunctionText: input => findMatchingFunctions(workspaceAbis ?? bundled, input)[0]?.canonical ?? null,
    getEventText: topic =>
      (workspaceAbis?.events(topic).workspace[0] ?? findEventSignatures(topic)[0])?.canonical ?? null,
  };
}

async function renderLookup(
  request: LookupRequest,
  chain: string,
  worker: WorkerClient,
  context: SummaryHoverContext,
  signal: AbortSignal,
): Promise<string | null> {
  if (request.kind === 'address')
    return renderAddressSummary(
      await worker.lookup('addressSummary', { chain, address: request.address }, signal),
      context,
    );
  const found =
    request.kind === 'hash'
      ? await worker.lookup('hashSummary', { chain, hash: request.hash }, signal)
      : await worker.lookup('blockSummary', { chain, block: request.block }, signal);
  if (found.kind === 'transaction') return renderTransactionSummary(found, context);
  if (found.kind === 'block') return renderBlockSummary(found, context);
  // With several chains most of them do not have it: only one chain reports that nothing was found.
  return worker.chains().length === 1 ? renderNotFound(found.chain) : null;
}

/** A link that allows the literal to be sent to a remote node. */
function createLookUpLink(request: LookupRequest, chain: ConfiguredChain, text: string): string {
  const command = request.kind === 'address' ? hoverCommands.lookUpAddress : hoverCommands.lookUpHash;
  const label = l10n.t('Look up on {chain}', { chain: escapeMarkdown(chain.selector) });
  return createCommandLink(label, command, [chain.selector, text], l10n.t('Query the node of this chain'));
}

/** A fault with a link to a remedy. */
function renderFault(chain: ConfiguredChain, error: unknown): string {
  const action = isFault(error, 'node-unreachable', 'no-node', 'egress-refused')
    ? createCommandLink(
        l10n.t('Change nodes'),
        hoverCommands.openNodeSettings,
        [],
        l10n.t('Open the setting hexlens.nodes'),
      )
    : createCommandLink(l10n.t('Show log'), hoverCommands.showOutput, [], l10n.t('Open the HexLens output'));
  const message = formatFault(error);
  const prefix = message.includes(chain.selector) ? '' : `${chain.selector}: `;
  return `$(debug-disconnect) ${escapeMarkdown(prefix + message)}  \n${action}`;
}

export function createHovers({ settings, worker, book, log, permissions, abis }: HoversDeps): Hovers {
  const aptos = createAptosHovers({ settings, worker, book, log, permissions });
  const moveNamedAddresses = createMoveNamedAddressReader();
  const detect = async (document: TextDocument, position: Position): Promise<DocumentLiteral | null> => {
    if (!settings.current().hover.enabled) return null;
    const isMove = document.languageId === 'move' || document.uri.path.endsWith('.move');
    const moveAddresses = isMove ? await moveNamedAddresses.read(document) : null;
    const documentLiteral = detectLiteral(document, position, moveAddresses ?? undefined);
    return documentLiteral === null
      ? null
      : { ...documentLiteral, literal: addWorkspaceSignatures(documentLiteral.literal, abis.current()) };
  };
  return {
    async provideLocal(document, position) {
      const { hover } = settings.current();
      const documentLiteral = await detect(document, position);
      if (documentLiteral === null) return null;
      const id = getLiteralChainId(documentLiteral.literal);
      const chain = id === null ? null : (getChainById(id)?.name ?? null);
      const localText = renderLocalHover(documentLiteral.literal, {
        parts: hover.parts,
        getName: address =>
          book.getName(address, chain ?? undefined) ?? book.getName(address) ?? getWellKnownName(address),
        isWorkspaceTrusted: workspace.isTrusted,
        getEntries: address => sortByChain(book.findByAddress(address), chain),
        hasAptosNetworks: worker.aptosNetworks().length > 0,
      });
      const text = [localText, hover.parts.actions ? aptos.createLookUpLinks(documentLiteral) : '']
        .filter(part => part !== '')
        .join('\n\n');
      return text === '' ? null : new Hover(toHoverMarkdown(text), documentLiteral.range);
    },

    async provideForChain(chain, document, position, token) {
      const { privacy } = settings.current();
      const documentLiteral = await detect(document, position);
      const request = documentLiteral === null ? null : getLookupRequest(documentLiteral.literal);
      if (documentLiteral === null || request === null) return null;
      // A literal in a link to one chain's explorer is about that chain; a local node may be a fork of it.
      const namedId = getLiteralChainId(documentLiteral.literal);
      const id = getChainByName(chain.selector)?.id ?? null;
      if (namedId !== null && id !== null && namedId !== id) return null;
      const verdict = checkDisclosure(
        documentLiteral.literal,
        { local: chain.local, userRequested: permissions.isAllowed(chain.selector, documentLiteral.literal.text) },
        { fileName: documentLiteral.fileName, addressesOnClick: privacy.lookUp === 'onClick' },
      );
      if (verdict.decision === 'never') return null;
      if (verdict.decision === 'click') {
        const text = `${createLookUpLink(request, chain, documentLiteral.literal.text)} · ${escapeMarkdown(verdict.reason)}`;
        return new Hover(toHoverMarkdown(text), documentLiteral.range);
      }
      const { signal, release } = toAbortSignal(token);
      try {
        if (!chain.local) await systemClock.sleep(REMOTE_DELAY_MS, signal);
        const context = createContext(settings, book, abis, chain.selector);
        const text = await renderLookup(request, chain.selector, worker, context, signal);
        return text === null ? null : new Hover(toHoverMarkdown(text), documentLiteral.range);
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        log.warn(`Hover on ${chain.selector}: ${getFaultCode(error)}`);
        return new Hover(toHoverMarkdown(renderFault(chain, error)), documentLiteral.range);
      } finally {
        release.dispose();
      }
    },

    async provideForAptos(network, part, document, position, token) {
      const documentLiteral = await detect(document, position);
      return documentLiteral === null ? null : aptos.provide(network, part, documentLiteral, token);
    },

    getChecksummedAddress(document, position) {
      const literal = detectLiteral(document, position)?.literal;
      return literal?.kind === 'address' || literal?.kind === 'paddedAddress' ? checksumAddress(literal.address) : null;
    },
  };
}
