// The typed client over a transport in memory: pages, records, empty replies, cancellation.
import { describe, expect, test } from 'vitest';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { createClient } from '../../../src/client/client.ts';
import type { SendOptions } from '../../../src/client/transport.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as const;

interface Sent extends SendOptions {
  readonly request: WireRequest;
}

/** A client whose transport answers these in turn, and what it was sent. */
function clientOf(...replies: (Partial<WireReply> | Error)[]) {
  const sent: Sent[] = [];
  const client = createClient({
    async send(request, options = {}) {
      const reply = replies[sent.length];
      sent.push({ request, ...options });
      if (reply === undefined) throw new Error(`Unexpected request ${sent.length}`);
      if (reply instanceof Error) throw reply;
      return { status: 200, headers: {}, body: null, ...reply };
    },
  });
  const cursors = () => sent.map(({ request }) => new Map(request.query).get('cursor') ?? null);
  return { client, sent, cursors };
}

const page = (cursor: string | null, ...ids: number[]): Partial<WireReply> => ({
  body: { cursor, result: ids.map(id => ({ token_id: String(id) })) },
});

async function drain<T, R>(iterator: AsyncGenerator<T, R>): Promise<{ readonly values: T[]; readonly end: R }> {
  const values: T[] = [];
  for (;;) {
    const step = await iterator.next();
    if (step.done) return { values, end: step.value };
    values.push(step.value);
  }
}

describe('pages', () => {
  test('follows the cursors to the last page, with the same filters', async () => {
    const { client, sent, cursors } = clientOf(page('a', 1), page('b', 2), page(null, 3));
    const { values, end } = await drain(client.pages('nftTransfers', { chain: 'eth', limit: 1 }));
    expect(values.map(({ result }) => result[0]?.tokenId)).toEqual([1n, 2n, 3n]);
    expect(end).toBe('last');
    expect(cursors()).toEqual([null, 'a', 'b']);
    for (const { request } of sent)
      expect(request.query.filter(([name]) => name !== 'cursor')).toEqual([
        ['chain', 'eth'],
        ['limit', '1'],
      ]);
  });

  test('starts at the given cursor', async () => {
    const { client, cursors } = clientOf(page('b', 1), page('', 2));
    expect((await drain(client.pages('nftTransfers', { cursor: 'a' }))).end).toBe('last');
    expect(cursors()).toEqual(['a', 'b']);
  });

  test('requests pages one by one, and none after the loop was left', async () => {
    const { client, sent } = clientOf(page('a', 1), page('b', 2));
    for await (const { cursor } of client.pages('nftTransfers', {})) {
      expect(sent).toHaveLength(cursor === 'a' ? 1 : 2);
      if (cursor === 'b') break;
    }
    expect(sent).toHaveLength(2);
  });

  test('throws an error once', async () => {
    const gone = new HexLensError('host-error', 'The host says why');
    const { client, sent } = clientOf(page('a', 1), gone);
    const pages = client.pages('nftTransfers', {});
    expect((await pages.next()).done).toBe(false);
    await expect(pages.next()).rejects.toBe(gone);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['at once', [page('a', 1), page('a', 2)], 2],
    ['later', [page('a', 1), page('b', 2), page('a', 3)], 3],
  ])('end when a cursor comes again: %s', async (_name, replies, count) => {
    const { client, sent } = clientOf(...replies);
    const { values, end } = await drain(client.pages('nftTransfers', {}));
    expect(end).toBe('repeated-cursor');
    expect(values).toHaveLength(count);
    expect(sent).toHaveLength(count);
  });

  test('ends when the host returns the first cursor again', async () => {
    const { client } = clientOf(page('mine', 1));
    expect((await drain(client.pages('nftTransfers', { cursor: 'mine' }))).end).toBe('repeated-cursor');
  });

  test('ends at a page without records', async () => {
    const { client, sent } = clientOf(page('a', 1), page('b'));
    expect((await drain(client.pages('nftTransfers', {}))).end).toBe('empty');
    expect(sent).toHaveLength(2);
  });

  test('continues after a page whose records were all filtered out', async () => {
    const { client } = clientOf({ ...page('a'), headers: { 'x-hexlens-filtered': '100' } }, page(null, 1));
    const { values, end } = await drain(client.pages('nftTransfers', {}));
    expect(values).toHaveLength(2);
    expect(end).toBe('last');
  });

  test('continues after an empty page of an incomplete scan', async () => {
    const { client } = clientOf(
      { ...page('a'), headers: { 'x-hexlens-scan': 'partial; searched down to block 12' } },
      page(null, 1),
    );
    const { values, end } = await drain(client.pages('nftTransfers', {}));
    expect(values).toHaveLength(2);
    expect(end).toBe('last');
  });

  test.each([0, 1, 2])('end after maxPages (%i)', async maxPages => {
    const { client, sent } = clientOf(page('a', 1), page('b', 2));
    expect((await drain(client.pages('nftTransfers', {}, { maxPages }))).end).toBe('max-pages');
    expect(sent).toHaveLength(maxPages);
  });

  test('continues while group C returns cursors, whatever hasNextPage is', async () => {
    const aptos = (cursor: string | null, hasNextPage: boolean) => ({
      body: { cursor, hasNextPage, result: [{ name: 'n' }] },
    });
    const { client } = clientOf(aptos('a', false), aptos(null, true));
    const { values } = await drain(
      client.pages('aptosWalletNfts', { ownerAddresses: [`0x${'1'.repeat(64)}`], limit: 1 }),
    );
    expect(values).toHaveLength(2);
  });

  test('passes the signal to every request', async () => {
    const { signal } = new AbortController();
    const { client, sent } = clientOf(page('a', 1), page(null, 2));
    await drain(client.pages('nftTransfers', {}, { signal }));
    expect(sent.map(options => options.signal)).toEqual([signal, signal]);
  });

  test('rejects invalid input at the first step', async () => {
    const { client, sent } = clientOf();
    await expect(client.pages('nftTransfers', { limit: 101 }).next()).rejects.toMatchObject({
      code: 'bad-input',
      issues: [{ field: 'limit' }],
    });
    expect(sent).toEqual([]);
  });
});

