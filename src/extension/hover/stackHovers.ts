// The part of a hover with the lines of Solidity where a transaction failed.
import { systemClock } from '../../base/clock.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { getHoverLookup } from '../../view/hover/hoverLookups.ts';
import { renderStackHover } from '../../view/source/stackHover.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';

export interface StackHoversDeps extends Pick<FeatureDeps, 'settings' | 'worker'> {
  readonly abis: Pick<AbiProvider, 'sources'>;
}

/** The pointer passes over many hashes: a transaction is run again only for one on which it rests. */
const DELAY_MS = 150;

export class StackHovers {
  readonly #deps: StackHoversDeps;

  constructor(deps: StackHoversDeps) {
    this.#deps = deps;
  }

  /**
   * `null` for what is no failed transaction of a chain of this machine, and where no build of the workspace has its lines:
   * other nodes are not asked for all that a transaction needs by a mere hover.
   */
  async render(configured: ConfiguredChain, found: DocumentLiteral, signal: AbortSignal): Promise<string | null> {
    const { settings, worker, abis } = this.#deps;
    const { hover, privacy } = settings.current();
    const request = getHoverLookup(found.literal);
    if (request?.kind !== 'hash' || !configured.isOnLoopback || !hover.parts.transaction) return null;
    const { selector, isLocal } = await worker.identifyChain(configured.selector, signal);
    const rules = { fileName: found.fileName, addressesOnClick: privacy.lookUp === 'onClick' };
    const { decision } = checkDisclosure(found.literal, { isLocal, isUserRequested: false }, rules);
    if (!isLocal || decision !== 'yes') return null;
    const summary = await worker.lookup('hashSummary', { chain: selector, hash: request.hash }, signal);
    if (summary.kind !== 'transaction' || summary.status !== 'failed') return null;
    await systemClock.sleep(DELAY_MS, signal);
    const sources = await abis.sources();
    const source = await sources.fetch({ chain: selector, hash: request.hash }, worker, signal);
    return source === null ? null : renderStackHover(source, location => sources.toLink(location));
  }
}
