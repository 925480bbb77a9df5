// Cursors: opaque, URL-safe, bound to the filters they were made for, and refused when damaged.
import { badInputFault } from '../../base/errors.ts';

/** Where the next page starts: strictly after this key, in the list's own order. */
export type CursorKey = readonly (number | string)[];

export interface CursorContent {
  /** What of the request shapes the list (not `limit`, `format`, `disable_total`): a cursor only fits the same. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly key: CursorKey;
  /** What the first page settled for all that follow, such as the last block of an open range. */
  readonly pinned?: Readonly<Record<string, number | string>>;
  /** Number of the page that the cursor asks for. */
  readonly page: number;
  readonly total: number | null;
}

const VERSION = 'h1';
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** FNV-1a, 32 bits: notices accidents and mix-ups; a cursor grants nothing, so it needs no secret. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner)
        .filter(([, v]) => v !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

function toBase64Url(text: string): string {
  let binary = '';
  for (const byte of encoder.encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return decoder.decode(Uint8Array.from(binary, char => char.charCodeAt(0)));
}

export function encodeCursor(content: CursorContent): string {
  const { filters, key, pinned: frozen = {}, page, total } = content;
  const payload = JSON.stringify([checksum(canonical(filters)), key, frozen, page, total]);
  return toBase64Url(`${VERSION}.${checksum(payload)}.${payload}`);
}

const isScalar = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** What a payload says, if it says what `encodeCursor` writes: anyone can make a payload whose checksum is right. */
function readPayload(payload: string): Omit<CursorContent, 'filters'> & { readonly bound: string } {
  const parts: unknown = JSON.parse(payload);
  if (!Array.isArray(parts) || parts.length !== 5) throw new SyntaxError();
  const [bound, key, frozen, page, total] = parts as readonly unknown[];
  if (
    typeof bound !== 'string' ||
    !Array.isArray(key) ||
    !key.every(isScalar) ||
    frozen === null ||
    typeof frozen !== 'object' ||
    !Object.values(frozen).every(isScalar) ||
    !isCount(page) ||
    !(total === null || isCount(total))
  )
    throw new SyntaxError();
  return { bound, key, pinned: { ...frozen }, page, total };
}

const refuse = (message: string) => badInputFault([{ field: 'cursor', message }]);

/** The content of a cursor made by `encodeCursor` for the same filters. Throws `bad-input` that says what is wrong with it. */
export function decodeCursor(cursor: string, filters: CursorContent['filters']): CursorContent {
  const damaged =
    'cursor is damaged or not from this service: use the cursor of an answer unchanged, or start without one';
  let content: ReturnType<typeof readPayload>;
  try {
    const text = fromBase64Url(cursor);
    const [version, sum, ...rest] = text.split('.');
    const payload = rest.join('.');
    // Base64 readers skip spaces and spare bits: only the one spelling that we write counts as unchanged.
    if (version !== VERSION || sum !== checksum(payload) || toBase64Url(text) !== cursor) throw new SyntaxError();
    content = readPayload(payload);
  } catch {
    throw refuse(damaged);
  }
  const { bound, ...rest } = content;
  if (bound !== checksum(canonical(filters))) {
    throw refuse(
      'cursor belongs to other filters: repeat the request that gave it unchanged, or start without a cursor',
    );
  }
  return { filters, ...rest };
}
