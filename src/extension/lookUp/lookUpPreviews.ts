// Asks chains about the rows of the look-up box after a pause in typing, as far as privacy allows, and lets go when typing goes on.
import { l10n } from 'vscode';
import { formatFault, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { checkLookup } from '../../view/hover/lookupRequests.ts';
import type { LookUpChain, LookUpItem } from '../../view/lookUp/lookUpItems.ts';
import { formatSummaryPreview, type PreviewSummary } from '../../view/lookUp/summaryPreview.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

/** Long enough that a pasted or finished text is meant, short enough not to be felt. */
const PAUSE_MS = 200;
/** Chains and readings of one text; more would be a burst. */
const MOST_QUESTIONS = 6;

export type LookUpPreview =
  | { readonly kind: 'summary'; readonly summary: PreviewSummary; readonly line: string }
  | { readonly kind: 'ens'; readonly address: Hex | null; readonly line: string }
  | { readonly kind: 'words'; readonly line: string };

export interface LookUpPreviews {
  /** What is known of a row by now. */
  get(item: LookUpItem): LookUpPreview | undefined;
  /** Asks for these rows after a pause; what was asked for before is given up. */
  request(items: readonly LookUpItem[]): void;
  /** Asks at once, as the user's own click. Rejects with a HexLensError. */
  fetchNow(item: LookUpItem, signal: AbortSignal): Promise<LookUpPreview | undefined>;
  stop(): void;
}

export interface LookUpPreviewsDeps {
  readonly backend: WorkerClient;
  chains(): readonly LookUpChain[];
  readonly ensChain: string | null;
  /** `hexlens.privacy.lookUp` waits for a click. */
  onClickOnly(): boolean;
  /** Something arrived. */
  changed(): void;
}

const keyOf = ({ target: goal }: LookUpItem): string => JSON.stringify(goal);

export function createLookUpPreviews({
  backend,
  chains,
  ensChain,
  onClickOnly,
  changed,
}: LookUpPreviewsDeps): LookUpPreviews {
  const known = new Map<string, LookUpPreview>();
  let pause: NodeJS.Timeout | undefined;
  let asking = new AbortController();

  const isLocal = (chain: string) => chains().some(({ selector, local }) => selector === chain && local);

  /** Whether a row may be asked about without a click; else why not. */
  function verdict(item: LookUpItem): { readonly may: boolean; readonly reason: string } {
    const { target: goal, literal: subject } = item;
    if (goal?.kind === 'ens') {
      const may = ensChain !== null && (isLocal(ensChain) || !onClickOnly());
      return { may, reason: l10n.t('Enter asks your Ethereum node.') };
    }
    if (goal === null || !('chain' in goal) || subject === null) return { may: false, reason: '' };
    const asked = { local: isLocal(goal.chain), userAsked: false };
    const { decision: answer, reason } = checkLookup(subject, asked, { fileName: '', addressesOnClick: onClickOnly() });
    return { may: answer === 'yes', reason: answer === 'click' ? reason : '' };
  }

  async function question(item: LookUpItem, signal: AbortSignal): Promise<LookUpPreview | undefined> {
    const { target: goal } = item;
    if (goal?.kind === 'ens' && ensChain !== null) {
      const found = await backend.lookup('ensAddress', { chain: ensChain, name: goal.name }, signal);
      return { kind: 'ens', address: found.address, line: ensLine(found.outcome, found.address, found.name) };
    }
    const summary = await summaryOf(item, signal);
    return summary === null ? undefined : { kind: 'summary', summary, line: formatSummaryPreview(summary, Date.now()) };
  }

  async function summaryOf({ target: goal }: LookUpItem, signal: AbortSignal): Promise<PreviewSummary | null> {
    if (goal?.kind === 'address')
      return backend.lookup('addressSummary', { chain: goal.chain, address: goal.address }, signal);
    if (goal?.kind === 'hash') return backend.lookup('hashSummary', { chain: goal.chain, hash: goal.hash }, signal);
    if (goal?.kind === 'block')
      return backend.lookup('blockSummary', { chain: goal.chain, block: Number(goal.block) }, signal);
    return null;
  }

  const start = (items: readonly LookUpItem[], { signal }: AbortController) => {
    for (const item of items)
      question(item, signal).then(
        preview => {
          if (preview !== undefined) known.set(keyOf(item), preview);
          if (!signal.aborted) changed();
        },
        error => {
          if (signal.aborted || isFault(error, 'cancelled')) return;
          known.set(keyOf(item), { kind: 'words', line: formatFault(error) });
          changed();
        },
      );
  };

  return {
    get(item) {
      const preview = known.get(keyOf(item));
      if (preview !== undefined) return preview;
      const { may, reason } = verdict(item);
      return may || reason === '' ? undefined : { kind: 'words', line: reason };
    },
    request(items) {
      clearTimeout(pause);
      asking.abort();
      const wanted = items
        .filter(item => item.section === 'meaning' && !known.has(keyOf(item)) && verdict(item).may)
        .slice(0, MOST_QUESTIONS);
      if (wanted.length === 0) return;
      asking = new AbortController();
      const current = asking;
      pause = setTimeout(() => start(wanted, current), PAUSE_MS);
    },
    async fetchNow(item, signal) {
      const before = known.get(keyOf(item));
      if (before !== undefined && before.kind !== 'words') return before;
      const preview = await question(item, signal);
      if (preview !== undefined) known.set(keyOf(item), preview);
      return preview;
    },
    stop() {
      clearTimeout(pause);
      asking.abort();
    },
  };
}

function ensLine(outcome: string, address: Hex | null, name: string): string {
  if (address !== null) return `${name} → ${address}`;
  if (outcome === 'offchain') return l10n.t('This name is kept by a web server, which HexLens does not ask.');
  if (outcome === 'no-address') return l10n.t('The name is registered, but has no address.');
  return outcome === 'no-registry' ? l10n.t('This chain has no ENS.') : l10n.t('Nobody has registered this name.');
}
