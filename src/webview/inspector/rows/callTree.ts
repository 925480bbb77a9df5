// Internal transactions in execution order as trees: a call's parent is the innermost open frame whose code made it.
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow, type NamedRow } from './namedRow.ts';

export interface CallNode {
  readonly row: number;
  readonly call: NamedRow;
  readonly depth: number;
  readonly children: readonly CallNode[];
}

interface Frame {
  /** The address that the frame's code calls from: that of the caller in a delegated call. */
  readonly self: string;
  readonly children: CallNode[];
  readonly depth: number;
  /** Its gas limit; `null` while unknown, and of the transaction's own call, whose numbers include more. */
  readonly gas: bigint | null;
  /** What it used without its calls so far. */
  ownGas: bigint | null;
}

/** What a call gets for free when it sends value. */
const STIPEND = 2_300n;

/**
 * Whether a frame can have made the call: it used at least as much gas, and passes on at most 63/64 of its gas (EIP-150).
 * That tells the calls of a contract that calls itself from calls inside of them.
 */
const canContain = ({ gas, ownGas }: Frame, call: NamedRow): boolean => {
  const limit = call.integer('gas');
  const used = call.integer('gasUsed');
  const isUsedWithin = ownGas === null || used === null || used <= ownGas;
  return isUsedWithin && (gas === null || limit === null || limit <= gas - gas / 64n + STIPEND);
};

const isDelegated = (type: string) => /delegatecall|callcode/i.test(type);

/** One tree per transaction, by its hash, in the order of the rows. */
export function buildCallTrees(table: LoadedTable): ReadonlyMap<string, readonly CallNode[]> {
  const trees = new Map<string, CallNode[]>();
  let open: Frame[] = [];
  let previousHash = '';
  let hasRoot = false;
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
    if (hash !== previousHash) {
      previousHash = hash;
      open = [];
      hasRoot = call.cell('isRoot') === true;
    }
    const innermost = open.findLastIndex(frame => frame.self === from);
    const containing = open.findLastIndex(frame => frame.self === from && canContain(frame, call));
    const parentIndex = containing < 0 ? innermost : containing;
    // Everything else is inside the transaction's own call.
    open = open.slice(0, parentIndex < 0 && hasRoot ? 1 : parentIndex + 1);
    const parent = open.at(-1);
    const children: CallNode[] = [];
    const depth = parent === undefined ? 0 : parent.depth + 1;
    (parent?.children ?? roots).push({ row, call, depth, children });
    const self = isDelegated(call.text('type') ?? '') ? from : (call.text('to') ?? '').toLowerCase();
    const used = call.integer('gasUsed');
    if (parent !== undefined && parent.ownGas !== null && used !== null) parent.ownGas -= used;
    const isRoot = call.cell('isRoot') === true;
    open.push({ self, children, depth, gas: isRoot ? null : call.integer('gas'), ownGas: isRoot ? null : used });
  }
  return trees;
}

/** All nodes in their order, without those below collapsed ones. */
export function getVisibleNodes(nodes: readonly CallNode[], collapsed: ReadonlySet<number>): readonly CallNode[] {
  const list: CallNode[] = [];
  const stack = [...nodes].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    list.push(node);
    if (!collapsed.has(node.row)) stack.push(...[...node.children].reverse());
  }
  return list;
}
