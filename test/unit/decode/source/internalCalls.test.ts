import { expect, test } from 'vitest';
import type { ContractProgram } from '../../../../src/decode/source/contractProgram.ts';
import { InternalCalls } from '../../../../src/decode/source/internalCalls.ts';
import { createSourceText } from '../../../support/source/sourceText.ts';

const JUMP = 0x56;
const ENTRY = 40;

test('counts the first recursive call though the jump of the dispatcher has no mark, as before Solidity 0.5', () => {
  const source = createSourceText('contract C { function down(uint n) public { if (n > 0) down(n - 1); } }');
  const down = source.outline.functions[0];
  if (down === undefined) throw new Error('no function');
  const program = {
    graph: null,
    pipeline: { isOptimized: false, isViaIR: false },
    map: { jump: (pc: number) => (pc >= ENTRY ? 'in' : 'regular') },
    functionAtEntry: (pc: number) => (pc === ENTRY ? down : null),
    siteAt: (pc: number) =>
      pc < ENTRY ? null : { source, definition: down, start: down.start + 40, end: down.start + 50 },
  } as unknown as ContractProgram;
  const calls = new InternalCalls(program, down);
  const depths: number[] = [];
  for (const [op, pc, target] of [
    [JUMP, 10, ENTRY],
    [JUMP, 50, ENTRY],
    [JUMP, 50, ENTRY],
    [0, 60, -1],
  ] as const) {
    let depth = 0;
    for (let at = calls.next(op, pc, target).caller; at !== null; at = at.caller) depth++;
    depths.push(depth);
  }
  expect(depths).toEqual([0, 0, 1, 2]);
});
