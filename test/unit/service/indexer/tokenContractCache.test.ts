// Descriptions of token contracts that several clients wait for at the same time.
import { expect, it } from 'vitest';
import { createCancelledFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import type { RpcResponse } from '../../../../src/service/evm/rpcMessage.ts';
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
  const first = cache.fetchKinds(contract, leaving.signal);
  const second = cache.fetchKinds(contract, new AbortController().signal);
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  answered.resolve();
  expect((await second)(`0x${'11'.repeat(20)}`).standard).toBe(null);
});
