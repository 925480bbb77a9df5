// Conformance: sign-in messages of others (spruceid, EIP-4361, ox, Moralis) are read as they say, or differ for a reason.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSiweMessage, safeParseSiweMessage } from '../../src/api/siwe/parseSiweMessage.ts';
import { formatSiweMessage, type SiweMessage, type SiweTime } from '../../src/api/siwe/siweMessage.ts';
import { applyFix } from '../../src/api/siwe/siweProblem.ts';

const FOLDER = new URL('../../../shared/vectors/sign-in/', import.meta.url);

/** Vectors that we answer otherwise, with the reason. */
const DIFFERENCES: Readonly<Record<string, string>> = {};

type Fields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A file of vectors; `null` where the folder is not beside the project. */
function load(name: string): Fields | readonly Fields[] | null {
  const file = new URL(name, FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

const entries = (name: string): [string, unknown][] =>
  Object.entries(load(name) ?? {}).filter(([vector]) => DIFFERENCES[vector] === undefined);

/** Ours in the form of theirs: times as text, absent parts left out. */
function plain(message: SiweMessage): Fields {
  const textOf = (time: SiweTime | null) => time?.text ?? null;
  const { issuedAt, expirationTime, notBefore, ...rest } = message;
  const times = { issuedAt: textOf(issuedAt), expirationTime: textOf(expirationTime), notBefore: textOf(notBefore) };
  return Object.fromEntries(Object.entries({ ...rest, ...times }).filter(([, value]) => value !== null));
}

/** Theirs as the text they would be: a part that is missing leaves its line out, the first line its domain. */
function textOf(fields: Fields): string {
  const line = (label: string, name: string) => (fields[name] === undefined ? '' : `\n${label}${fields[name]}`);
  const resources = Array.isArray(fields['resources']) ? ['\nResources:', ...fields['resources']].join('\n- ') : '';
  const origin = `${fields['scheme'] ?? ''}${fields['scheme'] === undefined ? '' : '://'}${fields['domain'] ?? ''}`;
  const statement = fields['statement'] === undefined ? '' : `${fields['statement']}\n`;
  return (
    `${origin} wants you to sign in with your Ethereum account:\n${fields['address'] ?? ''}\n\n${statement}` +
    line('URI: ', 'uri') +
    line('Version: ', 'version') +
    line('Chain ID: ', 'chainId') +
    line('Nonce: ', 'nonce') +
    line('Issued At: ', 'issuedAt') +
    line('Expiration Time: ', 'expirationTime') +
    line('Not Before: ', 'notBefore') +
    line('Request ID: ', 'requestId') +
    resources
  );
}

const withoutNull = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Where a fix of a spruceid message that must not be read leads to one that is: what was wrong was no more than form. */
const FIXED = [
  'out of order uri',
  'out of order version',
  'out of order nonce',
  'out of order issuedAt',
  'out of order expirationTime',
  'out of order notBefore',
  'out of order requestId',
  'out of order resources',
  'address not EIP-55',
];

describe.skipIf(!existsSync(FOLDER))('sign-in messages of others', () => {
  test('all vectors are there', () => {
    expect(entries('spruceid-siwe/parsing_positive.json')).toHaveLength(19);
    expect(entries('spruceid-siwe/parsing_negative.json')).toHaveLength(29);
    expect(entries('spruceid-siwe/parsing_negative_objects.json')).toHaveLength(18);
    expect(entries('extracted/eip4361_examples.json')).toHaveLength(3);
    expect(Object.keys(DIFFERENCES)).toHaveLength(0);
  });

  test.each(entries('spruceid-siwe/parsing_positive.json'))('spruceid reads %s', (_, vector) => {
    if (!isRecord(vector) || !isRecord(vector['fields'])) throw new Error('Not a vector.');
    const text = String(vector['message']);
    const message = parseSiweMessage(text);
    expect(plain(message)).toEqual(withoutNull(vector['fields']));
    expect(formatSiweMessage(message)).toBe(text);
    // Their fields are enough to make the message again.
    expect(textOf(withoutNull(vector['fields']))).toBe(text);
  });

  test.each(entries('spruceid-siwe/parsing_negative.json'))('spruceid refuses %s', (name, vector) => {
    const text = String(vector);
    const reading = safeParseSiweMessage(text);
    if ('message' in reading) throw new Error('Read as a message.');
    const { fix, line } = reading.problem;
    expect(line).toBeLessThanOrEqual(text.split('\n').length);
    const isFixed = fix !== undefined && 'message' in safeParseSiweMessage(applyFix(text, fix));
    expect(isFixed).toBe(FIXED.includes(name));
  });

  test.each(entries('spruceid-siwe/parsing_negative_objects.json'))('spruceid refuses the object: %s', (_, vector) => {
    if (!isRecord(vector)) throw new Error('Not a vector.');
    expect(safeParseSiweMessage(textOf(vector))).toHaveProperty('problem');
  });

  test.each(entries('extracted/eip4361_examples.json'))('example %s of EIP-4361', (_, vector) => {
    if (!isRecord(vector)) throw new Error('Not a vector.');
    const text = String(vector['message']);
    expect(formatSiweMessage(parseSiweMessage(text))).toBe(text);
  });

  test('the dates of ox', () => {
    const file = load('extracted/ox_expiration_dates.json');
    const cases = file !== null && 'cases' in file && Array.isArray(file['cases']) ? file['cases'] : [];
    expect(cases).toHaveLength(8);
    const [example] = entries('extracted/eip4361_examples.json');
    const text = String(isRecord(example?.[1]) ? example[1]['message'] : '');
    for (const { expirationTime, validDate } of cases) {
      const dated = text.replace('\nResources:', `\nExpiration Time: ${expirationTime}\nResources:`);
      expect('message' in safeParseSiweMessage(dated), expirationTime).toBe(validDate);
    }
  });

  test('the documented message of Moralis is read (its signature is not its signer’s)', () => {
    const file = load('extracted/moralis_documented.json');
    const request = file !== null && 'request' in file && isRecord(file['request']) ? file['request'] : {};
    expect(parseSiweMessage(String(request['message']))).toMatchObject({ domain: 'defi.finance', statement: null });
  });
});

if (!existsSync(FOLDER))
  console.warn('Skipped: the sign-in vectors are not beside the project (../shared/vectors/sign-in).');
