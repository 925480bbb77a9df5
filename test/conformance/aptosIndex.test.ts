// Conformance: the local index returns the rows of the official processors for recorded transactions.
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { getAssetTypes } from '../../src/service/aptos/activityFilters.ts';
import type { CoinActivity } from '../../src/service/aptos/models.ts';
import { processTransaction } from '../../src/service/aptos/processors/processTransaction.ts';
import type { TransactionInBlock } from '../../src/service/aptos/restTransaction.ts';
import { createAptosSqliteOpener } from '../../src/service/aptos/store/aptosSqliteStore.ts';
import type { AptosStore } from '../../src/service/aptos/store/aptosStore.ts';
import { haveVectors, officialCases, restTransactions, streamTransactions } from './aptosVectors.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of another database.
type Expected = any;

const versionOf = ({ transaction }: TransactionInBlock) => BigInt(String(transaction['version']));

/** A store with these transactions, oldest first. Unlike pages of a node, recordings have gaps. */
async function createFilledStore(transactions: readonly TransactionInBlock[]): Promise<AptosStore> {
  const store = await createAptosSqliteOpener({ folder: null, log: silentLog })({
    chainId: 1,
    genesisHash: `0x${'0'.repeat(64)}`,
  });
  const once = new Map(transactions.map(placed => [versionOf(placed), placed]));
  const inOrder = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, placed]) => placed);
  const last = inOrder.at(-1);
  if (last === undefined) return store;
  const { nextVersion } = await store.readProgress();
  await store.writeBatch(nextVersion, {
    transactions: inOrder,
    nextVersion: versionOf(last) + 1n,
    lastHash: null,
    lastBlockHeight: last.blockHeight,
  });
  return store;
}

const all = { limit: 10_000, offset: 0 };
const unique = (values: readonly (string | null)[]) =>
  [...new Set(values.filter(value => value !== null && value !== 'unknown'))] as Hex[];
const sorted = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).sort();

const counts: Record<string, number> = {};
const count = (name: string, rows: readonly unknown[]) => {
  counts[name] = (counts[name] ?? 0) + rows.length;
};

describe.skipIf(!haveVectors)('the index returns the official rows', () => {
  for (const each of officialCases().filter(one => one.name.startsWith('processors-v2'))) {
    const coins: readonly Expected[] = each.rows('fungible_asset_activities') ?? [];
    if (coins.length > 0)
      test(`${each.name}: coins by owner, by block and by coin type`, async () => {
        const store = await createFilledStore(each.transactions);
        const key = (row: Expected) => [
          Number(row.transaction_version),
          row.event_index,
          row.owner_address,
          row.amount,
        ];
        const wanted = sorted(coins.map(key));
        const shape = (rows: readonly CoinActivity[]) =>
          sorted(
            rows.map(row => [Number(row.transactionVersion), row.eventIndex, row.ownerAddress, row.amount.toString()]),
          );
        const blockHeights = [...new Set(coins.map(row => BigInt(row.block_height)))];
        expect(shape(await store.read('coinActivitiesByBlock', { blockHeights }, all))).toEqual(wanted);
        expect(
          shape(
            await store.read('coinActivitiesByOwner', { owners: unique(coins.map(row => row.owner_address)) }, all),
          ),
        ).toEqual(wanted);
        for (const coinType of unique(coins.map(row => row.asset_type))) {
          const found = await store.read('coinActivitiesByType', { coinType }, all);
          const mine = coins.filter(row => row.asset_type === coinType).map(key);
          for (const row of mine) expect(shape(found)).toContain(JSON.stringify(row));
          const assetTypes = getAssetTypes([coinType]);
          expect(found.every(row => assetTypes.includes(row.assetType ?? '') || row.coinType === coinType)).toBe(true);
        }
        count('coin activities', coins);
        await store.close();
      });

    const tokens: readonly Expected[] = (each.rows('token_activities_v2') ?? []).filter(
      row => row.from_address !== null || row.to_address !== null,
    );
    if (tokens.length > 0)
      test(`${each.name}: NFT transfers, datas and owners`, async () => {
        const store = await createFilledStore(each.transactions);
        const wallets = unique(tokens.flatMap(row => [row.from_address, row.to_address]));
        const found = await store.read('tokenActivities', { wallets }, all);
        expect(
          sorted(
            found.map(row => [
              Number(row.transactionVersion),
              row.eventIndex,
              `0x${row.tokenDataIdHash}`,
              row.fromAddress,
              row.toAddress,
              row.transferType,
            ]),
          ),
        ).toEqual(
          sorted(
            tokens.map(row => [
              row.transaction_version,
              row.event_index,
              row.token_data_id,
              row.from_address,
              row.to_address,
              row.type_,
            ]),
          ),
        );
        count('token activities', tokens);

        const owned: readonly Expected[] = (each.rows('current_token_ownerships_v2') ?? []).filter(
          row => row.amount !== '0',
        );
        const held = await store.read('ownedTokens', { owners: unique(owned.map(row => row.owner_address)) }, all);
        expect(
          sorted(
            held.map(row => [
              `0x${row.tokenDataIdHash}`,
              row.propertyVersion.toString(),
              row.ownerAddress,
              row.amount.toString(),
            ]),
          ),
        ).toEqual(
          sorted(owned.map(row => [row.token_data_id, row.property_version_v1, row.owner_address, row.amount])),
        );
        count('ownerships', owned);
        for (const collection of unique(held.map(row => row.collectionDataIdHash))) {
          const owners = await store.read('collectionOwners', { collection }, all);
          expect(owners.length).toBe(held.filter(row => row.collectionDataIdHash === collection).length);
        }

        const collections: readonly Expected[] = each.rows('current_collections_v2') ?? [];
        const creators = unique(collections.map(row => row.creator_address));
        const datas: readonly Expected[] = (each.rows('current_token_datas_v2') ?? []).filter(
          row => row.is_deleted_v2 !== true && collections.some(one => one.collection_id === row.collection_id),
        );
        const made = await store.read('tokensByCreator', { creators }, all);
        expect(sorted(made.map(row => [`0x${row.tokenDataIdHash}`, row.name, row.metadataUri]))).toEqual(
          sorted(datas.map(row => [row.token_data_id, row.token_name, row.token_uri])),
        );
        count('token datas', datas);
        await store.close();
      });
  }

  test('one index of all recorded transactions returns every row', async () => {
    const transactions = [
      ...streamTransactions(),
      ...restTransactions()
        .filter(({ file }) => !file.startsWith('api-goldens'))
        .map(({ placed }) => placed),
    ];
    const store = await createFilledStore(transactions);
    const once = new Map(transactions.map(placed => [versionOf(placed), processTransaction(placed)]));
    const rows = [...once.values()].flatMap(one => one.coinActivities).filter(row => row.ownerAddress !== null);
    expect(rows.length).toBeGreaterThan(150);
    const mine = await store.read('coinActivitiesByOwner', { owners: unique(rows.map(row => row.ownerAddress)) }, all);
    expect(mine.length).toBe(rows.length);
    count('coin activities of all', rows);
    console.log(`Aptos: one index of ${transactions.length} recorded transactions.`, counts);
    await store.close();
  });
});
