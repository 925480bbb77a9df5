// What a chain adds to the hover over a literal: the summary of an address, a transaction or a block.

import type { TokenUnit, TransactionSummary } from '../../api/lookups.ts';
import { systemClock } from '../../base/clock.ts';
import { getFaultCode, isFault } from '../../base/errors.ts';
import type { TokenAmountUnit } from '../../base/formatUnits.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import { parseAmountToken } from '../../decode/amountTokens.ts';
import { bundledAbis } from '../../decode/bundledAbis.ts';
import { decodeFunctionData } from '../../decode/decodeAbi.ts';
import { formatDecodedItem, getUnitTokens, listAddresses } from '../../decode/formatDecodedItem.ts';
import { NATIVE_COIN } from '../../decode/seaportTrade.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { findConfiguredTitle, getConfiguredTitle } from '../../view/chainTitle.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { getHoverLookup, type HoverLookup } from '../../view/hover/hoverLookups.ts';
import { type HoverRequests, REMOTE_DELAY_MS } from '../../view/hover/hoverRequests.ts';
import type { LastHovers, RenderHover } from '../../view/hover/lastHovers.ts';
import { RepeatedHovers } from '../../view/hover/repeatedHovers.ts';
import { createLookUpLink, renderFault, renderProblem, renderSlow } from '../../view/hover/requestLines.ts';
import { isSavedAsContract } from '../../view/hover/savedEntries.ts';
import {
  formatNotFound,
  renderAddressSummary,
  renderBlockSummary,
  renderTransactionSummary,
  type SummaryHoverContext,
} from '../../view/hover/summaryHover.ts';
import { renderReason } from '../../view/privacyReason.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { learnBuildNames } from '../abi/buildNames.ts';
import { findContractRegistry, identifyContract } from '../abi/identifyContract.ts';
import { loadAbisInTime } from '../abi/loadAbisInTime.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { type ConfiguredChain, isMinedHere, selectExplorer } from '../worker/configuredChains.ts';
import { fetchEnsName } from '../worker/fetchEnsName.ts';
import { findChainProblem } from '../worker/findChainProblem.ts';
import { concernsChain } from './concernsChain.ts';
import { fetchContractValues } from './contractValues.ts';
import { findHashKind, isFoundKind } from './findHashKind.ts';
import type { LookupPermissions } from './lookupPermissions.ts';
import { fetchTransactionCalls } from './transactionCalls.ts';

export interface ChainHoversDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'log' | 'abis'> {
  readonly permissions: LookupPermissions;
  readonly lastHovers: LastHovers;
  readonly requests: HoverRequests;
  isWorkspaceTrusted(): boolean;
}

/** Time for the ABIs of the workspace, and for the ENS name and the build of a contract, after its summary has arrived. */
const MAX_IDENTIFY_MS = 1_000;

/** So long a chain waits for those of this machine before it: of two with the same contract the first is shown whole. */
const MAX_ORDER_MS = 500;

