// In which function of which contract each log of a transaction was emitted, by its trace.
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { TracedCall, TransactionTrace } from '../../api/transactionTrace.ts';
import { type DescribeFailureDeps, fetchLocalTrace, nameCall } from '../abi/describeFailure.ts';
import type { DataPorts } from './inspectorPorts.ts';

type Deps = DescribeFailureDeps & Pick<DataPorts, 'lookup' | 'chains' | 'fetchSource'>;

async function fetchTrace(target: TraceTarget, deps: Deps, signal: AbortSignal): Promise<TransactionTrace | null> {
  if (!('simulation' in target)) return fetchLocalTrace(target.hash, target.chain, deps, signal);
  const trace = await deps.lookup('transactionTrace', target, signal);
  return trace.kind === 'trace' ? trace : null;
}

/** The calls that emitted the logs, in the order of the logs; `null` where some of them may be missing. */
function listEmitters(trace: TransactionTrace): readonly TracedCall[] | null {
  if (!trace.verified || trace.omittedCalls > 0) return null;
  return trace.calls
    .flatMap(call => (call.isUndone ? [] : call.logs.map(({ step }) => ({ call, step }))))
    .toSorted((a, b) => a.step - b.step)
    .map(({ call }) => call);
}

/** `Cellar.storeFor` for each log in their order; none where that is unknown. Untrusted texts. */
export async function fetchLogEmitters(
  target: TraceTarget,
  deps: Deps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const trace = await fetchTrace(target, deps, signal);
  const emitters = trace === null ? null : listEmitters(trace);
  if (emitters === null || emitters.length === 0) return [];
  const source = await deps.fetchSource(target, signal);
  const sources = new Map(source?.calls.map(one => [one.call, one]));
  const name = async ({ index, codeAddress, kind, input }: TracedCall): Promise<string> => {
    const { contract = null, functionName = null } = sources.get(index) ?? {};
    if (contract !== null && functionName !== null) return `${contract}.${functionName}`;
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    return nameCall({ to: codeAddress, input: isCreation ? null : input }, target.chain, deps);
  };
  const names = new Map(await Promise.all([...new Set(emitters)].map(async call => [call, await name(call)] as const)));
  return emitters.map(call => names.get(call) ?? '');
}
