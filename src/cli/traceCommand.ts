// `hexlens trace`: why a transaction failed, and what it called, as text or JSON.
import type { SendLookup } from '../api/lookups.ts';
import type { NoStateChanges, StateChanges } from '../api/stateChanges.ts';
import type { TraceTarget } from '../api/traceTarget.ts';
import type { NoTransactionGas, TransactionGas } from '../api/transactionGas.ts';
import type { TransactionTrace } from '../api/transactionTrace.ts';
import { HexLensError, isFault, toFault } from '../base/errors.ts';
import { type Hex, isHash, toLowerHex } from '../base/hex.ts';
import { type LocalizableText, localizable, localize } from '../base/localize.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import {
  fetchStateChanges,
  fetchTransactionGas,
  fetchTransactionSource,
} from '../decode/source/fetchTransactionSource.ts';
import { formatTransactionGas, toGasJson } from '../decode/source/formatGas.ts';
import { formatStateChanges, getStateNotes, toStateJson } from '../decode/source/formatStateChanges.ts';
import type { SourceBuilds } from '../decode/source/sourceBuilds.ts';
import { formatTrace, getNotes, type SourcedTrace, toTraceJson } from '../decode/trace/formatTrace.ts';
import type { Backend } from '../worker/backend.ts';
import { stringifyForTerminal } from './callCommand.ts';
import { createUsageError } from './configFile.ts';
import { getSideBuildFolder, hasForgeProject, makeSideBuild } from './makeSideBuild.ts';
import { HELP_HINT, parseFlags } from './options.ts';
import { type ProjectPlan, planProject, projectFlags, readProject } from './projectPlan.ts';
import { runWithBackend } from './runWithBackend.ts';
import { chainOptions } from './serveOptions.ts';

/** What `hexlens trace` and `hexlens simulate` have in common. */
export interface TraceOutputPlan extends ProjectPlan {
  /** Print the tree of calls. */
  readonly calls: boolean;
  /** Print the calls of functions inside contracts too. */
  readonly internal: boolean;
  /** Print what it changed. */
  readonly state: boolean;
  /** Print what its functions and lines cost. */
  readonly gas: boolean;
  /** Build a Foundry project once more where its build has no names of variables. */
  readonly build: boolean;
}

export interface TracePlan extends TraceOutputPlan {
  readonly hash: Hex;
}

export const traceFlags = {
  ...projectFlags,
  calls: { type: 'boolean' },
  internal: { type: 'boolean' },
  state: { type: 'boolean' },
  gas: { type: 'boolean' },
  build: { type: 'boolean' },
} as const;

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use. */
export function planTrace(args: readonly string[], env: NodeJS.ProcessEnv): TracePlan {
  const { values, positionals } = parseFlags(args, chainOptions, traceFlags, HELP_HINT);
  const [hash, ...more] = positionals;
  if (!isHash(hash)) throw createUsageError('Name a transaction by its hash: hexlens trace 0x….', HELP_HINT);
  if (more.length > 0) throw createUsageError(`"${more[0]}" is not expected after the hash.`, HELP_HINT);
  return { hash: toLowerHex(hash), ...planTraceOutput(values, env) };
}

/** What the flags say of node, project and output. */
export function planTraceOutput(values: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): TraceOutputPlan {
  return {
    ...planProject(values, env),
    calls: values['calls'] === true || values['internal'] === true,
    internal: values['internal'] === true,
    state: values['state'] === true,
    gas: values['gas'] === true,
    build: values['build'] === true,
  };
}

/** Resolves with the exit code when the whole output is written. */
export const runTrace = (plan: TracePlan): Promise<number> =>
  runTraceOutput(plan, async () => ({ chain: plan.chain, hash: plan.hash }));

