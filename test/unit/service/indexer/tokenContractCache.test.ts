// Descriptions of token contracts that several clients wait for at the same time.
import { expect, it } from 'vitest';
import { cancelledFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import type { RpcResponse } from '../../../../src/service/evm/rpcMessage.ts';
import { createTokenContractCache } from '../../../../src/service/indexer/tokenContractCache.ts';

it('answers the second client when the first one leaves', async () => {
  const answered = Promise.withResolvers<readonly RpcResponse[]>();
  let callCount = 0;
  const sendAll = (calls: readonly unknown[], signal?: AbortSignal) => {
    callCount = calls.length;
    return new Promise<readonly RpcResponse[]>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(cancelledFault()));
      answered.promise.then(resolve);
    });
  };
  const node = { rpc: { sendAll }, getResult: (_method: string, response: RpcResponse) => response.result };
  const cache = createTokenContractCache(node as unknown as EvmNode);
  const contract = new Map<Hex, bigint>([[`0x${'11'.repeat(20)}`, 1n]]);
  const leaving = new AbortController();
  const first = cache.fetchKinds(contract, leaving.signal);
  const second = cache.fetchKinds(contract, new AbortController().signal);
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  answered.resolve(Array.from({ length: callCount }, () => ({ result: '0x' })));
  expect((await second)(`0x${'11'.repeat(20)}`).standard).toBe(null);
});
