// The airdrop rule: one verdict for one contract, whichever part of its transfers a list or page holds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { MIN_AIRDROP_WALLETS } from '../../src/service/queries/spamReason.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { allPages, type PageOnWire, toRecords } from '../support/nftPages.ts';
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

/** One of the wallets that the last transaction gave an NFT to: its number is the id. */
const WALLET_ID = MINTED.length * 1_000 + AIRDROPPED;
const wallet: Hex = `0x${WALLET_ID.toString(16).padStart(40, '0')}`;

async function startAirdropped(chainId: number): Promise<Anvil> {
  const anvil = await startAnvil({ chainId });
  await anvil.rpc('anvil_setCode', [token, MINTER]);
  const [from] = await anvil.rpc<readonly Hex[]>('eth_accounts', []);
  for (const [index, count] of MINTED.entries()) {
    const data: Hex = `0x${word(count)}${word((index + 1) * 1_000)}`;
    await mineBlock(anvil, [{ from: from ?? '0x', to: token, data }]);
  }
  await anvil.rpc('anvil_mine', [toQuantity(3)]);
  return anvil;
}

/** What each record of each list says of the token, in pages of this size. */
async function getVerdicts(service: ServiceUnderTest, limit: number) {
  const all = MINTED.reduce((sum, count) => sum + count);
  const lists: Readonly<Record<string, [count: number, pages: Promise<readonly PageOnWire[]>]>> = {
    nftTransfers: [all, allPages(service, 'nftTransfers', { limit })],
    contractNftTransfers: [all, allPages(service, 'contractNftTransfers', { address: token, limit })],
    walletNftTransfers: [1, allPages(service, 'walletNftTransfers', { address: wallet, limit })],
    walletNfts: [1, allPages(service, 'walletNfts', { address: wallet, limit })],
    walletNftCollections: [1, allPages(service, 'walletNftCollections', { address: wallet, limit })],
    nftOwners: [1, allPages(service, 'nftOwners', { address: token, tokenId: BigInt(WALLET_ID), limit })],
    tokenNftTransfers: [
      1,
      allPages(service, 'tokenNftTransfers', { address: token, tokenId: BigInt(WALLET_ID), limit }),
    ],
  };
  const verdicts: Record<string, unknown> = {};
  for (const [list, [count, pages]] of Object.entries(lists)) {
    const records = toRecords(await pages);
    expect(records.map(record => record['token_address'])).toEqual(Array.from({ length: count }, () => token));
    verdicts[list] = [...new Set(records.map(record => record['possible_spam']))].join();
  }
  return verdicts;
}

const getExpectedVerdicts = (verdict: string) => ({
  nftTransfers: verdict,
  contractNftTransfers: verdict,
  walletNftTransfers: verdict,
  walletNfts: verdict,
  walletNftCollections: verdict,
  nftOwners: verdict,
  tokenNftTransfers: verdict,
});

describe.each([
  ['a public chain, of which no index has all transfers', 1, 'false'],
  ['a development chain, which is indexed whole', 31337, 'true'],
] as const)('%s', (_title, chainId, verdict) => {
  let anvil: Anvil;
  let node: ScriptedRpcNode;
  let service: ServiceUnderTest;
  beforeAll(async () => {
    anvil = await startAirdropped(chainId);
    node = await startPublicNode(anvil.url);
    service = startService(chainId === 1 ? { eth: node.url } : { local: anvil.url });
  });
  afterAll(async () => {
    await service?.stop();
    await node?.stop();
    await anvil?.stop();
  });

  it.each([10, AIRDROPPED, 100])('has one verdict for the contract in all lists with pages of %i', async limit => {
    expect(await getVerdicts(service, limit)).toEqual(getExpectedVerdicts(verdict));
  });
});
