// In which function of which contract each log of a transaction was emitted, by its trace.
import type { TraceTarget } from '../../api/traceTarget.ts';
import { formatFunctionName, MAX_INTERNAL_CALLS } from '../../api/transactionStack.ts';
import type { TracedCall, TransactionTrace } from '../../api/transactionTrace.ts';
import { type DescribeFailureDeps, fetchLocalTrace, nameCall } from '../abi/describeFailure.ts';
import type { DataPorts } from './inspectorPorts.ts';

type Deps = DescribeFailureDeps & Pick<DataPorts, 'lookup' | 'chains' | 'fetchSource'>;

async function fetchTrace(target: TraceTarget, deps: Deps, signal: AbortSignal): Promise<TransactionTrace | null> {
  if (!('simulation' in target)) return fetchLocalTrace(target.hash, target.chain, deps, signal);
  const trace = await deps.lookup('transactionTrace', target, signal);
  return trace.kind === 'trace' ? trace : null;
}

interface Emitter {
  readonly call: TracedCall;
  readonly step: number;
}

/** The calls that emitted the logs, in the order of the logs; `null` where some of them may be missing. */
function listEmitters(trace: TransactionTrace): readonly Emitter[] | null {
  if (!trace.verified || trace.omittedCalls > 0) return null;
  return trace.calls
    .flatMap(call => (call.isUndone ? [] : call.logs.map(({ step }) => ({ call, step }))))
    .toSorted((a, b) => a.step - b.step);
}

/** `Cellar._store` for each log in their order; none where that is unknown. Untrusted texts. */
export async function fetchLogEmitters(
  target: TraceTarget,
  deps: Deps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const trace = await fetchTrace(target, deps, signal);
  const emitters = trace === null ? null : listEmitters(trace);
  if (emitters === null || emitters.length === 0) return [];
  const source = await deps.fetchSource(target, signal, { hasInternalCalls: true });
  const sources = new Map(source?.calls.map(one => [one.call, one]));
  const name = async ({ index, codeAddress, kind, input }: TracedCall): Promise<string> => {
    const { contract = null, functionName = null } = sources.get(index) ?? {};
    if (contract !== null && functionName !== null) return `${contract}.${functionName}`;
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    return nameCall({ to: codeAddress, input: isCreation ? null : input }, target.chain, deps);
  };
  const calls = new Set(emitters.map(({ call }) => call));
  const names = new Map(await Promise.all([...calls].map(async call => [call, await name(call)] as const)));
  const internal = source?.internalCalls ?? [];
  // Where some are not listed, the innermost one may be among those.
  const internalByCall = Map.groupBy(internal.length < MAX_INTERNAL_CALLS ? internal : [], ({ call }) => call);
  return emitters.map(({ call, step }) => {
    const running = internalByCall.get(call.index)?.findLast(one => one.step < step && step < one.endStep);
    return running === undefined ? (names.get(call) ?? '') : formatFunctionName(running);
  });
}
