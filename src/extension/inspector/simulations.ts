// Simulated calls on pages: as transactions, with what they returned and would move, and why they failed.
import type { SimulatedTransaction } from '../../api/lookups.ts';
import { listWords } from '../../api/parseSimulationJson.ts';
import type { Simulation } from '../../api/traceTarget.ts';
import { HexLensError } from '../../base/errors.ts';
import { localize } from '../../base/localize.ts';
import { fetchMovements } from '../../decode/fetchMovements.ts';
import { formatReturned } from '../../decode/trace/returnedValues.ts';
import { toMovementSource } from '../../decode/trace/traceMovements.ts';
import type { RevertDetails, SimulationDetails } from '../../protocol/messages.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { describeFailure, REVERTED } from '../abi/describeFailure.ts';
import type { DataPorts } from './inspectorPorts.ts';

export interface SimulationTarget {
  readonly chain: string;
  readonly simulation: Simulation;
}

const MAX_MOVEMENTS = 200;

/** It has no hash, and is in no block yet. */
export async function fetchSimulated(
  { chain, simulation }: SimulationTarget,
  lookup: DataPorts['lookup'],
  signal: AbortSignal,
): Promise<SimulatedTransaction> {
  const secret = findSecretReason(listWords(simulation));
  if (secret !== null) throw new HexLensError('bad-input', secret);
  const found = await lookup('simulatedTransaction', { chain, simulation }, signal);
  if (found.kind === 'notSimulated') throw new HexLensError('not-implemented', localize(found.reason));
  const absent = { hash: null, blockHash: null, transactionIndex: null };
  const logs = found.transaction.logs?.map(log => ({ ...log, transactionHash: null, blockHash: null })) ?? null;
  return { ...found, transaction: { ...found.transaction, ...absent, logs } };
}

async function fetchTrace(target: SimulationTarget, lookup: DataPorts['lookup'], signal: AbortSignal) {
  const trace = await lookup('transactionTrace', target, signal);
  if (trace.kind === 'noTrace') throw new HexLensError('not-implemented', localize(trace.reason));
  return trace;
}

export async function fetchSimulationDetails(
  target: SimulationTarget,
  { lookup, loadAbis, getName }: DataPorts,
  signal: AbortSignal,
): Promise<SimulationDetails> {
  const { chain } = target;
  const trace = await fetchTrace(target, lookup, signal);
  const fetchUnit = (address: `0x${string}`) => lookup('tokenUnit', { chain, address }, signal);
  const source = toMovementSource(trace);
  const movements = trace.status === 'failed' ? [] : await fetchMovements(source, trace.chain, fetchUnit);
  return {
    returned: formatReturned(trace, await loadAbis()),
    movements: movements.slice(0, MAX_MOVEMENTS).map(({ account, asset, token, tokenId, change }) => ({
      account,
      name: getName(account, chain),
      amount: `${String(change).startsWith('-') ? '' : '+'}${change}`,
      asset: asset === 'native coin' ? trace.chain.coin : `${asset}${tokenId === undefined ? '' : ` #${tokenId}`}`,
      token: token ?? null,
    })),
  };
}

export async function describeSimulatedFailure(
  target: SimulationTarget,
  ports: DataPorts,
  signal: AbortSignal,
): Promise<RevertDetails> {
  const [{ transaction }, trace] = await Promise.all([
    fetchSimulated(target, ports.lookup, signal),
    fetchTrace(target, ports.lookup, signal),
  ]);
  if (trace.failure === null) return { output: null, exact: true, failure: null };
  const root = trace.calls[0];
  const output = trace.failure.data;
  const isOutOfGas = root?.haltReason === 'outOfGas';
  const error = root?.status === 'exceptional' ? (isOutOfGas ? 'out of gas' : (root.haltReason ?? 'halted')) : REVERTED;
  const failure = await describeFailure({ output, error }, transaction, target.chain, ports, async () => trace);
  return { output, exact: true, failure };
}
