// The airdrop rule over lists of several pages: one verdict for one contract, whichever part of its transfers a page holds.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { MIN_AIRDROP_WALLETS } from '../../src/service/queries/spamReason.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { allPages } from '../support/nftPages.ts';
import { startPublicNode } from '../support/publicNode.ts';
import type { ScriptedRpcNode } from '../support/scriptedRpcNode.ts';

const token: Hex = `0x${'a1'.repeat(20)}`;
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: number) => value.toString(16).padStart(64, '0');
/**
 * Called with a count and a first id, it mints so many NFTs, each to another wallet; any other call reverts. The loop begins
 * at 0x0d: LOG4 of Transfer from zero, with wallet and id = count + first id, then count - 1.
 */
const MINTER = `0x36604014600a575f5ffd5b5f355b8060203501805f7f${TRANSFER}5f5fa46001900380600d5700`;
const AIRDROPPED = MIN_AIRDROP_WALLETS + 10;
/** The oldest first. One transaction alone gives the token to enough wallets for the rule. */
const MINTED = [30, 30, 30, AIRDROPPED];

let anvil: Anvil;
let node: ScriptedRpcNode;
let service: ServiceUnderTest;
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 });
  await anvil.rpc('anvil_setCode', [token, MINTER]);
  const [from] = await anvil.rpc<readonly Hex[]>('eth_accounts', []);
  for (const [index, count] of MINTED.entries()) {
    const data: Hex = `0x${word(count)}${word((index + 1) * 1_000)}`;
    await mineBlock(anvil, [{ from: from ?? '0x', to: token, data }]);
  }
  await anvil.rpc('anvil_mine', [toQuantity(3)]);
  node = await startPublicNode(anvil.url);
  service = startService({ eth: node.url });
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await anvil?.stop();
});

/** What each page says of the token. */
async function getVerdicts(list: 'nftTransfers' | 'contractNftTransfers', limit: number) {
  const pages =
    list === 'nftTransfers'
      ? await allPages(service, list, { limit })
      : await allPages(service, list, { address: token, limit });
  const records = pages.flatMap(page => page.result) as readonly Readonly<Record<string, unknown>>[];
  expect(records.map(record => record['token_address'])).toEqual(
    Array.from({ length: MINTED.reduce((sum, count) => sum + count) }, () => token),
  );
  return new Set(records.map(record => record['possible_spam']));
}

it.each([10, AIRDROPPED, 100])(
  'a scanned list with pages of %i does not decide by the transfers of one page',
  async limit => {
    expect(await getVerdicts('nftTransfers', limit)).toEqual(new Set(['false']));
  },
);

it.each([10, AIRDROPPED, 100])(
  'the list of one contract with pages of %i decides by all its transfers',
  async limit => {
    expect(await getVerdicts('contractNftTransfers', limit)).toEqual(new Set(['true']));
  },
);
