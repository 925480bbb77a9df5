// Guesses the kind of an address from its code and token on the chains, as a default for the entry form.

import { type EntryKind, isAptosEntryAddress } from '../../addressBook/entry.ts';
import type { AddressSummary } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import { checkDisclosure, TYPED } from '../../view/checkDisclosure.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface EntryGuess {
  readonly kind: EntryKind;
  /** Chains with code at the address; empty for wallets, which are the same on all chains. */
  readonly chains: readonly string[];
  /** The name that the token reports: a suggestion only. */
  readonly name: string | null;
}

/** The form must not wait for a slow node. */
const TIMEOUT_MS = 2_500;

export interface GuessEntryDeps {
  readonly worker: Pick<WorkerClient, 'chains' | 'identifyChain' | 'lookup'>;
  readonly settings: SettingsSource;
}

function toKind({ codeSize, delegate, token }: AddressSummary): EntryKind {
  if (token !== null && token.standard !== 'ERC20') return 'collection';
  return (codeSize ?? 0) > 0 && delegate === null ? 'contract' : 'wallet';
}

/** Never rejects. Remote chains are queried only if the privacy setting allows it without a click. */
export async function guessEntry(address: string, { worker, settings }: GuessEntryDeps): Promise<EntryGuess> {
  if (isAptosEntryAddress(address)) return { kind: 'aptos', chains: [], name: null };
  const [literal] = detectLiterals(address);
  const rules = { ...TYPED, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const results = await Promise.allSettled(
    worker.chains().map(async ({ selector }) => {
      const { local } = await worker.identifyChain(selector, signal);
      const target = { local, userRequested: false };
      if (literal === undefined || checkDisclosure(literal, target, rules).decision !== 'yes') return null;
      const summary = await worker.lookup('addressSummary', { chain: selector, address: address as Hex }, signal);
      return { selector, summary };
    }),
  );
  const found = results.flatMap(result =>
    result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
  );
  const contracts = found.filter(({ summary }) => toKind(summary) !== 'wallet');
  const [first] = contracts;
  if (first === undefined) return { kind: 'wallet', chains: [], name: null };
  const name = first.summary.token?.name ?? first.summary.token?.symbol ?? null;
  return {
    kind: contracts.some(({ summary }) => toKind(summary) === 'collection') ? 'collection' : 'contract',
    chains: contracts.map(({ selector }) => selector),
    name: name === null ? null : sanitizeText(name, 60),
  };
}
