import { expect, test } from 'vitest';
import { createLastReplies, type LastReply } from '../../../src/webview/inspector/lastReplies.ts';
import { emptyReply } from '../../../src/webview/inspector/replyCollector.ts';

const createReply = (rowCount: number, readAt: number): LastReply => ({
  reply: {
    ...emptyReply,
    tables: new Map([
      ['rows', { name: 'rows', columns: [], rowCount, rows: Array.from({ length: rowCount }, () => []) }],
    ]),
  },
  parts: [],
  readAt,
});

test('returns the last reply to a request', () => {
  const replies = createLastReplies();
  expect(replies.get('a')).toBeUndefined();
  replies.set('a', createReply(1, 1));
  replies.set('a', createReply(1, 2));
  expect(replies.get('a')?.readAt).toBe(2);
});

test('forgets the oldest replies when there are more than 50', () => {
  const replies = createLastReplies();
  for (let number = 0; number < 60; number++) replies.set(`${number}`, createReply(1, number));
  expect(replies.get('9')).toBeUndefined();
  expect(replies.get('10')?.readAt).toBe(10);
});

test('forgets the oldest replies when all have more than 100,000 rows, and stores no larger one', () => {
  const replies = createLastReplies();
  replies.set('a', createReply(60_000, 1));
  replies.set('b', createReply(60_000, 2));
  expect(replies.get('a')).toBeUndefined();
  replies.set('c', createReply(100_001, 3));
  expect(replies.get('b')?.readAt).toBe(2);
  expect(replies.get('c')).toBeUndefined();
});
