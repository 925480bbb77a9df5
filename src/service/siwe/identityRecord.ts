// The identity record of a verified sign-in: its ids, its EIP-55 address and the fields of the message.
import type { Output } from '../../api/operations/operations.ts';
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import { encodeText } from './encodeText.ts';

/**
 * EIP-55 with the hash of a signature engine, which takes a quarter of the time of `checksumAddress`.
 *
 * @param address `0x` and 40 hex digits in any case.
 */
export function checksumAddressWith(keccak256: (bytes: Uint8Array) => Uint8Array, address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = keccak256(encodeText(lower));
  const codes = [48, 120]; // 0x
  for (let i = 0; i < 40; i++) {
    const code = lower.charCodeAt(i);
    const digit = (hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0);
    codes.push(code > 57 && (digit & 8) !== 0 ? code - 32 : code);
  }
  return String.fromCharCode(...codes) as Hex; // it starts with 0x
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 17;
/** Larger bytes are rejected: with them, some letters would be more likely than others. */
const UNBIASED_BYTES = ID_ALPHABET.length * Math.floor(256 / ID_ALPHABET.length);

/** Random bytes in stock: one system call takes as long for many bytes as for a few. */
const randomPool = new Uint8Array(1_024);
let poolBytesLeft = 0;

function takeRandomByte(): number {
  if (poolBytesLeft === 0) {
    crypto.getRandomValues(randomPool);
    poolBytesLeft = randomPool.length;
  }
  poolBytesLeft--;
  const byte = randomPool[poolBytesLeft] ?? 0;
  randomPool[poolBytesLeft] = 0; // ids must not be readable from memory later
  return byte;
}

/** 17 random letters and digits: a new id for every verified sign-in. */
export function generateIdentityId(): string {
  let id = '';
  while (id.length < ID_LENGTH) {
    const byte = takeRandomByte();
    if (byte < UNBIASED_BYTES) id += ID_ALPHABET.charAt(byte % ID_ALPHABET.length);
  }
  return id;
}

/**
 * The profile id of an account, the same on every chain and in every session. Hosts store ids of this shape; ours is
 * keccak256 of `hexlens:profile:v1:evm:` and the address in lower case, so it needs no storage.
 */
export function deriveProfileId(address: Hex, keccak256: (bytes: Uint8Array) => Uint8Array): Hex {
  return bytesToHex(keccak256(encodeText(`hexlens:profile:v1:evm:${address.toLowerCase()}`)));
}

export interface IdentityIds {
  readonly id: string;
  /** The address of the message in EIP-55 form. */
  readonly address: Hex;
  readonly profileId: Hex;
}

/** Fields that the message does not have are `null`, and absent on the wire. */
export function toIdentityRecord(
  message: SiweMessage,
  { id, address, profileId }: IdentityIds,
): Output<'verifySignIn'> {
  const { domain, chainId, statement, uri, expirationTime, notBefore, resources, version, nonce } = message;
  return {
    id,
    domain,
    chainId,
    address,
    statement,
    uri,
    expirationTime: expirationTime === null ? null : new Date(expirationTime.time),
    notBefore: notBefore === null ? null : new Date(notBefore.time),
    resources,
    version,
    nonce,
    profileId,
  };
}
