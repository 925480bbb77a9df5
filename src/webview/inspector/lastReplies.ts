// The last complete reply to each request, shown again while the node does not respond.
import type { CollectedReply } from './replyCollector.ts';

export interface LastReply {
  readonly reply: CollectedReply;
  /** Parts that are not tables, in order. */
  readonly parts: readonly unknown[];
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

const MAX_REPLIES = 50;
/** Rows of all replies together; larger replies push older ones out. */
const MAX_ROWS = 100_000;

const countRows = ({ reply }: LastReply): number =>
  [...reply.tables.values()].reduce((sum, { rows }) => sum + rows.length, 0);

export interface LastReplies {
  get(key: string): LastReply | undefined;
  set(key: string, reply: LastReply): void;
}

export function createLastReplies(): LastReplies {
  const replies = new Map<string, LastReply>();
  let rows = 0;
  const remove = (key: string) => {
    const reply = replies.get(key);
    if (reply === undefined) return;
    rows -= countRows(reply);
    replies.delete(key);
  };
  return {
    get: key => replies.get(key),
    set(key, reply) {
      remove(key);
      if (countRows(reply) > MAX_ROWS) return;
      replies.set(key, reply);
      rows += countRows(reply);
      for (const oldest of replies.keys()) {
        if (rows <= MAX_ROWS && replies.size <= MAX_REPLIES) break;
        remove(oldest);
      }
    },
  };
}
