// What the debugger does where the service does not know its session any more.
import { expect, test, vi } from 'vitest';
import type { DebugRequest } from '../../../src/api/debugSession.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { sendOrReopen } from '../../../src/extension/debug/sendOrReopen.ts';

const notFound = (text: string) => new HexLensError('not-found', text);

test('a session that the service does not know any more is opened again, and the request repeated', async () => {
  let isOpen = false;
  const open = vi.fn(async () => {
    isOpen = true;
  });
  const send = sendOrReopen(async (request: DebugRequest) => {
    if (!isOpen) throw notFound('No such session.');
    return request.kind;
  }, open);
  expect(await send('stack', { step: 1 })).toBe('stack');
  expect(await send('stack', { step: 2 })).toBe('stack');
  expect(open).toHaveBeenCalledTimes(1);
});

test('a transaction that the chain has no more is named, with what to do', async () => {
  const send = sendOrReopen(
    () => Promise.reject(notFound('No such session.')),
    () => Promise.reject(notFound('Transaction not found on Local dev chain')),
  );
  await expect(send('stack', { step: 1 })).rejects.toThrow(
    'The chain no longer has this transaction: it was reset or rolled back. Stop the session',
  );
});

test('other faults are those of the service', async () => {
  const failed = new HexLensError('node-unreachable', 'The node does not respond.');
  const open = vi.fn(() => Promise.reject(failed));
  await expect(sendOrReopen(() => Promise.reject(failed), open)('stack', { step: 1 })).rejects.toBe(failed);
  expect(open).not.toHaveBeenCalled();
  await expect(sendOrReopen(() => Promise.reject(notFound('x')), open)('stack', { step: 1 })).rejects.toBe(failed);
});
