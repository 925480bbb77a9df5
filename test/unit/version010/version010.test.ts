// What version 0.1.0 saved is found again: address books, settings, panels and index files, written here as it wrote them.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseBookFile } from '../../../src/addressBook/bookFile.ts';
import { parsePersonalState, serializePersonalState } from '../../../src/addressBook/personalState.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { silentLog } from '../../../src/base/log.ts';
import { parseSavedPanel } from '../../../src/extension/inspector/panelHistory.ts';
import { readSettings } from '../../../src/manifest/settings.ts';
import { createAptosSqliteOpener } from '../../../src/service/aptos/store/aptosSqliteStore.ts';
import type { AptosStore } from '../../../src/service/aptos/store/aptosStore.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import type { Store, StoreInfo } from '../../../src/service/store/store.ts';
import { parsePersistedState, toSavedState } from '../../../src/webview/inspector/persistedState.ts';
import { moduleEvent, nft, user, wallet } from '../../support/aptos/fakeFullnode.ts';

const readText = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
const readJson = async (name: string): Promise<unknown> => JSON.parse(await readText(name));

const ALICE = '0x8617e340b3d01fa5f11f306f4090fd50e238070d';

describe('the address book', () => {
  test('in the global state has every field, and is written back unchanged', async () => {
    const stored = await readJson('personal.json');
    const { state, damaged, readOnlyReason } = parsePersonalState(stored);
    expect({ damaged, readOnlyReason, folders: state.folders }).toEqual({
      damaged: [],
      readOnlyReason: null,
      folders: ['Junk', 'Empty'],
    });
    expect(state.entries).toEqual([
      {
        address: ALICE,
        kind: 'wallet',
        name: 'Alice',
        chains: [],
        folder: '',
        tags: [],
        notes: '',
        color: null,
        trust: null,
      },
      {
        address: '0xde709f2102306220921060314715629080e2fb77',
        kind: 'collection',
        name: 'Airdrop',
        chains: ['eth'],
        folder: 'Junk',
        tags: ['nft', '2023'],
        notes: 'not ours',
        color: 'red',
        trust: 'spam',
      },
    ]);
    expect(serializePersonalState(state)).toEqual(stored);
  });

  test('in .hexlens/addresses.json has every field, and no problems', async () => {
    const { state, issues, readOnlyReason } = parseBookFile(await readText('addresses.jsonc'));
    expect({ issues, readOnlyReason, folders: state.folders }).toEqual({
      issues: [],
      readOnlyReason: null,
      folders: ['Treasury/Cold'],
    });
    expect(state.entries).toEqual([
      {
        address: '0x52908400098527886e0f7030069857d2e4169ee7',
        kind: 'contract',
        name: 'Safe',
        chains: ['eth', 'polygon'],
        folder: 'Treasury',
        tags: ['multisig'],
        notes: '3 of 5',
        color: 'blue',
        trust: 'verified',
      },
      {
        address: `0x${'0'.repeat(63)}1`,
        kind: 'aptos',
        name: 'Framework',
        chains: [],
        folder: '',
        tags: [],
        notes: '',
        color: null,
        trust: null,
      },
    ]);
  });
});

test('every setting of 0.1.0 still has its effect', async () => {
  const written = (await readJson('settings.json')) as Readonly<Record<string, unknown>>;
  const { settings, problems } = readSettings(key => written[key]);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    nodes: { eth: 'https://rpc.example.org/v1', local: 'http://127.0.0.1:8545' },
    evm: { mode: 'remote', baseUrl: 'https://evm.example.org/api/v2' },
    auth: { mode: 'remote', baseUrl: 'https://auth.example.org' },
    aptos: { mode: 'remote', baseUrl: 'https://aptos.example.org' },
    aptosNetworks: {
      local: { node: 'http://127.0.0.1:8080/v1', indexer: null },
      mine: { node: 'https://node.example.org/v1', indexer: 'https://indexer.example.org/v1/graphql' },
    },
    hover: { enabled: false, chains: ['eth'], parts: { kind: false, checksum: true, nfts: false } },
    metadata: { hosts: ['*.example.org'], ipfsGateway: 'https://gateway.example.org/ipfs/' },
    abiFiles: ['**/abi/*.json'],
    checksum: { wrong: 'error', none: 'hint' },
    documentLinks: true,
    inlayHints: { enabled: true },
    privacy: { lookUp: 'onClick' },
    requestTimeoutMs: 60_000,
    httpPort: 9000,
  });
  // The chosen chain comes first: it serves requests that name none.
  expect(Object.keys(settings.nodes)).toEqual(['eth', 'local']);
});

