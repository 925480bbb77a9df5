import { expect, test } from 'vitest';
import { findCheckedOperator } from '../../../../src/decode/source/checkedOperator.ts';

const OPCODES: Readonly<Record<string, number>> = {
  ...{
    ADD: 0x01,
    SUB: 0x03,
    LT: 0x10,
    GT: 0x11,
    EQ: 0x14,
    ISZERO: 0x15,
    MUL: 0x02,
    JUMP: 0x56,
    JUMPI: 0x57,
    JUMPDEST: 0x5b,
  },
  ...{ PUSH2: 0x61, DUP2: 0x81, MSTORE: 0x52, REVERT: 0xfd },
};

/** `CALL`: a jump into a function; `RETURN`: out of it. */
function find(steps: string) {
  const words = steps.split(' ');
  const op = Uint8Array.from(words, word => OPCODES[/^(?:CALL|RETURN)$/.test(word) ? 'JUMP' : word] ?? 0);
  return findCheckedOperator(op, op.length - 1, index => {
    if (words[index] === 'CALL') return 'in';
    return words[index] === 'RETURN' ? 'out' : 'regular';
  });
}

test('a check is about the arithmetic before its comparison', () => {
  expect(find('DUP2 SUB DUP2 GT PUSH2 JUMPI MSTORE REVERT')).toBe('-');
  expect(find('DUP2 ADD DUP2 LT PUSH2 JUMPI MSTORE REVERT')).toBe('+');
});

test('arithmetic before the call of the function that checks is of something else', () => {
  expect(find('DUP2 ADD CALL JUMPDEST DUP2 DUP2 LT ISZERO PUSH2 JUMPI MSTORE REVERT')).toBeNull();
  expect(find('CALL JUMPDEST MUL CALL JUMPDEST DUP2 RETURN JUMPDEST EQ PUSH2 JUMPI MSTORE REVERT')).toBe('*');
});
