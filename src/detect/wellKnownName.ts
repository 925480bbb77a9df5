// The name that an address has everywhere: of a development account, a contract, or an address that no key can own.
import type { Hex } from '../base/hex.ts';
import { findDevelopmentAccount } from './developmentAccounts.ts';
import { findByCodeHash, getWellKnownAddress } from './wellKnownAddresses.ts';

/** `Dev account #0`, `Permit2`, `Zero address`; `null` for other addresses. */
export const getWellKnownName = (address: Hex): string | null =>
  findDevelopmentAccount(address)?.name ?? getWellKnownAddress(address.slice(2).toLowerCase())?.name ?? null;

/** How the code of a contract compares with that of well-known contracts. */
export interface KnownCode {
  /** Of the well-known contract. */
  readonly name: string;
  /** `copy`: its code at another address. `other`: its address with other code. */
  readonly relation: 'copy' | 'other';
}

/** `null` for a well-known contract with its own code, and where nothing is known about the address or the code. */
export function compareWithKnownCode(address: Hex, codeHash: Hex | null): KnownCode | null {
  if (codeHash === null) return null;
  const expected = getWellKnownAddress(address.slice(2).toLowerCase());
  if (expected?.codeHash === codeHash) return null;
  if (expected !== null && expected.codeHash !== null) return { name: expected.name, relation: 'other' };
  const original = findByCodeHash(codeHash);
  return original === null ? null : { name: original.name, relation: 'copy' };
}
