// What a person is asked before an operation runs, and what each parameter is offered.
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/addressBook/entry.ts';
import { operationIds, operations } from '../../../../src/api/operations/operations.ts';
import type { AnyParameter } from '../../../../src/api/operations/parameters.ts';
import { find } from '../../../../src/detect/detectLiterals.ts';
import {
  beatenBy,
  formOf,
  parametersOf,
  parameterTitle,
  retiredOn,
  splitValues,
} from '../../../../src/view/operations/operationForm.ts';
import { choicesOf, isRemembered, offersFor } from '../../../../src/view/operations/parameterSuggestions.ts';

const now = Date.parse('2026-01-01');
const facts = { remote: false, chains: ['local'], now };
const parameter = (id: keyof typeof operations, name: string) => parametersOf(id)[name] as AnyParameter;

describe('the form', () => {
  test('asks or offers every parameter of every operation once, in the order of the table', () => {
    for (const id of operationIds) {
      const { asked, more } = formOf(id, facts);
      const names = Object.keys(operations[id].parameters);
      expect([...asked, ...more].sort()).toEqual([...names].sort());
      expect(asked).toEqual(names.filter(name => asked.includes(name)));
      expect(more).toEqual(names.filter(name => more.includes(name)));
    }
  });

  test('the common case is short', () => {
    expect(formOf('walletNfts', facts).asked).toEqual(['address']);
    expect(formOf('nftTransfers', facts).asked).toEqual([]);
    expect(formOf('nftOwners', facts).asked).toEqual(['address', 'tokenId']);
    expect(formOf('aptosWalletNfts', facts)).toMatchObject({ asked: ['ownerAddresses'], presets: { limit: '25' } });
  });

  test('the chain is asked for where there are several, and the first one stands there', () => {
    const several = { ...facts, chains: ['local', 'eth'] };
    expect(formOf('walletNfts', several)).toMatchObject({ asked: ['address', 'chain'], presets: { chain: 'local' } });
    expect(formOf('walletNfts', { ...facts, chains: [] }).presets).toEqual({});
  });

  test('what is given is not asked for', () => {
    const address = `0x${'ab'.repeat(20)}`;
    expect(formOf('nftOwners', facts, { address })).toMatchObject({ asked: ['tokenId'], presets: { address } });
  });

  test('a remote host needs what hosts began to require', () => {
    expect(formOf('contractLogs', facts).asked).toEqual(['address']);
    expect(formOf('contractLogs', { ...facts, remote: true }).asked).toEqual(['address', 'topic0']);
    expect(formOf('contractLogs', { ...facts, remote: true, now: 0 }).asked).toEqual(['address']);
  });

  test('says what hosts removed, once the day has come', () => {
    expect(retiredOn('erc20Mints', now)).toBe('2023-09-04');
    expect(retiredOn('erc20Mints', Date.parse('2023-09-03'))).toBeNull();
    expect(retiredOn('block', now)).toBeNull();
  });

  test('says which of two values counts', () => {
    const both = { fromBlock: '1', fromDate: '2023-01-31' };
    expect(beatenBy('nftTransfers', 'fromDate', both)).toBe('fromBlock');
    expect(beatenBy('nftTransfers', 'fromBlock', both)).toBeNull();
    expect(beatenBy('contractLogs', 'toBlock', { toBlock: '2', blockNumber: '1' })).toBe('blockNumber');
    expect(beatenBy('nftTransfers', 'fromDate', { fromDate: '2023-01-31', fromBlock: '' })).toBeNull();
  });

  test('titles are words', () => {
    expect(['fromBlock', 'tokenId', 'topic0', 'coinTypeBlacklist', 'chain'].map(parameterTitle)).toEqual([
      ...['From block', 'Token ID', 'Topic 0', 'Coin type blacklist', 'Chain'],
    ]);
  });

  test('lists are pasted as they come', () => {
    const wallets = parameter('walletBalances', 'walletAddresses');
    expect(splitValues(wallets, '["0x1",\n "0x2"] 0x3;0x4')).toEqual(['0x1', '0x2', '0x3', '0x4']);
    const coins = parameter('aptosWalletCoinTransfers', 'coinTypeWhitelist');
    expect(splitValues(coins, '0x1::a::B<0x2::c::D,0x3::e::F> 0x1::g::H')).toHaveLength(2);
  });
});

const saved = (name: string, address: string, kind: SavedEntry['kind'] = 'wallet'): SavedEntry => ({
  ...{ id: name, address, kind, name, chains: [], folder: '', tags: [], notes: '', color: null, mark: null },
  place: { kind: 'personal' },
});
const alice = `0x${'a1'.repeat(20)}`;
const move = `0x${'a2'.repeat(32)}`;
const none = { subject: null, saved: [], used: [], chains: [] };
const subjectIn = (text: string) => find(text)[0] ?? null;

describe('offers', () => {
  test('the value under the cursor first, then saved ones, then used ones; each once', () => {
    const sources = {
      ...none,
      subject: subjectIn('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'),
      saved: [saved('Alice', alice), saved('Move', move, 'aptos')],
      used: [alice, `0x${'b1'.repeat(20)}`],
    };
    const offers = offersFor(parameter('walletNfts', 'address'), sources);
    expect(offers.map(({ from, label }) => [from, label])).toEqual([
      ['cursor', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
      ['saved', 'Alice'],
      ['used', `0x${'b1'.repeat(20)}`],
    ]);
    expect(offersFor(parameter('aptosWalletNfts', 'ownerAddresses'), sources).map(({ label }) => label)).toContain(
      'Move',
    );
  });

  test('only what the parameter takes', () => {
    const word = subjectIn(`0x${'0'.repeat(63)}7`);
    expect(offersFor(parameter('walletNfts', 'address'), { ...none, subject: word, used: ['nonsense'] })).toEqual([]);
    const block = subjectIn('https://etherscan.io/block/17');
    expect(offersFor(parameter('nftTransfers', 'fromBlock'), { ...none, subject: block })).toMatchObject([
      { value: '17' },
    ]);
    expect(offersFor(parameter('block', 'block'), { ...none, subject: block })).toMatchObject([{ value: '17' }]);
  });

  test('closed choices are all there is', () => {
    expect(choicesOf(parameter('walletNfts', 'format'))).toEqual(['decimal', 'hex']);
    expect(choicesOf(parameter('walletNfts', 'excludeSpam'))).toEqual(['true', 'false']);
    expect(choicesOf(parameter('walletNfts', 'address'))).toEqual([]);
    const chains = [{ selector: 'local', title: 'Local' }];
    expect(offersFor(parameter('walletNfts', 'chain'), { ...none, chains })).toMatchObject([{ value: 'local' }]);
  });

  test('nothing that may be a key is written down', () => {
    const topic = parameter('contractLogs', 'topic0');
    expect(isRemembered(topic, `0x${'4c'.repeat(32)}`)).toBe(false);
    expect(isRemembered(topic, '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')).toBe(true);
    expect(isRemembered(parameter('block', 'block'), '17')).toBe(true);
    expect(isRemembered(parameter('block', 'block'), `0x${'4c'.repeat(32)}`)).toBe(false);
    expect(isRemembered(parameter('walletNfts', 'cursor'), 'x')).toBe(false);
    expect(isRemembered(parameter('verifySignIn', 'signature'), '0x12')).toBe(false);
  });
});
