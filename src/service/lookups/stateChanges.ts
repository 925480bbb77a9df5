// `stateChanges`: what a transaction changed, by variable where the caller has the build of the code.
import { localizable } from '../../base/localize.ts';
import { TaskPacer } from '../../base/taskPacer.ts';
import { StateChangeList } from '../../decode/source/stateChanges.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import { fetchTrace, getTraceSubject } from '../trace/fetchTrace.ts';
import type { Lookup } from './lookup.ts';

/** Not cached: the trace is, and it depends on the builds of the project. */
export const stateChanges: Lookup<'stateChanges'> = async (input, { nodes }, signal) => {
  const { result } = await fetchTrace(await nodes.find(input.chain, signal), getTraceSubject(input), signal);
  if (!('trace' in result)) return { value: { kind: 'noStateChanges', reason: result.reason } };
  const { trace } = result;
  if (trace.accounts === undefined) return { value: { kind: 'noStateChanges', reason: NOT_REPLAYED } };
  const changes = new StateChangeList(trace, createProgramFinder(input.builds), new TaskPacer(signal));
  return { value: await changes.list() };
};

const NOT_REPLAYED = localizable(
  'What it changed is not known: run again by HexLens, the transaction gave something else than the chain has, and the node’s own trace has no state.',
);
