// Codicons of addresses, by what they are.
import type { EntryKind } from '../addressBook/entry.ts';

export const kindIcons: Readonly<Record<EntryKind, string>> = {
  wallet: 'account',
  contract: 'file-code',
  collection: 'library',
  aptos: 'layers',
};

export const TOKEN_ICON = 'credit-card';

interface Described {
  readonly codeSize: number | null;
  readonly delegate: string | null;
  readonly token: { readonly standard: string } | null;
}

/** Of what a chain says that an address is. */
export function getAddressIcon({ codeSize, delegate, token }: Described): string {
  if ((codeSize ?? 0) === 0 || delegate !== null) return kindIcons.wallet;
  if (token === null) return kindIcons.contract;
  return token.standard === 'ERC20' ? TOKEN_ICON : kindIcons.collection;
}
