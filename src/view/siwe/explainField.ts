// The hover over a field of a sign-in message: its meaning, and what EIP-4361 allows.

import { parseRfc3339 } from '../../api/siwe/rfc3339.ts';
import { isTimeConstraintMet, MIN_NONCE_LENGTH, type SiweField } from '../../api/siwe/siweMessage.ts';
import { t } from '../../base/localize.ts';
import { getChainTitleById } from '../chainTitle.ts';
import { formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import { escapeMarkdown, toCodeSpan } from '../hover/markdown.ts';

interface Explanation {
  readonly title: string;
  readonly meaning: string;
  readonly allowed: string;
}

/** The address has the hover of any address. */
export type ExplainedField = Exclude<SiweField, 'address' | 'message'>;

const explanations: Readonly<Record<ExplainedField, () => Explanation>> = {
  scheme: () => ({
    title: t('Scheme'),
    meaning: t('How the site that asks for the sign-in is reached. Without it, https is meant.'),
    allowed: t('An RFC 3986 scheme, such as https or http.'),
  }),
  domain: () => ({
    title: t('Domain'),
    meaning: t(
      'The site that asks for the sign-in. A site must refuse messages for any other: this is what makes a stolen signature worthless elsewhere.',
    ),
    allowed: t(
      'An RFC 3986 authority: a host name, an IPv4 or [IPv6] address, with a port where it is not the usual one.',
    ),
  }),
  statement: () => ({
    title: t('Statement'),
    meaning: t('What the site wants the user to read and agree to. Optional.'),
    allowed: t(
      "One line of ASCII letters, digits, spaces and - . _ ~ : / ? # [ ] @ ! $ & ' ( ) * + , ; = only: no quotation marks, no percent sign, no other letters.",
    ),
  }),
  uri: () => ({
    title: t('URI'),
    meaning: t('What the sign-in is for: usually the address of the page or service.'),
    allowed: t('An RFC 3986 URI, with its scheme.'),
  }),
  version: () => ({
    title: t('Version'),
    meaning: t('Version of the message format.'),
    allowed: t('1 and nothing else.'),
  }),
  chainId: () => ({
    title: t('Chain ID'),
    meaning: t(
      'The EIP-155 chain that the session is bound to, and on which signatures of contract wallets are verified.',
    ),
    allowed: t('Decimal digits.'),
  }),
  nonce: () => ({
    title: t('Nonce'),
    meaning: t('A random value that the site created for this sign-in, so that the signature cannot be used again.'),
    allowed: t('At least {0} ASCII letters and digits.', MIN_NONCE_LENGTH),
  }),
  issuedAt: () => ({
    title: t('Issued At'),
    meaning: t('When the message was created.'),
    allowed: t('An RFC 3339 date and time with its offset, such as 2026-01-31T12:00:00Z.'),
  }),
  expirationTime: () => ({
    title: t('Expiration Time'),
    meaning: t('From this moment on the message is refused. Optional: without it, it never expires.'),
    allowed: t('An RFC 3339 date and time with its offset, such as 2026-01-31T12:00:00Z.'),
  }),
  notBefore: () => ({
    title: t('Not Before'),
    meaning: t('Until this moment the message is refused. Optional.'),
    allowed: t('An RFC 3339 date and time with its offset, such as 2026-01-31T12:00:00Z.'),
  }),
  requestId: () => ({
    title: t('Request ID'),
    meaning: t("The site's own name for this sign-in request. Optional."),
    allowed: t('RFC 3986 path characters; it may be empty.'),
  }),
  resources: () => ({
    title: t('Resources'),
    meaning: t('What the user lets the site use as part of the sign-in. Optional.'),
    allowed: t('RFC 3986 URIs, each on a line of its own after "- ".'),
  }),
};

/** What a time means for the message now; `null` when it has no effect. */
function describeTime(field: ExplainedField, time: number, { now, clockSkewMs }: ExplainedTime): string | null {
  if (field !== 'expirationTime' && field !== 'notBefore' && field !== 'issuedAt') return null;
  const isValid = isTimeConstraintMet(field, time, now, clockSkewMs);
  if (field === 'expirationTime') return isValid ? `$(pass) ${t('still in force')}` : `$(error) **${t('expired')}**`;
  if (field === 'notBefore') return isValid ? `$(pass) ${t('in force')}` : `$(error) **${t('not in force yet')}**`;
  return isValid ? null : `$(warning) **${t('in the future')}**`;
}

function timeLine(field: ExplainedField, value: string, clock: ExplainedTime): string | null {
  const time = parseRfc3339(value, 0, value.length);
  if (typeof time !== 'number') return null; // a diagnostic reports the problem
  const date = new Date(time);
  const state = describeTime(field, time, clock);
  const moment = `${formatUtcTime(date)} · ${formatRelativeTime(date, clock.now)}`;
  return state === null ? moment : `${moment} · ${state}`;
}

function chainLine(value: string): string | null {
  if (!/^\d{1,16}$/.test(value)) return null;
  const id = Number(value);
  const title = getChainTitleById(id);
  return title === null ? t('Chain {0}, not a well\\-known one', id) : `**${escapeMarkdown(title)}**`;
}

export interface SiweFieldValue {
  readonly field: SiweField;
  /** Text of the field in the message. */
  readonly value: string;
}

export interface ExplainedTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How far the signer's clock may be ahead, as in the verification. */
  readonly clockSkewMs: number;
}

/** `null` for the address, which has its own hover, and for the message as a whole. */
export function explainField({ field, value }: SiweFieldValue, clock: ExplainedTime): string | null {
  if (field === 'address' || field === 'message') return null;
  const { title, meaning, allowed } = explanations[field]();
  const detail =
    field === 'chainId'
      ? chainLine(value)
      : field === 'issuedAt' || field === 'expirationTime' || field === 'notBefore'
        ? timeLine(field, value, clock)
        : null;
  const shown = toCodeSpan(value, 80);
  return [
    `**${title}**${shown === '' ? '' : ` ${shown}`}`,
    ...(detail === null ? [] : [detail]),
    escapeMarkdown(meaning),
    t('Allowed: {0}', escapeMarkdown(allowed)),
    t('Part of a sign\\-in message (EIP\\-4361)'),
  ].join('  \n');
}
