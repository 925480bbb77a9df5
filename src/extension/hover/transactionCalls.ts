// What the calls inside a transaction tell its hover: what they moved and created, and why it, or one of them, failed.

import type { TransactionSummary } from '../../api/lookups.ts';
import { TRANSACTION_GAS } from '../../api/transactionFee.ts';
import { systemClock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, hexToBytes, toLowerHex } from '../../base/hex.ts';
import { createClient } from '../../client/client.ts';
import { getInnerEffects, NO_CALLS, type TransactionCalls } from '../../view/hover/summaryHover.ts';
import { learnBuildNames } from '../abi/buildNames.ts';
import { createUnitSource, describeSwallowedFailures, fetchFailure } from '../abi/describeFailure.ts';
import { fetchInTime } from '../abi/fetchInTime.ts';
import { type IdentifyContractDeps, identifyContract } from '../abi/identifyContract.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export type TransactionCallsDeps = IdentifyContractDeps & Pick<FeatureDeps, 'worker' | 'abis'>;

/** A node that takes longer to trace does not delay the rest; the hover says that it is late. */
const MAX_TRACE_MS = 1_000;

/** No precompiled contract has an address as high as this; they have no code, and do something. */
const MAX_PRECOMPILE = 0xffffn;

/** The gas of a call that runs no code is at most that: what its data costs at least (EIP-7623). */
function getDataGas(input: Hex): bigint {
  const bytes = hexToBytes(input);
  const zeros = bytes.filter(byte => byte === 0).length;
  return TRANSACTION_GAS + 10n * BigInt(zeros + 4 * (bytes.length - zeros));
}

/** Whether the call was of an address without code, which does nothing and succeeds. A contract that is gone since then had some. */
async function isReceiverEmpty(
  { to, input, gasUsed }: TransactionSummary,
  chain: string,
  { worker }: TransactionCallsDeps,
  signal: AbortSignal,
): Promise<boolean> {
  if (to === null || input === null || input === '0x' || gasUsed === null) return false;
  if (BigInt(to) <= MAX_PRECOMPILE || gasUsed > getDataGas(input)) return false;
  return (await worker.lookup('contractCode', { chain, address: toLowerHex(to) }, signal)).code === '0x';
}

/**
 * Of a transaction that did not fail, only on a chain of this machine, where tracing it costs nothing (a fork would ask its
 * upstream).
 */
export async function fetchTransactionCalls(
  summary: TransactionSummary,
  chain: string,
  deps: TransactionCallsDeps,
  getName: (address: Hex) => string | null,
  signal: AbortSignal,
): Promise<TransactionCalls> {
  const { worker, abis } = deps;
  const { hash, from, to, created, value, gasLimit, gasUsed, status, input } = summary;
  const isLocal = worker.chains().some(one => one.selector === chain && one.isLocal);
  const describing = {
    loadAbis: abis.load,
    identify: (on: string, address: Hex) => identifyContract(on, address, deps, signal),
    getName,
    learnBuildNames: (on: string, addresses: Iterable<string>) =>
      learnBuildNames(on, addresses, deps, signal, summary.blockNumber),
    fetchUnit: createUnitSource(worker.lookup, signal),
  };
  try {
    if (status === 'failed') {
      const untraced = { toAddress: to, input: input ?? '0x', gas: gasLimit, internalTransactions: null };
      const failing = fetchFailure(hash, chain, worker, describing, signal, untraced);
      failing.catch(() => {}); // awaited below, unless it is late
      const reason = await fetchInTime(
        reading => worker.lookup('revertReason', { chain, hash }, reading), // the same request in the worker
        { clock: systemClock, maxMs: MAX_TRACE_MS, continues: true },
        signal,
      );
      if (reason === 'late') return { ...NO_CALLS, isLate: true };
      return { ...NO_CALLS, failure: (await failing).failure };
    }
    if (!isLocal || status !== 'success' || gasUsed === TRANSACTION_GAS) return NO_CALLS;
    const wanted = { hash, chain, include: 'internal_transactions' } as const;
    const client = createClient(worker.transport);
    const [traced, isEmpty] = await Promise.all([
      fetchInTime(
        tracing => client.call('transaction', wanted, { signal: tracing }),
        { clock: systemClock, maxMs: MAX_TRACE_MS, continues: true },
        signal,
      ),
      isReceiverEmpty(summary, chain, deps, signal),
    ]);
    if (traced === null || traced === 'late' || isEmpty)
      return { ...NO_CALLS, isLate: traced === 'late' && !isEmpty, isReceiverEmpty: isEmpty };
    const own = { from, to: to ?? created, value, gas: gasLimit };
    const swallowed = await describeSwallowedFailures(traced, chain, describing);
    return {
      inner: getInnerEffects(own, traced.internalTransactions ?? []),
      failure: null,
      swallowed,
      isLate: false,
      isReceiverEmpty: false,
    };
  } catch (error) {
    if (isFault(error, 'cancelled') || signal.aborted) throw error;
    return NO_CALLS; // the hover shows the rest
  }
}
