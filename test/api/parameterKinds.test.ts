// Kinds of parameters: what each accepts, what it rejects with which message, and how it formats values.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import * as kinds from '../../src/api/operations/parameterKinds.ts';
import { isListKind, type Parameters } from '../../src/api/operations/parameters.ts';
import { quote } from '../../src/base/displayText.ts';
import { anyText } from '../support/anyText.ts';
import { A, B, HASH } from './inputIssues.ts';

describe('kinds', () => {
  type Row = readonly [kind: kinds.ParameterKind<unknown>, text: string, value: unknown];
  const good: readonly Row[] = [
    [kinds.integer(1, 100), '1', 1],
    [kinds.integer(1, 100), '0100', 100],
    [kinds.integer(1, 100), '+7', 7],
    [kinds.integer(0, 5), '-0', 0],
    [kinds.blockNumber, '0', 0],
    [kinds.blockNumber, '0x10', 16],
    [kinds.blockNumber, '0X1F', 31],
    [kinds.blockNumber, '9007199254740991', Number.MAX_SAFE_INTEGER],
    [kinds.flag, 'TRUE', true],
    [kinds.flag, '1', true],
    [kinds.flag, 'False', false],
    [kinds.flag, '0', false],
    [kinds.choice('both', 'from', 'to'), 'FROM', 'from'],
    [kinds.evmAddress, B, B.toLowerCase()],
    [kinds.evmAddress, `0X${'b'.repeat(40)}`, B.toLowerCase()],
    [kinds.hash32, HASH.toUpperCase().replace('X', 'x'), HASH],
    [kinds.eventTopic, HASH.toUpperCase(), HASH],
    [
      kinds.eventTopic,
      'Transfer(address,address,uint256)',
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    ],
    [kinds.indexedTopic, HASH.toUpperCase(), HASH],
    [kinds.indexedTopic, B, `0x${'0'.repeat(24)}${B.slice(2).toLowerCase()}`],
    [kinds.blockId, '17000000', 17_000_000],
    [kinds.blockId, '0x10', 16],
    [kinds.blockId, HASH.toUpperCase(), HASH],
    [kinds.tokenId, '0', 0n],
    [kinds.tokenId, '0xff', 255n],
    [kinds.tokenId, String(2n ** 256n - 1n), 2n ** 256n - 1n],
    [kinds.tokenId, `0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
    [kinds.uint64, '18446744073709551615', 2n ** 64n - 1n],
    [kinds.aptosAddress, '0x1', `0x${'0'.repeat(63)}1`],
    [kinds.aptosAddress, `0x${'A'.repeat(64)}`, `0x${'a'.repeat(64)}`],
    [kinds.aptosHash, HASH, HASH.slice(2)],
    [kinds.aptosHash, HASH.slice(2).toUpperCase(), HASH.slice(2)],
    [kinds.coinType, ' 0x1::aptos_coin::AptosCoin ', '0x1::aptos_coin::AptosCoin'],
    [kinds.coinType, '0x1::a::B<0x2::c::D<u8>, 0x3::e::F>', '0x1::a::B<0x2::c::D<u8>, 0x3::e::F>'],
    [kinds.opaque, 'a+b/c=', 'a+b/c='],
    [kinds.text(5, 'a word'), 'héé💥', 'héé💥'],
    [kinds.date, '2023-01-31', new Date('2023-01-31')],
    [kinds.chainSelector, '0X1', 'eth'],
  ];

  test.each(good)('%o reads %j', (kind, text, value) => {
    expect(kind.parse(text)).toEqual(value);
    expect(Object.is(value, -0)).toBe(false);
    expect(kind.parse(kind.format(kind.parse(text)))).toEqual(value);
  });

  const bad: readonly (readonly [kind: kinds.ParameterKind<unknown>, text: string, message: RegExp])[] = [
    [kinds.integer(1, 100), '0', /^must not be less than 1$/],
    [kinds.eventTopic, 'Withdrawn', /^must be an event such as Transfer.*, or 0x and 64 digits, not "Withdrawn"$/],
    [kinds.eventTopic, `f(${'a'.repeat(1_000)})`, /^must be an event/],
    [kinds.indexedTopic, '0x12', /^must be 0x and 64 digits, or an address, not "0x12"$/],
    [kinds.integer(1, 100), '101', /^must not be greater than 100$/],
    [kinds.integer(1, 100), '9'.repeat(400), /greater than 100/],
    [kinds.integer(1, 100), '-5', /less than 1/],
    [kinds.integer(1, 100), '1.5', /must be a whole number, not "1\.5"/],
    [kinds.integer(1, 100), '1e1', /whole number/],
    [kinds.integer(1, 100), '0x10', /whole number/],
    [kinds.integer(1, 100), ' 5', /whole number/],
    [kinds.integer(1, 100), '١', /whole number, not "\?"/],
    [kinds.integer(1, 100), 'NaN', /whole number/],
    [kinds.blockNumber, '-1', /less than 0/],
    [kinds.blockNumber, '9007199254740992', /greater than/],
    [kinds.blockNumber, '0x20000000000000', /whole number/],
    [kinds.blockNumber, 'latest', /must be a whole number, not "latest"/],
    [kinds.flag, 'yes', /must be true or false, not "yes"/],
    [kinds.flag, '2', /true or false/],
    [kinds.choice('both', 'from', 'to'), 'sideways', /must be one of both, from, to, not "sideways"/],
    [kinds.choice('opensea'), 'blur', /must be opensea, not "blur"/],
    [kinds.choice('opensea'), 'toString', /must be opensea/],
    [kinds.evmAddress, A.slice(2), /is not 0x and hex digits/],
    [kinds.evmAddress, A.slice(0, -1), /has 39 digits, 40 are needed/],
    [kinds.evmAddress, `${A}a`, /has 41 digits, 40 are needed/],
    [kinds.evmAddress, `${A.slice(0, -1)}g`, /is not 0x and hex digits/],
    [kinds.evmAddress, `${A}\n`, /is not 0x and hex digits/],
    [kinds.evmAddress, 'vitalik.eth', /not a valid hex address: "vitalik\.eth"/],
    [kinds.hash32, A, /has 40 digits, 64 are needed/],
    [kinds.blockId, 'latest', /neither a block number nor a block hash .*"latest"/],
    [kinds.blockId, `${HASH}0`, /neither/],
    [kinds.blockId, '-1', /neither/],
    [kinds.tokenId, String(2n ** 256n), /larger than 2\^256 - 1/],
    [kinds.tokenId, '-1', /is not a token id/],
    [kinds.tokenId, `0x${'f'.repeat(65)}`, /is not a token id/],
    [kinds.tokenId, '1'.repeat(79), /is not a token id/],
    [kinds.uint64, '18446744073709551616', /larger than 2\^64 - 1/],
    [kinds.uint64, '0x1', /must be an unsigned number/],
    [kinds.aptosAddress, '1', /is not an Aptos address/],
    [kinds.aptosAddress, `0x${'1'.repeat(65)}`, /is not an Aptos address/],
    [kinds.aptosHash, HASH.slice(3), /must be 64 hex digits/],
    [kinds.coinType, 'AptosCoin', /is not a coin type .*"AptosCoin"/],
    [kinds.coinType, '0x1::aptos_coin', /is not a coin type/],
    [kinds.coinType, '0x1::aptos_coin::', /is not a coin type/],
    [kinds.coinType, 'wallets', /is not a coin type/],
    [kinds.coinType, `0x1::a::${'x'.repeat(5000)}`, /longer than 5,000 characters/],
    [kinds.coinType, '0x1::a::\ud800', /half a character/],
    [kinds.opaque, 'x'.repeat(4097), /longer than 4,096 characters/],
    [kinds.opaque, '\udfff', /half a character/],
    [kinds.text(5, 'a word'), '', /must not be empty/],
    [kinds.text(5, 'a word'), 'sixsix', /longer than 5 characters/],
    [kinds.text(5, 'a word'), '\ud800', /half a character/],
    [kinds.date, 'yesterday', /is not a date: "yesterday"\. Use ISO 8601/],
    [kinds.date, '2023-02-30', /is not a date/],
    [kinds.chainSelector, 'etherium', /is not a chain: "etherium"/],
  ];

  test.each(bad)('%o refuses %j: %s', (kind, text, message) => {
    expect(() => kind.parse(text)).toThrow(kinds.InvalidValueError);
    expect(() => kind.parse(text)).toThrow(message);
  });

  test('throws InvalidValueError only, and parses what it formats', () => {
    const every = [
      ...new Set(
        operationIds.flatMap(id =>
          Object.values(operations[id].parameters as Parameters).map(({ kind }) =>
            isListKind(kind) ? kind.item : kind,
          ),
        ),
      ),
    ];
    const texts = fc.oneof(
      anyText(),
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom(A, HASH, '0x', '0x1', 'eth', 'true', '2023-01-31'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...every), texts, (kind, text) => {
        let value: unknown;
        try {
          value = kind.parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(kinds.InvalidValueError);
          expect((error as Error).message).toMatch(/^[\x20-\x7e]{3,300}$/);
          return;
        }
        expect(kind.parse(kind.format(value as never))).toEqual(value);
      }),
      { seed: 20261120, numRuns: 1000 },
    );
  });

  test('quotes at most one short printable line', () => {
    expect(quote('a\nb\0c é')).toBe('"a?b?c ?"');
    expect(quote('x'.repeat(1000))).toBe(`"${'x'.repeat(45)}..."`);
  });
});
