// Compares the code of a contract with that of well-known contracts.
import type { Hex } from '../base/hex.ts';
import { findByCodeHash, getWellKnownAddress } from './wellKnownAddresses.ts';

/** How the code of a contract compares with that of well-known contracts. */
export interface KnownCode {
  /** Of the well-known contract. */
  readonly name: string;
  /** `copy`: its code at another address. `differs`: its address with other code. */
  readonly relation: 'copy' | 'differs';
}

/** `null` for a well-known contract with its own code, and where nothing is known about the address or the code. */
export function compareWithKnownCode(address: Hex, codeHash: Hex | null): KnownCode | null {
  if (codeHash === null) return null;
  const expected = getWellKnownAddress(address.slice(2).toLowerCase());
  if (expected?.codeHash === codeHash) return null;
  if (expected !== null && expected.codeHash !== null) return { name: expected.name, relation: 'differs' };
  const original = findByCodeHash(codeHash);
  return original === null ? null : { name: original.name, relation: 'copy' };
}