test('a panel has its history and the state of each page, and is saved by the same names', async () => {
  const saved = (await readJson('panel.json')) as { stops: never; at: number; pinned: boolean };
  expect(parseSavedPanel(saved)).toEqual({
    entries: [
      { id: 1, target: { kind: 'block', chain: 'eth', block: '18000000' } },
      { id: 4, target: { kind: 'address', chain: 'eth', address: ALICE } },
    ],
    index: 1,
    isPinned: true,
  });
  const persisted = parsePersistedState(saved);
  expect(persisted).toEqual({
    pageStates: { 1: { tab: 'logs' }, 4: { tab: 'transfers', filter: 'alice' } },
    preferences: { time: 'utc', numbers: 'hex' },
  });
  const { stops, at, pinned } = saved;
  expect(toSavedState(persisted, { stops, at, pinned })).toEqual(saved);
});

describe('an index file', () => {
  const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
  const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
  const apes = address('a');

  let folder = '';
  let store: Store | AptosStore | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexlens-010-'));
  });
  afterEach(async () => {
    await store?.close();
    store = null;
    await rm(folder, { recursive: true });
  });

  /** Creates the file that 0.1.0 left. */
  async function createFile(fileName: string, ...scripts: readonly string[]): Promise<void> {
    const database = new DatabaseSync(join(folder, fileName));
    database.exec('PRAGMA journal_mode = wal');
    for (const script of scripts) database.exec(await readText(script));
    database.close();
  }

  async function open(fileName: string, rows: string, info: StoreInfo): Promise<Store> {
    await createFile(fileName, 'schema.sql', rows);
    const opened = await createSqliteStoreOpener({ folder, log: silentLog })(info);
    store = opened;
    return opened;
  }

  // It lacks ERC-20 transfers: the chain is read again.
  test('of a whole chain is emptied, keeps the times of metadata reads, and takes blocks again', async () => {
    const opened = await open('31337-3333333333333333.db', 'chain.sql', { chainId: 31_337, genesisHash: hash('3') });
    expect(await opened.readHead()).toBeNull();
    expect(await opened.readTransfers({}, { limit: 9 })).toEqual([]);
    expect(await opened.readOwners({}, { limit: 9 })).toEqual([]);
    expect(await opened.readMetadataSyncs([{ tokenAddress: apes, tokenId: 1n }])).toEqual([
      { tokenAddress: apes, tokenId: 1n, tokenUriSyncedAt: 1_700_000_100_000, metadataSyncedAt: null },
    ]);
    const first = { number: 0, hash: hash('3'), parentHash: hash('0'), timestamp: 1_700_000_000 };
    await opened.applyBatch({
      blocks: [first],
      transactions: [],
      transfers: [],
      erc20Transfers: [],
      trades: [],
      tokens: [],
    });
    expect(await opened.readHead()).toEqual(first);
    expect((await readdir(folder)).filter(name => name.includes('damaged'))).toEqual([]);
  });

  test('of one contract is emptied, and covers nothing', async () => {
    const scope = { kind: 'contract', address: apes } as const;
    const info = { chainId: 1, genesisHash: hash('4'), scope };
    const opened = await open(`1-4444444444444444-contract-${apes}.db`, 'contract.sql', info);
    expect(await opened.readCoverage()).toBeNull();
    expect(await opened.readTransfers({}, { limit: 9 })).toEqual([]);
    expect((await readdir(folder)).filter(name => name.includes('damaged'))).toEqual([]);
  });

  test('of an Aptos chain has every row, and is continued where it ended', async () => {
    await createFile('aptos-4-6666666666666666.db', 'aptos.sql');
    const opened = await createAptosSqliteOpener({ folder, log: silentLog })({ chainId: 4, genesisHash: hash('6') });
    store = opened;
    const page = { limit: 100, offset: 0 };
    expect(await opened.readProgress()).toEqual({
      ...{ firstVersion: 0n, nextVersion: 5n, lastHash: hash('7'), lastBlockHeight: 4n },
    });

    const coins = await opened.read('coinActivitiesByOwner', { owners: [wallet(1), wallet(2)] }, page);
    const asset = wallet(800);
    const APT = '0x1::aptos_coin::AptosCoin';
    expect(
      coins.map(row => [row.transactionVersion, row.eventIndex, row.amount, row.coinType, row.ownerAddress]),
    ).toEqual([
      [2n, 0, 9n, asset, wallet(1)],
      [2n, -1, 700n, APT, wallet(1)],
      [1n, 1, 5n, APT, wallet(2)],
      [1n, 0, 5n, APT, wallet(1)],
      [1n, -1, 700n, APT, wallet(1)],
    ]);
    expect(coins[0]).toEqual({
      ...{ transactionVersion: 2n, eventIndex: 0, blockHeight: 2n, activityType: '0x1::fungible_asset::Deposit' },
      ...{ amount: 9n, coinType: asset, assetType: asset, tokenStandard: 'v2' },
      ...{ entryFunctionIdStr: '0x1::aptos_account::transfer', eventAccountAddress: wallet(1) },
      ...{ eventCreationNumber: 0n, eventSequenceNumber: 0n, isGasFee: false, isTransactionSuccess: true },
      ...{ ownerAddress: wallet(1), transactionTimestamp: new Date(1_700_000_010_000) },
    });

    const token = {
      ...{ tokenStandard: 'v2', name: 'Ape 1', tokenDataIdHash: wallet(2001).slice(2), creatorAddress: wallet(9) },
      ...{ collectionDataIdHash: wallet(600).slice(2), collectionName: 'Apes' },
    };
    const lastChange = { lastTransactionVersion: 4n, lastTransactionTimestamp: new Date(1_700_000_030_000) };
    expect(await opened.read('tokensByCreator', { creators: [wallet(9)] }, page)).toEqual([
      {
        ...{ ...token, ...lastChange, description: 'made up', metadataUri: 'ipfs://x', defaultProperties: null },
        ...{ largestPropertyVersion: null, maximum: null, supply: null, payeeAddress: wallet(9) },
        ...{ royaltyPointsNumerator: 5n, royaltyPointsDenominator: 100n, maximumMutable: null, uriMutable: true },
        ...{ descriptionMutable: true, propertiesMutable: false, royaltyMutable: null },
      },
    ]);
    const owned = {
      ...{ ...token, ...lastChange, propertyVersion: 0n, amount: 1n, tokenProperties: null },
      tableType: '0x1::object::ObjectCore',
    };
    expect(await opened.read('ownedTokens', { owners: [wallet(1)] }, page)).toEqual([
      { ...owned, ownerAddress: wallet(1) },
    ]);

    // The next transaction has the token without its collection: name, creator and royalty of that are in the file.
    const event = moduleEvent('0x1::object::Transfer', { object: wallet(2001), from: wallet(1), to: wallet(2) });
    const transaction = {
      ...user(wallet(1), [event], nft(wallet(2001), wallet(2), wallet(600), 'Ape 1')),
      ...{ version: '5', timestamp: '1700000040000000', success: true },
    };
    await opened.writeBatch(5n, {
      ...{
        transactions: [{ transaction, blockHeight: 5n }],
        nextVersion: 6n,
        lastHash: hash('8'),
        lastBlockHeight: 5n,
      },
    });
    const transfers = await opened.read('tokenActivities', { wallets: [wallet(2)] }, page);
    expect(transfers).toMatchObject([
      { ...token, transactionVersion: 5n, fromAddress: wallet(1), toAddress: wallet(2) },
    ]);
    expect(await opened.read('tokensByCreator', { creators: [wallet(9)] }, page)).toMatchObject([
      { ...token, lastTransactionVersion: 5n, royaltyPointsNumerator: 5n, uriMutable: true, propertiesMutable: false },
    ]);
    expect((await readdir(folder)).filter(name => name.includes('damaged'))).toEqual([]);
  });
});
