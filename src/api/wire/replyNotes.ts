// What the headers of a reply say that it lacks, as pages and lists show it above its records.
import type { WireReply } from './request.ts';
import { INTERNAL_HEADER, PARTIAL_HEADER, SCAN_HEADER, TOTAL_HEADER } from './responseHeaders.ts';

/** Sentences by the name of their header. */
export type ReplyNotes = Readonly<Record<string, string>>;

/** A note may come from a remote host. */
export const MAX_NOTE_LENGTH = 300;

export const getReplyNotes = ({ headers }: Pick<WireReply, 'headers'>): ReplyNotes =>
  Object.fromEntries(
    [INTERNAL_HEADER, PARTIAL_HEADER, SCAN_HEADER, TOTAL_HEADER].flatMap(name => {
      const text = headers[name];
      return text === undefined ? [] : [[name, text.slice(0, MAX_NOTE_LENGTH)]];
    }),
  );

/** The notes of a list whose next page follows: how far a scan got is that of the last page, all else holds for the list. */
export const addPageNotes = ({ [SCAN_HEADER]: _, ...before }: ReplyNotes, page: ReplyNotes): ReplyNotes => ({
  ...before,
  ...page,
});
