// The tool that says why a transaction failed, and where in the source, or what it called.
import { AGENT_CHAIN_SCHEMA } from '../api/chainNames.ts';
import type { SendLookup } from '../api/lookups.ts';
import type { TraceTarget } from '../api/traceTarget.ts';
import type { TransactionTrace } from '../api/transactionTrace.ts';
import { HexLensError } from '../base/errors.ts';
import { fetchStateChanges, fetchTransactionSource } from '../decode/source/fetchTransactionSource.ts';
import { toStateJson } from '../decode/source/formatStateChanges.ts';
import { toTraceJson } from '../decode/trace/formatTrace.ts';
import { selectChain } from './chainAccess.ts';
import { type McpSources, type McpTool, requireHash } from './mcpTool.ts';

/** Calls of a transaction that an agent gets. */
const MAX_CALLS = 200;
/** Changes of storage of each account. */
const MAX_CHANGES = 100;

export const createExplainTool = (sources: McpSources): McpTool => ({
  name: 'explain_transaction',
  title: 'Why a transaction failed, and what it called',
  description:
    'Runs one mined transaction again on its state and says why it failed and where: the error, the stack of Solidity (innermost frame first, by the build of the project) the tree of calls with logs and storage writes (undone where isUndone is true), and what it changed: balances, and storage by variable. Read-only.',
  properties: { hash: { type: 'string', description: 'Transaction hash.' }, chain: AGENT_CHAIN_SCHEMA },
  required: ['hash'],
  async run(args, { signal }) {
    const hash = requireHash(args);
    const { selector: chain } = selectChain(sources, args);
    return (await explainTrace(sources, { chain, hash }, signal)).explanation;
  },
});

/** The trace of a target, and what agents get of it. */
export async function explainTrace(
  sources: McpSources,
  given: TraceTarget,
  signal: AbortSignal,
): Promise<{ readonly trace: TransactionTrace; readonly explanation: object }> {
  const trace = await sources.lookup('transactionTrace', given, signal);
  if (trace.kind === 'noTrace') throw new HexLensError('not-implemented', trace.reason);
  const { simulation } = trace;
  const target = simulation === undefined ? given : { chain: given.chain, simulation };
  const builds = await sources.loadBuilds();
  const lookup: SendLookup = (id, input) => sources.lookup(id, input, signal);
  const source = await fetchTransactionSource(lookup, builds, target);
  const state = await fetchStateChanges(lookup, builds, target);
  const bounded = {
    ...trace,
    calls: trace.calls.slice(0, MAX_CALLS),
    omittedCalls: trace.omittedCalls + Math.max(0, trace.calls.length - MAX_CALLS),
  };
  const explanation = {
    ...toTraceJson({ trace: bounded, source }, await sources.loadAbis()),
    stateChanges: toStateJson(state, MAX_CHANGES),
  };
  return { trace, explanation };
}
