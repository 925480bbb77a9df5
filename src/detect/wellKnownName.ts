// The name that an address has everywhere: of a development account, a contract, or an address that no key can own.
import { findDevelopmentAccount } from './developmentAccounts.ts';
import { getWellKnownAddress } from './wellKnownAddresses.ts';

/** `Dev account #0`, `Permit2`, `Zero address`; `null` for other addresses. */
export const getWellKnownName = (address: string): string | null =>
  findDevelopmentAccount(address)?.name ?? getWellKnownAddress(address.slice(2).toLowerCase())?.name ?? null;
