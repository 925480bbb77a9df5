// What the look-up box calls what HexLens knows itself, and why it refuses the rest.
import { t } from '../../base/localize.ts';
import type { RejectionReason, WellKnownKind } from './parseLookUp.ts';

export const wellKnownTexts: Readonly<Record<WellKnownKind, { readonly icon: string; title(): string }>> = {
  event: { icon: 'symbol-event', title: () => t('Event topic') },
  function: { icon: 'symbol-method', title: () => t('Function selector') },
  error: { icon: 'error', title: () => t('Error selector') },
  interface: { icon: 'symbol-interface', title: () => t('ERC-165 interface') },
  constant: { icon: 'symbol-constant', title: () => t('Well-known constant') },
  number: { icon: 'symbol-number', title: () => t('32-byte number') },
  text: { icon: 'symbol-string', title: () => t('32-byte text') },
  data: { icon: 'file-binary', title: () => t('Data') },
};

export const rejectionTexts: Readonly<Record<RejectionReason, () => string>> = {
  key: () => t('This is the private key of a well-known development account: it is never looked up.'),
  truncated: () => t('Digits are missing in the middle, so there is nothing to look up.'),
  digits: () => t('It has the wrong number of digits for an address (40) or a hash (64).'),
};
