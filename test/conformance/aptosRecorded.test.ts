// Conformance: recorded responses of nodes, indexers and the original service, from `../shared`, outside of this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createClient } from '../../src/client/client.ts';
import { quoteLongNumbers } from '../../src/service/aptos/aptosHttpClient.ts';
import { createAptosFixture, toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { type Fields, type LedgerBlock, type SyntheticLedger, toLong } from '../support/aptos/syntheticLedger.ts';

const ROOT = new URL('../../../shared/vectors/aptos/', import.meta.url);
const haveRecordings = existsSync(new URL('graphql-recorded', ROOT));
if (!haveRecordings) console.warn('SKIPPED: ../shared/vectors/aptos is not there; no recorded Aptos response is read.');

// biome-ignore lint/suspicious/noExplicitAny: recordings of other people's formats.
const load = (path: string): any => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
const fixture = createAptosFixture();

/** Integers as bigints, as in the tables of the fake network. */
function toBigInts(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toBigInts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toBigInts(inner)]));
}

function createRecordedLedger(tables: Readonly<Record<string, readonly Fields[]>>, block?: Fields): SyntheticLedger {
  // The version of a transaction is its index, so the list is sparse before the block.
  const transactions: Fields[] = [];
  const blocks: LedgerBlock[] = [];
  if (block !== undefined) {
    const first = BigInt(String(block['first_version']));
    const own = block['transactions'] as readonly Fields[];
    for (const [index, transaction] of own.entries()) transactions[Number(first) + index] = transaction;
    const last = first + BigInt(own.length) - 1n;
    blocks.push({ height: BigInt(String(block['block_height'])), first, last, micros: 0n });
  }
  return {
    chainId: 1,
    transactions,
    blocks,
    tables,
    eventFacts: [],
    resource: () => null,
    item: () => null,
    sequenceNumber: () => null,
  };
}

describe.skipIf(!haveRecordings)('recorded Aptos responses', () => {
  const blocks = haveRecordings
    ? readdirSync(new URL('fullnode-rest/getblock-docs', ROOT)).filter(name => /^block_.*_full\.json$/.test(name))
    : [];

  test.each(blocks)('%s: every user transaction has a gas fee, and every row a coin type', async name => {
    const block = load(`fullnode-rest/getblock-docs/${name}`);
    const fakeNetwork = await fixture.network(createRecordedLedger({}, block));
    const { client, header } = fixture.backend({ mainnet: toBothEndpoints(fakeNetwork) });
    const height = BigInt(block.block_height);
    const { result } = await client.aptosBlockCoinTransfers({ blockHeights: [height], limit: 100 });
    const users = block.transactions.filter((entry: Fields) => entry['type'] === 'user_transaction');
    const gas = result.filter(row => row.isGasFee);
    expect(gas.map(row => [row.transactionVersion, row.amount, row.isTransactionSuccess]).reverse()).toEqual(
      users.map((user: Record<string, string>) => [
        BigInt(user['version'] ?? ''),
        BigInt(user['gas_used'] ?? '') * BigInt(user['gas_unit_price'] ?? ''),
        user['success'],
      ]),
    );
    expect(result.every(row => row.blockHeight === height && row.coinType !== null)).toBe(true);
    expect(header('x-hexlens-partial')).toBeUndefined();
  });

  test('token activities of an indexer have its placeholders', async () => {
    const rows = toBigInts(load('graphql-recorded/TokenActivities.json')) as Fields[];
    const fakeNetwork = await fixture.network(createRecordedLedger({ token_activities_v2: rows }));
    const { client, header } = fixture.backend({ mainnet: { node: null, indexer: fakeNetwork.indexer } });
    const wallets = [...new Set(rows.flatMap(row => [row['from_address'], row['to_address']]))].filter(
      (wallet): wallet is Hex => typeof wallet === 'string',
    );
    const { result } = await client.aptosWalletNftTransfers({ walletAddresses: wallets, limit: 100 });
    expect(result).toHaveLength(rows.length);
    for (const row of rows) {
      const data = row['current_token_data'] as Fields;
      expect(result).toContainEqual(
        expect.objectContaining({
          transactionVersion: row['transaction_version'],
          transferType: row['type'],
          tokenAmount: row['token_amount'],
          fromAddress: row['from_address'],
          toAddress: row['to_address'],
          eventAccountAddress: row['event_account_address'],
          tokenDataIdHash: String(row['token_data_id']).slice(2),
          collectionDataIdHash: String(data['collection_id']).slice(2),
          name: data['token_name'],
          transactionTimestamp: new Date(`${String(row['transaction_timestamp']).slice(0, 19)}Z`),
        }),
      );
    }
    expect(header('x-hexlens-partial')).toMatch(/No node is configured/);
  });

  test('ownerships of an indexer are listed unless their amount is 0', async () => {
    const rows = toBigInts(load('graphql-recorded/NFTDataByAccount.json').current_token_ownerships_v2) as Fields[];
    const fakeNetwork = await fixture.network(createRecordedLedger({ current_token_ownerships_v2: rows }));
    const { client } = fixture.backend({ mainnet: { node: null, indexer: fakeNetwork.indexer } });
    const owner = toLong(String(rows[0]?.['owner_address']));
    const { result } = await client.aptosWalletNfts({ ownerAddresses: [owner], limit: 100 });
    const held = rows.filter(row => row['amount'] !== 0n);
    expect(held.length).toBeLessThan(rows.length);
    expect(result.map(record => `0x${record.tokenDataIdHash}`).sort()).toEqual(
      held.map(row => row['token_data_id']).sort(),
    );
  });

  test.each([
    ['nfts_creators', 'aptosNftsByCreators', { creatorAddresses: [toLong('0x1')], limit: 2 }],
    ['nfts_collection_owners', 'aptosCollectionOwners', { collectionDataIdHash: 'a'.repeat(64), limit: 2 }],
  ] as const)('%s of the original service is decoded without loss', async (name, id, input) => {
    const { response } = load(`original-service-recorded/${name}.json`);
    const client = createClient({ send: async () => ({ status: 200, headers: {}, body: response }) });
    const page = await client.call(id, input as never);
    expect(page.hasNextPage).toBe(response.hasNextPage);
    expect(page.cursor).toBe(response.cursor);
    expect(page.result).toHaveLength(response.result.length);
    for (const [index, record] of page.result.entries()) {
      const wire = response.result[index];
      for (const [field, value] of Object.entries(record as object)) {
        const sent = wire[field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)];
        if (sent === undefined || sent === null) expect(value, field).toBeNull();
        else if (value instanceof Date) expect(value.toISOString(), field).toBe(sent);
        else if (typeof value === 'bigint') expect(String(value), field).toBe(String(sent));
        else expect(value, field).toEqual(sent);
      }
    }
  });

  test('all recorded bodies are parsed without rounding', () => {
    const files = ['fullnode-rest/getblock-docs', 'graphql-recorded', 'original-service-recorded'].flatMap(folder =>
      readdirSync(new URL(folder, ROOT)).map(name => `${folder}/${name}`),
    );
    for (const file of files) {
      const text = readFileSync(new URL(file, ROOT), 'utf8');
      const exact = (_name: string, value: unknown, context?: { readonly source?: string }) =>
        typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
          ? context?.source
          : value;
      expect(JSON.parse(quoteLongNumbers(text)), file).toEqual(
        JSON.parse(text, exact as (name: string, value: unknown) => unknown),
      );
    }
  });
});
