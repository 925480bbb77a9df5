// Fetches previews for the rows of the look-up box after a pause in typing, as far as the privacy setting allows.

import { l10n } from 'vscode';
import { formatFault, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { PrivacyVerdict } from '../../detect/privacy.ts';
import type { FoundBuild } from '../../view/contractBuild.ts';
import type { LookUpItem } from '../../view/lookUp/lookUpItems.ts';
import { checkLookUpItem } from '../../view/lookUp/lookUpItems.ts';
import { formatSummaryPreview } from '../../view/lookUp/summaryPreview.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { fetchLookUpPreview, type LookUpPorts, type LookUpPreview } from './resolveLookUp.ts';

/** Pause in typing before previews are fetched. */
const TYPING_PAUSE_MS = 200;
/** Previews that are fetched for one text. */
const MAX_REQUESTS = 6;

export interface LookUpPreviews {
  /** The preview of an item as far as it has been fetched. */
  get(item: LookUpItem): LookUpPreview | undefined;
  /** Whether the item may be a secret, which not even Enter sends. */
  isSecret(item: LookUpItem): boolean;
  /** Fetches previews of the items after a pause and cancels earlier requests. */
  request(items: readonly LookUpItem[]): void;
  /** Fetches at once, on behalf of the user. Rejects with a `HexLensError`. */
  fetchNow(item: LookUpItem, signal: AbortSignal): Promise<LookUpPreview | undefined>;
  stop(): void;
}

export interface LookUpPreviewsDeps {
  readonly worker: WorkerClient;
  readonly ensChain: string | null;
  getName: NonNullable<LookUpPorts['getName']>;
  /** The contract of the workspace that a contract on a chain has the code of. */
  findBuild(chain: string, address: Hex, signal: AbortSignal): Promise<FoundBuild | null>;
  /** Whether `hexlens.privacy.lookUp` requires a click before addresses are sent to remote nodes. */
  isOnClickOnly(): boolean;
  /** Called when a preview has arrived. */
  onDidChange(): void;
}

const getKey = ({ target }: LookUpItem): string => JSON.stringify(target);

export function createLookUpPreviews({
  worker,
  ensChain,
  getName,
  findBuild,
  isOnClickOnly,
  onDidChange,
}: LookUpPreviewsDeps): LookUpPreviews {
  const cache = new Map<string, LookUpPreview>();
  let timer: NodeJS.Timeout | undefined;
  let requests = new AbortController();

  const isLocalChain = (chain: string) =>
    worker.chains().some(({ selector, isLocal }) => selector === chain && isLocal);

  const check = (item: LookUpItem, isUserRequested: boolean): PrivacyVerdict | null => {
    const chain = item.target !== null && 'chain' in item.target ? item.target.chain : null;
    const isLocal = chain !== null && isLocalChain(chain);
    return checkLookUpItem(item, { isLocal, isUserRequested }, isOnClickOnly());
  };

  /** Whether an item may be looked up without Enter, and the reason to show if not. */
  function getPermission(item: LookUpItem): { readonly isAllowed: boolean; readonly reason: string } {
    // A remote node must not see what is only being typed.
    if (item.target?.kind === 'ens')
      return {
        isAllowed: ensChain !== null && isLocalChain(ensChain),
        reason: l10n.t('Press Enter to query your Ethereum node.'),
      };
    if (item.target?.kind === 'shortened') return { isAllowed: false, reason: '' };
    const verdict = check(item, false);
    if (verdict === null) return { isAllowed: false, reason: '' };
    const { decision, isSecret, reason } = verdict;
    const hasPreview = item.target !== null && 'chain' in item.target;
    return { isAllowed: decision === 'yes' && hasPreview, reason: isSecret || decision === 'click' ? reason : '' };
  }

  const fetchPreview = (item: LookUpItem, signal: AbortSignal) =>
    fetchLookUpPreview(item, ensChain, { lookup: worker.lookup, transport: worker.transport, getName }, signal);

  /** The first time, artifacts of the workspace may take long to read: the preview is shown before. */
  async function addBuild({ target }: LookUpItem, preview: LookUpPreview, signal: AbortSignal): Promise<LookUpPreview> {
    if (target?.kind !== 'address' || preview.kind !== 'summary' || preview.summary.kind !== 'address') return preview;
    const { summary } = preview;
    if (!summary.codeSize) return preview;
    const build = await findBuild(target.chain, target.address, signal).catch(() => null); // the preview is good without it
    return { ...preview, line: formatSummaryPreview(summary, Date.now(), () => null, build) };
  }

  const start = (items: readonly LookUpItem[], { signal }: AbortController) => {
    for (const item of items) {
      const show = (preview: LookUpPreview) => {
        cache.set(getKey(item), preview);
        if (!signal.aborted) onDidChange();
      };
      fetchPreview(item, signal)
        .then(async preview => {
          if (preview === undefined) return;
          show(preview);
          const withBuild = await addBuild(item, preview, signal);
          if (signal.aborted)
            cache.delete(getKey(item)); // to be completed when the text comes back
          else show(withBuild);
        })
        .catch(error => {
          if (signal.aborted || isFault(error, 'cancelled')) return;
          show({ kind: 'message', line: formatFault(error) });
        });
    }
  };

  return {
    get(item) {
      const preview = cache.get(getKey(item));
      if (preview !== undefined) return preview;
      const { isAllowed, reason } = getPermission(item);
      return isAllowed || reason === '' ? undefined : { kind: 'message', line: reason };
    },
    request(items) {
      clearTimeout(timer);
      requests.abort();
      const requested = items
        .filter(item => item.section === 'meaning' && !cache.has(getKey(item)) && getPermission(item).isAllowed)
        .slice(0, MAX_REQUESTS);
      if (requested.length === 0) return;
      requests = new AbortController();
      const current = requests;
      timer = setTimeout(() => start(requested, current), TYPING_PAUSE_MS);
    },
    isSecret: item => check(item, true)?.isSecret === true,
    async fetchNow(item, signal) {
      const cached = cache.get(getKey(item));
      if (cached !== undefined && cached.kind !== 'message') return cached;
      const preview = await fetchPreview(item, signal);
      if (preview !== undefined) cache.set(getKey(item), preview);
      return preview;
    },
    stop() {
      clearTimeout(timer);
      requests.abort();
    },
  };
}
