// Hostile logs: random topics and data never throw, never multiply, never leave incomplete rows.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as topic from '../../../../src/api/eventTopics.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { getByteLength } from '../../../../src/service/evm/abiWords.ts';
import type { ChainLog } from '../../../../src/service/indexer/chainLog.ts';
import { INDEXED_TOPICS } from '../../../../src/service/indexer/logFilters.ts';
import {
  findUndecidedContracts,
  MAX_CONSECUTIVE_IDS,
  parseTokenLogs,
  type TokenKind,
} from '../../../../src/service/indexer/parseTokenLogs.ts';
import { decodeTokenText } from '../../../../src/service/indexer/tokenContractCache.ts';
import { anyText } from '../../../support/anyText.ts';

const DIGITS = [...'0123456789abcdef'];
const hexOf = (digits: { min: number; max: number }) =>
  fc
    .array(fc.constantFrom(...DIGITS), { minLength: digits.min, maxLength: digits.max })
    .map(list => `0x${list.join('')}` as Hex);
const wordOf = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 12n }).map(value => value * 32n),
    fc.bigInt({ min: 0n, max: 40n }),
    fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
    fc.bigInt({ min: 2n ** 256n - 40n, max: 2n ** 256n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  )
  .map(value => value.toString(16).padStart(64, '0'));
const data = fc.oneof(
  hexOf({ min: 0, max: 300 }),
  fc.array(wordOf, { maxLength: 24 }).map(words => `0x${words.join('')}` as Hex),
);
const topics = fc
  .tuple(
    fc.constantFrom(...INDEXED_TOPICS),
    fc.array(
      wordOf.map(word => `0x${word}` as Hex),
      { maxLength: 3 },
    ),
  )
  .map(([first, rest]) => [first, ...rest]);
const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;
const log: fc.Arbitrary<ChainLog> = fc
  .record({ topics, data, address: fc.constantFrom('a0', 'a1'), transaction: fc.constantFrom('71', '72') })
  .map(({ topics, data, address, transaction }) => ({
    ...{ blockNumber: 3, blockHash: hash('bb'), transactionHash: hash(transaction), transactionIndex: 0, place: 0 },
    ...{ address: `0x${address.repeat(20)}` as Hex, topics, data },
  }));
const logs = fc.array(log, { maxLength: 12 }).map(list => list.map((entry, place) => ({ ...entry, place })));
const kind: fc.Arbitrary<TokenKind> = fc.record({
  standard: fc.constantFrom(null, 'ERC20', 'ERC721', 'ERC1155'),
  hasOwner: fc.boolean(),
  isPunks: fc.boolean(),
});

const isAddress = (value: string) => /^0x[0-9a-f]{40}$/.test(value);
const isUint = (value: bigint) => value >= 0n && value < 2n ** 256n;

describe('hostile logs', () => {
  it('become complete rows or none, and no more rows than their data can hold', () => {
    fc.assert(
      fc.property(logs, kind, (list, what) => {
        const { transfers, erc20Transfers, trades, tokens } = parseTokenLogs(list, () => what);
        const paid = list.reduce((sum, entry) => sum + Math.max(1, getByteLength(entry.data) / 32), 0);
        const runs = transfers.filter(row => list[row.place]?.topics[0] === topic.CONSECUTIVE_TRANSFER);
        expect(runs.length).toBeLessThanOrEqual(MAX_CONSECUTIVE_IDS);
        expect(transfers.length - runs.length).toBeLessThanOrEqual(paid);
        expect(erc20Transfers.length + trades.length).toBeLessThanOrEqual(paid);
        for (const row of runs.length > 1_000 ? transfers.slice(0, 1_000) : transfers) {
          if (!isAddress(row.from) || !isAddress(row.to) || !isUint(row.tokenId) || !isUint(row.amount))
            throw new Error(`Not a whole row: ${JSON.stringify(row, (_, value) => String(value))}`);
          if (row.operator !== null && !isAddress(row.operator)) throw new Error(row.operator);
        }
        for (const row of erc20Transfers)
          expect([isAddress(row.from), isAddress(row.to), isUint(row.amount)]).toEqual([true, true, true]);
        for (const row of trades) {
          expect(row.price > 0n && isUint(row.price)).toBe(true);
          expect(row.tokenIds.length).toBeGreaterThan(0);
          expect([row.seller, row.buyer, row.tokenAddress].every(isAddress)).toBe(true);
        }
        const places = new Set(transfers.map(row => `${row.place}/${row.batchIndex}`));
        expect(places.size).toBe(transfers.length);
        const named = new Set([...transfers, ...erc20Transfers].map(row => row.tokenAddress));
        expect(new Set(tokens.keys())).toEqual(named);
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  it('need the kind of a contract only where the log does not tell the standard', () => {
    fc.assert(
      fc.property(logs, kind, (list, what) => {
        const open = findUndecidedContracts(list);
        parseTokenLogs(list, address => {
          if (!open.has(address)) throw new Error(`${address} was asked about, but not announced.`);
          return what;
        });
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('decodeTokenText', () => {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0');
    const size = bytes.length.toString(16).padStart(64, '0');
    return `0x${'20'.padStart(64, '0')}${size}${padded}` as Hex;
  };

  it('returns the text without zero characters, cut to 256 characters', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), value => {
        const whole = value.replaceAll('\0', '');
        const found = decodeTokenText(text(value));
        const stored = [...whole].slice(0, 256).join('');
        // Zero characters may take the place of some that would otherwise be stored.
        if (whole === value) expect(found).toBe(stored === '' ? null : stored);
        else expect(whole.startsWith(found ?? '')).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it('decodes texts of bytes32', () => {
    expect(decodeTokenText(`0x${Buffer.from('Old Token').toString('hex').padEnd(64, '0')}`)).toBe('Old Token');
    expect(decodeTokenText(`0x${'41'.repeat(32)}`)).toBe('A'.repeat(32));
    expect(decodeTokenText(`0x${'00'.repeat(32)}`)).toBe(null);
  });

  it('accepts any data, also a megabyte', () => {
    fc.assert(
      fc.property(data, value => {
        expect([...(decodeTokenText(value) ?? '')].length).toBeLessThanOrEqual(256);
      }),
      { seed: 1 },
    );
    expect(decodeTokenText(text('€'.repeat(400_000)))).toBe('€'.repeat(256));
    expect(decodeTokenText(undefined)).toBe(null);
  });
});
