// Judges what a person gives as a signature, before anybody is asked about it.
import { t } from '../../base/localize.ts';

/** `error`: it can not be one. `warning`: only a contract wallet could have made it. */
export interface SignatureRemark {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** 65 bytes (r, s, v) as hex digits. */
const DIGITS = 130;
/** 64 bytes, the compact form of EIP-2098. */
const COMPACT_DIGITS = 128;

/** What is wrong with the text as a signature; `null` when its form is right. */
export function checkSignatureText(text: string): SignatureRemark | null {
  const error = (said: string): SignatureRemark => ({ severity: 'error', message: said });
  if (text === '') return error(t('A signature is 0x and 130 hex digits.'));
  if (!text.startsWith('0x')) return error(t('A signature starts with 0x.'));
  const digits = text.slice(2);
  const wrong = digits.search(/[^0-9a-f]/i);
  if (wrong >= 0) return error(t('The character at position {0} is no hex digit.', wrong + 3));
  if (digits.length === DIGITS || digits.length === COMPACT_DIGITS) return null;
  const count = digits.length;
  const difference = Math.abs(DIGITS - count);
  const few = difference === 1 ? t('1 digit too few') : t('{0} digits too few', difference);
  const many = difference === 1 ? t('1 digit too many') : t('{0} digits too many', difference);
  const said = t('A signature has {0} hex digits; this has {1}, {2}.', DIGITS, count, count < DIGITS ? few : many);
  // A wallet's key signs in 65 bytes; only contracts take other lengths, and whole bytes even then.
  if (count < DIGITS || count % 2 === 1) return error(said);
  return { severity: 'warning', message: `${said} ${t('Only contract wallets have longer ones.')}` };
}
