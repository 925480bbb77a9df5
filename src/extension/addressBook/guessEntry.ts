// Guesses kind and name of an address from its token, and from which contract of the workspace it is, as defaults for the entry form.

import { type EntryKind, isAptosEntryAddress } from '../../addressBook/entry.ts';
import type { AddressSummary } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import { checkDisclosure, TYPED } from '../../view/checkDisclosure.ts';
import { getRunningBuild } from '../../view/contractBuild.ts';
import { type IdentifyContractDeps, identifyContract } from '../abi/identifyContract.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface EntryGuess {
  readonly kind: EntryKind;
  /** Chains with code at the address; empty for wallets, which are the same on all chains. */
  readonly chains: readonly string[];
  /** The name that the token reports, or of the contract of the workspace: a suggestion only. */
  readonly name: string | null;
}

/** The form must not wait for a slow node. */
const TIMEOUT_MS = 2_500;

export interface GuessEntryDeps extends IdentifyContractDeps {
  readonly worker: Pick<WorkerClient, 'chains' | 'identifyChain' | 'lookup'>;
  readonly settings: SettingsSource;
}

/** `null` where no contract of the workspace has the code of this one, or of what is behind it. */
async function findBuildName(
  chain: string,
  address: Hex,
  deps: IdentifyContractDeps,
  signal: AbortSignal,
): Promise<string | null> {
  // Artifacts that are read for the first time may take long.
  const contract = await raceAbort(identifyContract(chain, address, deps, signal), signal).catch(() => null);
  return contract === null ? null : (getRunningBuild(contract)?.name ?? null);
}

function toKind({ codeSize, delegate, token }: AddressSummary): EntryKind {
  if (token !== null && token.standard !== 'ERC20') return 'collection';
  return (codeSize ?? 0) > 0 && delegate === null ? 'contract' : 'wallet';
}

/**
 * Never rejects. Remote chains are queried only if the privacy setting allows it without a click.
 *
 * @param chain The selector of the chain whose contract gives the name; without it the first that has one.
 */
export async function guessEntry(address: string, deps: GuessEntryDeps, chain?: string): Promise<EntryGuess> {
  const { worker, settings } = deps;
  if (isAptosEntryAddress(address)) return { kind: 'aptos', chains: [], name: null };
  const [literal] = detectLiterals(address);
  const rules = { ...TYPED, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const results = await Promise.allSettled(
    worker.chains().map(async ({ selector }) => {
      const { isLocal } = await worker.identifyChain(selector, signal);
      const target = { isLocal, isUserRequested: false };
      if (literal === undefined || checkDisclosure(literal, target, rules).decision !== 'yes') return null;
      const summary = await worker.lookup('addressSummary', { chain: selector, address: address as Hex }, signal);
      return { selector, summary };
    }),
  );
  const found = results.flatMap(result =>
    result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
  );
  const contracts = found.filter(({ summary }) => toKind(summary) !== 'wallet');
  const named = contracts.find(({ selector }) => selector === chain) ?? contracts[0];
  if (named === undefined) return { kind: 'wallet', chains: [], name: null };
  const { token } = named.summary;
  const name = token?.name || token?.symbol || (await findBuildName(named.selector, address as Hex, deps, signal));
  return {
    kind: contracts.some(({ summary }) => toKind(summary) === 'collection') ? 'collection' : 'contract',
    chains: contracts.map(({ selector }) => selector),
    name: name === null ? null : sanitizeText(name, 60),
  };
}
