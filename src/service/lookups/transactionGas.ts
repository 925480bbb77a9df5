// `transactionGas`: what the lines of a transaction cost, by builds that the project of the caller has.
import { localizable } from '../../base/localize.ts';
import { TaskPacer } from '../../base/taskPacer.ts';
import { toTransactionGas } from '../../decode/source/traceGas.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import { fetchTrace, getTraceSubject } from '../trace/fetchTrace.ts';
import type { Lookup } from './lookup.ts';

const NO_STEPS = localizable('The transaction could not be run again here, so that the gas of its lines is not known.');

/** Not cached, as it depends on the builds of the project. */
export const transactionGas: Lookup<'transactionGas'> = async (input, { nodes }, signal) => {
  const { result } = await fetchTrace(await nodes.find(input.chain, signal), getTraceSubject(input), signal);
  if (!('trace' in result)) return { value: { kind: 'noGas', reason: result.reason } };
  const gas = await toTransactionGas(result.trace, createProgramFinder(input.builds), new TaskPacer(signal));
  return { value: gas ?? { kind: 'noGas', reason: NO_STEPS } };
};
