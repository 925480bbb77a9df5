// Fetches previews for the rows of the look-up box after a pause in typing, as far as the privacy setting allows.

import { formatFault, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { PrivacyVerdict } from '../../detect/privacy.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import type { FoundBuild } from '../../view/contractBuild.ts';
import type { LookUpItem } from '../../view/lookUp/lookUpItem.ts';
import { checkLookUpItem } from '../../view/lookUp/lookUpItems.ts';
import { omitRule } from '../../view/privacyReason.ts';
import { type ConfiguredChain, isMinedHere } from '../worker/configuredChains.ts';
import { findChainProblem } from '../worker/findChainProblem.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createSummaryPreview, fetchLookUpPreview, type LookUpPorts, type LookUpPreview } from './resolveLookUp.ts';

/** Pause in typing before previews are fetched. */
const TYPING_PAUSE_MS = 200;
/** Previews that are fetched for one text. */
const MAX_REQUESTS = 6;

export interface LookUpPreviewsDeps {
  readonly worker: WorkerClient;
  readonly ensChain: string | null;
  getName: NonNullable<LookUpPorts['getName']>;
  /** The contract of the workspace that a contract on a chain has the code of. */
  findBuild(chain: string, address: Hex, signal: AbortSignal): Promise<FoundBuild | null>;
  /** Where in the workspace's source a transaction of a chain of this machine failed. Never rejects. */
  findFailurePlace(chain: string, hash: Hex, signal: AbortSignal): Promise<string | null>;
  /** Names of contracts by the build of the workspace, where the block was mined on this machine. Never rejects. */
  learnBuildNames(
    chain: string,
    addresses: readonly Hex[],
    signal: AbortSignal,
    block: number | null,
  ): Promise<(address: string) => string | null>;
  /** Whether `hexlens.privacy.lookUp` requires a click before addresses are sent to remote nodes. */
  isOnClickOnly(): boolean;
  /** Called when a preview has arrived. */
  onDidChange(): void;
}

const getKey = ({ target }: LookUpItem): string => JSON.stringify(target);

export class LookUpPreviews {
  readonly #deps: LookUpPreviewsDeps;
  /** By the target of the item, as JSON. */
  readonly #cache = new Map<string, LookUpPreview>();
  /** Of the pause in typing. */
  #timer: NodeJS.Timeout | undefined;
  /** Aborts the requests for the text before. */
  #requests = new AbortController();

  constructor(deps: LookUpPreviewsDeps) {
    this.#deps = deps;
  }

  /** The preview of an item as far as it has been fetched. */
  get(item: LookUpItem): LookUpPreview | undefined {
    const preview = this.#cache.get(getKey(item));
    if (preview !== undefined) return preview;
    const { isAllowed, reason } = this.#getPermission(item);
    return isAllowed || reason === '' ? undefined : { kind: 'message', line: reason };
  }

  /** Whether the item may be a secret, which not even Enter sends. */
  isSecret(item: LookUpItem): boolean {
    return this.#check(item, true)?.isSecret === true;
  }

  /** Fetches previews of the items after a pause and cancels earlier requests. */
  request(items: readonly LookUpItem[]): void {
    clearTimeout(this.#timer);
    this.#requests.abort();
    const isWanted = (item: LookUpItem) =>
      item.section === 'meaning' &&
      !this.#cache.has(getKey(item)) &&
      (this.#getPermission(item).isAllowed || this.#mayLackNode(item));
    const requested = items.filter(isWanted).slice(0, MAX_REQUESTS);
    if (requested.length === 0) return;
    this.#requests = new AbortController();
    const { signal } = this.#requests;
    this.#timer = setTimeout(() => requested.forEach(item => void this.#load(item, signal)), TYPING_PAUSE_MS);
  }

  /** Fetches at once, on behalf of the user. Rejects with a `HexLensError`. */
  async fetchNow(item: LookUpItem, signal: AbortSignal): Promise<LookUpPreview | undefined> {
    const cached = this.#cache.get(getKey(item));
    if (cached !== undefined && cached.kind !== 'message') return cached;
    const preview = await this.#fetchPreview(item, signal);
    if (preview !== undefined) this.#cache.set(getKey(item), preview);
    return preview;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#requests.abort();
  }

  #isLocalChain(chain: string): boolean {
    return this.#deps.worker.chains().some(({ selector, isLocal }) => selector === chain && isLocal);
  }

  #findChain({ target }: LookUpItem): ConfiguredChain | undefined {
    const chain = target !== null && 'chain' in target ? target.chain : null;
    return this.#deps.worker.chains().find(({ selector }) => selector === chain);
  }

  /** Whether it is only by Enter that it is sent to a node of this machine, which may not have responded. */
  #mayLackNode(item: LookUpItem): boolean {
    return this.#check(item, false)?.decision === 'click' && this.#findChain(item)?.isOnLoopback === true;
  }

  #check(item: LookUpItem, isUserRequested: boolean): PrivacyVerdict | null {
    const configured = this.#findChain(item);
    const recipient = {
      isLocal: configured?.isLocal === true,
      isFork: configured?.forkBlock !== undefined,
      isUserRequested,
    };
    return checkLookUpItem(item, recipient, this.#deps.isOnClickOnly());
  }

  /** Whether an item may be looked up without Enter, and the reason to show if not. */
  #getPermission(item: LookUpItem): { readonly isAllowed: boolean; readonly reason: string } {
    // A remote node must not see what is only being typed.
    if (item.target?.kind === 'ens')
      return {
        isAllowed: this.#deps.ensChain !== null && this.#isLocalChain(this.#deps.ensChain),
        reason: t('Press Enter to query your Ethereum node.'),
      };
    if (item.target?.kind === 'shortened') return { isAllowed: false, reason: '' };
    const verdict = this.#check(item, false);
    if (verdict === null) return { isAllowed: false, reason: '' };
    const { decision, isSecret, reason } = verdict;
    const hasPreview = item.target !== null && 'chain' in item.target;
    return {
      isAllowed: decision === 'yes' && hasPreview,
      reason: isSecret || decision === 'click' ? omitRule(reason) : '',
    };
  }

  #fetchPreview(item: LookUpItem, signal: AbortSignal): Promise<LookUpPreview | undefined> {
    const { ensChain, worker, getName } = this.#deps;
    return fetchLookUpPreview(item, ensChain, { lookup: worker.lookup, transport: worker.transport, getName }, signal);
  }

  /** Names of contracts, and where it failed. */
  async #completeTransaction(
    { target }: LookUpItem,
    preview: LookUpPreview,
    signal: AbortSignal,
  ): Promise<LookUpPreview> {
    if (target?.kind !== 'hash' || preview.kind !== 'summary' || preview.summary.kind !== 'transaction') return preview;
    const { summary } = preview;
    const { chain, hash } = target;
    const configured = this.#deps.worker.chains().find(({ selector }) => selector === chain);
    const { from, to, status, blockNumber } = summary;
    if (configured === undefined || !isMinedHere(configured, blockNumber)) return preview;
    const [place, getBuildName] = await Promise.all([
      status === 'failed' ? this.#deps.findFailurePlace(chain, hash, signal) : null,
      this.#deps.learnBuildNames(chain, to === null ? [from] : [from, to], signal, blockNumber),
    ]);
    const getName = (address: Hex) =>
      this.#deps.getName(address, chain) ?? getWellKnownName(address) ?? getBuildName(address);
    return createSummaryPreview(summary, getName, null, place);
  }

  /** The first time, artifacts of the workspace may take long to read: the preview is shown before. */
  async #addBuild(item: LookUpItem, preview: LookUpPreview, signal: AbortSignal): Promise<LookUpPreview> {
    const { target } = item;
    if (target?.kind !== 'address' || preview.kind !== 'summary' || preview.summary.kind !== 'address') return preview;
    const { summary } = preview;
    if (!summary.codeSize) return preview;
    const build = await this.#deps.findBuild(target.chain, target.address, signal).catch(() => null); // the preview is good without it
    return createSummaryPreview(summary, () => null, build);
  }

  /** Never rejects. */
  async #load(item: LookUpItem, signal: AbortSignal): Promise<void> {
    const show = (preview: LookUpPreview) => {
      this.#cache.set(getKey(item), preview);
      if (!signal.aborted) this.#deps.onDidChange();
    };
    try {
      const chain = this.#findChain(item);
      if (chain !== undefined && !this.#getPermission(item).isAllowed) {
        const problem = await findChainProblem(chain, this.#deps.worker, signal);
        if (problem !== null) show({ kind: 'message', line: problem });
        return;
      }
      const preview = await this.#fetchPreview(item, signal);
      if (preview === undefined) return;
      show(preview);
      const withBuild = await this.#addBuild(item, await this.#completeTransaction(item, preview, signal), signal);
      if (!signal.aborted) show(withBuild);
      else this.#cache.delete(getKey(item)); // to be completed when the text comes back
    } catch (error) {
      if (!signal.aborted && !isFault(error, 'cancelled')) show({ kind: 'message', line: formatFault(error) });
    }
  }
}
