// Inner calls in execution order become a tree: a call belongs to the deepest open frame whose code made it.
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow, type NamedRow } from './namedRow.ts';

export interface CallNode {
  readonly row: number;
  readonly call: NamedRow;
  readonly depth: number;
  readonly children: readonly CallNode[];
}

interface Open {
  /** In whose name the code of this frame acts: a delegated call acts for its caller. */
  readonly acts: string;
  readonly children: CallNode[];
  readonly depth: number;
}

const isDelegated = (type: string) => /delegatecall|callcode/i.test(type);

/** One tree per transaction, by its hash, in the order of the rows. */
export function buildCallTrees(table: LoadedTable): ReadonlyMap<string, readonly CallNode[]> {
  const trees = new Map<string, CallNode[]>();
  let open: Open[] = [];
  let last = '';
  for (let row = 0; row < table.rows.length; row++) {
    const call = getNamedRow(table, row);
    const hash = call?.text('transactionHash') ?? '';
    if (call === null) continue;
    const from = (call.text('from') ?? '').toLowerCase();
    let roots = trees.get(hash);
    if (roots === undefined) {
      roots = [];
      trees.set(hash, roots);
    }
    if (hash !== last) {
      last = hash;
      open = [];
    }
    let at = open.length - 1;
    while (at >= 0 && open[at]?.acts !== from) at--;
    open = open.slice(0, at + 1);
    const parent = open.at(-1);
    const children: CallNode[] = [];
    const depth = parent === undefined ? 0 : parent.depth + 1;
    (parent?.children ?? roots).push({ row, call, depth, children });
    const acts = isDelegated(call.text('type') ?? '') ? from : (call.text('to') ?? '').toLowerCase();
    open.push({ acts, children, depth });
  }
  return trees;
}

/** The nodes as a list in their order, without those below a closed one. */
export function getVisibleNodes(nodes: readonly CallNode[], closed: ReadonlySet<number>): readonly CallNode[] {
  const list: CallNode[] = [];
  const stack = [...nodes].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    list.push(node);
    if (!closed.has(node.row)) stack.push(...[...node.children].reverse());
  }
  return list;
}
