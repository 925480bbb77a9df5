// The content of hovers: what the literal shows by itself, and what each chain or Aptos network adds.

import {
  type CancellationToken,
  commands,
  Hover,
  l10n,
  languages,
  type Memento,
  type Position,
  type TextDocument,
  workspace,
} from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { getChainByName, getNamedSelector } from '../../api/chains.ts';
import type { TokenUnit, TransactionSummary } from '../../api/lookups.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import { formatFault, getFaultCode, HexLensError, isFault } from '../../base/errors.ts';
import type { TokenAmountUnit } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { type AbiRegistry, createAbiRegistry } from '../../decode/abiRegistry.ts';
import { decodeFunctionData } from '../../decode/decodeAbi.ts';
import { formatDecodedItem, getUnitTokens } from '../../decode/formatDecodedItem.ts';
import { NATIVE_COIN } from '../../decode/seaportTrade.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import { addWorkspaceSignatures, isWorkspaceSelector } from '../../detect/addWorkspaceSignatures.ts';
import { isAptosLiteral } from '../../detect/hexLiteral.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { decodeDataLiteral } from '../../view/decodedLiteral.ts';
import { createCommandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { getHoverLookup, getLiteralChainId, type HoverLookup } from '../../view/hover/hoverLookups.ts';
import { createHoverRequests } from '../../view/hover/hoverRequests.ts';
import { createLastHovers, type RenderHover } from '../../view/hover/lastHovers.ts';
import { renderLocalHover } from '../../view/hover/localHover.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import { RepeatedHovers } from '../../view/hover/repeatedHovers.ts';
import { isSavedAsContract, isSavedForOtherChains } from '../../view/hover/savedEntries.ts';
import {
  formatNotFound,
  renderAddressSummary,
  renderBlockSummary,
  renderTransactionSummary,
  type SummaryHoverContext,
} from '../../view/hover/summaryHover.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { findContractRegistry, identifyContract } from '../abi/identifyContract.ts';
import { loadAbisInTime } from '../abi/loadAbisInTime.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { type DocumentLiteral, detectLiteral } from '../editor/detectLiteral.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredAptosNetwork, ConfiguredChain } from '../worker/configuredChains.ts';
import { fetchEnsName } from '../worker/fetchEnsName.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { type AptosHoverPart, createAptosHovers, renderSlow } from './aptosHovers.ts';
import { ChainResets } from './chainResets.ts';
import { fetchContractValues } from './contractValues.ts';
import { toHoverMarkdown } from './hoverMarkdown.ts';
import type { LookupPermissions } from './lookupPermissions.ts';
import { MissingHovers, REMOTE_DELAY_MS } from './missingHovers.ts';
import { createMoveNamedAddressReader } from './moveNamedAddresses.ts';
import { StackHovers } from './stackHovers.ts';
import { fetchTransactionCalls } from './transactionCalls.ts';

export interface HoversDeps {
  readonly settings: SettingsSource;
  readonly worker: WorkerClient;
  readonly book: AddressBook;
  readonly log: Log;
  readonly permissions: LookupPermissions;
  readonly abis: AbiProvider;
  readonly workspaceState: Memento;
  /** The chains that hovers ask. */
  getChains(): readonly ConfiguredChain[];
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
  /** Says that the node of a chain has not responded for a while; `null` when it responds before. */
  provideSlow: Hovers['provideForChain'];
  /** The lines of Solidity where a transaction failed, on a chain of this machine. */
  provideStack: Hovers['provideForChain'];
  /** Links that query Aptos, below the answers of the chains. */
  provideAptosLinks(document: TextDocument, position: Position): Promise<Hover | null>;
  /** Says that none of the chains that were asked has a hash. */
  provideNotFound(document: TextDocument, position: Position, token: CancellationToken): Promise<Hover | null>;
  /** Cancels a request by the key in a hover's link, and hides the hover. */
  cancel(key: string): Promise<void>;
  /** The address at a position in EIP-55 form. */
  getChecksummedAddress(document: TextDocument, position: Position): Hex | null;
}

/** What may be a selector. */
const FOUR_BYTES = /\b0x[0-9a-fA-F]{8}\b/;

