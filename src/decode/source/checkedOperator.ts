// Which operation of Solidity a check of arithmetic was about, by the steps before its panic.
import type { ArithmeticOperator } from './revertEvidence.ts';
import type { JumpType } from './sourceMap.ts';

const OP = { ADD: 0x01, MUL: 0x02, SUB: 0x03, EQ: 0x14, NOT: 0x19, SHL: 0x1b, JUMP: 0x56, JUMPI: 0x57 };
const OPERATORS: ReadonlyMap<number, ArithmeticOperator> = new Map([
  [OP.ADD, '+'],
  [OP.MUL, '*'],
  [OP.SUB, '-'],
]);
const isPush = (opcode: number | undefined): boolean => opcode !== undefined && opcode >= 0x60 && opcode <= 0x7f;
/** Steps between an arithmetic instruction and the branch of its check, and between that and the panic. */
const CHECK_STEPS = 45;
/** LT, GT, SLT, SGT, EQ, AND, OR, and SUB, which compares too. */
const COMPARISONS: ReadonlySet<number> = new Set([0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x03]);
/** Steps between the comparison and the branch. */
const COMPARISON_STEPS = 4;

/**
 * The arithmetic instruction before the comparison that the branch of the check depends on, within the function that checks, if
 * the compiler made one. `jumpAt`: what the source map says of the jump of a step.
 */
export function findCheckedOperator(
  op: Uint8Array,
  last: number,
  jumpAt: (index: number) => JumpType,
): ArithmeticOperator | null {
  const found = op.lastIndexOf(OP.JUMPI, last);
  const branch = found < last - CHECK_STEPS ? -1 : found;
  const comparison = op.subarray(0, Math.max(0, branch)).findLastIndex(each => COMPARISONS.has(each));
  if (branch < 0 || comparison < branch - COMPARISON_STEPS) return null;
  // `if (a != b)` is compiled as a difference too: the checks of products and increments compare so.
  const isEquality = op[comparison] === OP.EQ || op[comparison] === OP.SUB;
  let finishedCalls = 0;
  for (let i = comparison - 1; i >= Math.max(0, branch - CHECK_STEPS); i--) {
    const jump = op[i] === OP.JUMP ? jumpAt(i) : 'regular';
    if (jump === 'out') finishedCalls++;
    if (op[i] === OP.JUMPI || (jump === 'in' && finishedCalls-- === 0)) break;
    // A mask such as `(1 << 128) - 1`
    if (op[i] === OP.SUB && op[i - 1] === OP.SHL && isPush(op[i - 2]) && isPush(op[i - 3])) i -= 4;
    // A product by a power of two is a shift.
    if (isEquality && (op[i] === OP.MUL || (op[i] === OP.SHL && !isPush(op[i - 2])))) return '*';
    if (isEquality) continue;
    // A product by a power of two, or a sum that is compared with a constant minus the other summand
    if (op[i] === OP.SHL || (op[i] === OP.SUB && isPush(op[i - 1]))) return null;
    // The optimizer subtracts a constant by adding its complement.
    if (op[i] === OP.ADD && op.subarray(Math.max(0, i - 3), i).includes(OP.NOT)) return '-';
    const operator = OPERATORS.get(op[i] as number);
    if (operator !== undefined) return operator;
  }
  return isEquality ? 'unary' : null;
}
