import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { parseSimulation, parseWei } from '../../../src/decode/simulationInput.ts';

const FROM = `0x${'11'.repeat(20)}` as const;
const TO = `0x${'22'.repeat(20)}` as const;

test.each([
  ['1000', 1_000n],
  ['1_000', 1_000n],
  ['0x3e8', 1_000n],
  ['3gwei', 3_000_000_000n],
  ['1.5 ether', 1_500_000_000_000_000_000n],
  ['0.5 wei', null],
  ['1.5', null],
  ['-1', null],
  ['1 coin', null],
  ['', null],
  ['9'.repeat(78), null],
])('reads %j as %s wei', (text, expected) => {
  expect(parseWei(text)).toBe(expected);
});

test('reads a function with arguments, amounts, a block and overrides of one account together', () => {
  const simulation = parseSimulation(
    {
      ...{ from: FROM, to: TO, function: 'set(uint256,bool)', args: ['7', 'true'], value: '1 gwei', block: '12' },
      overrides: [`${TO}.balance=1ether`, `${TO}.3=0x2a`, `${TO}.0x04=5`, `${FROM}.code=0x00`],
    },
    null,
  );
  const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
  expect(simulation).toEqual({
    from: FROM,
    to: TO,
    data: encodeFunctionData({ abi: parseAbi(['function set(uint256,bool)']), args: [7n, true] }),
    value: '0x3b9aca00',
    block: 12,
    overrides: {
      [TO]: { balance: '0xde0b6b3a7640000', stateDiff: { [word('3')]: word('2a'), [word('4')]: word('5') } },
      [FROM]: { code: '0x00' },
    },
  });
});

test('changes only what is given of a transaction', () => {
  const base = { from: FROM, to: TO, data: '0x1234', value: '0x1', gas: '0x5208', block: 3 } as const;
  expect(parseSimulation({ from: TO, value: '0' }, base)).toEqual({ ...base, from: TO, value: '0x0' });
});

test.each([[`${TO}.nonce=5=6`], [`${TO}.code=0x00=0x01`], [`${TO}.balance.locked=1`], [`${TO}=1`], [TO]])(
  'rejects the override %s, whose end says something that is not read',
  override => {
    expect(() => parseSimulation({ from: FROM, to: TO, overrides: [override] }, null)).toThrow('is no override');
  },
);

test('rejects arguments without a function, which would not be sent', () => {
  const base = { from: FROM, to: TO, data: '0x1234' } as const;
  expect(() => parseSimulation({ args: ['5'] }, base)).toThrow('args cannot be given without a function');
});
