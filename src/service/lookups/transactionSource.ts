// `tracedCodes` and `transactionSource`: the lines of a transaction, by builds that the project of the caller has.

import type { TraceTarget } from '../../api/traceTarget.ts';
import {
  MAX_INTERNAL_CALLS,
  type TracedCode,
  type TransactionSource,
  type TransactionSourceOptions,
} from '../../api/transactionStack.ts';
import { MAX_TRACED_CALLS } from '../../api/transactionTrace.ts';
import { bytesToHex } from '../../base/hex.ts';
import { TaskPacer } from '../../base/taskPacer.ts';
import {
  type FindProgram,
  findCallers,
  listInternalCalls,
  toTransactionSource,
} from '../../decode/source/traceStack.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { HandlerContext } from '../handler.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import { fetchTrace, getTraceSubject } from '../trace/fetchTrace.ts';
import { hashCode } from '../trace/hashCode.ts';
import type { Lookup } from './lookup.ts';

async function fetchSteps(
  target: TraceTarget,
  { nodes }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Trace | null> {
  const { result } = await fetchTrace(await nodes.find(target.chain, signal), getTraceSubject(target), signal);
  return 'trace' in result ? result.trace : null;
}

export function listCodes({ frames }: Trace): readonly TracedCode[] {
  const codes = new Map<string, TracedCode>();
  for (const { code, isCreation } of frames.slice(0, MAX_TRACED_CALLS)) {
    if (code.length === 0) continue;
    const hash = hashCode(code);
    const key = `${hash} ${isCreation}`;
    if (!codes.has(key)) codes.set(key, { hash, isCreation, code: bytesToHex(code) });
  }
  return [...codes.values()];
}

/** Not cached: the trace is, and the codes of a transaction may be large. */
export const tracedCodes: Lookup<'tracedCodes'> = async (input, context, signal) => {
  const trace = await fetchSteps(input, context, signal);
  return { value: trace === null ? [] : listCodes(trace) };
};

/** Not cached: it takes milliseconds, and depends on the builds of the project. */
export const transactionSource: Lookup<'transactionSource'> = async (input, context, signal) => {
  const trace = await fetchSteps(input, context, signal);
  return {
    value:
      trace === null
        ? { stack: null, calls: [] }
        : await findSource(trace, createProgramFinder(input.builds), input, signal),
  };
};

export async function findSource(
  trace: Trace,
  findProgram: FindProgram,
  { hasInternalCalls = false, callersOf }: TransactionSourceOptions,
  signal: AbortSignal | undefined,
): Promise<TransactionSource> {
  const pacer = new TaskPacer(signal);
  const source = await toTransactionSource(trace, findProgram, MAX_TRACED_CALLS, pacer);
  return {
    ...source,
    ...(hasInternalCalls && {
      internalCalls: await listInternalCalls(trace, findProgram, MAX_INTERNAL_CALLS, pacer),
    }),
    ...(callersOf !== undefined && { callers: await findCallers(trace, findProgram, callersOf, pacer) }),
  };
}
