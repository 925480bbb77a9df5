// The verdict about a token contract is one for all pages and lists that hold only a part of its transfers.
import { expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../../src/base/hex.ts';
import type { RowSource } from '../../../src/service/indexer/scanPage.ts';
import { describeTokens } from '../../../src/service/queries/describeTokens.ts';
import { MIN_AIRDROP_WALLETS } from '../../../src/service/queries/spamReason.ts';
import type { StoreInfo } from '../../../src/service/store/store.ts';
import { createTransferRow } from '../../store/generatedChain.ts';

const token: Hex = `0x${'c1'.repeat(20)}`;
const transfers = Array.from({ length: MIN_AIRDROP_WALLETS }, (_, index) =>
  createTransferRow({
    blockNumber: 1,
    place: index,
    tokenAddress: token,
    from: ZERO_ADDRESS,
    to: `0x${String(index).padStart(40, '0')}`,
  }),
);

async function isSpam(scope: StoreInfo['scope'] | 'page'): Promise<boolean> {
  const info = scope === 'page' ? null : { chainId: 1, genesisHash: `0x${'00'.repeat(32)}` as Hex, scope };
  const source = {
    info,
    readHead: async () => null,
    readTokens: async () => new Map(),
    readTransfers: async () => transfers,
  } satisfies Pick<RowSource, 'info' | 'readHead' | 'readTokens' | 'readTransfers'>;
  return (await describeTokens(source, [token], () => null))(token).spamReason !== null;
}

it('decides by transfers only in the index of a whole chain, so that all lists of a chain decide alike', async () => {
  expect(await isSpam(undefined)).toBe(true);
  expect(await isSpam({ kind: 'contract', address: token })).toBe(false);
  expect(await isSpam({ kind: 'wallet', address: token })).toBe(false);
  expect(await isSpam('page')).toBe(false);
});
