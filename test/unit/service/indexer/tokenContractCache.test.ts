// Descriptions of token contracts: at which block they are called, and several clients that wait for them.
import { expect, it } from 'vitest';
import { createCancelledFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import type { RpcCall, RpcResponse } from '../../../../src/service/evm/rpcMessage.ts';
import type { TokenSample } from '../../../../src/service/indexer/parseTokenLogs.ts';
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
  const contract = new Map<Hex, TokenSample>([[`0x${'11'.repeat(20)}`, { id: 1n, isIndexed: false }]]);
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
  const contracts = new Map<Hex, TokenSample>([[`0x${'11'.repeat(20)}`, { id: 1n, isIndexed: false }]]);
  const { signal } = new AbortController();
  await createTokenContractCache(node as unknown as EvmNode).fetchKinds(contracts, minBlock, signal);
  expect([...blocks]).toEqual([called]);
});

it('calls a contract again when its first id comes after an amount, and then no more', async () => {
  const called: unknown[] = [];
  const node = {
    rpc: {
      async sendAll(calls: readonly RpcCall[]) {
        const datas = calls.map(({ params }) => (params[0] as { readonly data: Hex }).data);
        const ids = datas.filter(data => data.startsWith('0x6352211e')).map(data => Number(`0x${data.slice(10)}`));
        called.push(...ids);
        return datas.map(data => ({ result: data.startsWith('0x313ce567') ? `0x${'12'.padStart(64, '0')}` : '0x' }));
      },
    },
    getState: async () => ({ isDevelopment: false, headNumber: 9 }),
    getResult: (_method: string, response: RpcResponse) => response.result,
  };
  const contract: Hex = `0x${'11'.repeat(20)}`;
  const cache = createTokenContractCache(node as unknown as EvmNode);
  for (const sample of [
    { id: 500n, isIndexed: false },
    { id: 7n, isIndexed: true },
    { id: 8n, isIndexed: true },
    { id: 501n, isIndexed: false },
  ]) {
    const getKind = await cache.fetchKinds(new Map([[contract, sample]]), 9, new AbortController().signal);
    expect(getKind(contract)).toEqual({ standard: 'ERC20', hasOwner: false, isPunks: false });
  }
  expect(called).toEqual([500, 7]);
});
