// Native values of transfers far behind the head: fetched when they are shown, stored from then on, never of another transaction.
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { allPages, tokenNames, toRecords } from '../support/nftPages.ts';
import { readChain, type TransferOnWire, type Witness } from '../support/nftWitness.ts';
import { forwardTo, type NodeScript } from '../support/scriptedRpcNode.ts';
import { createServiceFixture } from '../support/serviceFixture.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const BY_HASH = 'eth_getTransactionByHash';
const stage = createServiceFixture();
const world = useFilledChain();
let witness: Witness;
beforeAll(async () => {
  await world.anvil.rpc('anvil_mine', ['0x12c']); // all that happened is far behind
  witness = await readChain(world.anvil, tokenNames(world.chain, { name: '', symbol: '', decimals: 18, spam: true }));
});

const nodeThat = async (answer: NodeScript['answer']) => {
  const forward = forwardTo(world.anvil.url);
  return stage.node({ answer: async call => (await answer(call)) ?? forward(call) });
};
const valuesIn = (list: readonly (TransferOnWire | Readonly<Record<string, unknown>>)[]) =>
  list.map(entry => [entry['transaction_hash'], entry['value']]);
const over = (url: string) => stage.service({ local: url }, { clock: systemClock });

it('are fetched once per page', async () => {
  const node = await nodeThat(() => undefined);
  const service = over(node.url);
  const read = async () => valuesIn(toRecords(await allPages(service, 'nftTransfers', { limit: 10 })));
  expect(await read()).toEqual(valuesIn(witness.transfers));
  expect(new Set(witness.transfers.map(entry => entry['value'])).size).toBeGreaterThan(2);
  const hashes = new Set(witness.transfers.map(entry => entry['transaction_hash']));
  const asked = node.calls.filter(({ method }) => method === BY_HASH);
  expect(new Set(asked.map(({ params }) => params[0]))).toEqual(hashes);
  // They are stored in the background.
  await expect
    .poll(async () => {
      const before = node.countCalls(BY_HASH);
      expect(await read()).toEqual(valuesIn(witness.transfers));
      return node.countCalls(BY_HASH) - before;
    })
    .toBe(0);
});

it('are found by block position on a node without a transaction index', async () => {
  const node = await nodeThat(({ method }) => (method === BY_HASH ? { result: null } : undefined));
  const pages = await allPages(over(node.url), 'nftTransfers', { limit: 100 });
  expect(valuesIn(toRecords(pages))).toEqual(valuesIn(witness.transfers));
});

it('are not taken from another transaction', async () => {
  const other = witness.transfers.find(entry => entry['value'] !== '0')?.['transaction_hash'];
  const forward = forwardTo(world.anvil.url);
  const node = await nodeThat(call => (call.method === BY_HASH ? forward({ ...call, params: [other] }) : undefined));
  const { status, code, message } = await over(node.url).getFault('nftTransfers', { limit: 100 });
  expect([status, code]).toEqual([502, 'node-answer']);
  expect(message).toContain(BY_HASH);
});
