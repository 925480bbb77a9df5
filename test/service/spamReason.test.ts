// The spam rules: what each flags, what it does not flag, and that hostile names do not slow them down.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import {
  detectSpamInNames,
  detectSpamInTransfers,
  getSpamReason,
  MIN_AIRDROP_WALLETS,
} from '../../src/service/queries/spamReason.ts';
import { anyText } from '../support/anyText.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { measureCpuMs } from '../support/cpuTime.ts';

const ruleOf = (name: string | null, symbol: string | null = null) => detectSpamInNames({ name, symbol })?.rule ?? null;

describe('names and symbols', () => {
  it.each([
    ['link', 'Visit https://scam.example now'],
    ['link', 'apecoin-claims.com'],
    ['link', 'Get yours at WWW.free'],
    ['link', 'ｔｏｋｅｎ．ｘｙｚ'], // full-width letters are letters
    ['link', 't.me/free_eth'],
    ['lure', 'Claim your rewards'],
    ['lure', 'A i r drop: AIRDROP'],
    ['lure', 'Free_Mint'],
    ['lure', 'Mystery **Voucher**'],
    ['money', '$5,000 for you'],
    ['money', '1000 USDC Box'],
    ['markup', '<img src=x>'],
    ['markup', '[here](command:x)'],
    ['markup', 'line\nbreak'],
    ['markup', '=1+1'],
    ['markup', '@SUM(A1)'],
    ['look-alike', 'Apеs'], // a Cyrillic letter among Latin ones
    ['hidden', 'Ape\u200bs'],
    ['hidden', 'Apes\u202e'],
  ])('are spam: %s: %s', (rule, text) => {
    expect(ruleOf(text)).toBe(rule);
    expect(ruleOf('Harmless', text)).toBe(rule);
  });

  it.each([
    'HexLens Test Apes',
    'Bored Ape Yacht Club',
    'CryptoPunks',
    'Ξ Ether Rock',
    'Яблоко', // one alphabet by itself
    '$APE',
    'Art Blocks',
    'Wrapped Ether',
    'Proof-of-Attendance 2023',
    'Nouns #12',
    'Dr. Ether',
    'Rewarding',
    'U.S. Dollar',
    '',
  ])('are harmless: %s', text => {
    expect(ruleOf(text, text)).toBeNull();
  });

  it('flags the test chain’s hostile token by its name and by its symbol', () => {
    expect(ruleOf(HOSTILE_NAME)).toBe('lure');
    expect(ruleOf(null, HOSTILE_SYMBOL)).toBe('markup');
  });

  it('flags nothing without a name', () => {
    expect(detectSpamInNames({ name: null, symbol: null })).toBeNull();
  });

  it('gives a reason without any text of the token', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), name => {
        const text = detectSpamInNames({ name: `${name} https://scam.example`, symbol: null })?.text ?? '';
        expect(text).toMatch(/^The name or symbol .{5,80}\.$|^A word of .{5,80}\.$/);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('takes no longer for a hostile name', () => {
    const took = measureCpuMs(() => {
      for (const unit of ['a', 'a-', '$', '1,', ' ', '<', 'https', 'аa'])
        detectSpamInNames({ name: unit.repeat(1e6), symbol: null });
    }, 1_000);
    expect(took).toBeLessThan(1_000);
  });
});

describe('transfers', () => {
  const wallet = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
  const mint = (to: number, transaction = '1') => ({
    transactionHash: `0x${transaction.padStart(64, '0')}` as Hex,
    from: ZERO_ADDRESS,
    to: wallet(to),
  });
  const many = (count: number) => Array.from({ length: count }, (_, index) => mint(index + 1));

  it('one transaction that mints to many wallets is an airdrop', () => {
    expect(detectSpamInTransfers(many(MIN_AIRDROP_WALLETS))?.rule).toBe('airdrop');
    expect(detectSpamInTransfers(many(MIN_AIRDROP_WALLETS - 1))).toBeNull();
  });

  it('many mints to one wallet, or in many transactions, are none', () => {
    expect(detectSpamInTransfers(Array.from({ length: 100 }, () => mint(1)))).toBeNull();
    expect(detectSpamInTransfers(Array.from({ length: 100 }, (_, index) => mint(index + 1, String(index))))).toBeNull();
    expect(detectSpamInTransfers([])).toBeNull();
  });

  it('a token that a holder transferred is none', () => {
    const passedOn = { ...mint(5), from: wallet(9) };
    expect(detectSpamInTransfers([passedOn, ...many(99)])).toBeNull();
  });
});

describe('the user’s trust', () => {
  const lure = { name: 'Claim me', symbol: null };
  it('overrides every rule, both ways', () => {
    expect(getSpamReason(lure, [])?.rule).toBe('lure');
    expect(getSpamReason(lure, [], 'verified')).toBeNull();
    expect(getSpamReason({ name: 'Apes', symbol: 'APE' }, [], 'spam')?.rule).toBe('marked');
  });
});
