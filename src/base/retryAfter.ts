// The `Retry-After` header of HTTP (RFC 9110, section 10.2.3).

/**
 * Milliseconds to wait according to `Retry-After`, which holds seconds or an HTTP date. A date is compared with the
 * server's own `Date` header where there is one, so that a wrong local clock does not matter.
 *
 * @param headers Response headers with names in lower case.
 * @param nowMs Milliseconds since the Unix epoch.
 * @returns `undefined` when there is no such header or it is malformed.
 */
export function parseRetryAfterMs(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until) || !/[a-z]{3}/i.test(text)) return undefined;
  const serverNowMs = Date.parse(headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(serverNowMs) ? nowMs : serverNowMs));
}

/** The value of `Retry-After` for a delay in milliseconds: whole seconds, rounded up. */
export const formatRetryAfter = (delayMs: number): string => String(Math.ceil(delayMs / 1000));