describe('records', () => {
  test('returns records one by one and requests the next page when needed', async () => {
    const { client, sent } = clientOf(page('a', 1, 2), page(null, 3));
    const asked: [bigint | null, number][] = [];
    for await (const { tokenId } of client.records('nftTransfers', {})) asked.push([tokenId, sent.length]);
    expect(asked).toEqual([
      [1n, 1],
      [2n, 1],
      [3n, 2],
    ]);
  });

  test('returns why the pages ended', async () => {
    const { client } = clientOf(page('a', 1), page('a', 2));
    expect(await drain(client.records('nftTransfers', {}))).toMatchObject({
      values: [{ tokenId: 1n }, { tokenId: 2n }],
      end: 'repeated-cursor',
    });
  });

  test('throws the error of a page after the records before it', async () => {
    const { client } = clientOf(page('a', 1), { status: 500, body: { message: 'The host says why' } });
    const seen: unknown[] = [];
    const loop = async () => {
      for await (const { tokenId } of client.records('nftTransfers', {})) seen.push(tokenId);
    };
    await expect(loop()).rejects.toMatchObject({ code: 'host-error', message: 'The host says why' });
    expect(seen).toEqual([1n]);
  });
});

describe('single replies', () => {
  test.each([
    ['an empty object', { body: {} }],
    ['null', { body: null }],
    ['404', { status: 404, body: { message: 'Block not found' } }],
    ['404 without a text', { status: 404, body: { message: 'null' } }],
  ])('%s is not-found', async (_name, reply) => {
    const { client } = clientOf(reply);
    await expect(client.block({ block: 1 })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/found/i),
    });
  });

  test.each([
    ['a list', { body: [1] }],
    ['text', { body: 'half a js' }],
    ['a number', { body: 1 }],
  ])('%s in the place of a record is the fault of the host', async (_name, reply) => {
    const { client } = clientOf(reply);
    await expect(client.block({ block: 1 })).rejects.toMatchObject({ code: 'host-error' });
  });

  test('rejects an object in place of the balances', async () => {
    const { client } = clientOf({ body: { message: 'The host says why' } });
    await expect(client.walletBalances({ walletAddresses: [ADDRESS] })).rejects.toMatchObject({
      code: 'host-error',
      message: expect.stringContaining('The host says why'),
    });
  });

  test('passes on the time to wait of a rate limit', async () => {
    const { client } = clientOf({ status: 429, headers: { 'retry-after': '2' } });
    await expect(client.block({ block: 1 })).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 2_000 });
  });

  test('ignores an unknown fault code', async () => {
    const { client } = clientOf({
      status: 400,
      headers: { 'x-hexlens-fault': 'toString' },
      body: { message: 'The host says why' },
    });
    await expect(client.block({ block: 1 })).rejects.toMatchObject({ code: 'bad-input', message: 'The host says why' });
  });
});
