// Cached replies for programs: used only while they are valid, whatever happens to the chain between two requests.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AddressBookConfiguration, defaultConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest, type WireReply } from '../../src/api/wire/request.ts';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { isBehind } from '../support/filledChain.ts';
import { readUntil } from '../support/readUntil.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

interface Row {
  readonly token_id: string;
  readonly to_address: string;
  readonly to_address_label: string | null;
}

const world = useFilledChain();
let backend: Backend;
let nextApe = 700_000n;
beforeEach(async () => {
  backend = createNodeBackend({ log: silentLog });
  configure();
  await readUntil(
    async () => newest(await send('transfers')) !== undefined && (await isCached('transfers')),
    isReady => isReady,
  );
});
afterEach(async () => {
  await backend?.stop();
});

const configure = (book?: AddressBookConfiguration) =>
  backend.configure({ ...defaultConfiguration, nodes: { local: world.anvil.url }, ...(book && { addressBook: book }) });

const requests = {
  transfers: () => encodeRequest('contractNftTransfers', { address: world.chain.contracts.apes, limit: 5 }),
  logs: () => encodeRequest('contractLogs', { address: world.chain.contracts.apes, limit: 5 }),
  wallet: () => encodeRequest('walletNfts', { address: world.chain.accounts.carol, limit: 100 }),
} as const;

/** Sends a request as a program, again while the index has not come to the head, where the machine is busy. */
async function send(name: keyof typeof requests): Promise<WireReply> {
  const reply = await readUntil(
    () => backend.call(requests[name](), { forProgram: true }),
    ({ headers }) => !isBehind(headers),
  );
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply;
}

/** Whether two requests in a row get the same object. */
const isCached = async (name: keyof typeof requests) => {
  const first = await send(name);
  return (await send(name)).body === first.body;
};

const rows = ({ body }: WireReply) => (body as { readonly result: readonly Row[] }).result;
const newest = (reply: WireReply) => rows(reply)[0]?.token_id;

/** Mints an ape for carol in a new block. */
async function mint(): Promise<string> {
  const id = nextApe++;
  const { accounts, contracts } = world.chain;
  const data = encodeData(apesAbi.mint, [accounts.carol as Hex, id]);
  await mineBlock(world.anvil, [{ from: accounts.deployer, to: contracts.apes, data }]);
  return String(id);
}

test('is used on a chain without new blocks', async () => {
  expect(await isCached('transfers')).toBe(true);
  expect(await isCached('logs')).toBe(true);
});

test('each new block is in the next reply, also among many equal requests', async () => {
  let going = true;
  let answered = 0;
  const crowd = Array.from({ length: 12 }, async (_, index) => {
    while (going) {
      await send(index % 2 === 0 ? 'transfers' : 'logs');
      answered++;
    }
  });
  try {
    for (let round = 0; round < 25; round++) {
      const before = answered;
      const id = await mint();
      expect(newest(await send('transfers'))).toBe(id);
      expect(JSON.stringify((await send('logs')).body)).toContain(Number(id).toString(16));
      expect(rows(await send('wallet')).map(row => row.token_id)).toContain(id);
      await expect.poll(() => answered).toBeGreaterThan(before + 12);
    }
  } finally {
    going = false;
    await Promise.all(crowd);
  }
});

test('is not used after a block was replaced by one of the same height', async () => {
  const old = await mint();
  expect(newest(await send('transfers'))).toBe(old);
  await world.anvil.rpc('anvil_setCoinbase', [`0x${'0'.repeat(36)}1001`]);
  await world.anvil.rpc('anvil_reorg', [1, []]);
  expect(newest(await send('transfers'))).not.toBe(old);
  expect(JSON.stringify((await send('logs')).body)).not.toContain(Number(old).toString(16));
});

test('is not used after a chain was reverted and continued differently', async () => {
  const before = newest(await send('transfers'));
  const snapshot = await world.anvil.rpc('evm_snapshot', []);
  const gone = await mint();
  expect(newest(await send('transfers'))).toBe(gone);
  await world.anvil.rpc('evm_revert', [snapshot]);
  expect(newest(await send('transfers'))).toBe(before);
  const other = await mint();
  expect(newest(await send('transfers'))).toBe(other);
  expect(rows(await send('transfers')).map(row => row.token_id)).not.toContain(gone);
});

test('is not used after a new name in the address book', async () => {
  const carol = world.chain.accounts.carol.toLowerCase();
  await mint();
  const label = async () => rows(await send('transfers'))[0]?.to_address_label;
  expect(await label()).toBeNull();
  expect(await isCached('transfers')).toBe(true);
  configure({ [carol]: [{ name: 'Carol', chains: [] }] });
  expect(await label()).toBe('Carol');
  configure({ [carol]: [{ name: 'Caroline', chains: [] }] });
  expect(await label()).toBe('Caroline');
});

describe('state that is set by a cheat code, without a new head', () => {
  test('is in the next reply', async () => {
    const balances = encodeRequest('walletBalances', { walletAddresses: [world.chain.accounts.idle] });
    for (const wei of [5n, 6n, 7n]) {
      await world.anvil.rpc('anvil_setBalance', [world.chain.accounts.idle, toQuantity(wei)]);
      const { body } = await backend.call(balances, { forProgram: true });
      expect(JSON.stringify(body)).toContain(`"balance":"${wei}"`);
    }
  });
});

test('is not used while the node is unreachable', async () => {
  expect(await isCached('transfers')).toBe(true);
  await world.anvil.stop();
  const reply = await backend.call(requests.transfers(), { forProgram: true });
  expect(reply.headers['x-hexlens-fault']).toBe('node-unreachable');
});
