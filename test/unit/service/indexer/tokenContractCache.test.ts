// Descriptions of token contracts: at which block they are called, and several clients that wait for them.
import { expect, it } from 'vitest';
import { createCancelledFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import type { RpcCall, RpcResponse } from '../../../../src/service/evm/rpcMessage.ts';
import { createTokenContractCache } from '../../../../src/service/indexer/tokenContractCache.ts';

it('answers the second client when the first one leaves', async () => {
  const answered = Promise.withResolvers<void>();
  const sendAll = (calls: readonly unknown[], signal?: AbortSignal) =>
    new Promise<readonly RpcResponse[]>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(createCancelledFault()));
      answered.promise.then(() => resolve(calls.map(() => ({ result: '0x' }))));
    });
  const node = {
    rpc: { sendAll },
    getState: async () => ({ isDevelopment: false, headNumber: 9 }),
    getResult: (_method: string, response: RpcResponse) => response.result,
  };
  const cache = createTokenContractCache(node as unknown as EvmNode);
  const contract = new Map<Hex, bigint>([[`0x${'11'.repeat(20)}`, 1n]]);
  const leaving = new AbortController();
  const first = cache.fetchKinds(contract, 9, leaving.signal);
  const second = cache.fetchKinds(contract, 9, new AbortController().signal);
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  answered.resolve();
  expect((await second)(`0x${'11'.repeat(20)}`).standard).toBe(null);
});

it.each([
  { minBlock: 10, called: '0xa' }, // logs of a block above the head that a node behind a load balancer has given
  { minBlock: 4, called: '0x9' },
])('calls contracts of block $minBlock at $called where the head is 9', async ({ minBlock, called }) => {
  const blocks = new Set<unknown>();
  const node = {
    rpc: {
      async sendAll(calls: readonly RpcCall[]) {
        for (const { params } of calls) blocks.add(params[1]);
        return calls.map(() => ({ result: '0x' }));
      },
    },
    getState: async () => ({ isDevelopment: false, headNumber: 9 }),
    getResult: (_method: string, response: RpcResponse) => response.result,
  };
  const contracts = new Map<Hex, bigint>([[`0x${'11'.repeat(20)}`, 1n]]);
  const { signal } = new AbortController();
  await createTokenContractCache(node as unknown as EvmNode).fetchKinds(contracts, minBlock, signal);
  expect([...blocks]).toEqual([called]);
});
