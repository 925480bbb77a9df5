// The part of a hover for which a transaction is run again: the lines of Solidity where it failed, or what it changed.

import type { TransactionSummary } from '../../api/lookups.ts';
import { TRANSACTION_GAS } from '../../api/transactionFee.ts';
import { systemClock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import { listStateAddresses } from '../../decode/source/formatStateChanges.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { getHoverLookup } from '../../view/hover/hoverLookups.ts';
import { renderStackHover } from '../../view/source/stackHover.ts';
import { renderStateHover } from '../../view/source/stateHover.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { learnBuildNames } from '../abi/buildNames.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { WorkspaceSources } from '../source/workspaceSources.ts';
import { type ConfiguredChain, isMinedHere } from '../worker/configuredChains.ts';
import { concernsChain } from './concernsChain.ts';
import type { LookupPermissions } from './lookupPermissions.ts';

export interface StackHoversDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book'> {
  readonly abis: Pick<AbiProvider, 'sources' | 'builds' | 'load'>;
  readonly permissions: LookupPermissions;
}

/** The pointer passes over many hashes: a transaction is run again only for one on which it rests. */
const DELAY_MS = 150;
/** What takes longer to run again is left to the page of the transaction. */
const MAX_STATE_MS = 2_000;

export class StackHovers {
  readonly #deps: StackHoversDeps;

  constructor(deps: StackHoversDeps) {
    this.#deps = deps;
  }

  /**
   * `null` for what is no transaction of a chain of this machine, and where no build of the workspace has the lines of one that
   * failed: other nodes are not asked for all that a transaction needs by a mere hover.
   */
  async render(configured: ConfiguredChain, found: DocumentLiteral, signal: AbortSignal): Promise<string | null> {
    const { settings, worker, abis, permissions } = this.#deps;
    const { hover, privacy } = settings.current();
    const request = getHoverLookup(found.literal);
    if (request?.kind !== 'hash' || !configured.isOnLoopback || !hover.parts.transaction) return null;
    if (!(await concernsChain(configured, found, request, this.#deps, signal))) return null;
    const chain = await worker.identifyChain(configured.selector, signal);
    const { selector, isLocal, forkBlock } = chain;
    const rules = { fileName: found.fileName, addressesOnClick: privacy.lookUp === 'onClick' };
    const isUserRequested = permissions.isAllowed(selector, found.literal.text);
    const { decision } = checkDisclosure(found.literal, { isLocal, isUserRequested }, rules);
    if ((!isLocal && forkBlock === undefined) || decision !== 'yes') return null;
    const summary = await worker.lookup('hashSummary', { chain: selector, hash: request.hash }, signal);
    if (summary.kind !== 'transaction' || summary.status === 'pending' || !isMinedHere(chain, summary.blockNumber))
      return null;
    await systemClock.sleep(DELAY_MS, signal);
    const sources = await abis.sources();
    if (summary.status === 'success') return this.#renderState(summary, selector, sources, signal);
    const source = await sources.fetch({ chain: selector, hash: request.hash }, worker, signal);
    return source === null ? null : renderStackHover(source, location => sources.toLink(location));
  }

  async #renderState(
    { hash, gasUsed, chain: { coin, decimals } }: TransactionSummary,
    chain: string,
    sources: WorkspaceSources,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (gasUsed === TRANSACTION_GAS) return null;
    const { worker, book } = this.#deps;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_STATE_MS)]);
    const state = await sources.fetchState({ chain, hash }, worker, limit);
    if (state.kind === 'noStateChanges') return null;
    const getBuildName = await learnBuildNames(chain, listStateAddresses(state.accounts), this.#deps, signal);
    const getName = (address: Hex) =>
      book.getName(address, chain) ?? getWellKnownName(address) ?? getBuildName(address);
    return renderStateHover(state, { chain, hash }, { coin: { symbol: coin, decimals }, unit: null, getName });
  }
}
