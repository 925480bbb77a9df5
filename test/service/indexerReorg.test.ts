// Reorgs of every kind on a real chain: afterwards the index holds exactly what one would that never saw the other fork.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import type { ChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { compileContracts } from '../support/chain/compileContracts.ts';
import {
  apesAbi,
  constructorArguments,
  encodeCreationCode,
  encodeData,
  itemsAbi,
  tokenAbi,
} from '../support/chain/contractAbis.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { type MinedBlock, mineBlock, type TestTransaction } from '../support/chain/mineBlock.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { createIndexFixture, lower, readStoreContent, waitForHead, waitUntilSynced } from '../support/indexFixture.ts';
import { scaleRounds } from '../support/rounds.ts';
import { createTestLog } from '../support/testClock.ts';

const stage = createIndexFixture();
const BLOCKS = 22;
let anvil: Anvil;
let chain: TestChain;
/** Not one chain for all: Anvil breaks when it is sent back to a snapshot that a rollback has taken away. */
const begin = async () => {
  ({ anvil, chain } = await stage.filledAnvil({ blocks: BLOCKS }));
};
/** For reorgs of the filled blocks too: Anvil replaces only those that it mined itself. */
const beginWithMinedBlocks = async () => {
  anvil = await stage.anvil();
  chain = await fillChain(anvil, { blocks: BLOCKS });
};

let nextApe = 500_000n;
let nextMiner = 1;
/** Blocks mined after this have other hashes than before, also when they are empty. */
const onAnotherFork = () =>
  anvil.rpc('anvil_setCoinbase', [toQuantity(0x1000 + nextMiner++).replace('0x', `0x${'0'.repeat(36)}`)]);
const mine = (...transactions: readonly TestTransaction[]): Promise<MinedBlock> => mineBlock(anvil, transactions);
const reorg = async (depth: number) => {
  await onAnotherFork();
  await anvil.rpc('anvil_reorg', [depth, []]);
};
const deployer = () => chain.accounts.deployer;
const mintApe = (to: Hex, id = nextApe++): TestTransaction => ({
  ...{ from: deployer(), to: chain.contracts.apes, data: encodeData(apesAbi.mint, [to, id]) },
});
const moveApe = (from: Hex, to: Hex, id: bigint): TestTransaction => ({
  ...{ from, to: chain.contracts.apes, data: encodeData(apesAbi.transferFrom, [from, to, id]) },
});
const mintItem = (to: Hex, id: bigint, amount: bigint): TestTransaction => ({
  ...{ from: deployer(), to: chain.contracts.items, data: encodeData(itemsAbi.mint, [to, id, amount]) },
});
const moveItem = (from: Hex, to: Hex, id: bigint, amount: bigint): TestTransaction => ({
  ...{ from, to: chain.contracts.items, data: encodeData(itemsAbi.transfer, [from, to, id, amount, '0x']) },
});
const mintCoin = (to: Hex): TestTransaction => ({
  ...{ from: deployer(), to: chain.contracts.coin, data: encodeData(tokenAbi.mint, [to, 5n]) },
});

const sameAsFresh = async (index: ChainIndex) => {
  const found = await readStoreContent(await waitUntilSynced(index));
  expect(found).toEqual(await stage.readFreshContent(anvil.url));
  return found;
};
const apeOwner = async (index: ChainIndex, id: bigint) =>
  (
    await (
      await waitUntilSynced(index)
    ).readOwners({ contracts: [lower(chain.contracts.apes)], tokenId: id }, { limit: 5 })
  ).map(row => row.owner);

