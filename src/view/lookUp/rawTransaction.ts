// A signed transaction as it is sent to a node (`eth_sendRawTransaction`): recognized by its RLP structure (EIP-2718).
import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';

export interface RawTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  /** EIP-2718 type; 0 for one without. */
  readonly type: number;
  /** `null` for a transaction of any chain, before EIP-155. */
  readonly chainId: number | null;
  readonly nonce: bigint;
  readonly gas: bigint;
  /** The most that it pays per gas. */
  readonly gasPrice: bigint;
  /** `null` for a contract creation. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly data: Hex;
  /** What its sender signed. */
  readonly payload: Hex;
  readonly signature: { readonly r: Hex; readonly s: Hex; readonly yParity: number };
}

/** Longer ones are no transactions that a node accepts. */
const MAX_BYTES = 131_072;

/** Number of items of a signed transaction by its type, without the blobs themselves; where those begin that all types have. */
const FORMS: Readonly<Record<number, { readonly count: number; readonly gasPrice: number }>> = {
  0: { count: 9, gasPrice: 1 },
  1: { count: 11, gasPrice: 2 },
  2: { count: 12, gasPrice: 3 },
  3: { count: 14, gasPrice: 3 },
  4: { count: 13, gasPrice: 3 },
};

interface RlpItem {
  readonly content: Uint8Array;
  readonly end: number;
}

function readItem(bytes: Uint8Array, at: number): RlpItem | null {
  const first = bytes[at];
  if (first === undefined) return null;
  if (first < 0x80) return { content: bytes.subarray(at, at + 1), end: at + 1 };
  const short = first - (first < 0xc0 ? 0x80 : 0xc0);
  const size = Math.max(0, short - 55);
  if (size > 4) return null;
  let length = short;
  if (size > 0) {
    length = 0;
    for (let index = 1; index <= size; index++) length = length * 256 + (bytes[at + index] ?? 0);
  }
  const start = at + 1 + size;
  const end = start + length;
  return end > bytes.length ? null : { content: bytes.subarray(start, end), end };
}

/** The items of `bytes`, which hold nothing else. */
function readItems(bytes: Uint8Array): readonly RlpItem[] | null {
  const items: RlpItem[] = [];
  for (let at = 0; at < bytes.length; ) {
    const item = readItem(bytes, at);
    if (item === null) return null;
    items.push(item);
    at = item.end;
  }
  return items;
}

/** Big-endian, without zeros in front. */
function toDigits(value: number): readonly number[] {
  return value === 0 ? [] : [...toDigits(Math.floor(value / 256)), value % 256];
}

const encodeNumber = (value: number): readonly number[] =>
  value > 0 && value < 0x80 ? [value] : [0x80 + toDigits(value).length, ...toDigits(value)];

const encodeListHeader = (length: number): readonly number[] =>
  length <= 55 ? [0xc0 + length] : [0xf7 + toDigits(length).length, ...toDigits(length)];

const toBigInt = (bytes: Uint8Array | undefined): bigint =>
  bytes === undefined || bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes));

const toWord = (bytes: Uint8Array | undefined): Hex => `0x${toBigInt(bytes).toString(16).padStart(64, '0')}`;

/** What was signed: the type, and the list without the signature, for a legacy one with its chain instead (EIP-155). */
function getPayload(type: number, list: Uint8Array, items: readonly RlpItem[], chainId: number | null): Hex {
  const signed = list.subarray(0, items.at(-4)?.end ?? 0);
  const chain = type !== 0 || chainId === null ? [] : [...encodeNumber(chainId), 0x80, 0x80];
  const header = encodeListHeader(signed.length + chain.length);
  return keccak256(new Uint8Array([...(type === 0 ? [] : [type]), ...header, ...signed, ...chain]), { as: 'Hex' });
}

/** The chain and the parity in `v`; the chain is `undefined` where it is none that a signature has. */
function parseLegacyV(v: number): { readonly chainId: number | null | undefined; readonly yParity: number } {
  if (v === 27 || v === 28) return { chainId: null, yParity: v - 27 };
  return { chainId: v >= 37 ? Math.floor((v - 35) / 2) : undefined, yParity: (v - 35) % 2 };
}

/** `null` for any other data, and for a transaction that is not signed. */
export function parseRawTransaction(text: string): RawTransaction | null {
  if (!/^0x(?:0[1-4][c-f]|[c-f])[0-9a-f]{100,}$/i.test(text) || text.length % 2 !== 0) return null;
  if (text.length > 2 + 2 * MAX_BYTES) return null;
  const raw = text.toLowerCase() as Hex;
  const bytes = hexToBytes(raw);
  const first = bytes[0] ?? 0;
  const type = first < 0xc0 ? first : 0;
  const form = FORMS[type];
  const list = readItem(bytes, type === 0 ? 0 : 1);
  const items = list?.end === bytes.length ? readItems(list.content) : null;
  if (form === undefined || list === null || items?.length !== form.count) return null;
  const get = (index: number) => items.at(index)?.content;
  const v = Number(toBigInt(get(-3)));
  const { chainId, yParity } = type === 0 ? parseLegacyV(v) : { chainId: Number(toBigInt(get(0))), yParity: v };
  const isSigned = [get(-1), get(-2)].every(part => part !== undefined && part.length > 0 && part.length <= 32);
  const to = get(form.gasPrice + 2);
  if (chainId === undefined || !Number.isSafeInteger(chainId ?? 0) || yParity > 1 || !isSigned) return null;
  if (to === undefined || (to.length !== 0 && to.length !== 20)) return null;
  return {
    raw,
    hash: keccak256(bytes, { as: 'Hex' }),
    type,
    chainId,
    nonce: toBigInt(get(type === 0 ? 0 : 1)),
    gasPrice: toBigInt(get(form.gasPrice)),
    gas: toBigInt(get(form.gasPrice + 1)),
    to: to.length === 0 ? null : bytesToHex(to),
    value: toBigInt(get(form.gasPrice + 3)),
    data: bytesToHex(get(form.gasPrice + 4) ?? new Uint8Array()),
    payload: getPayload(type, list.content, items, chainId),
    signature: { r: toWord(get(-2)), s: toWord(get(-1)), yParity },
  };
}
