// Checks the form of a signature that the user enters, before it is verified.
import { t } from '../../base/localize.ts';

/** `error`: not a signature. `warning`: only a contract wallet can have created it. */
export interface SignatureIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** 65 bytes (r, s, v) as hex digits. */
const DIGITS = 130;
/** 64 bytes, the compact form of EIP-2098. */
const COMPACT_DIGITS = 128;

/** `null` when the form is valid. */
export function checkSignatureText(text: string): SignatureIssue | null {
  const error = (message: string): SignatureIssue => ({ severity: 'error', message });
  if (text === '') return error(t('A signature is 0x and 130 hex digits.'));
  if (!text.startsWith('0x')) return error(t('A signature starts with 0x.'));
  const digits = text.slice(2);
  const wrong = digits.search(/[^0-9a-f]/i);
  if (wrong >= 0) return error(t('The character at position {0} is not a hex digit.', wrong + 3));
  if (digits.length === DIGITS || digits.length === COMPACT_DIGITS) return null;
  const count = digits.length;
  const difference = Math.abs(DIGITS - count);
  const few = difference === 1 ? t('1 digit too few') : t('{0} digits too few', difference);
  const many = difference === 1 ? t('1 digit too many') : t('{0} digits too many', difference);
  const message = t('A signature has {0} hex digits; this has {1}, {2}.', DIGITS, count, count < DIGITS ? few : many);
  // Keys sign in 65 bytes; only contracts accept other lengths, in whole bytes.
  if (count < DIGITS || count % 2 === 1) return error(message);
  return { severity: 'warning', message: `${message} ${t('Only contract wallets have longer ones.')}` };
}
