// Amounts in errors have the unit of the token that threw them.
import { encodeErrorResult, parseAbi, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { describeFailure, nameCall } from '../../../src/extension/abi/describeFailure.ts';

const ROUTER: Hex = `0x${'a'.repeat(40)}`;
const TOKEN: Hex = `0x${'b'.repeat(40)}`;
const CODE: Hex = `0x${'c'.repeat(40)}`;

const errors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error TooMany(uint256 needed)',
]);
const insufficient = encodeErrorResult({
  abi: errors,
  errorName: 'ERC20InsufficientBalance',
  args: [ROUTER, 1_500_000n, 90_000_000n],
});
const tooMany = encodeErrorResult({ abi: errors, errorName: 'TooMany', args: [90_000_000n] });

const createCall = (type: string, from: Hex, to: Hex, depth: number, output: Hex) => ({
  ...{ transactionHash: '0x1', blockNumber: 1, blockHash: '0x2', type, from, to, depth, output },
  ...{ value: 0n, gas: 50_000n, gasUsed: 900n, input: '0x', error: 'execution reverted' },
});

function describe(output: Hex) {
  const asked: string[] = [];
  const calls = [createCall('CALL', ROUTER, TOKEN, 1, output), createCall('DELEGATECALL', TOKEN, CODE, 2, output)];
  const transaction = { toAddress: ROUTER, input: '0x', gas: 100_000n, internalTransactions: calls };
  const failure = describeFailure({ output, error: 'execution reverted' }, transaction as never, 'local', {
    loadAbis: async () => createAbiRegistry(),
    identify: async () => null,
    getName: address => (address === ROUTER ? 'Router' : null),
    async fetchUnit(token, chain) {
      asked.push(`${chain} ${token}`);
      return token === TOKEN ? { kind: 'token', standard: 'ERC20', symbol: 'USDX', decimals: 6 } : null;
    },
  });
  return { failure, asked };
}

test('the token behind a proxy decides, not its code', async () => {
  const { failure, asked } = describe(insufficient);
  expect((await failure).reason).toBe('ERC20InsufficientBalance(sender: Router, balance: 1.5 USDX, needed: 90 USDX)');
  expect(asked).toEqual([`local ${TOKEN}`]);
});

test('requests no unit for errors without amounts of a token', async () => {
  const { failure, asked } = describe(tooMany);
  expect((await failure).reason).toContain('0x');
  expect(asked).toEqual([]);
});

test('names no function that the contract does not have', async () => {
  const registry = createAbiRegistry();
  const items = (id: string, signature: string) =>
    registry.set({ id, items: readAbi(parseAbi([`function ${signature}`] as never), id), contracts: [] });
  items('out/Grain.json', 'mill()');
  items('out/IGhost.json', 'ghost()');
  const build = { name: 'Grain', ids: ['out/Grain.json'] };
  const nameOf = (input: Hex) =>
    nameCall({ to: TOKEN, input }, 'local', {
      loadAbis: async () => registry,
      identify: async () => ({ address: TOKEN, build, proxy: null, implementations: [], abiIds: [] }) as never,
      getName: () => null,
    });
  expect(await nameOf(toFunctionSelector('mill()'))).toBe('Grain.mill');
  expect(await nameOf(toFunctionSelector('ghost()'))).toBe('Grain');
  expect(await nameOf('0x')).toBe('Grain');
});
