// The user's address book on one chain: an entry for another chain says nothing of the same address here.
import { type AddressBookConfiguration, type AddressFacts, getAddressFacts } from '../api/configuration.ts';
import type { Hex } from '../base/hex.ts';
import type { GetLabel } from './evm/toBlockRecord.ts';
import type { GetTokenTrust } from './queries/describeTokens.ts';

export interface ChainAddressBook {
  /** Names for the `*_label` fields. */
  readonly getLabel: GetLabel;
  /** The user's verdict on a token contract, which overrides spam detection. */
  readonly getTrust: GetTokenTrust;
  /** https URL of a token's image. */
  readonly getLogo: (token: Hex) => string | null;
}

export function createChainAddressBook(book: AddressBookConfiguration | undefined, chain: string): ChainAddressBook {
  const find = <K extends keyof AddressFacts>(address: Hex, key: K): AddressFacts[K] | null =>
    getAddressFacts(book, address.toLowerCase(), chain).find(facts => facts[key] !== undefined)?.[key] ?? null;
  return {
    getLabel: address => find(address, 'name'),
    getTrust: token => find(token, 'trust') ?? null,
    getLogo: token => find(token, 'logo') ?? null,
  };
}