/** A node that takes longer does not delay what is known without it. */
const MAX_FIND_MS = 400;

/** Time for the ABIs of the workspace, and for the ENS name and the build of a contract, after its summary has arrived. */
const MAX_IDENTIFY_MS = 1_000;

/** Only the bundled signatures, until the artifacts of the workspace are read. */
const bundled = createAbiRegistry();

function createContext(
  settings: SettingsSource,
  book: AddressBook,
  abis: AbiProvider,
  { selector, coin }: { readonly selector: string; readonly coin?: TokenAmountUnit },
  tokens: ReadonlyMap<string, TokenUnit> = new Map(),
  workspaceAbis: AbiRegistry | null = abis.current(),
): Omit<SummaryHoverContext, 'now'> {
  const registry = workspaceAbis ?? bundled;
  const explorer = settings.current().explorers[selector];
  const getName = (address: Hex) => book.getName(address, selector) ?? getWellKnownName(address);
  const getUnit = (token: string) => {
    const unit = tokens.get(token);
    return token === NATIVE_COIN ? (coin ?? null) : unit === undefined ? null : toAmountUnit(unit);
  };
  const getStandard = (token: string) => tokens.get(token)?.standard ?? null;
  return {
    parts: settings.current().hover.parts,
    chain: selector,
    ...(explorer !== undefined && { explorer }),
    getName,
    getToken: token => tokens.get(token) ?? null,
    getCallText(input, to) {
      const [call] = decodeFunctionData(registry, input);
      return call === undefined ? null : formatDecodedItem(call, { registry, getName, getUnit, getStandard }, to);
    },
    getEventText: topic =>
      (workspaceAbis?.events(topic).workspace[0] ?? findEventSignatures(topic)[0])?.canonical ?? null,
  };
}

/** Tokens whose units one hover fetches. */
const MAX_TOKENS = 4;

