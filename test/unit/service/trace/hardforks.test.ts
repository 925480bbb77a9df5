// Which rules a block is run by: by its chain and time, else by what its header has.
import { expect, test } from 'vitest';
import { parseReplayBlock } from '../../../../src/service/trace/parseReplayInput.ts';
import { getHardforkAt } from '../../../../src/service/trace/replay/replayTransaction.ts';

test.each([
  ['mainnet', 1, 1_000_000n, 1_455_404_053n, 'chainstart'],
  ['mainnet', 1, 12_000_000n, 1_615_234_816n, 'istanbul'],
  ['mainnet', 1, 12_300_000n, 1_619_243_462n, 'berlin'],
  ['mainnet', 1, 13_000_000n, 1_628_632_419n, 'london'],
  ['mainnet', 1, 16_000_000n, 1_668_811_907n, 'paris'],
  ['mainnet', 1, 18_000_000n, 1_693_066_895n, 'shanghai'],
  ['mainnet', 1, 21_000_000n, 1_729_300_000n, 'cancun'],
  ['mainnet', 1, 23_000_000n, 1_753_400_000n, 'prague'],
  ['mainnet', 1, 24_000_000n, 1_766_000_000n, 'osaka'],
  ['Sepolia', 11_155_111, 9_000_000n, 1_755_000_000n, 'prague'],
  ['another chain', 137, 60_000_000n, 1_720_000_000n, null],
] as const)('%s %i at block %s has the hardfork of its time', (_, chainId, number, timestamp, expected) => {
  expect(getHardforkAt(chainId, number, timestamp)).toBe(expected);
});

const HASH = `0x${'ab'.repeat(32)}`;
const header = { number: '0x7', hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit: '0x1c9c380', miner: null };
const berlin = { ...header, difficulty: '0x20000' };
const london = { ...berlin, baseFeePerGas: '0x7' };
const paris = { ...london, difficulty: '0x0' };
const shanghai = { ...paris, withdrawalsRoot: HASH };
const cancun = { ...shanghai, excessBlobGas: '0x0', blobGasUsed: '0x0' };
const prague = { ...cancun, requestsHash: HASH };

test.each([
  ['Berlin', berlin, 'berlin', 'chainstart'],
  ['London', london, 'london', 'london'],
  ['Paris', paris, 'shanghai', 'london'],
  ['Shanghai', shanghai, 'shanghai', 'shanghai'],
  ['Cancun', cancun, 'osaka', 'cancun'],
  ['Prague', prague, 'osaka', 'prague'],
] as const)('a header of %s permits hardforks, newest first', (_, wire, newest, oldest) => {
  const { hardforks } = parseReplayBlock(wire, null);
  expect([hardforks[0], hardforks.at(-1)]).toEqual([newest, oldest]);
});

test.each([
  ['0x0', 1n],
  // One and ten times the fraction of EIP-7691: e and its tenth power, rounded down.
  ['0x4c6964', 2n],
  ['0x2fc1de8', 22_026n],
] as const)('an excess of %s blob gas costs %s', (excessBlobGas, price) => {
  expect(parseReplayBlock({ ...prague, excessBlobGas }, null).blobBaseFee).toBe(price);
});

test('what a receipt says that blobs cost is taken as it is', () => {
  expect(parseReplayBlock(prague, { blobGasPrice: '0x9' }).blobBaseFee).toBe(9n);
});
