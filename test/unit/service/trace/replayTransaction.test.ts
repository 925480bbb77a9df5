// Replays on a state in memory: they let other work of the thread run, and end when they are cancelled.
import { expect, test } from 'vitest';
import { type Hex, hexToBytes } from '../../../../src/base/hex.ts';
import { type ReplayInput, replayTransaction } from '../../../../src/service/trace/replay/replayTransaction.ts';
import { assemble } from '../../../support/assemble.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const LOOP: Hex = `0x${'b2'.repeat(20)}`;
const HASH: Hex = `0x${'c3'.repeat(32)}`;

/** A call of a contract that runs about seven steps `turns` times. */
function createLoop(turns: number, onCodeRead = () => {}): ReplayInput {
  const code = hexToBytes(`0x${assemble(`${turns} again: 1 SWAP1 SUB DUP1 @again JUMPI STOP`)}`);
  return {
    ...{ chainId: 1, hardfork: 'osaka', earlier: [], hasCodeSizeLimit: true },
    block: {
      ...{ number: 7n, hash: HASH, parentHash: HASH, timestamp: 1n, beneficiary: `0x${'d4'.repeat(20)}` },
      ...{ gasLimit: 100_000_000n, baseFee: 1n, difficulty: 0n, prevRandao: new Uint8Array(32), blobBaseFee: 1n },
      hardforks: ['osaka'],
    },
    transaction: {
      ...{ hash: HASH, from: ALICE, to: LOOP, nonce: 0n, gasLimit: 60_000_000n, gasPrice: 2n, value: 0n },
      ...{
        input: new Uint8Array(),
        accessList: [],
        authorizations: [],
        blobVersionedHashes: [],
        isDeposit: false,
        mint: 0n,
      },
    },
    source: {
      async fetchAccount(address) {
        if (address !== LOOP) return { nonce: 0n, balance: 10n ** 18n, code: new Uint8Array() };
        onCodeRead();
        return { nonce: 1n, balance: 0n, code };
      },
      fetchStorage: async () => new Uint8Array(),
      fetchBlockHash: async () => new Uint8Array(32),
    },
  };
}

test('runs a loop to its end', async () => {
  const { steps, gasUsed, isSuccessful, frames } = await replayTransaction(createLoop(1_000), undefined);
  expect([steps.length, isSuccessful, frames.length]).toEqual([7_002, true, 1]);
  // A turn is JUMPDEST 1, JUMPI 10 and five instructions of 3.
  expect(gasUsed).toBe(21_000n + 3n + 1_000n * 26n);
});

test('is cancelled while it runs, although it never waits for anything', async () => {
  const controller = new AbortController();
  // At once after the code was read: nothing but the run itself is left to do.
  const input = createLoop(1_500_000, () => void setImmediate(() => controller.abort()));
  await expect(replayTransaction(input, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('has a cost of 17 bytes a step', async () => {
  const { steps } = await replayTransaction(createLoop(10_000), undefined);
  const { pc, gas, op, frame } = steps;
  const bytes = [pc, gas, op, frame].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBe(17 * 131_072);
});
