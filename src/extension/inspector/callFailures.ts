// Marks in a table of internal transactions which calls threw, and which only passed on the failure of another one.

import { isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { type FailableCall, findFailurePath, findSwallowedFailures } from '../../decode/failedCalls.ts';
import type { Table, TableCell, TableRow } from '../../protocol/table.ts';
import {
  type DescribeFailureDeps,
  fetchLocalTrace,
  getTracedPath,
  hasOutcomes,
  nameCall,
  REVERTED,
} from '../abi/describeFailure.ts';
import type { DataPorts } from './inspectorPorts.ts';

/** Failed transactions of a block whose outcome is read for the tree. */
const MAX_OUTCOMES = 20;
const MAX_NAMED = 50;

interface TracedCall extends FailableCall {
  readonly row: number;
  readonly input: string | null;
}

type Deps = DescribeFailureDeps & Pick<DataPorts, 'lookup' | 'chains'>;

/** The rows of a table by the names of their columns. */
class CallRows {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly rows: TableRow[];

  constructor({ columns, rows }: Table) {
    this.#indexes = new Map(columns.map(({ key }, index) => [key, index]));
    this.rows = [...rows];
  }

  read(row: number, key: string): TableCell {
    return this.rows[row]?.[this.#indexes.get(key) ?? -1] ?? null;
  }

  write(row: number, key: string, cell: TableCell): void {
    const at = this.#indexes.get(key);
    this.rows[row] = (this.rows[row] ?? []).map((before, index) => (index === at ? cell : before));
  }

  getCall(row: number): TracedCall {
    const text = (key: string) => {
      const cell = this.read(row, key);
      return cell === null ? null : String(cell);
    };
    const address = (key: string) => text(key)?.toLowerCase() ?? null;
    const amount = (key: string) => (text(key) === null ? null : BigInt(text(key) ?? 0));
    return {
      row,
      type: text('type'),
      from: address('from'),
      to: address('to'),
      input: text('input'),
      output: text('output'),
      error: text('error'),
      gas: amount('gas'),
      gasUsed: amount('gasUsed'),
    };
  }

  /** Rows of the transactions themselves; a table without them has none. */
  getRoots(): readonly number[] {
    return this.rows.flatMap((_, row) => (this.read(row, 'isRoot') === true ? [row] : []));
  }
}

/** Traces of internal transactions lack what a failed transaction's own call returned, and why it failed. */
async function readOutcomes(calls: CallRows, chain: string, { lookup }: Deps, signal: AbortSignal): Promise<void> {
  const failed = calls.getRoots().filter(row => calls.read(row, 'error') !== null);
  const readOutcome = async (row: number) => {
    const hash = String(calls.read(row, 'transactionHash')) as Hex;
    const outcome = await lookup('revertReason', { chain, hash }, signal).catch(error => {
      if (isFault(error, 'cancelled')) throw error;
      return null; // the tree shows that it failed
    });
    if (outcome === null || (outcome.output === null && outcome.error === null)) return;
    calls.write(row, 'output', outcome.output ?? '0x');
    calls.write(row, 'error', outcome.error ?? REVERTED);
  };
  await Promise.all(failed.slice(0, MAX_OUTCOMES).map(readOutcome));
}

/** Indexes of the calls that a failure without data went through; `null` where only its steps would tell, and they do not. */
async function findTracedPath(
  hash: Hex,
  calls: readonly TracedCall[],
  chain: string,
  deps: Deps,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  const trace = await fetchLocalTrace(hash, chain, deps, signal);
  const path = getTracedPath(trace);
  if (trace === null || path === null) return null;
  const inner = trace.calls.filter(({ parent }) => parent >= 0);
  // Some nodes leave calls of precompiled contracts out.
  const listed = inner.length === calls.length ? inner : inner.filter(({ precompile }) => precompile === null);
  return listed.length === calls.length ? path.map(call => listed.indexOf(call)) : null;
}

/** Paths from a call that failed to the one that threw, of one transaction. */
async function findPaths(
  root: TracedCall,
  calls: readonly TracedCall[],
  findTraced: () => Promise<readonly number[] | null>,
): Promise<readonly (readonly TracedCall[])[]> {
  if (!hasOutcomes(calls) || (root.error !== null && root.output === null)) return [];
  const toCalls = (path: readonly number[]) => path.flatMap(index => calls[index] ?? []);
  const swallowed = findSwallowedFailures(root, calls).map(toCalls);
  if (root.error === null) return swallowed;
  const sure = findFailurePath(root, calls, { isSure: true });
  const isUnclear = findFailurePath(root, calls).length > sure.length;
  return [[root, ...toCalls((isUnclear ? await findTraced() : null) ?? sure)], ...swallowed];
}

/**
 * Adds the columns `failure` (`threw`, or `passed` for a call that passed on the failure of one that it made) and `place` (the
 * contract and function that threw; untrusted text).
 */
export async function addFailures(table: Table, chain: string, deps: Deps, signal: AbortSignal): Promise<Table> {
  if (table.name !== 'internal') return table;
  const calls = new CallRows(table);
  await readOutcomes(calls, chain, deps, signal);
  const roots = calls.getRoots();
  const marks = new Map<number, 'threw' | 'passed'>();
  for (const [index, root] of roots.entries()) {
    const end = roots[index + 1] ?? calls.rows.length;
    const inner = Array.from({ length: end - root - 1 }, (_, at) => calls.getCall(root + 1 + at));
    const hash = String(calls.read(root, 'transactionHash')) as Hex;
    const findTraced = () => findTracedPath(hash, inner, chain, deps, signal);
    for (const path of await findPaths(calls.getCall(root), inner, findTraced))
      for (const [at, { row }] of path.entries())
        if (!marks.has(row)) marks.set(row, at === path.length - 1 ? 'threw' : 'passed');
  }
  const thrown = [...marks].flatMap(([row, mark]) => (mark === 'threw' ? [row] : []));
  const name = async (row: number) => [row, await nameCall(calls.getCall(row), chain, deps)] as const;
  const places = new Map(await Promise.all(thrown.slice(0, MAX_NAMED).map(name)));
  return {
    ...table,
    columns: [
      ...table.columns,
      { key: 'failure', label: '', kind: 'text', detailOnly: true },
      { key: 'place', label: '', kind: 'text', detailOnly: true },
    ],
    rows: calls.rows.map((row, index) => [...row, marks.get(index) ?? null, places.get(index) ?? null]),
  };
}
