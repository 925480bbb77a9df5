// `debugRequest`: one request of a debugger. Trace and index stay in this thread; the client keeps the position.
import { LRUCache } from 'lru-cache';
import type {
  DebugOpened,
  DebugRequest,
  DebugStart,
  DebugSubstitution,
  SubstituteCode,
} from '../../api/debugSession.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { MatchedCode } from '../../api/transactionStack.ts';
import { HexLensError } from '../../base/errors.ts';
import { parseQuantity } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { Debugger } from '../../decode/debug/debugger.ts';
import { findSamePlace } from '../../decode/debug/samePlace.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import { ReplayMachine } from '../debug/replayMachine.ts';
import { substituteTrace, toSubstitution } from '../debug/substituteTrace.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { NodeCache } from '../evm/nodeCache.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import { type FetchedTrace, fetchTrace, getTraceSubject } from '../trace/fetchTrace.ts';
import type { StepStates } from '../trace/stepStates.ts';
import type { Lookup } from './lookup.ts';

/** Sessions of a chain whose traces are held; one that is not is opened again by its client. */
const MAX_SESSIONS = 4;

/** By what is known of a node, which is replaced when its chain is reset. */
const sessions = new WeakMap<NodeCache, LRUCache<string, Debugger>>();

function getSessions({ cache }: EvmNode): LRUCache<string, Debugger> {
  const known = sessions.get(cache) ?? new LRUCache<string, Debugger>({ max: MAX_SESSIONS });
  sessions.set(cache, known);
  return known;
}

/** Rejects with `not-found` where the session is not known, and where the transaction has no steps. */
export const debugRequest: Lookup<'debugRequest'> = async ({ session, request, ...target }, context, signal) => {
  const node = await context.nodes.find(target.chain, signal);
  if (request.kind === 'open') return { value: await open(node, session, target, request, signal) };
  if (request.kind === 'close') {
    getSessions(node).delete(session);
    return { value: {} };
  }
  const found = getSessions(node).get(session);
  if (found === undefined) throw new HexLensError('not-found', localizable('The debug session is not known any more.'));
  return { value: await found.handle(request, signal) };
};

async function open(
  node: EvmNode,
  session: string,
  target: TraceTarget,
  { builds, substitutes, startStep }: Extract<DebugRequest, { kind: 'open' }>,
  signal: AbortSignal | undefined,
): Promise<DebugOpened> {
  const { result, state } = await fetchTrace(node, getTraceSubject(target), signal);
  if (!('trace' in result)) throw new HexLensError('not-found', result.reason);
  if (result.trace.steps.length === 0)
    throw new HexLensError(
      'not-found',
      localizable('The steps of the transaction are not known: there is nothing to debug, or its node gave no trace.'),
    );
  const { debug, substitution } = await createDebugger(node, result, builds, substitutes ?? [], signal);
  getSessions(node).set(session, debug);
  const { coin: symbol, decimals } = state.chain;
  const opened = await debug.opened();
  const isKnown = startStep !== undefined && startStep < result.trace.steps.length;
  const start = isKnown ? await findStart(debug, result.trace, builds, startStep) : null;
  return { ...opened, coin: { symbol, decimals }, substitution, start };
}

async function findStart(
  debug: Debugger,
  trace: Trace,
  builds: readonly MatchedCode[],
  step: number,
): Promise<DebugStart> {
  if (debug.index.trace === trace) return { step, isCertain: true };
  const real = new Debugger(trace, createProgramFinder(builds), null);
  await real.opened();
  return findSamePlace(real, debug, step);
}

interface CreatedDebugger {
  readonly debug: Debugger;
  readonly substitution: DebugSubstitution | null;
}

async function createDebugger(
  node: EvmNode,
  { trace, states, receipt }: FetchedTrace,
  builds: readonly MatchedCode[],
  substitutes: readonly SubstituteCode[],
  signal: AbortSignal | undefined,
): Promise<CreatedDebugger> {
  const index = parseQuantity(receipt['transactionIndex']) ?? -1n;
  const toMachine = (used: StepStates) => new ReplayMachine(node, used, index);
  const createReal = (substitution: DebugSubstitution | null): CreatedDebugger => ({
    debug: new Debugger(trace, createProgramFinder(builds), states === null ? null : toMachine(states)),
    substitution,
  });
  if (substitutes.length === 0) return createReal(null);
  if (states === null) return createReal({ isUsed: false, reason: localizable('the transaction cannot be run again') });
  const run = { trace, input: states.input, builds, isFirst: index === 0n };
  const result = await substituteTrace(node, run, substitutes, signal);
  const substitution = toSubstitution(substitutes, result);
  if ('problem' in result) return createReal(substitution);
  return { debug: new Debugger(result.trace, result.findProgram, toMachine(result.states)), substitution };
}
