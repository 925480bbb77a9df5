// The prompts before an operation runs, and the suggestions for each parameter.
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/addressBook/entry.ts';
import { getParameters, operationIds, operations } from '../../../../src/api/operations/operations.ts';
import type { AnyParameter } from '../../../../src/api/operations/parameters.ts';
import { checksumAddress } from '../../../../src/base/checksumAddress.ts';
import { detectLiterals } from '../../../../src/detect/detectLiterals.ts';
import {
  createOperationForm,
  formatParameterName,
  getOverridingParameter,
  getRetirementDate,
  splitValues,
} from '../../../../src/view/operations/operationForm.ts';
import {
  canBeSuggestedAgain,
  getChoices,
  getSuggestions,
} from '../../../../src/view/operations/parameterSuggestions.ts';

const now = Date.parse('2026-01-01');
const facts = { isRemote: false, chains: ['local'], now };
const parameter = (id: keyof typeof operations, name: string) => getParameters(id)[name] as AnyParameter;

describe('createOperationForm', () => {
  test('prompts for or offers every parameter of every operation once, in the order of the descriptor', () => {
    for (const id of operationIds) {
      const { prompted, optional } = createOperationForm(id, facts);
      const names = Object.keys(operations[id].parameters);
      expect([...prompted, ...optional].sort()).toEqual([...names].sort());
      expect(prompted).toEqual(names.filter(name => prompted.includes(name)));
      expect(optional).toEqual(names.filter(name => optional.includes(name)));
    }
  });

  test('the common case has few prompts', () => {
    expect(createOperationForm('walletNfts', facts).prompted).toEqual(['address']);
    expect(createOperationForm('nftTransfers', facts).prompted).toEqual([]);
    expect(createOperationForm('nftOwners', facts).prompted).toEqual(['address', 'tokenId']);
    expect(createOperationForm('aptosWalletNfts', facts)).toMatchObject({
      prompted: ['ownerAddresses'],
      presets: { limit: '25' },
    });
  });

  test('prompts for the chain if there are several, with the first one as default', () => {
    const several = { ...facts, chains: ['local', 'eth'] };
    expect(createOperationForm('walletNfts', several)).toMatchObject({
      prompted: ['address', 'chain'],
      presets: { chain: 'local' },
    });
    expect(createOperationForm('walletNfts', { ...facts, chains: [] }).presets).toEqual({});
  });

  test('does not prompt for given parameters', () => {
    const address = `0x${'ab'.repeat(20)}`;
    expect(createOperationForm('nftOwners', facts, { address })).toMatchObject({
      prompted: ['tokenId'],
      presets: { address },
    });
  });

  test('prompts for parameters that remote hosts require', () => {
    expect(createOperationForm('contractLogs', facts).prompted).toEqual(['address']);
    expect(createOperationForm('contractLogs', { ...facts, isRemote: true }).prompted).toEqual(['address', 'topic0']);
    expect(createOperationForm('contractLogs', { ...facts, isRemote: true, now: 0 }).prompted).toEqual(['address']);
  });

  test('getRetirementDate returns the day once it has come', () => {
    expect(getRetirementDate('erc20Mints', now)).toBe('2023-09-04');
    expect(getRetirementDate('erc20Mints', Date.parse('2023-09-03'))).toBeNull();
    expect(getRetirementDate('block', now)).toBeNull();
  });

  test('getOverridingParameter returns the parameter that takes precedence', () => {
    const both = { fromBlock: '1', fromDate: '2023-01-31' };
    expect(getOverridingParameter('nftTransfers', 'fromDate', both)).toBe('fromBlock');
    expect(getOverridingParameter('nftTransfers', 'fromBlock', both)).toBeNull();
    expect(getOverridingParameter('contractLogs', 'toBlock', { toBlock: '2', blockNumber: '1' })).toBe('blockNumber');
    expect(getOverridingParameter('nftTransfers', 'fromDate', { fromDate: '2023-01-31', fromBlock: '' })).toBeNull();
  });

  test('formatParameterName gives words', () => {
    expect(['fromBlock', 'tokenId', 'topic0', 'coinTypeBlacklist', 'chain'].map(formatParameterName)).toEqual([
      ...['From block', 'Token ID', 'Topic 0', 'Coin type blacklist', 'Chain'],
    ]);
  });

  test('splitValues accepts pasted lists', () => {
    const wallets = parameter('walletBalances', 'walletAddresses');
    expect(splitValues(wallets, '["0x1",\n "0x2"] 0x3;0x4')).toEqual(['0x1', '0x2', '0x3', '0x4']);
    const coins = parameter('aptosWalletCoinTransfers', 'coinTypeWhitelist');
    expect(splitValues(coins, '0x1::a::B<0x2::c::D,0x3::e::F> 0x1::g::H')).toHaveLength(2);
  });
});

