// Cursors: opaque and URL-safe; a cursor with other filters, or a damaged one, is rejected.
import { createBadInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';

/** Key of the last record: the next page starts strictly after it, in the list's order. */
export type CursorKey = readonly (number | string)[];

export interface CursorContent {
  /** Parameters that select the list (not `limit`, `format`, `disable_total`); they must be the same on all pages. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly key: CursorKey;
  /** Values that the first page determined for all further ones, such as the last block of an open range. */
  readonly pinned?: Readonly<Record<string, number | string>>;
  /** Number of the page that the cursor leads to. */
  readonly page: number;
  readonly total: number | null;
}

const VERSION = 'h1';
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** FNV-1a, 32 bits: detects accidental damage. A cursor grants no access, so no secret is needed. */
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
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return decoder.decode(Uint8Array.from(binary, char => char.charCodeAt(0)));
}

export function encodeCursor(content: CursorContent): string {
  const { filters, key, pinned = {}, page, total } = content;
  const payload = JSON.stringify([checksum(canonical(filters)), key, pinned, page, total]);
  return toBase64Url(`${VERSION}.${checksum(payload)}.${payload}`);
}

const isScalar = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Validates a payload: a forged one can have a correct checksum. */
function parsePayload(payload: string): Omit<CursorContent, 'filters'> & { readonly filtersHash: string } {
  const parts: unknown = JSON.parse(payload);
  if (!Array.isArray(parts) || parts.length !== 5) throw new SyntaxError();
  const [filtersHash, key, pinned, page, total] = parts as readonly unknown[];
  if (
    typeof filtersHash !== 'string' ||
    !Array.isArray(key) ||
    !key.every(isScalar) ||
    pinned === null ||
    typeof pinned !== 'object' ||
    !Object.values(pinned).every(isScalar) ||
    !isCount(page) ||
    !(total === null || isCount(total))
  )
    throw new SyntaxError();
  return { filtersHash, key, pinned: { ...pinned }, page, total };
}

const reject = (message: string) => createBadInputFault([{ field: 'cursor', message }]);

const createDamagedFault = () =>
  reject('cursor is damaged or not from this service: use the cursor of a response unchanged, or start without one');

/** One field of a cursor's key, or a pinned value. A forged cursor can hold anything there. */
export type CursorField = CursorKey[number] | undefined;

/**
 * A whole number from 0 to `max`.
 *
 * @throws `bad-input`, as all functions that parse a field of a cursor.
 */
export function parseCursorInteger(field: CursorField, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof field !== 'number' || !Number.isSafeInteger(field) || field < 0 || field > max) throw createDamagedFault();
  return field;
}

export function parseCursorAddress(field: CursorField): Hex {
  if (typeof field !== 'string' || !/^0x[0-9a-f]{40}$/.test(field)) throw createDamagedFault();
  return field as Hex;
}

/** The first eight bytes of a block hash. */
export function parseCursorShortHash(field: CursorField): Hex {
  if (typeof field !== 'string' || !/^0x[0-9a-f]{16}$/.test(field)) throw createDamagedFault();
  return field as Hex;
}

/** In base 36 the 256 bits of a token id take 50 characters of the cursor. */
export const encodeCursorTokenId = (tokenId: bigint): string => tokenId.toString(36);

export function parseCursorTokenId(field: CursorField): bigint {
  if (typeof field !== 'string' || !/^[0-9a-z]{1,50}$/.test(field)) throw createDamagedFault();
  let value = 0n;
  for (const digit of field) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  if (value >= 1n << 256n) throw createDamagedFault();
  return value;
}

/**
 * The content of a cursor that `encodeCursor` created for the same filters.
 *
 * @throws `bad-input` when it is damaged or belongs to other filters.
 */
export function decodeCursor(cursor: string, filters: CursorContent['filters']): CursorContent {
  let content: ReturnType<typeof parsePayload>;
  try {
    const text = fromBase64Url(cursor);
    const [version, sum, ...rest] = text.split('.');
    const payload = rest.join('.');
    // Base64 decoders ignore spaces and unused bits: only our own spelling is accepted.
    if (version !== VERSION || sum !== checksum(payload) || toBase64Url(text) !== cursor) throw new SyntaxError();
    content = parsePayload(payload);
  } catch {
    throw createDamagedFault();
  }
  const { filtersHash, ...rest } = content;
  if (filtersHash !== checksum(canonical(filters))) {
    throw reject(
      'cursor belongs to other filters: repeat the request that gave it unchanged, or start without a cursor',
    );
  }
  return { filters, ...rest };
}
