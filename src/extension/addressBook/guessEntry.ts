// What an address probably is, asked of the chains that may be asked, so that the form starts with the right kind.

import { type EntryKind, isAptosEntryAddress } from '../../addressBook/entry.ts';
import type { AddressSummary } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface EntryGuess {
  readonly kind: EntryKind;
  /** Chains on which there is code; empty for wallets, which are the same everywhere. */
  readonly chains: readonly string[];
  /** What the token calls itself; never more than an offer. */
  readonly name: string | null;
  readonly unsure: boolean;
}

/** A form must not wait for a slow node. */
const PATIENCE_MS = 2_500;

export interface GuessEntryDeps {
  readonly backend: Pick<WorkerClient, 'chains' | 'lookup'>;
  readonly settings: SettingsSource;
}

function kindOf({ codeSize, delegate, token }: AddressSummary): EntryKind {
  if (token !== null && token.standard !== 'ERC20') return 'collection';
  return (codeSize ?? 0) > 0 && delegate === null ? 'contract' : 'wallet';
}

/** Never rejects. Chains that are not on this machine are asked only where addresses may go there without a click. */
export async function guessEntry(address: string, { backend, settings }: GuessEntryDeps): Promise<EntryGuess> {
  if (isAptosEntryAddress(address)) return { kind: 'aptos', chains: [], name: null, unsure: false };
  const free = settings.current().privacy.lookUp === 'automatic';
  const asked = backend.chains().filter(({ local }) => local || free);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answers = await Promise.allSettled(
    asked.map(async ({ selector }) => {
      const summary = await backend.lookup('addressSummary', { chain: selector, address: address as Hex }, signal);
      return { selector, summary };
    }),
  );
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []));
  const contracts = found.filter(({ summary }) => kindOf(summary) !== 'wallet');
  const [first] = contracts;
  if (first === undefined) return { kind: 'wallet', chains: [], name: null, unsure: found.length === 0 };
  const name = first.summary.token?.name ?? first.summary.token?.symbol ?? null;
  return {
    kind: contracts.some(({ summary }) => kindOf(summary) === 'collection') ? 'collection' : 'contract',
    chains: contracts.map(({ selector }) => selector),
    name: name === null ? null : sanitizeText(name, 60),
    unsure: false,
  };
}