const saved = (name: string, address: string, kind: SavedEntry['kind'] = 'wallet'): SavedEntry => ({
  ...{ id: name, address, kind, name, chains: [], folder: '', tags: [], notes: '', color: null, trust: null },
  storage: { kind: 'personal' },
});
const alice = `0x${'a1'.repeat(20)}`;
const move = `0x${'a2'.repeat(32)}`;
const none = { literal: null, saved: [], events: [], recent: [], chains: [] };
const subjectIn = (text: string) => detectLiterals(text)[0] ?? null;

describe('suggestions', () => {
  test('the value at the cursor first, then saved and recent ones, without duplicates', () => {
    const sources = {
      ...none,
      literal: subjectIn('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'),
      saved: [saved('Alice', alice), saved('Move', move, 'aptos')],
      recent: [alice, `0x${'b1'.repeat(20)}`],
    };
    const offers = getSuggestions(parameter('walletNfts', 'address'), sources);
    expect(offers.map(({ source, label, description }) => [source, label, description])).toEqual([
      ['cursor', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', ''],
      ['saved', 'Alice', checksumAddress(alice)],
      ['used', checksumAddress(`0x${'b1'.repeat(20)}`), ''],
    ]);
    expect(getSuggestions(parameter('aptosWalletNfts', 'ownerAddresses'), sources).map(({ label }) => label)).toContain(
      'Move',
    );
  });

  test('only values that the parameter accepts', () => {
    const word = subjectIn(`0x${'0'.repeat(63)}7`);
    expect(
      getSuggestions(parameter('walletNfts', 'address'), { ...none, literal: word, recent: ['nonsense'] }),
    ).toEqual([]);
    const block = subjectIn('https://etherscan.io/block/17');
    expect(getSuggestions(parameter('nftTransfers', 'fromBlock'), { ...none, literal: block })).toMatchObject([
      { value: '17' },
    ]);
    expect(getSuggestions(parameter('block', 'block'), { ...none, literal: block })).toMatchObject([{ value: '17' }]);
  });

  test('all values of a closed choice', () => {
    expect(getChoices(parameter('walletNfts', 'format'))).toEqual(['decimal', 'hex']);
    expect(getChoices(parameter('walletNfts', 'excludeSpam'))).toEqual(['true', 'false']);
    expect(getChoices(parameter('walletNfts', 'address'))).toEqual([]);
    const chains = [{ selector: 'local', title: 'Local' }];
    expect(getSuggestions(parameter('walletNfts', 'chain'), { ...none, chains })).toMatchObject([{ value: 'local' }]);
  });

  test('values that may be a private key are never stored', () => {
    const topic = parameter('contractLogs', 'topic0');
    expect(canBeSuggestedAgain(topic, `0x${'4c'.repeat(32)}`)).toBe(false);
    expect(canBeSuggestedAgain(topic, '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')).toBe(true);
    expect(canBeSuggestedAgain(parameter('block', 'block'), '17')).toBe(true);
    expect(canBeSuggestedAgain(parameter('block', 'block'), `0x${'4c'.repeat(32)}`)).toBe(false);
    expect(canBeSuggestedAgain(parameter('walletNfts', 'cursor'), 'x')).toBe(false);
    expect(canBeSuggestedAgain(parameter('verifySignIn', 'signature'), '0x12')).toBe(false);
  });
});