/** What is printed besides the trace: text below it, fields of the JSON. */
export interface TraceAddition {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The exit code: 0 for a transaction that was successful, 1 for one that failed. `findTarget`: what is traced, where the node knows it. */
export async function runTraceOutput(
  plan: TraceOutputPlan,
  findTarget: (backend: Backend, signal: AbortSignal) => Promise<TraceTarget>,
  add?: (trace: TransactionTrace, registry: AbiRegistry, backend: Backend) => Promise<TraceAddition>,
): Promise<number> {
  return runWithBackend(plan.configuration, async (backend, signal) => {
    const find = async () => {
      const target = await findTarget(backend, signal);
      return { found: target, trace: await backend.lookup('transactionTrace', target, { signal }) };
    };
    const { found, trace } = await find().catch(error => {
      throw nameOtherNodes(error, plan);
    });
    if (trace.kind === 'noTrace') throw new HexLensError('not-implemented', trace.reason);
    const sideFolder = getSideBuildFolder(plan.project, process.env);
    const failure = plan.build ? await makeSideBuild(plan.project, sideFolder, signal) : null;
    if (failure !== null) process.stderr.write(`hexlens: forge build failed:\n${failure}\n`);
    if (plan.build && !hasForgeProject(plan.project))
      process.stderr.write(
        `hexlens: ${plan.project} has no foundry.toml, so --build has built nothing: name the project by --project.\n`,
      );
    const { registry, builds } = await readProject(plan.project, sideFolder);
    const { simulation } = trace;
    const target = simulation === undefined ? found : { chain: plan.chain, simulation };
    const lookup: SendLookup = (id, input) => backend.lookup(id, input, { signal });
    const source = await fetchTransactionSource(lookup, builds, target, { hasInternalCalls: plan.internal });
    const state = plan.state ? await fetchStateChanges(lookup, builds, target) : null;
    const gas = plan.gas ? await fetchTransactionGas(lookup, builds, target) : null;
    const sourced = { trace, source, hints: getBuildHints(plan, builds, { trace, source }) };
    printTrace(plan, sourced, { state, gas }, registry, await add?.(trace, registry, backend));
    return trace.status === 'success' ? 0 : 1;
  });
}

/** What the node of the chain does not have, another one may. */
function nameOtherNodes(error: unknown, { configuration, chain }: ProjectPlan): unknown {
  const others = Object.keys(configuration.nodes).filter(name => name !== chain);
  if (!isFault(error, 'not-found') || others.length === 0) return error;
  return new HexLensError('not-found', toFault(error).message, {
    fix: `Other chains were not queried: choose one by --chain ${others.join(' or --chain ')}.`,
  });
}

/** What to do where no build of the project has the code that was called. Lines are not expected of a current folder without builds. */
function getBuildHints(
  { project, isProjectNamed }: ProjectPlan,
  builds: SourceBuilds,
  { trace, source }: SourcedTrace,
): readonly LocalizableText[] {
  if (source !== null || trace.calls.every(({ codeHash }) => codeHash === null)) return [];
  if (!builds.isEmpty)
    return [
      localizable(
        'No build in {0} has the code that was called: build the project as it was deployed, or name another folder by --project.',
        project,
      ),
    ];
  return isProjectNamed
    ? [localizable('There is no build in {0}: build the project for names and lines.', project)]
    : [];
}

/** What was asked for beside the trace. */
interface TraceDetails {
  readonly state: StateChanges | NoStateChanges | null;
  readonly gas: TransactionGas | NoTransactionGas | null;
}

/** How Foundry's variables get names. */
const getLayoutHints = ({ project, build }: TraceOutputPlan, state: StateChanges | NoStateChanges | null) =>
  state?.kind === 'stateChanges' && state.withoutLayout.length > 0 && !build && hasForgeProject(project)
    ? [localizable('Add --build: Foundry then builds the project once more, in a folder of HexLens, for these names.')]
    : [];

function printTrace(
  plan: TraceOutputPlan,
  trace: SourcedTrace,
  { state, gas }: TraceDetails,
  registry: AbiRegistry,
  addition: TraceAddition = { text: '', json: {} },
): void {
  const { json, calls } = plan;
  if (json) {
    const stateChanges = state === null ? {} : { stateChanges: toStateJson(state) };
    const gasOfLines = gas === null ? {} : { gas: toGasJson(gas) };
    const whole = { ...toTraceJson(trace, registry), ...addition.json, ...stateChanges, ...gasOfLines };
    process.stdout.write(`${stringifyForTerminal(whole, 2)}\n`);
    return;
  }
  const text = state === null ? '' : `\n${formatStateChanges(state, trace.trace.chain)}\n`;
  const gasText = gas === null ? '' : `\n${formatTransactionGas(gas)}\n`;
  process.stdout.write(`${formatTrace(trace, registry, calls)}\n${addition.text}${text}${gasText}`);
  const notes = [...getNotes(trace), ...(state === null ? [] : getStateNotes(state)), ...getLayoutHints(plan, state)];
  for (const note of notes) process.stderr.write(`hexlens: ${localize(note)}\n`);
}
