// What the headers of a reply say that it lacks, as pages and lists show it above its records.
import { t } from '../../base/localize.ts';
import type { WireReply } from './request.ts';
import { INTERNAL_HEADER, PARTIAL_HEADER, SCAN_HEADER, TOTAL_HEADER } from './responseHeaders.ts';

/** Sentences in the display language, by the name of their header. */
export type ReplyNotes = Readonly<Record<string, string>>;

/** A note may come from a remote host. */
export const MAX_NOTE_LENGTH = 300;

/** What our service says of calls that it has not read yet, among its other sentences. */
const PENDING_CALLS =
  /The calls inside the transactions of block (\d{1,16}) and (later|earlier) ones are still being read: request the page again, or the next one\./;

/** Whether the same request has more rows in a moment, since calls inside transactions are still being read. */
export const areCallsPending = ({ headers }: Pick<WireReply, 'headers'>): boolean =>
  PENDING_CALLS.test(headers[PARTIAL_HEADER] ?? '');

const localizePendingCalls = (text: string, isRepeated: boolean): string =>
  text.replace(PENDING_CALLS, (_, block: string, direction: string) => {
    if (isRepeated)
      return direction === 'later'
        ? t('The calls inside the transactions of block {0} and later ones are still being read.', block)
        : t('The calls inside the transactions of block {0} and earlier ones are still being read.', block);
    return direction === 'later'
      ? t(
          'The calls inside the transactions of block {0} and later ones are still being read: Refresh shows them.',
          block,
        )
      : t(
          'The calls inside the transactions of block {0} and earlier ones are still being read: Refresh shows them.',
          block,
        );
  });

/** Texts of a service of HexLens in the display language; others as they are. */
function localizeNote(name: string, text: string, isRepeated: boolean): string {
  const [, direction, block] =
    (name === SCAN_HEADER && /^partial; searched (down|up) to block (\d{1,16})$/.exec(text)) || [];
  if (block !== undefined)
    return direction === 'up'
      ? t('Searched up to block {0}; load more to continue.', block)
      : t('Searched down to block {0}; load more to continue.', block);
  if (name === TOTAL_HEADER && text === 'unavailable; the chain is scanned')
    return t('The rows are not counted, since the chain is searched for them.');
  if (name === TOTAL_HEADER && text === 'unavailable; the range is too long to be counted')
    return t('The rows are not counted: the range of blocks is too long.');
  if (name === PARTIAL_HEADER) return localizePendingCalls(text, isRepeated);
  const reason = name === INTERNAL_HEADER ? /^(?:unavailable|incomplete); (.+)$/s.exec(text)?.[1] : undefined;
  return reason === undefined ? text : t('Calls inside transactions are missing: {0}', reason);
}

/** `isRepeated`: what is still being read is requested again without the user. */
export const getReplyNotes = ({ headers }: Pick<WireReply, 'headers'>, isRepeated = false): ReplyNotes =>
  Object.fromEntries(
    [INTERNAL_HEADER, PARTIAL_HEADER, SCAN_HEADER, TOTAL_HEADER].flatMap(name => {
      const text = headers[name];
      return text === undefined ? [] : [[name, localizeNote(name, text, isRepeated).slice(0, MAX_NOTE_LENGTH)]];
    }),
  );

/** The notes of a list whose next page follows: how far a scan got is that of the last page, all else holds for the list. */
export const addPageNotes = ({ [SCAN_HEADER]: _, ...before }: ReplyNotes, page: ReplyNotes): ReplyNotes => ({
  ...before,
  ...page,
});
