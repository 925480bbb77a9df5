// `hexlens simulate`: what a call would do, without signing or sending it, as text or JSON.

import type { SendLookup } from '../api/lookups.ts';
import type { TransactionTrace } from '../api/transactionTrace.ts';
import { sanitizeText } from '../base/displayText.ts';
import { type Hex, isHash, toLowerHex } from '../base/hex.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import { fetchMovements, type MovedAsset } from '../decode/fetchMovements.ts';
import { fetchSimulation, parseSimulation, type SimulationTexts } from '../decode/simulationInput.ts';
import { formatReturned, toReturnedJson } from '../decode/trace/returnedValues.ts';
import { toMovementSource } from '../decode/trace/traceMovements.ts';
import { rejectSecrets } from '../mcp/simulateTool.ts';
import type { Backend } from '../worker/backend.ts';
import { createUsageError } from './configFile.ts';
import { HELP_HINT, parseFlags } from './options.ts';
import { chainOptions } from './serveOptions.ts';
import {
  planTraceOutput,
  runTraceOutput,
  type TraceAddition,
  type TraceOutputPlan,
  traceFlags,
} from './traceCommand.ts';

export interface SimulationPlan extends TraceOutputPlan {
  readonly texts: SimulationTexts;
  /** A transaction of the chain whose call is simulated, with what `texts` change of it. */
  readonly transaction: Hex | null;
}

const simulateFlags = {
  ...traceFlags,
  from: { type: 'string' },
  to: { type: 'string' },
  function: { type: 'string' },
  args: { type: 'string', multiple: true },
  data: { type: 'string' },
  transaction: { type: 'string' },
  value: { type: 'string' },
  gas: { type: 'string' },
  'gas-price': { type: 'string' },
  block: { type: 'string' },
  override: { type: 'string', multiple: true },
} as const;

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use. */
export function planSimulation(args: readonly string[], env: NodeJS.ProcessEnv): SimulationPlan {
  const { values, positionals } = parseFlags(args, chainOptions, simulateFlags, HELP_HINT);
  const texts = values as Readonly<Record<string, string | undefined>>;
  const list = (name: string): readonly string[] | undefined => values[name] as readonly string[] | undefined;
  const given = list('args');
  if (given === undefined && positionals.length > 0)
    throw createUsageError(`"${positionals[0]}" is not expected: give arguments after --args.`, HELP_HINT);
  const hash = texts['transaction'];
  if (hash !== undefined && !isHash(hash))
    throw createUsageError('--transaction must be the hash of a transaction.', HELP_HINT);
  const plan: SimulationPlan = {
    ...planTraceOutput(values, env),
    transaction: hash === undefined ? null : toLowerHex(hash),
    texts: {
      from: texts['from'],
      to: texts['to'],
      function: texts['function'],
      data: texts['data'],
      value: texts['value'],
      gas: texts['gas'],
      gasPrice: texts['gas-price'],
      block: texts['block'],
      args: given === undefined ? undefined : [...given, ...positionals],
      overrides: list('override'),
    },
  };
  // What is wrong with a call of its own is known without the node.
  if (plan.transaction === null) rejectSecrets(parseSimulation(plan.texts, null));
  return plan;
}

/** Resolves with the exit code when the whole output is written. */
export function runSimulation(plan: SimulationPlan): Promise<number> {
  const { chain, transaction, texts } = plan;
  return runTraceOutput(
    plan,
    async (backend, signal) => {
      const lookup: SendLookup = (id, input) => backend.lookup(id, input, { signal });
      const base = transaction === null ? null : await fetchSimulation(lookup, chain, transaction, signal);
      const simulation = parseSimulation(texts, base);
      rejectSecrets(simulation);
      return { chain, simulation };
    },
    (trace, registry, backend) => describeOutcome(trace, registry, backend, plan),
  );
}

/** What it returned and moved. */
async function describeOutcome(
  trace: TransactionTrace,
  registry: AbiRegistry,
  backend: Backend,
  { chain, texts }: SimulationPlan,
): Promise<TraceAddition> {
  const lookup = (address: Hex) => backend.lookup('tokenUnit', { chain, address });
  const movements = trace.status === 'failed' ? [] : await fetchMovements(toMovementSource(trace), trace.chain, lookup);
  const returned = formatReturned(trace, registry, texts.function);
  const lines = [...(returned === null ? [] : [`Returned ${returned}`]), ...movements.map(formatMovement)];
  return {
    text: lines.map(line => `${sanitizeText(line, 2_000)}\n`).join(''),
    json: { returned: toReturnedJson(trace, registry, texts.function), movements },
  };
}

const formatMovement = ({ account, asset, token, tokenId, change }: MovedAsset): string => {
  const id = tokenId === undefined ? '' : ` #${tokenId}`;
  const of = token === undefined ? '' : ` of ${token}`;
  return `${account} ${String(change).startsWith('-') ? '' : '+'}${change} ${asset}${id}${of}`;
};
