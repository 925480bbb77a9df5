// The notice about a block that a reset or a reorganization took away.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { ChainEvent } from '../../../src/protocol/messages.ts';
import type { Inspector } from '../../../src/webview/inspector/inspector.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const block = createSyntheticBlock({ transactions: 1, logs: 0 });
const removed = { number: 18_000_000, hash: '' };

const openBlock = async () => {
  const opened = await open({
    target: { kind: 'block', chain: 'local', block: '18000000' },
    reply: () => ok(block),
  });
  await shows('Block 18,000,000');
  // The chain is polled once; its event must not come after those of the test.
  await eventually(() =>
    expect(opened.connected.posted).toContainEqual(expect.objectContaining({ method: 'chainEvent' })),
  );
  return opened.page;
};
const report = (page: Inspector, change: Partial<ChainEvent>) => {
  const params: ChainEvent = {
    ...{ chain: 'local', head: 3, headHash: '', problem: null, identity: null, replaced: null },
    ...change,
  };
  page.channel.receive({ type: 'notify', method: 'chainEvent', params });
  return page.updateComplete;
};
const notice = () => find(document, '[role=alert].warning');

test('stays dismissed while new blocks arrive, and returns for another block', async () => {
  const page = await openBlock();
  await report(page, { replaced: removed });
  await shows('Block 18000000 is no longer on the chain');
  find(document, '.warning .dismiss')?.click();
  await eventually(() => expect(notice()).toBeNull());
  for (const head of [4, 5]) {
    await report(page, { head, replaced: removed });
    expect(notice()).toBeNull();
  }
  await report(page, { head: 6, replaced: { number: 18_000_000, hash: `0x${'cd'.repeat(32)}` } });
  await shows('was replaced in a reorganization');
});

test('is about the page shown: another page has none', async () => {
  const page = await openBlock();
  await report(page, { replaced: removed });
  await eventually(() => expect(notice()).not.toBeNull());
  page.channel.notify('navigate', { target: { kind: 'block', chain: 'local', block: 'latest' }, where: 'here' });
  await shows('Latest blocks');
  await eventually(() => expect(notice()).toBeNull());
  expect(textOf(page)).not.toContain('no longer on the chain');
});

test('says that a block is one of the chain before, after its node was replaced by one of another chain', async () => {
  let requestCount = 0;
  const { page, connected } = await open({
    target: { kind: 'block', chain: 'local', block: '18000000' },
    reply: () => {
      requestCount++;
      return ok(block);
    },
  });
  await shows('Block 18,000,000');
  await eventually(() => expect(connected.posted).toContainEqual(expect.objectContaining({ method: 'chainEvent' })));
  await report(page, { identity: '31337 0xaa' });
  expect(notice()).toBeNull();
  await report(page, { identity: '1337 0xbb', replaced: removed });
  await shows('Local dev chain is another chain now: this page shows what was read from the one before. Read again');
  expect(requestCount).toBe(1);
  find(document, '.warning button')?.click();
  await eventually(() => expect(requestCount).toBe(2));
});

test('a page of an address is read again when another block has the number of the newest one', async () => {
  let requestCount = 0;
  const { page, connected } = await open({
    target: { kind: 'address', chain: 'local', address: `0x${'a1'.repeat(20)}` },
    reply: () => ok({ result: [], cursor: null }),
    lookup: id => {
      if (id === 'addressSummary') requestCount++;
      return undefined;
    },
  });
  await eventually(() => expect(connected.posted).toContainEqual(expect.objectContaining({ method: 'chainEvent' })));
  await report(page, { head: 12, headHash: '0xaa' });
  await eventually(() => expect(requestCount).toBeGreaterThan(0));
  await report(page, { head: 12, headHash: '0xaa' });
  const before = requestCount;
  await report(page, { head: 12, headHash: '0xbb' });
  await eventually(() => expect(requestCount).toBe(before + 1));
});
