// Reads the `signature` field: an account's 65 bytes within every bound, a wrapped one (ERC-6492), or what is wrong with it.

import { badInputFault, type HexLensError } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { type Hex, isHex } from '../../base/hex.ts';

// EIP-191, version 0x45: the bytes that a wallet hashes and signs for a text.
const encoder = new TextEncoder();

/** `\x19Ethereum Signed Message:\n`, the number of bytes in decimal, and the bytes themselves. */
export function encodePersonalMessage(message: Uint8Array): Uint8Array {
  const head = encoder.encode(`\x19Ethereum Signed Message:\n${message.length}`);
  const bytes = new Uint8Array(head.length + message.length);
  bytes.set(head);
  bytes.set(message, head.length);
  return bytes;
}

/** Longest signature that is looked at; those of contract wallets may hold a whole deployment. */
export const MAX_SIGNATURE_BYTES = 16_384;

/** What ERC-6492 signatures end with: 32 bytes that no account's signature can end with, as 0x92 is no `v`. */
const WRAPPED_END = '6492'.repeat(16);

export type SignInSignature =
  /** 65 bytes `yParity || r || s`, every part within its bounds. */
  | { readonly kind: 'account'; readonly recoverable: Uint8Array; readonly hex: Hex }
  /** ERC-6492: only a node can tell. */
  | { readonly kind: 'wrapped'; readonly hex: Hex }
  /** No account can have made it, but a contract wallet may take anything; `problem` says what an account's must be. */
  | { readonly kind: 'foreign'; readonly problem: HexLensError; readonly hex: Hex };

const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const ZERO = Buffer.alloc(32);

const refusal = (message: string) => badInputFault([{ field: 'signature', message: `signature ${message}` }]);

/** The parity that `v` stands for; the 35 and above of EIP-155 belong to transactions, never to messages. */
function parityOf(v: number): 0 | 1 | null {
  if (v === 27 || v === 0) return 0;
  return v === 28 || v === 1 ? 1 : null;
}

function outOfBounds(name: 'r' | 's', part: Buffer): string | null {
  if (part.equals(ZERO)) return `has ${name} = 0: it must be between 1 and the order of secp256k1`;
  return part.compare(ORDER) >= 0 ? `has an ${name} that is not below the order of secp256k1` : null;
}

/** Throws `bad-input` for what is no hex of whole bytes, or too long to be looked at. */
export function parseSignature(text: string, compact: boolean): SignInSignature {
  const shape = `0x and 130 hex digits (65 bytes: r, s, v)${compact ? ', or 128 (EIP-2098)' : ''}`;
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES)
    throw refusal(`is longer than ${formatInteger(MAX_SIGNATURE_BYTES)} bytes: it must be ${shape}`);
  if (!isHex(text)) throw refusal(`is not hex: it must be ${shape}`);
  if (text.length % 2 !== 0)
    throw refusal(`has ${text.length - 2} hex digits, which are no whole bytes: it must be ${shape}`);
  if (text.length >= 66 && text.endsWith(WRAPPED_END)) return { kind: 'wrapped', hex: text };
  const foreign = (why: string): SignInSignature => ({ kind: 'foreign', problem: refusal(why), hex: text });

  const bytes = Buffer.from(text.slice(2), 'hex');
  if (bytes.length === 64 && !compact)
    return foreign(`has 64 bytes, the compact form of EIP-2098, which is switched off: it must be ${shape}`);
  if (bytes.length !== 65 && bytes.length !== 64)
    return foreign(`has ${formatInteger(bytes.length)} byte${bytes.length === 1 ? '' : 's'}: it must be ${shape}`);

  const recoverable = new Uint8Array(65);
  recoverable.set(bytes.subarray(0, 64), 1);
  const first = bytes[32] ?? 0;
  const v = bytes.length === 64 ? first >> 7 : (bytes[64] ?? 0);
  // EIP-2098 keeps the parity in the top bit of s, which a low s never needs.
  if (bytes.length === 64) recoverable[33] = first & 0x7f;
  const parity = parityOf(v);
  if (parity === null) return foreign(`ends with v = ${v}: only 0, 1, 27 and 28 are allowed`);
  recoverable[0] = parity;
  const r = Buffer.from(recoverable.buffer, 1, 32);
  const s = Buffer.from(recoverable.buffer, 33, 32);
  const wrong = outOfBounds('r', r) ?? outOfBounds('s', s);
  if (wrong !== null) return foreign(wrong);
  // Each signature has a twin with n - s that recovers to the same key: wallets make the low one, EIP-2 demands it.
  if (s.compare(HALF_ORDER) > 0)
    return foreign('has a high s: only the lower half (s <= n / 2) is allowed, as EIP-2 demands');
  return { kind: 'account', recoverable, hex: text };
}