async function fetchTokens(
  { to, input, transfers }: TransactionSummary,
  chain: string,
  worker: HoversDeps['worker'],
  registry: AbiRegistry | null,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TokenUnit>> {
  const [call] = input === null ? [] : decodeFunctionData(registry ?? bundled, input);
  const wanted = new Set<string>([
    ...(call === undefined ? [] : getUnitTokens(call, to)),
    ...transfers.map(({ tokenAddress }) => tokenAddress),
  ]);
  wanted.delete(NATIVE_COIN);
  const tokens = new Map<string, TokenUnit>();
  const fetchToken = async (address: string) => {
    tokens.set(address, await worker.lookup('tokenUnit', { chain, address: address as Hex }, signal));
  };
  // An amount whose token does not answer stays a raw number.
  await Promise.allSettled([...wanted].slice(0, MAX_TOKENS).map(fetchToken));
  return tokens;
}

/** The ABIs of the workspace, in which those of the contract that was called decide. */
async function fetchContractRegistry(
  { to, input }: TransactionSummary,
  chain: string,
  deps: HoversDeps,
  registry: AbiRegistry | null,
  signal: AbortSignal,
): Promise<AbiRegistry | null> {
  if (registry === null || to === null || input === null) return registry;
  const identify = (on: string, address: Hex) => identifyContract(on, address, deps, signal);
  return findContractRegistry(chain, to, registry, identify, one => decodeFunctionData(one, input));
}

async function renderTransaction(
  summary: TransactionSummary,
  chain: string,
  deps: HoversDeps,
  signal: AbortSignal,
): Promise<RenderHover> {
  const { settings, book, abis } = deps;
  const coin = { symbol: summary.chain.coin, decimals: summary.chain.decimals };
  const getName = (address: Hex) => book.getName(address, chain) ?? getWellKnownName(address);
  const loaded = await loadAbisInTime(abis, systemClock, MAX_IDENTIFY_MS, signal);
  const [tokens, registry, calls] = await Promise.all([
    fetchTokens(summary, chain, deps.worker, loaded, signal),
    fetchContractRegistry(summary, chain, deps, loaded, signal),
    fetchTransactionCalls(summary, chain, deps, getName, signal),
  ]);
  const context = createContext(settings, book, abis, { selector: chain, coin }, tokens, registry);
  return now => renderTransactionSummary(summary, { ...context, now }, calls);
}

async function renderLookup(
  request: HoverLookup,
  chain: string,
  deps: HoversDeps,
  signal: AbortSignal,
): Promise<RenderHover | null> {
  const { settings, book, abis, worker } = deps;
  const isOnlyChain = worker.chains().length === 1;
  const context = {
    ...createContext(settings, book, abis, { selector: chain }),
    isSavedContract: (address: Hex) => isSavedAsContract(book.findByAddress(address), chain, isOnlyChain),
  };
  if (request.kind === 'address') {
    const summary = await worker.lookup('addressSummary', { chain, address: request.address }, signal);
    // The first request reads all artifacts: a large workspace must not delay the hover, nor a slow resolver.
    const timeout = systemClock.sleep(MAX_IDENTIFY_MS, signal).then(() => null);
    const identify = (on: string, of: Hex, own?: AbortSignal) => identifyContract(on, of, deps, own);
    const readPorts = { identify, lookup: worker.lookup, loadAbis: abis.load };
    const { contractValues } = settings.current().hover;
    const [contract, ensName, values] = await Promise.all([
      summary.codeSize === 0 ? null : Promise.race([identifyContract(chain, summary.address, deps, signal), timeout]),
      Promise.race([fetchEnsName(summary, chain, deps, signal), timeout]),
      contractValues.length === 0 || (summary.codeSize ?? 0) === 0
        ? []
        : Promise.race([
            fetchContractValues(contractValues, summary, chain, readPorts, context.getName, signal),
            timeout,
          ]),
    ]);
    return now => renderAddressSummary(summary, { ...context, now, contract, ensName, values: values ?? [] });
  }
  const found =
    request.kind === 'hash'
      ? await worker.lookup('hashSummary', { chain, hash: request.hash }, signal)
      : await worker.lookup('blockSummary', { chain, block: request.block }, signal);
  if (found.kind === 'transaction') return renderTransaction(found, chain, deps, signal);
  if (found.kind === 'block') return now => renderBlockSummary(found, { ...context, now });
  // With several chains most of them do not have it.
  if (request.kind !== 'block' || !isOnlyChain) return null;
  return now => formatNotFound([{ chain: found.chain, resetAt: null }], now);
}

/** A link that allows the literal to be sent to a remote node. */
function createLookUpLink(
  request: HoverLookup,
  chain: ConfiguredChain,
  text: string,
  label = l10n.t('Look up on {chain}', { chain: escapeMarkdown(chain.selector) }),
): string {
  const command = request.kind === 'address' ? hoverCommands.lookUpAddress : hoverCommands.lookUpHash;
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

export function createHovers(deps: HoversDeps): Hovers {
  const { settings, worker, book, log, permissions, abis, workspaceState, getChains } = deps;
  const lastHovers = createLastHovers(systemClock);
  let hasShownHover = false;
  const requests = createHoverRequests(systemClock);
  worker.onDidChangeConnections(lastHovers.clear);
  const aptos = createAptosHovers({ settings, worker, book, log, permissions, lastHovers, requests });
  const repeated = new RepeatedHovers();
  const moveNamedAddresses = createMoveNamedAddressReader();
  const stacks = new StackHovers({ settings, worker, abis });
  const resets = new ChainResets(workspaceState, worker.lookup);
  const missing = new MissingHovers({
    worker,
    resets,
    isAllowed: permissions.isAllowed,
    isOnClickOnly: () => settings.current().privacy.lookUp === 'onClick',
    getChains,
  });
  const detect = async (document: TextDocument, position: Position): Promise<DocumentLiteral | null> => {
    if (!settings.current().hover.enabled) return null;
    const isMove = document.languageId === 'move' || document.uri.path.endsWith('.move');
    const moveAddresses = isMove ? await moveNamedAddresses.read(document) : null;
    const isFourBytes = document.getWordRangeAtPosition(position, FOUR_BYTES) !== undefined;
    // Only the workspace tells what most selectors are.
    const registry = isFourBytes ? await loadAbisInTime(abis, systemClock, MAX_IDENTIFY_MS) : abis.current();
    const documentLiteral = detectLiteral(document, position, {
      moveAddresses: moveAddresses ?? undefined,
      isKnownSelector: selector => registry !== null && isWorkspaceSelector(selector, registry),
    });
    return documentLiteral === null
      ? null
      : { ...documentLiteral, literal: addWorkspaceSignatures(documentLiteral.literal, registry) };
  };
  async function hasChainId(chain: string, id: number, signal: AbortSignal): Promise<boolean> {
    try {
      return (await worker.lookup('chainStatus', { chain }, signal)).chain?.id === id;
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      return false; // unknown: the link may be about another chain
    }
  }

  /** A wrong checksum that a diagnostic in the same hover already reports is not repeated. */
  const hasDiagnostic = ({ uri }: TextDocument, position: Position): boolean =>
    languages.getDiagnostics(uri).some(({ source, range }) => source === 'HexLens' && range.contains(position));

  /** What a chain of this machine has under a hash, where the text does not say of what it is; `null` when that takes long. */
  async function findHashKind({ literal, fileName }: DocumentLiteral): Promise<'transaction' | 'block' | null> {
    if (literal.kind !== 'hash32' || (literal.hint !== null && literal.hint.kind !== 'hash')) return null;
    const signal = AbortSignal.timeout(MAX_FIND_MS);
    const find = async ({ selector }: ConfiguredChain) => {
      const { isLocal } = await worker.identifyChain(selector, signal);
      const rules = { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
      const { decision } = checkDisclosure(literal, { isLocal, isUserRequested: false }, rules);
      if (!isLocal || decision !== 'yes')
        throw new HexLensError('egress-refused', 'Only nodes on this machine are queried.');
      const { kind } = await worker.lookup('hashSummary', { chain: selector, hash: literal.hash }, signal);
      if (kind === 'nothing') throw new HexLensError('not-found', 'This chain does not have the hash.');
      return kind;
    };
    return Promise.any(
      worker
        .chains()
        .filter(({ isOnLoopback }) => isOnLoopback)
        .map(find),
    ).catch(() => null);
  }

  /** What a chain adds to a literal; a fault is a text too. Rejects only with `cancelled`. */
  async function renderForChain(
    configured: ConfiguredChain,
    documentLiteral: DocumentLiteral,
    request: HoverLookup,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { literal, fileName, isLinkText } = documentLiteral;
    // A literal in a link to one chain's explorer is about that chain, which a local node may be a fork of.
    const isUserRequested = permissions.isAllowed(configured.selector, literal.text);
    const namedId = isUserRequested || (isLinkText && configured.isOnLoopback) ? null : getLiteralChainId(literal);
    const id = getChainByName(configured.selector)?.id ?? null;
    if (namedId !== null && id !== null && namedId !== id) return null;
    if (request.kind === 'address' && isSavedForOtherChains(book.findByAddress(request.address), configured.selector))
      return null;
    if (namedId !== null && id === null && !(await hasChainId(configured.selector, namedId, signal))) return null;
    const chain = await worker.identifyChain(configured.selector, signal);
    const verdict = checkDisclosure(
      literal,
      { isLocal: chain.isLocal, isUserRequested },
      { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' },
    );
    if (verdict.decision === 'never') return null;
    if (verdict.decision === 'click')
      return `${createLookUpLink(request, chain, literal.text)} · ${escapeMarkdown(verdict.reason)}`;
    const key = `${chain.selector} ${literal.text}`;
    try {
      if (!chain.isOnLoopback) await systemClock.sleep(REMOTE_DELAY_MS, signal);
      const render = await renderLookup(request, chain.selector, deps, signal);
      if (render === null) return null;
      lastHovers.set(key, render);
      return render(systemClock.now());
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      log.warn(`Hover on ${chain.selector}: ${getFaultCode(error)}`);
      const retryLink = createLookUpLink(request, chain, literal.text, l10n.t('Retry'));
      return lastHovers.render(key, error, retryLink) ?? `${renderFault(chain, error)} · ${retryLink}`;
    }
  }

  /** The request to the chain about a position; `null` when there is none. */
  async function detectForChain(configured: ConfiguredChain, document: TextDocument, position: Position) {
    const found = await detect(document, position);
    const request = found === null ? null : getHoverLookup(found.literal);
    if (found === null || request === null) return null;
    const { text } = found.literal;
    const { selector } = configured;
    // The same text may mean something else in another document.
    const place = `${document.uri.toString()} ${document.version} ${document.offsetAt(found.range.start)}`;
    return {
      range: found.range,
      place,
      key: `${selector} ${place} ${permissions.isAllowed(selector, text)}`,
      render: (signal: AbortSignal) => renderForChain(configured, found, request, signal),
    };
  }

  return {
    async provideLocal(document, position) {
      const { hover } = settings.current();
      const documentLiteral = await detect(document, position);
      if (documentLiteral === null) return null;
      const id = getLiteralChainId(documentLiteral.literal);
      const chain = getNamedSelector(id);
      const { literal } = documentLiteral;
      const getName = (address: Hex) => book.getName(address, chain ?? undefined) ?? getWellKnownName(address);
      const decoded =
        literal.kind === 'data' ? decodeDataLiteral(literal, { registry: await abis.load(), getName }) : [];
      const localText = renderLocalHover(literal, {
        parts: { ...hover.parts, checksum: hover.parts.checksum && !hasDiagnostic(document, position) },
        decoded,
        found: await findHashKind(documentLiteral),
        getName: address =>
          book.getName(address, chain ?? undefined) ?? (isAptosLiteral(literal) ? null : getWellKnownName(address)),
        isWorkspaceTrusted: workspace.isTrusted,
        getEntries: address => sortByChain(book.findByAddress(address), chain),
        hasAptosNetworks: worker.aptosNetworks().length > 0 && worker.aptosUse.isUsed(),
      });
      const missingChain = await missing
        .describeChain(documentLiteral, AbortSignal.timeout(MAX_FIND_MS))
        .catch(() => null);
      const text = [localText, missingChain ?? ''].filter(part => part !== '').join('\n\n');
      if (text === '') return null;
      if (!hasShownHover) {
        hasShownHover = true;
        void commands.executeCommand('setContext', contextKeys.hovered, true);
      }
      return new Hover(toHoverMarkdown(text), documentLiteral.range);
    },

    async provideAptosLinks(document, position) {
      const documentLiteral = settings.current().hover.parts.actions ? await detect(document, position) : null;
      const links = documentLiteral === null ? '' : aptos.createLookUpLinks(documentLiteral);
      return documentLiteral === null || links === '' ? null : new Hover(toHoverMarkdown(links), documentLiteral.range);
    },

    async provideForChain(configured, document, position, token) {
      const found = await detectForChain(configured, document, position);
      if (found === null) return null;
      const { signal, release } = toAbortSignal(token);
      try {
        const text = await requests.run(found.key, found.render, signal);
        if (text === null) return null;
        const title = getChainByName(configured.selector)?.title ?? configured.selector;
        return new Hover(toHoverMarkdown(repeated.shorten(found.place, title, text)), found.range);
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        throw error;
      } finally {
        release.dispose();
      }
    },

    async provideSlow(configured, document, position, token) {
      const found = await detectForChain(configured, document, position);
      if (found === null) return null;
      const { signal, release } = toAbortSignal(token);
      try {
        if (!(await requests.isSlow(found.key, found.render, signal))) return null;
        return new Hover(toHoverMarkdown(renderSlow(configured.selector, found.key)), found.range);
      } finally {
        release.dispose();
      }
    },

    async provideStack(configured, document, position, token) {
      const found = await detect(document, position);
      if (found === null) return null;
      const { signal, release } = toAbortSignal(token);
      try {
        const text = await stacks.render(configured, found, signal);
        return text === null ? null : new Hover(toHoverMarkdown(text), found.range);
      } catch {
        return null; // the part of the chain says what is wrong
      } finally {
        release.dispose();
      }
    },

    async provideNotFound(document, position, token) {
      const found = await detect(document, position);
      if (found === null) return null;
      const { signal, release } = toAbortSignal(token);
      try {
        const text = await missing.describeHash(found, signal);
        return text === null ? null : new Hover(toHoverMarkdown(text), found.range);
      } catch {
        return null; // the parts of the chains say what is wrong
      } finally {
        release.dispose();
      }
    },

    async cancel(key) {
      requests.cancel(key);
      await commands.executeCommand('editor.action.hideHover');
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