describe('a reorg', () => {
  beforeEach(begin);

  it('that replaces blocks at the same height is followed', async () => {
    const { alice, bob } = chain.accounts;
    await mine(mintApe(alice, 1_001n), mintItem(alice, 77n, 3n), mintCoin(alice));
    await mine(moveApe(alice, bob, 1_001n));
    const index = await stage.index(anvil.url);
    const before = await sameAsFresh(index);
    expect(await apeOwner(index, 1_001n)).toEqual([lower(bob)]);
    await reorg(2);
    const after = await sameAsFresh(index);
    expect(after.blocks.length).toBe(before.blocks.length);
    expect(after.blocks[0]?.hash).not.toBe(before.blocks[0]?.hash);
    expect(await apeOwner(index, 1_001n)).toEqual([]);
    expect(before.transfers.length - after.transfers.length).toBe(3);
    expect(before.mints.length - after.mints.length).toBe(1);
  });

  it('that shortens the chain, and one that regrows it, are followed', async () => {
    const { alice, bob, carol } = chain.accounts;
    await mine(mintApe(alice, 1_002n));
    await mine(moveApe(alice, bob, 1_002n));
    await mine(moveApe(bob, carol, 1_002n));
    const index = await stage.index(anvil.url);
    await sameAsFresh(index);
    await anvil.rpc('anvil_rollback', [2]);
    await sameAsFresh(index);
    expect(await apeOwner(index, 1_002n)).toEqual([lower(alice)]);
    await onAnotherFork();
    await mine(moveApe(alice, carol, 1_002n));
    await mine();
    await sameAsFresh(index);
    await mine();
    await sameAsFresh(index);
    expect(await apeOwner(index, 1_002n)).toEqual([lower(carol)]);
  });

  it('to a longer fork is followed', async () => {
    const { alice, bob, dave } = chain.accounts;
    const fork = await anvil.rpc('evm_snapshot');
    await mine(mintApe(alice, 1_003n));
    await mine(moveApe(alice, bob, 1_003n));
    const index = await stage.index(anvil.url);
    await sameAsFresh(index);
    await anvil.rpc('evm_revert', [fork]);
    await onAnotherFork();
    for (const owner of [dave, bob, alice]) await mine(mintApe(owner));
    await mine(mintApe(dave, 1_003n));
    await mine();
    await sameAsFresh(index);
    expect(await apeOwner(index, 1_003n)).toEqual([lower(dave)]);
  });

  it('may move a transaction to another block and index, or drop it', async () => {
    const { alice, bob } = chain.accounts;
    const moved = mintApe(alice, 1_004n);
    const nonce = Number(await anvil.rpc<Hex>('eth_getTransactionCount', [deployer(), 'latest']));
    const fork = await anvil.rpc('evm_snapshot');
    const first = await mine({ ...moved, nonce });
    const index = await stage.index(anvil.url);
    await sameAsFresh(index);
    await anvil.rpc('evm_revert', [fork]);
    await onAnotherFork();
    await mine();
    const second = await mine(mintItemBy(alice, bob), { ...moved, nonce });
    const found = await sameAsFresh(index);
    const rows = found.transfers.filter(row => row.tokenId === 1_004n);
    expect(first.receipts[0]?.transactionHash).toBe(second.receipts[1]?.transactionHash);
    expect(rows).toMatchObject([{ blockNumber: second.number, transactionIndex: 1 }]);
    await reorg(1);
    expect((await sameAsFresh(index)).transfers.filter(row => row.tokenId === 1_004n)).toEqual([]);
  });

  /** Anyone may mint items: here alice does, so that the deployer's transactions keep their place. */
  const mintItemBy = (from: Hex, to: Hex): TestTransaction => ({ ...mintItem(to, 5n, 1n), from });

  it('that came while no process was running is found at the next start', async () => {
    const { alice, bob } = chain.accounts;
    await mine(mintApe(alice, 1_005n));
    await mine(mintItem(bob, 9n, 4n));
    const folder = await stage.folder();
    const first = await stage.index(anvil.url, { folder });
    await sameAsFresh(first);
    await first.stop();
    await reorg(2);
    await mine(mintApe(bob, 1_005n));
    const second = await stage.index(anvil.url, { folder });
    await sameAsFresh(second);
    expect(await apeOwner(second, 1_005n)).toEqual([lower(bob)]);
  });

  it('that is followed by another before the next request is followed', async () => {
    const { alice, bob, carol } = chain.accounts;
    await mine(mintApe(alice, 1_006n));
    await mine(mintApe(alice, 1_007n));
    const index = await stage.index(anvil.url);
    await sameAsFresh(index);
    await reorg(1);
    await mine(mintApe(bob, 1_007n));
    await reorg(3);
    await mine(mintApe(carol, 1_006n));
    await sameAsFresh(index);
    expect(await apeOwner(index, 1_006n)).toEqual([lower(carol)]);
    expect(await apeOwner(index, 1_007n)).toEqual([]);
  });

  it('of empty blocks changes only the blocks', async () => {
    await mine();
    await mine();
    const log = createTestLog();
    const index = await stage.index(anvil.url, { log });
    const before = await sameAsFresh(index);
    await reorg(2);
    const after = await sameAsFresh(index);
    expect(after.transfers).toEqual(before.transfers);
    expect(after.owners).toEqual(before.owners);
    expect(after.blocks).not.toEqual(before.blocks);
    expect(log.of('info')).toEqual([
      `The chain local was reorganized: its index went back from block ${BLOCKS + 2} to ${BLOCKS}.`,
    ]);
  });

  it('to the same blocks changes nothing', async () => {
    const fork = await anvil.rpc('evm_snapshot');
    const again = async () => {
      await anvil.rpc('evm_setNextBlockTimestamp', [1_800_000_000]);
      await anvil.rpc('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
      return mine(mintApe(chain.accounts.alice, 1_008n));
    };
    const first = await again();
    const log = createTestLog();
    const index = await stage.index(anvil.url, { log });
    await sameAsFresh(index);
    await anvil.rpc('evm_revert', [fork]);
    const second = await again();
    expect(second.hash).toBe(first.hash);
    await sameAsFresh(index);
    expect(log.of('info')).toEqual([]);
  });

  it('may replace a token by another contract', async () => {
    const { Token } = await compileContracts();
    if (Token === undefined) throw new Error('There is no Token.');
    const creation = (name: string, symbol: string): TestTransaction => ({
      from: chain.accounts.grace,
      data: encodeCreationCode(Token.bytecode, constructorArguments.token(name, symbol, 3)),
    });
    const fork = await anvil.rpc('evm_snapshot');
    const deploy = async (name: string) => {
      const token = (await mine(creation(name, 'T'))).receipts[0]?.contractAddress ?? '0x';
      const data = encodeData(tokenAbi.mint, [chain.accounts.alice, 1n]);
      await mine({ from: chain.accounts.alice, to: token, data });
      return token;
    };
    const token = await deploy('First');
    const index = await stage.index(anvil.url);
    const nameNow = async () =>
      (await (await waitUntilSynced(index)).readTokens([lower(token)])).get(lower(token))?.name;
    expect(await nameNow()).toBe('First');
    await anvil.rpc('evm_revert', [fork]);
    await onAnotherFork();
    expect(await deploy('Second')).toBe(token);
    expect(await nameNow()).toBe('Second');
    await sameAsFresh(index);
  });
});

describe('a reorg of blocks before', () => {
  beforeEach(beginWithMinedBlocks);

  it('removes balances and sales', async () => {
    const { erin, frank } = chain.accounts;
    await mine(mintItem(erin, 4_321n, 10n));
    const fork = await anvil.rpc('evm_snapshot');
    await mine(moveItem(erin, frank, 4_321n, 4n));
    const index = await stage.index(anvil.url);
    const held = async () =>
      (await (await waitUntilSynced(index)).readOwners({ tokenId: 4_321n }, { limit: 9 }))
        .map(row => [row.owner, row.amount])
        .sort();
    expect(await held()).toEqual(
      [
        [lower(erin), 6n],
        [lower(frank), 4n],
      ].sort(),
    );
    await anvil.rpc('evm_revert', [fork]);
    expect(await held()).toEqual([[lower(erin), 10n]]);
    await reorg(1);
    expect(await held()).toEqual([]);
    const sales = chain.blocks.sales.number;
    const art = { contract: lower(chain.contracts.art), fromTime: 0 };
    expect(await (await waitUntilSynced(index)).readLowestTrade(art)).not.toBe(null);
    await anvil.rpc('anvil_rollback', [BLOCKS + 1 - sales + 1]);
    expect(await (await waitUntilSynced(index)).readLowestTrade(art)).toBe(null);
    await sameAsFresh(index);
  });

  it('deeper than finality is followed and logged', async () => {
    for (let block = 0; block < 6; block++) await mine(mintApe(chain.accounts.alice));
    const log = createTestLog();
    const index = await stage.index(anvil.url, { log });
    await sameAsFresh(index);
    await reorg(BLOCKS + 4);
    const after = await sameAsFresh(index);
    expect(after.owners).toEqual([]);
    expect(log.of('info')).toEqual([
      `The chain local was reorganized: its index went back from block ${BLOCKS + 6} to 2.`,
    ]);
  });
});

describe('another chain at the same address', () => {
  it('gets a store of its own; the old one is closed, and opened again when its chain is back', async () => {
    const folder = await stage.folder();
    const first = await stage.anvil();
    await first.rpc('anvil_mine', ['0x8']);
    const open = createSqliteStoreOpener({ folder, log: createTestLog() });
    const opened: string[] = [];
    const log = createTestLog();
    const index = await stage.index(first.url, {
      log,
      open: info => {
        opened.push(info.genesisHash);
        return open(info);
      },
    });
    const before = await waitForHead(index);
    expect(before.head.number).toBe(8);
    await first.stop();
    const second = await stage.anvil({ port: first.port, timestamp: 1_800_000_000 });
    await second.rpc('anvil_mine', ['0x3']);
    const after = await waitForHead(index);
    expect(after.head.number).toBe(3);
    expect(after.store).not.toBe(before.store);
    await expect(before.store.readHead()).rejects.toMatchObject({ code: 'backend-stopped' });
    expect(after.store.info.genesisHash).not.toBe(before.store.info.genesisHash);
    await second.stop();
    const third = await stage.anvil({ port: first.port });
    await third.rpc('anvil_mine', ['0x9']);
    const again = await waitForHead(index);
    expect(again.head.number).toBe(9);
    expect(again.store.info).toEqual(before.store.info);
    expect(opened).toEqual([before, after, again].map(({ store }) => store.info.genesisHash));
  });
});

describe('a chain that was forked from another', () => {
  it('is indexed from its own first block on, without requests for older blocks', async () => {
    const base = await stage.anvil();
    await base.rpc('anvil_mine', ['0x20']);
    const fork = await stage.anvil({ args: ['--fork-url', base.url] });
    const log = createTestLog();
    const index = await stage.index(fork.url, { log });
    const numbers = async () =>
      (await readStoreContent(await waitUntilSynced(index))).blocks.map(block => block.number);
    expect(await numbers()).toEqual([32]);
    await fork.rpc('anvil_mine', ['0x3']);
    expect(await numbers()).toEqual([35, 34, 33, 32]);
    await base.rpc('anvil_mine', ['0x9']);
    await fork.rpc('anvil_reset', [{ forking: { jsonRpcUrl: base.url, blockNumber: 40 } }]);
    await fork.rpc('anvil_mine', ['0x1']);
    expect((await numbers())[0]).toBe(41);
    expect((await stage.readFreshContent(fork.url)).blocks.map(block => block.number)).toEqual([41]);
  });
});

describe('any sequence of blocks and reorgs', () => {
  it('leads to the same index as a fresh start', async () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant('mine' as const), kind: fc.nat(5) }) },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('reorg' as const), kind: fc.integer({ min: 1, max: 12 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ act: fc.constant('rollback' as const), kind: fc.integer({ min: 1, max: 5 }) }),
      },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('snapshot' as const), kind: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('revert' as const), kind: fc.constant(0) }) },
      { weight: 3, arbitrary: fc.record({ act: fc.constant('ask' as const), kind: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('restart' as const), kind: fc.constant(0) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 18 }), async acts => {
        await beginWithMinedBlocks();
        const { alice, bob } = chain.accounts;
        const folder = await stage.folder();
        let index = await stage.index(anvil.url, { folder });
        let marks: unknown[] = [];
        for (const { act, kind } of acts) {
          if (act === 'mine') {
            const list = [mintApe(alice), mintItem(bob, BigInt(kind), 5n), mintCoin(alice), mintItem(alice, 3n, 1n)];
            await mine(...list.slice(0, kind));
          } else if (act === 'reorg') {
            await reorg(kind);
            marks = []; // they may be of blocks that are gone
          } else if (act === 'rollback') {
            await anvil.rpc('anvil_rollback', [kind]);
            marks = [];
          } else if (act === 'snapshot') marks.push(await anvil.rpc('evm_snapshot'));
          else if (act === 'revert') {
            const [mark] = marks;
            if (mark === undefined) continue;
            marks = [];
            await anvil.rpc('evm_revert', [mark]);
            await onAnotherFork();
          } else if (act === 'ask') await waitUntilSynced(index);
          else {
            await index.stop();
            index = await stage.index(anvil.url, { folder });
          }
        }
        await sameAsFresh(index);
        await stage.clear();
      }),
      { seed: 1, numRuns: scaleRounds(5) },
    );
  });
});
