// Internal transactions in execution order as trees: by their depth; without it, a call's parent is the innermost open frame
// whose code may have made it by its gas.
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { canContain, type FrameGas, subtractCall } from '../../../decode/callGas.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow, type NamedRow } from './namedRow.ts';

export interface CallNode {
  readonly row: number;
  readonly call: NamedRow;
  readonly depth: number;
  /** It failed, or a call that is known to be around it did. */
  readonly isUndone: boolean;
  readonly children: readonly CallNode[];
}

/** The gas of the transaction's own call counts as unknown: its numbers include more. */
interface Frame extends FrameGas {
  /** The address that the frame's code calls from: that of the caller in a delegated call. */
  readonly self: string;
  readonly children: CallNode[];
  readonly depth: number;
  readonly isUndone: boolean;
}

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
    const roots = getOrInsert(trees, hash, () => []);
    if (hash !== previousHash) {
      previousHash = hash;
      open = [];
      hasRoot = call.cell('isRoot') === true;
    }
    const gas = { gas: call.integer('gas'), gasUsed: call.integer('gasUsed') };
    const innermost = open.findLastIndex(frame => frame.self === from);
    const containing = open.findLastIndex(frame => frame.self === from && canContain(frame, gas));
    const knownDepth = call.integer('depth');
    const parentIndex =
      knownDepth !== null && hasRoot ? Number(knownDepth) - 1 : containing < 0 ? innermost : containing;
    // Everything else is inside the transaction's own call.
    open = open.slice(0, parentIndex < 0 && hasRoot ? 1 : parentIndex + 1);
    const parent = open.at(-1);
    const children: CallNode[] = [];
    const depth = parent === undefined ? 0 : parent.depth + 1;
    // A parent that is found by its gas is a guess, all the transaction's own call is not.
    const around = !hasRoot ? undefined : knownDepth === null ? open[0] : parent;
    const isUndone = call.text('error') !== null || around?.isUndone === true;
    (parent?.children ?? roots).push({ row, call, depth, isUndone, children });
    const self = isDelegated(call.text('type') ?? '') ? from : (call.text('to') ?? '').toLowerCase();
    if (parent !== undefined) subtractCall(parent, gas);
    const isRoot = call.cell('isRoot') === true;
    open.push({
      self,
      children,
      depth,
      isUndone,
      gasLeft: isRoot ? null : gas.gas,
      gasUsedAlone: isRoot ? null : gas.gasUsed,
    });
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
