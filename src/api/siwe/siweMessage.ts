// The Sign-In with Ethereum message of EIP-4361: its fields, labels and size limits.
import type { Hex } from '../../base/hex.ts';

/** Longest accepted message, in bytes of UTF-8. EIP-4361 leaves maximum lengths to implementations. */
export const MAX_MESSAGE_BYTES = 10_000;

/** Maximum number of resources. */
export const MAX_RESOURCES = 64;

/** Minimum length of a nonce in letters and digits (EIP-4361). */
export const MIN_NONCE_LENGTH = 8;

/** A time of the message: its text as signed (RFC 3339) and the moment in milliseconds since 1970 (UTC). */
export interface SiweTime {
  readonly text: string;
  readonly time: number;
}

/** Every field exactly as written: `formatSiweMessage` restores the same bytes. Optional fields are `null`. */
export interface SiweMessage {
  /** Before `://` on the first line, as written; `null` means https. */
  readonly scheme: string | null;
  /** An RFC 3986 authority: `example.com`, `127.0.0.1:8080`, `[::1]`, `user@example.com`. The host is never empty. */
  readonly domain: string;
  /** As written: EIP-55, or all lower case where the options allow it. */
  readonly address: Hex;
  /** `''` is the empty statement of the grammar (three blank lines after the address). */
  readonly statement: string | null;
  readonly uri: string;
  readonly version: '1';
  /** 0 to `Number.MAX_SAFE_INTEGER`. */
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: SiweTime;
  readonly expirationTime: SiweTime | null;
  readonly notBefore: SiweTime | null;
  readonly requestId: string | null;
  /** `[]` is `Resources:` with nothing under it. */
  readonly resources: readonly string[] | null;
}

/** The fields of a message; `message` is the whole text. */
export type SiweField = 'message' | keyof SiweMessage;

/** End of the first line. */
export const GREETING = ' wants you to sign in with your Ethereum account:';

/** Start of each resource line. */
export const RESOURCE_PREFIX = '- ';

/** Fields with a label, in the order of their lines. */
export type LabeledField = Exclude<SiweField, 'message' | 'scheme' | 'domain' | 'address' | 'statement'>;

/** Start of the line of each labeled field, in the order of EIP-4361. */
export const fieldLabels = {
  uri: 'URI: ',
  version: 'Version: ',
  chainId: 'Chain ID: ',
  nonce: 'Nonce: ',
  issuedAt: 'Issued At: ',
  expirationTime: 'Expiration Time: ',
  notBefore: 'Not Before: ',
  requestId: 'Request ID: ',
  resources: 'Resources:',
} as const satisfies Record<LabeledField, string>;

/** In the order of the lines; the first five are required. */
export const labeledFields: readonly LabeledField[] = [
  'uri',
  'version',
  'chainId',
  'nonce',
  'issuedAt',
  'expirationTime',
  'notBefore',
  'requestId',
  'resources',
];

export const REQUIRED_FIELDS = 5;

export const fieldNames: Readonly<Record<SiweField, string>> = {
  message: 'message',
  scheme: 'scheme',
  domain: 'domain',
  address: 'address',
  statement: 'statement',
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
  resources: 'Resources',
};

/** The text of the message (EIP-4361): lines end with LF, except the last one. */
export function formatSiweMessage(message: SiweMessage): string {
  const { scheme, statement, expirationTime, notBefore, requestId, resources } = message;
  let text = scheme === null ? message.domain : `${scheme}://${message.domain}`;
  text += `${GREETING}\n${message.address}\n\n`;
  if (statement !== null) text += `${statement}\n`;
  text += `\n${fieldLabels.uri}${message.uri}\n${fieldLabels.version}${message.version}\n${fieldLabels.chainId}${message.chainId}`;
  text += `\n${fieldLabels.nonce}${message.nonce}\n${fieldLabels.issuedAt}${message.issuedAt.text}`;
  if (expirationTime !== null) text += `\n${fieldLabels.expirationTime}${expirationTime.text}`;
  if (notBefore !== null) text += `\n${fieldLabels.notBefore}${notBefore.text}`;
  if (requestId !== null) text += `\n${fieldLabels.requestId}${requestId}`;
  if (resources !== null) {
    text += `\n${fieldLabels.resources}`;
    for (const resource of resources) text += `\n${RESOURCE_PREFIX}${resource}`;
  }
  return text;
}

type SiweTimeField = Extract<SiweField, 'issuedAt' | 'notBefore' | 'expirationTime'>;

/**
 * Whether the message can be valid now, as far as this field says: for verification and hovers.
 *
 * @param time The field's value, in milliseconds since 1970.
 * @param now Milliseconds since 1970.
 * @param clockSkewMs How far the clocks of signer and verifier may differ. It does not prolong `expirationTime`.
 */
export function isTimeConstraintMet(field: SiweTimeField, time: number, now: number, clockSkewMs = 0): boolean {
  return field === 'expirationTime' ? now < time : now + clockSkewMs >= time;
}
