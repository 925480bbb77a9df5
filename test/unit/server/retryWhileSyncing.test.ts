// Replies to programs while the index is behind: never a partial list that looks complete.
import { expect, test } from 'vitest';
import type { OperationId } from '../../../src/api/operations/operations.ts';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import { retryWhileSyncing } from '../../../src/server/retryWhileSyncing.ts';

const behind: WireReply = { status: 200, headers: { 'x-hexlens-index': 'syncing; block 3 of 9' }, body: 'half' };
const nothingYet: WireReply = {
  status: 404,
  headers: { 'x-hexlens-fault': 'not-found', 'x-hexlens-index': 'syncing; block 1 of 9' },
  body: 'so far',
};
const nothing: WireReply = { status: 404, headers: { 'x-hexlens-fault': 'not-found' }, body: 'nothing' };
const whole: WireReply = { status: 200, headers: {}, body: 'whole' };
const request = (operation: OperationId): WireRequest => ({
  operation,
  group: 'evm',
  method: 'GET',
  path: '/erc20/mints',
  query: [],
  body: null,
});

/** The body of the last reply, and the number of attempts. */
async function through(operation: OperationId, replies: readonly WireReply[]) {
  let taken = 0;
  const call = retryWhileSyncing(async () => replies[Math.min(taken++, replies.length - 1)] ?? whole);
  return { body: (await call(request(operation))).body, taken };
}

test('an operation without a field for it is repeated until the index has caught up', async () => {
  expect(await through('erc20Mints', [behind, behind, whole])).toEqual({ body: 'whole', taken: 3 });
  expect(await through('nftLowestPrice', [nothingYet, behind, nothing])).toEqual({ body: 'nothing', taken: 3 });
});

test('an operation with a field for it is not repeated', async () => {
  expect(await through('nftTransfers', [behind, whole])).toEqual({ body: 'half', taken: 1 });
});

test('the number of attempts is limited, and the last reply is returned', async () => {
  expect(await through('erc20Mints', [behind])).toEqual({ body: 'half', taken: 10 });
});