function createContext(
  settings: SettingsSource,
  book: AddressBook,
  abis: AbiProvider,
  { selector, coin }: { readonly selector: string; readonly coin?: TokenAmountUnit },
  tokens: ReadonlyMap<string, TokenUnit> = new Map(),
  workspaceAbis: AbiRegistry | null = abis.current(),
  getBuildName: (address: Hex) => string | null = () => null,
): Omit<SummaryHoverContext, 'now'> {
  const registry = workspaceAbis ?? bundledAbis;
  const explorer = settings.current().explorers[selector];
  const getName = (address: Hex) =>
    book.getName(address, selector) ?? getWellKnownName(address) ?? getBuildName(address);
  const getUnit = (token: string) => {
    const unit = tokens.get(token);
    return token === NATIVE_COIN ? (coin ?? null) : unit === undefined ? null : toAmountUnit(unit, token);
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
  worker: ChainHoversDeps['worker'],
  registry: AbiRegistry | null,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TokenUnit>> {
  const [call] = input === null ? [] : decodeFunctionData(registry ?? bundledAbis, input);
  const wanted = new Set<string>([
    ...(call === undefined ? [] : getUnitTokens(call, to)),
    ...transfers.map(({ tokenAddress }) => tokenAddress),
  ]);
  wanted.delete(NATIVE_COIN);
  const tokens = new Map<string, TokenUnit>();
  const fetchToken = async (token: string) => {
    const address = parseAmountToken(token).contract as Hex;
    tokens.set(token, await worker.lookup('tokenUnit', { chain, address }, signal));
  };
  // An amount whose token does not answer stays a raw number.
  await Promise.allSettled([...wanted].slice(0, MAX_TOKENS).map(fetchToken));
  return tokens;
}

/** The ABIs of the workspace, in which those of the contract that was called decide. */
async function fetchContractRegistry(
  { to, input }: TransactionSummary,
  chain: string,
  deps: ChainHoversDeps,
  registry: AbiRegistry | null,
  signal: AbortSignal,
): Promise<AbiRegistry | null> {
  if (registry === null || to === null || input === null) return registry;
  const identify = (on: string, address: Hex) => identifyContract(on, address, deps, signal);
  return findContractRegistry(chain, to, registry, identify, one => decodeFunctionData(one, input));
}

async function fetchTransaction(
  summary: TransactionSummary,
  chain: string,
  deps: ChainHoversDeps,
  signal: AbortSignal,
): Promise<RenderHover> {
  const { settings, book, abis } = deps;
  const coin = { symbol: summary.chain.coin, decimals: summary.chain.decimals };
  const getName = (address: Hex) => book.getName(address, chain) ?? getWellKnownName(address);
  const loaded = await loadAbisInTime(abis, systemClock, MAX_IDENTIFY_MS, signal);
  const [call] = summary.input === null ? [] : decodeFunctionData(loaded ?? bundledAbis, summary.input);
  const parties = [
    ...[summary.from, summary.to, summary.created].filter(address => address !== null),
    ...summary.transfers.flatMap(({ from, to }) => [from, to]),
    ...listAddresses(call?.values ?? [], loaded ?? bundledAbis),
  ];
  const [getBuildName, tokens, registry, calls] = await Promise.all([
    learnBuildNames(chain, parties, deps, signal, summary.blockNumber),
    fetchTokens(summary, chain, deps.worker, loaded, signal),
    fetchContractRegistry(summary, chain, deps, loaded, signal),
    fetchTransactionCalls(summary, chain, deps, getName, signal),
  ]);
  const configured = deps.worker.chains().find(({ selector }) => selector === chain);
  const context = {
    ...createContext(settings, book, abis, { selector: chain, coin }, tokens, registry, getBuildName),
    ...selectExplorer(configured, summary.blockNumber, settings.current().explorers[chain]),
    isExplainedOnClick: configured !== undefined && !isMinedHere(configured, summary.blockNumber),
  };
  return now => renderTransactionSummary(summary, { ...context, now, isRestricted: !deps.isWorkspaceTrusted() }, calls);
}

async function fetchSummary(
  request: HoverLookup,
  chain: string,
  deps: ChainHoversDeps,
  identifying: Promise<unknown>,
  signal: AbortSignal,
): Promise<RenderHover | null> {
  const { settings, book, abis, worker } = deps;
  const isOnlyChain = worker.chains().length === 1;
  const context = {
    ...createContext(settings, book, abis, { selector: chain }),
    isSavedContract: (address: Hex) => isSavedAsContract(book.findByAddress(address), chain, isOnlyChain),
  };
  if (request.kind === 'address') {
    // With builds in the workspace, the code is requested in the same round trip as the summary.
    const identifying = identifyContract(chain, toLowerHex(request.address), deps, signal);
    identifying.catch(() => {}); // where the summary is rejected, nothing waits for it
    const summary = await worker.lookup('addressSummary', { chain, address: request.address }, signal);
    // The first request reads all artifacts: a large workspace must not delay the hover, nor a slow resolver.
    const timeout = systemClock.sleep(MAX_IDENTIFY_MS, signal).then(() => null);
    const identify = (on: string, of: Hex, own?: AbortSignal) => identifyContract(on, of, deps, own);
    const readPorts = { identify, lookup: worker.lookup, loadAbis: abis.load };
    const { contractValues } = settings.current().hover;
    const [contract, ensName, values] = await Promise.all([
      summary.codeSize === 0 ? null : Promise.race([identifying, timeout]),
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
  const [found] = await Promise.all([
    request.kind === 'hash'
      ? worker.lookup('hashSummary', { chain, hash: request.hash }, signal)
      : worker.lookup('blockSummary', { chain, block: request.block }, signal),
    identifying, // tells what only this machine has
  ]);
  if (found.kind === 'transaction') return fetchTransaction(found, chain, deps, signal);
  if (found.kind === 'block') {
    const configured = worker.chains().find(({ selector }) => selector === chain);
    const explorer = selectExplorer(configured, found.number, settings.current().explorers[chain]);
    return now => renderBlockSummary(found, { ...context, ...explorer, now });
  }
  // With several chains most of them do not have it.
  if (request.kind !== 'block' || !isOnlyChain) return null;
  return now => formatNotFound([{ chain: found.chain, resetAt: null }], now);
}

interface ChainRequest {
  /** Requests of the same hover and chain are one. */
  readonly key: string;
  readonly render: (signal: AbortSignal) => Promise<string | null>;
}

export class ChainHovers {
  readonly #deps: ChainHoversDeps;
  /** What the hover that is shown already says of other chains. */
  readonly #repeated = new RepeatedHovers();
  /** Requests under way, by chain and place. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: ChainHoversDeps) {
    this.#deps = deps;
  }

  /** What a chain adds to a literal, where it is; `null` for nothing. Rejects only with `cancelled`. */
  async render(
    configured: ConfiguredChain,
    found: DocumentLiteral,
    place: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const request = this.#createRequest(configured, found, place);
    if (request === null) return null;
    const earlier = this.#listEarlier(configured.selector, place);
    const running = this.#deps.requests.run(request.key, request.render, signal);
    const key = `${configured.selector} ${place}`;
    this.#running.set(
      key,
      running.then(
        () => {},
        () => {},
      ),
    );
    const text = await running.finally(() => this.#running.delete(key));
    if (text === null) return null;
    if (earlier.length > 0) await Promise.race([Promise.all(earlier), systemClock.sleep(MAX_ORDER_MS, signal)]);
    return this.#repeated.shorten(place, findConfiguredTitle(this.#deps.worker.chains(), configured.selector), text);
  }

  /** That the node of a chain has not responded for a while; `null` when it responds before. */
  async renderSlow(
    configured: ConfiguredChain,
    found: DocumentLiteral,
    place: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const request = this.#createRequest(configured, found, place);
    const isSlow = request !== null && (await this.#deps.requests.isSlow(request.key, request.render, signal));
    return isSlow ? renderSlow(getConfiguredTitle(configured), request.key) : null;
  }

  /** What the chains before this one still wait for, at the same place. */
  #listEarlier(selector: string, place: string): readonly Promise<void>[] {
    const chains = this.#deps.worker.chains();
    const before = chains.slice(
      0,
      chains.findIndex(one => one.selector === selector),
    );
    return before.flatMap(one => (one.isOnLoopback && this.#running.get(`${one.selector} ${place}`)) || []);
  }

  #createRequest(configured: ConfiguredChain, found: DocumentLiteral, place: string): ChainRequest | null {
    const request = getHoverLookup(found.literal);
    if (request === null) return null;
    const { selector } = configured;
    return {
      key: `${selector} ${place} ${this.#deps.permissions.isAllowed(selector, found.literal.text)}`,
      render: signal => this.#lookUp(configured, found, request, signal),
    };
  }

  async #lookUp(
    configured: ConfiguredChain,
    found: DocumentLiteral,
    request: HoverLookup,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { settings, worker, permissions } = this.#deps;
    const { literal, fileName } = found;
    if (!(await concernsChain(configured, found, request, this.#deps, signal))) return null;
    const isUserRequested = permissions.isAllowed(configured.selector, literal.text);
    const rules = { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
    const identifying = worker.identifyChain(configured.selector, signal);
    identifying.catch(() => {}); // the rest is cancelled too
    // What any chain may get is requested in the same round trip as what the chain is.
    const isForAll = checkDisclosure(literal, { isLocal: false, isUserRequested }, rules).decision === 'yes';
    if (!isForAll) {
      const { isLocal, forkBlock } = await identifying;
      const isFork = forkBlock !== undefined;
      const verdict = checkDisclosure(literal, { isLocal, isUserRequested, isFork }, rules);
      if (verdict.decision === 'never') return null;
      if (verdict.decision === 'click') {
        // Where a chain of this machine has the hash, it is that of no other chain.
        if (isFoundKind(await findHashKind(found, this.#deps))) return null;
        // A node of this machine that does not respond has not reported whether it may be queried.
        const problem = await findChainProblem(configured, this.#deps.worker, signal);
        if (problem !== null) return renderProblem(getConfiguredTitle(configured), problem);
        return `${createLookUpLink(request, configured.selector, literal.text)} · ${renderReason(verdict.reason)}`;
      }
    }
    return this.#fetch(configured, literal.text, request, identifying, signal);
  }

  /** The summary; a fault is a text too. */
  async #fetch(
    { selector, isOnLoopback }: ConfiguredChain,
    text: string,
    request: HoverLookup,
    identifying: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { lastHovers, log } = this.#deps;
    const key = `${selector} ${text}`;
    try {
      if (!isOnLoopback) await systemClock.sleep(REMOTE_DELAY_MS, signal);
      const render = await fetchSummary(request, selector, this.#deps, identifying, signal);
      if (render === null) return null;
      lastHovers.set(key, render);
      return render(systemClock.now());
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      log.warn(`Hover on ${selector}: ${getFaultCode(error)}`);
      const retryLink = createLookUpLink(request, selector, text, t('Retry'));
      return (
        lastHovers.render(key, error, retryLink) ??
        `${renderFault(findConfiguredTitle(this.#deps.worker.chains(), selector), error)} · ${retryLink}`
      );
    }
  }
}
