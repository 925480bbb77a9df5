// Why a transaction failed, in one sentence: `Reverted: StalePrice(age: 400) in Oracle.read (called by Harbor)`.
import { t } from '../base/localize.ts';

export interface FailureText {
  /** The decoded error, or the node's words; untrusted text. `null`: it reverted without data. */
  readonly reason: string | null;
  /** It ended by itself, such as without gas, instead of reverting. */
  readonly isHalt: boolean;
  /** The error is not declared by any known ABI: `reason` has only its selector. */
  readonly isUnknownError: boolean;
  /** Contract and function of the call that threw; `null` where that is the transaction's own, or unknown. Untrusted text. */
  readonly place: string | null;
  /** The contract that made this call; untrusted text. */
  readonly caller: string | null;
}

/** `in Oracle.read (called by Harbor)`; `null` where it is unknown. `quote` makes untrusted text safe where it is shown. */
export function formatFailurePlace({ place, caller }: FailureText, quote = (text: string) => text): string | null {
  if (place === null) return null;
  return caller === null ? t('in {0}', quote(place)) : t('in {0} (called by {1})', quote(place), quote(caller));
}

/** Errors that are listed of calls that failed inside a transaction that did not. */
const MAX_SWALLOWED = 3;

/** `1 inner call failed: StalePrice(age: 400)`. */
export function formatSwallowedFailures(
  failures: readonly FailureText[],
  quote = (text: string): string => text,
): string {
  const texts = failures.map(({ reason }) => (reason === null ? t('reverted without a reason') : quote(reason)));
  const unique = [...new Set(texts)];
  const list = [...unique.slice(0, MAX_SWALLOWED), ...(unique.length > MAX_SWALLOWED ? ['…'] : [])].join(', ');
  return failures.length === 1
    ? t('1 inner call failed: {0}', list)
    : t('{0} inner calls failed: {1}', failures.length, list);
}

export function formatFailure(failure: FailureText, quote = (text: string) => text): string {
  const { reason, isHalt } = failure;
  const what =
    reason === null
      ? t('Reverted without a reason')
      : isHalt
        ? quote(reason) // the status says that it failed
        : t('Reverted: {0}', quote(reason));
  const place = formatFailurePlace(failure, quote);
  return place === null ? what : `${what} ${place}`;
}
