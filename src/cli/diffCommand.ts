// `hexlens diff`: what the transactions of some blocks did together, as text or JSON.
import type { SendLookup } from '../api/lookups.ts';
import { HexLensError } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import { localize } from '../base/localize.ts';
import { mapConcurrently } from '../base/mapConcurrently.ts';
import { createClient } from '../client/client.ts';
import { fetchStateChanges, fetchTransactionSource } from '../decode/source/fetchTransactionSource.ts';
import { getStateNotes, toStateJson } from '../decode/source/formatStateChanges.ts';
import { fetchRunDiff, formatRunDiff, type RunDiff, type RunLookups } from '../decode/source/runDiff.ts';
import type { SourceBuilds } from '../decode/source/sourceBuilds.ts';
import type { Backend } from '../worker/backend.ts';
import { stringifyForTerminal } from './callCommand.ts';
import { createUsageError } from './configFile.ts';
import { HELP_HINT, parseFlags } from './options.ts';
import { type ProjectPlan, planProject, projectFlags, readProject } from './projectPlan.ts';
import { runWithBackend } from './runWithBackend.ts';
import { chainOptions } from './serveOptions.ts';

export interface DiffPlan extends ProjectPlan {
  /** The block before the first one; its state is compared with that after `to`. */
  readonly from: number;
  /** `null`: the newest block. */
  readonly to: number | null;
}

const diffFlags = {
  ...projectFlags,
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

function parseBlock(flag: string, value: unknown): number {
  if (!/^\d{1,15}$/.test(String(value))) throw createUsageError(`--${flag} is the number of a block.`, HELP_HINT);
  return Number(value);
}

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use. */
export function planDiff(args: readonly string[], env: NodeJS.ProcessEnv): DiffPlan {
  const { values, positionals } = parseFlags(args, chainOptions, diffFlags, HELP_HINT);
  if (positionals.length > 0) throw createUsageError(`"${positionals[0]}" is not expected after diff.`, HELP_HINT);
  if (values['from'] === undefined) throw createUsageError('Name the block before: hexlens diff --from 12.', HELP_HINT);
  const from = parseBlock('from', values['from']);
  const to = values['to'] === undefined ? null : parseBlock('to', values['to']);
  if (to !== null && to < from) throw createUsageError('--to is before --from.', HELP_HINT);
  return { from, to, ...planProject(values, env) };
}

const CONCURRENT_CODES = 8;

function createLookups(backend: Backend, builds: SourceBuilds, chain: string, signal: AbortSignal): RunLookups {
  const lookup: SendLookup = (id, input) => backend.lookup(id, input, { signal });
  const client = createClient({ send: (request, options) => backend.call(request, options) });
  return {
    async listTransactions(block) {
      const { transactions } = await client.block({ chain, block }, { signal });
      return (transactions ?? []).map(({ hash }) => hash as Hex);
    },
    trace: hash => lookup('transactionTrace', { chain, hash }),
    source: hash => fetchTransactionSource(lookup, builds, { chain, hash }),
    state: hash => fetchStateChanges(lookup, builds, { chain, hash }),
    async nameContracts(addresses) {
      const names = new Map<Hex, string | null>();
      await mapConcurrently([...addresses], CONCURRENT_CODES, async address => {
        names.set(address, await fetchContractName(lookup, builds, chain, address));
      });
      return address => names.get(address) ?? null;
    },
  };
}

/** By the build of what runs: the first implementation of a proxy, else the contract itself. */
async function fetchContractName(
  lookup: SendLookup,
  builds: SourceBuilds,
  chain: string,
  address: Hex,
): Promise<string | null> {
  const { code, delegate, proxy } = await lookup('contractCode', { chain, address });
  if (code === null || code === '0x' || delegate !== null) return null;
  const [implementation] = proxy?.implementations ?? [];
  const inner = implementation === undefined ? null : await lookup('contractCode', { chain, address: implementation });
  return (await builds.findName(inner?.code ?? null)) ?? builds.findName(code);
}

/** Resolves with the exit code when the whole output is written. */
export async function runDiff(plan: DiffPlan): Promise<number> {
  const { chain, from, project } = plan;
  const diff = await runWithBackend(plan.configuration, async (backend, signal) => {
    const to = plan.to ?? (await backend.lookup('chainStatus', { chain }, { signal })).head;
    if (to === null || to < from) throw new HexLensError('not-found', `The chain has no block ${from}.`);
    const { registry, builds } = await readProject(project);
    return fetchRunDiff({ from, to }, createLookups(backend, builds, chain, signal), registry);
  });
  print(diff, plan.json);
  return 0;
}

function print(diff: RunDiff, isJson: boolean): void {
  if (!isJson) {
    process.stdout.write(`${formatRunDiff(diff)}\n`);
    for (const note of getStateNotes(diff.state)) process.stderr.write(`hexlens: ${localize(note)}\n`);
    return;
  }
  const { chain, state, unread, ...rest } = diff;
  const json = {
    chain: chain?.name ?? null,
    ...rest,
    stateChanges: toStateJson(state),
    unread: unread.map(({ hash }) => hash),
  };
  process.stdout.write(`${stringifyForTerminal(json, 2)}\n`);
}
