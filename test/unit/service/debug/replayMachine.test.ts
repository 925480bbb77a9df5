import { expect, test } from 'vitest';
import { ReplayMachine } from '../../../../src/service/debug/replayMachine.ts';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import type { ReplayInput } from '../../../../src/service/trace/replay/replayTransaction.ts';
import { StepStates } from '../../../../src/service/trace/stepStates.ts';

const ADDRESS = '0x00000000000000000000000000000000000a11ce';

test('queries a node again that did not answer for a word of storage', async () => {
  let hasFailed = false;
  const fetchStorage = async () => {
    if (hasFailed) return new Uint8Array([7]);
    hasFailed = true;
    throw new Error('The node does not answer.');
  };
  const input = {
    transaction: { from: ADDRESS, gasPrice: 0n },
    block: {
      ...{ number: 1n, timestamp: 1n, gasLimit: 1n, baseFee: null, blobBaseFee: null },
      ...{ beneficiary: ADDRESS, prevRandao: new Uint8Array(32) },
    },
    chainId: 1,
    source: { isPartial: true, fetchStorage },
  } as unknown as ReplayInput;
  const machine = new ReplayMachine({ rpc: {} } as EvmNode, new StepStates(input), 0n);
  await expect(machine.storageBefore(ADDRESS, 1n)).rejects.toThrow('The node does not answer.');
  expect(await machine.storageBefore(ADDRESS, 1n)).toBe(7n);
});
