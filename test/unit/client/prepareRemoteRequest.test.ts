// Dated changes of remote hosts: removed parameters are not sent, and records are filtered instead.
import { describe, expect, test } from 'vitest';
import { DATED_CHANGES_DAY } from '../../../src/api/decisions.ts';
import { formatFault } from '../../../src/base/errors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { expectFault } from './expectFault.ts';
import { ACCOUNT, ADDRESS, emptyPage, good, HASH, inTurn, OTHER, start, status, TOPIC } from './httpTransportSetup.ts';

const before = Date.parse(DATED_CHANGES_DAY) - 1;
const after = Date.parse(DATED_CHANGES_DAY);

describe('dated changes', () => {
  const transfer = (from: string, to: string) => ({ token_id: '1', from_address: from, to_address: to });
  const log = (topic1: string | null, topic2: string | null) => ({ address: ADDRESS, topic0: TOPIC, topic1, topic2 });

  test('sends everything before the day', async () => {
    const { remote, client } = await start(good, { clock: createFakeClock('instant', before) });
    await client.walletNftTransfers({ address: ADDRESS, direction: 'from' });
    await client.contractLogs({ address: ADDRESS, topic1: HASH });
    expect(remote.seen.map(({ target }) => target.split('?')[1])).toEqual(['direction=from', `topic1=${HASH}`]);
  });

  test.each([
    ['from', [OTHER]],
    ['to', [ADDRESS]],
    ['both', [ADDRESS, OTHER]],
  ] as const)('filters direction=%s itself instead of sending it', async (direction, expected) => {
    const records = [transfer(OTHER, ADDRESS.toUpperCase().replace('0X', '0x')), transfer(ADDRESS, OTHER)];
    const { remote, client } = await start(status(200, {}, { ...emptyPage, total: 2, result: records }), {
      clock: createFakeClock('instant', after),
    });
    const page = await client.walletNftTransfers({ address: ADDRESS, direction });
    expect(remote.seen[0]?.target).toBe(`/prefix/${ADDRESS}/nft/transfers`);
    expect(page.result.map(({ toAddress }) => toAddress)).toEqual(expected);
    expect(page.total).toBe(direction === 'both' ? 2 : null);
  });

  test('filters topic1 to topic3 itself instead of sending them', async () => {
    const records = [log(HASH, TOPIC), log(TOPIC, HASH), log(HASH, null), log(null, null), log(HASH, HASH)];
    const { remote, client } = await start(status(200, {}, { ...emptyPage, result: records }));
    const page = await client.contractLogs({ address: ADDRESS, topic0: TOPIC, topic1: HASH, topic2: HASH, limit: 9 });
    expect(remote.seen[0]?.target).toBe(`/prefix/${ADDRESS}/logs?topic0=${TOPIC}&limit=9`);
    expect(page.result).toEqual([expect.objectContaining({ topic1: HASH, topic2: HASH })]);
  });

  test('continues after a page without matching records', async () => {
    const pages = [
      { ...emptyPage, cursor: 'second', result: [transfer(OTHER, ADDRESS)] },
      { ...emptyPage, cursor: 'third', result: [transfer(OTHER, ADDRESS)] },
      { ...emptyPage, result: [transfer(ADDRESS, OTHER)] },
    ];
    const { client } = await start(inTurn(...pages.map(page => status(200, {}, page))));
    const found: unknown[] = [];
    for await (const { toAddress } of client.records('walletNftTransfers', { address: ADDRESS, direction: 'from' }))
      found.push(toAddress);
    expect(found).toEqual([OTHER]);
  });

  test('rejects logs without topic0 before they are sent', async () => {
    const { remote, client } = await start(good);
    const fault = await expectFault(client.contractLogs({ address: ADDRESS }));
    expect(fault.code).toBe('bad-input');
    expect(fault.issues).toEqual([
      { field: 'topic0', message: `topic0 is required by 127.0.0.1:${remote.port} since ${DATED_CHANGES_DAY}` },
    ]);
    expect(fault.fix).toContain('embedded service');
    expect(remote.seen).toEqual([]);
  });

  test.each([
    [410, 'Cannot GET /prefix'],
    [404, 'This endpoint was removed on 2024-10-24'],
    [404, 'The API is no longer available'],
  ])('%i with the message %j: gone, once', async (code, message) => {
    const { remote, client } = await start(status(code, {}, { message }));
    const fault = await expectFault(client.contractLogs({ address: ADDRESS, topic0: TOPIC }));
    expect(formatFault(fault)).toBe(
      `127.0.0.1:${remote.port} no longer has this operation. Use the embedded service for this group: it still has it.`,
    );
    expect(remote.seen).toHaveLength(1);
  });

  test('does not take 404 for a removed operation unless the body says so', async () => {
    const { client } = await start(status(404, {}, { message: 'Wallet not found' }));
    const fault = await expectFault(client.contractLogs({ address: ADDRESS, topic0: TOPIC }));
    expect(fault).toMatchObject({ code: 'not-found', message: 'Wallet not found' });
  });

  test('says that the base URL may be wrong where the host has no operation at its path', async () => {
    const { remote, client } = await start(status(404, {}, { message: 'Cannot GET /prefix/block/1' }));
    expect(formatFault(await expectFault(client.block({ block: 1 })))).toBe(
      `127.0.0.1:${remote.port} has no operation at this path. Check the path of the base URL, or use the embedded service for this group.`,
    );
  });

  test.each([
    'Cannot GET /block/1',
    'Not Found',
    'There is no operation at this path. The reference at /openapi.json lists all of them.',
  ])('says that the base URL has no path prefix where the host says at its root: %s', async message => {
    const { remote, client } = await start(status(404, {}, { message }), {
      baseUrl: origin => origin,
    });
    expect(formatFault(await expectFault(client.block({ block: 1 })))).toBe(
      `127.0.0.1:${remote.port} has no operation at this path. The base URL has no path prefix: set it to the one of the host, such as ${remote.origin}/api/v2.2.`,
    );
  });

  test('takes "Not Found" below a path prefix for the record', async () => {
    const { client } = await start(status(404, {}, { message: 'Not Found' }));
    expect(await expectFault(client.block({ block: 1 }))).toMatchObject({ code: 'not-found', message: 'Not Found' });
  });

  test('takes "Not Found" of an Aptos host at its root for the record', async () => {
    const { client } = await start(status(404, {}, { message: 'Not Found' }), { baseUrl: origin => origin });
    expect(await expectFault(client.aptosWalletNfts({ ownerAddresses: [ACCOUNT], limit: 1 }))).toMatchObject({
      ...{ code: 'not-found', message: 'Not Found' },
    });
  });

  test('uses a retired operation that a private host still has', async () => {
    const { client } = await start(status(200, {}, { cursor: null, hasNextPage: false, result: [{ name: 'Token' }] }));
    const page = await client.aptosWalletNfts({ ownerAddresses: [ACCOUNT], limit: 1 });
    expect(page.result[0]?.name).toBe('Token');
  });

  test('does not take "no trade found" for a removed operation', async () => {
    const { client } = await start(status(404, {}, { message: 'No trade found' }));
    const fault = await expectFault(client.nftLowestPrice({ address: ADDRESS }));
    expect(fault).toMatchObject({ code: 'not-found', message: 'No trade found' });
  });

  test('maps 404 of a current operation to not-found', async () => {
    const { client } = await start(status(404, {}, { message: 'Block not found' }));
    expect(await expectFault(client.block({ block: 1 }))).toMatchObject({
      code: 'not-found',
      message: 'Block not found',
    });
  });
});
