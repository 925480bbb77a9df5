// Validation that several settings share.
import { quote } from '../base/displayText.ts';

export type ReportProblem = (message: string) => void;

export const describeValue = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : `a value of type ${typeof value}`;

/** The URL, or what is wrong with it, as the rest of a sentence. */
export function validateUrl(
  value: unknown,
  { allowsWebSocket = false } = {},
): { readonly url: URL } | { readonly wrong: string } {
  if (typeof value !== 'string') return { wrong: 'is not a string' };
  let url: URL;
  try {
    url = new URL(value.trim());
  } catch {
    return { wrong: 'is not a complete URL' };
  }
  const protocols = ['http:', 'https:', ...(allowsWebSocket ? ['ws:', 'wss:'] : [])];
  if (!protocols.includes(url.protocol))
    return { wrong: `starts with ${url.protocol}//, not ${protocols.map(name => `${name}//`).join(' or ')}` };
  if (url.username !== '' || url.password !== '')
    return { wrong: 'holds a user name or password, which would not be sent' };
  if (url.hash !== '') return { wrong: 'holds a #' };
  return { url };
}
