// The `signature` field of a sign-in, and the bytes that were signed (EIP-191).
import { createBadInputFault, type HexLensError } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { type Hex, hexToBytes, isHex } from '../../base/hex.ts';

const HEAD = new TextEncoder().encode('\x19Ethereum Signed Message:\n');
let personalMessage = new Uint8Array(1024);

/**
 * What a wallet hashes and signs (EIP-191, version 0x45): a prefix, the number of bytes in decimal, and the bytes. The next
 * call overwrites it.
 */
export function encodePersonalMessage(message: Uint8Array): Uint8Array {
  const length = String(message.length);
  const start = HEAD.length + length.length;
  const end = start + message.length;
  if (end > personalMessage.length) personalMessage = new Uint8Array(end);
  personalMessage.set(HEAD);
  for (let i = 0; i < length.length; i++) personalMessage[HEAD.length + i] = length.charCodeAt(i);
  personalMessage.set(message, start);
  return personalMessage.subarray(0, end);
}

/** Signatures of contract wallets may contain the code of their deployment. */
export const MAX_SIGNATURE_BYTES = 16_384;

/** The last 32 bytes of ERC-6492 signatures. No account's signature ends with them, as 0x92 is no valid `v`. */
const ERC6492_SUFFIX = '6492'.repeat(16);

export type SiweSignature =
  /** 65 bytes `yParity || r || s`, all within their bounds. */
  | { readonly kind: 'account'; readonly recoverable: Uint8Array; readonly hex: Hex }
  /** ERC-6492: only a node can verify it. */
  | { readonly kind: 'wrapped'; readonly hex: Hex }
  /** Not a signature of an account; a contract wallet may accept it. `problem` says what an account's must be. */
  | { readonly kind: 'contractOnly'; readonly problem: HexLensError; readonly hex: Hex };

// The order of secp256k1, its half, and zero. Of texts with 64 digits in lower case, the greater one is the greater number.
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';
const ZERO = '0'.repeat(64);

const createSignatureFault = (message: string) =>
  createBadInputFault([{ field: 'signature', message: `signature ${message}` }]);

/** The parity of the public key. Values from 35 (EIP-155) occur in transactions only. */
function parseParity(v: number): 0 | 1 | null {
  if (v === 27 || v === 0) return 0;
  return v === 28 || v === 1 ? 1 : null;
}

function describeOutOfBounds(name: 'r' | 's', part: string): string | null {
  if (part === ZERO) return `has ${name} = 0: it must be between 1 and the order of secp256k1`;
  return part >= ORDER ? `has an ${name} that is not below the order of secp256k1` : null;
}

const SIGNATURE_BYTES = 65;
let block = new Uint8Array(0);
let usedBytes = 0;

/** From a block of several: V8 allocates more than 64 bytes outside its heap, which takes longer than the parsing. */
function allocateSignature(): Uint8Array {
  if (usedBytes + SIGNATURE_BYTES > block.length) {
    block = new Uint8Array(16 * SIGNATURE_BYTES);
    usedBytes = 0;
  }
  usedBytes += SIGNATURE_BYTES;
  return block.subarray(usedBytes - SIGNATURE_BYTES, usedBytes);
}

/**
 * Throws `bad-input` for text that is not hex of whole bytes, or longer than `MAX_SIGNATURE_BYTES`.
 *
 * @param allowCompact Accept 64 bytes (EIP-2098).
 */
export function parseSignature(text: string, allowCompact: boolean): SiweSignature {
  const shape = `0x and 130 hex digits (65 bytes: r, s, v)${allowCompact ? ', or 128 (EIP-2098)' : ''}`;
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES)
    throw createSignatureFault(`is longer than ${formatInteger(MAX_SIGNATURE_BYTES)} bytes: it must be ${shape}`);
  if (!isHex(text)) throw createSignatureFault(`is not hex: it must be ${shape}`);
  if (text.length % 2 !== 0)
    throw createSignatureFault(`has ${text.length - 2} hex digits, which are no whole bytes: it must be ${shape}`);
  if (text.length >= 66 && text.endsWith(ERC6492_SUFFIX)) return { kind: 'wrapped', hex: text };
  const contractOnly = (problem: string): SiweSignature => ({
    kind: 'contractOnly',
    problem: createSignatureFault(problem),
    hex: text,
  });

  const digits = text.slice(2).toLowerCase();
  const length = digits.length / 2;
  if (length === 64 && !allowCompact)
    return contractOnly(`has 64 bytes, the compact form of EIP-2098, which is switched off: it must be ${shape}`);
  if (length !== 65 && length !== 64)
    return contractOnly(`has ${formatInteger(length)} byte${length === 1 ? '' : 's'}: it must be ${shape}`);

  // EIP-2098 keeps the parity in the highest bit of s, which is 0 in a low s.
  const firstDigitOfS = Number.parseInt(digits.charAt(64), 16);
  const v = length === 64 ? firstDigitOfS >> 3 : Number.parseInt(digits.slice(128), 16);
  const parity = parseParity(v);
  if (parity === null) return contractOnly(`ends with v = ${v}: only 0, 1, 27 and 28 are allowed`);
  const r = digits.slice(0, 64);
  const s = length === 64 ? `${firstDigitOfS & 7}${digits.slice(65)}` : digits.slice(64, 128);
  const problem = describeOutOfBounds('r', r) ?? describeOutOfBounds('s', s);
  if (problem !== null) return contractOnly(problem);
  // n - s recovers to the same key, so that each signature has two forms: EIP-2 allows the low one.
  if (s > HALF_ORDER)
    return contractOnly('has a high s: only the lower half (s <= n / 2) is allowed, as EIP-2 demands');
  const recoverable = allocateSignature();
  recoverable[0] = parity;
  hexToBytes(text, recoverable.subarray(1));
  if (length === 64) recoverable[33] = (recoverable[33] ?? 0) & 0x7f;
  return { kind: 'account', recoverable, hex: text };
}
