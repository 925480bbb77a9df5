// The identity record of an accepted sign-in message, as the description's group A answers it.

import type { Output } from '../../api/operations/operations.ts';
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 17;
/** Bytes above would make some letters likelier than others. */
const FAIR_BYTES = LETTERS.length * Math.floor(256 / LETTERS.length);

/** Asking the system for a few bytes takes as long as asking for many. */
const store = new Uint8Array(1_024);
let left = 0;

function randomByte(): number {
  if (left === 0) {
    crypto.getRandomValues(store);
    left = store.length;
  }
  left--;
  const byte = store[left] ?? 0;
  store[left] = 0; // nobody shall read later what was given out
  return byte;
}

/** 17 random letters and digits: a new one for every accepted sign-in. */
export function generateIdentityId(): string {
  let id = '';
  while (id.length < ID_LENGTH) {
    const byte = randomByte();
    if (byte < FAIR_BYTES) id += LETTERS.charAt(byte % LETTERS.length);
  }
  return id;
}

const encoder = new TextEncoder();

/**
 * One for each account, the same on every chain and in every session. Hosts give out stored ones of the same shape; ours
 * is keccak256 of `hexlens:profile:v1:evm:` and the address in lower case, so it needs no store.
 */
export function deriveProfileId(address: Hex, keccak256: (bytes: Uint8Array) => Uint8Array): Hex {
  return bytesToHex(keccak256(encoder.encode(`hexlens:profile:v1:evm:${address.toLowerCase()}`)));
}

/** What is the service's to say about a message: the account is the message's, in EIP-55. */
export type IdentityIds = { readonly id: string; readonly address: Hex; readonly profileId: Hex };

/** What the message says; parts that it does not have are `null`, and absent on the wire. */
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
