// Every reading of what is typed into the look-up box.
import { describe, expect, test } from 'vitest';
import { parseLookUp } from '../../../../src/view/lookUp/parseLookUp.ts';

const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';
const kinds = (text: string) => parseLookUp(text).map(({ kind }) => kind);

describe('parseLookUp', () => {
  test('finds an address in any case, with or without words around it', () => {
    for (const text of [address, address.toUpperCase().replace('0X', '0x'), ` ${address} `, `owner = "${address}";`])
      expect(parseLookUp(text)[0], text).toMatchObject({ kind: 'address', address });
  });

  test('a hash may also be an Aptos account', () => {
    expect(kinds(hash)).toEqual(['hash', 'aptosAddress']);
    expect(parseLookUp(hash)[0]).toMatchObject({ hash, literal: { hint: null } });
  });

  test('a link tells the chain, and that it is a hash', () => {
    expect(parseLookUp(`https://sepolia.etherscan.io/tx/${hash}`)).toMatchObject([
      { kind: 'hash', chainId: 11155111, literal: { hint: { kind: 'transaction' } } },
    ]);
    expect(parseLookUp('https://etherscan.io/block/17000000')).toMatchObject([
      { kind: 'block', block: 17_000_000, chainId: 1 },
    ]);
    expect(parseLookUp('https://explorer.aptoslabs.com/account/0x1?network=mainnet')).toMatchObject([
      { kind: 'aptosAddress', address: `0x${'1'.padStart(64, '0')}` },
    ]);
  });

  test('40 and 64 digits are an address and a hash without 0x too', () => {
    expect(parseLookUp(address.slice(2))[0]).toMatchObject({ kind: 'address', address });
    expect(parseLookUp(hash.slice(2).toUpperCase())[0]).toMatchObject({ kind: 'hash', hash });
  });

  test('a short hex number is only what it can be', () => {
    expect(parseLookUp('0x2a')).toMatchObject([
      { kind: 'block', block: 42 },
      { kind: 'aptosAddress', isGuess: true },
    ]);
    expect(parseLookUp('0x2387a7b')).toMatchObject([{ kind: 'block' }, { isGuess: true }]);
    expect(parseLookUp('0xc2387a7b').map(({ kind }) => kind)).toEqual(['known', 'aptosAddress']);
    expect(parseLookUp('0x02387a7b')).toMatchObject([{ kind: 'known', what: 'selector' }, { isGuess: true }]);
    expect(kinds('0xa9059cbb')).toEqual(['known']);
    expect(kinds('0x002a')).toEqual(['aptosAddress']);
  });

  test('a signed transaction, with or without 0x', () => {
    const raw = `02f86c827a69${'80'.repeat(2)}84773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c8${'80'}80c001a0${'5a'.repeat(32)}a0${'3b'.repeat(32)}`;
    const length = (raw.length / 2 - 3).toString(16);
    const typed = `02f8${length}${raw.slice(6)}`;
    for (const text of [typed, `0x${typed}`])
      expect(parseLookUp(text)).toMatchObject([{ kind: 'rawTransaction', chainId: 31337, transaction: { type: 2 } }]);
  });

  test('numbers are blocks, also with separators and in hex', () => {
    for (const text of ['17000000', '17,000,000', '17.000.000', "17'000'000"])
      expect(parseLookUp(text)).toEqual([{ kind: 'block', block: 17_000_000, chainId: null }]);
    expect(parseLookUp('0x10')).toMatchObject([{ kind: 'block', block: 16 }, { kind: 'aptosAddress' }]);
    expect(parseLookUp('99999999999999999999')).toEqual([]);
  });

  test('Aptos: short accounts, coin types with arguments', () => {
    expect(parseLookUp('0xa')[1]).toMatchObject({ kind: 'aptosAddress', address: `0x${'a'.padStart(64, '0')}` });
    const coin = '0x5::lp::LP<0x1::aptos_coin::AptosCoin,0x2::m::N>';
    expect(parseLookUp(coin)).toEqual([{ kind: 'coinType', coinType: coin }]);
  });

  test.each([
    [
      `https://explorer.aptoslabs.com/txn/0x${'1b'.repeat(32)}/userTxnOverview?network=testnet`,
      `0x${'1b'.repeat(32)}`,
      'testnet',
    ],
    ['https://explorer.aptoslabs.com/txn/371523890?network=mainnet', '371523890', 'mainnet'],
    ['https://explorer.aptoslabs.com/txn/371523890', '371523890', null],
  ])('Aptos: the transaction of %s', (link, transaction, network) => {
    expect(parseLookUp(link)).toMatchObject([{ kind: 'aptosTransaction', transaction, network }]);
  });

  test('finds well-known values', () => {
    expect(parseLookUp('0xa9059cbb')[0]).toMatchObject({
      kind: 'known',
      what: 'function',
      meaning: expect.stringContaining('transfer(address,uint256)'),
    });
    expect(parseLookUp('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')[0]).toMatchObject({
      ...{ kind: 'known', what: 'event', meaning: 'Transfer(address,address,uint256)' },
    });
    expect(parseLookUp(`0x${'7b'.padStart(64, '0')}`)[0]).toMatchObject({
      kind: 'known',
      what: 'number',
      meaning: '123',
    });
  });

  test('names in domains of ENS are ENS names, in any script; files, paths, hosts with ports and sentences are not', () => {
    for (const text of ['vitalik.eth', 'a.b.eth', 'ñandú.eth', '🚀.eth', 'Vitalik.ETH', 'name.xyz', 'jesse.base.eth'])
      expect(kinds(text), text).toEqual(['ens']);
    for (const text of [
      'src/a.ts',
      'localhost:8545',
      'a b.eth',
      'name',
      '.eth',
      'eth.',
      '1.5',
      'me@x.eth',
      '',
      'a..eth',
    ])
      expect(kinds(text), text).toEqual([]);
    for (const text of [
      'vitalik.eth.ts',
      'foo.eth.json',
      'config.ts',
      'package.json',
      'README.md',
      'db.internal',
      '.env',
    ])
      expect(kinds(text), text).toEqual([]);
  });

  test('rejects well-known private keys, shortened values and wrong lengths', () => {
    expect(parseLookUp('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')).toEqual([
      { kind: 'refused', why: 'key' },
    ]);
    expect(parseLookUp('0xD8da…6045')).toEqual([{ kind: 'shortened', start: '0xd8da', end: '6045' }]);
    expect(parseLookUp('to: 0xd8da…6045')).toEqual([{ kind: 'refused', why: 'truncated' }]);
    expect(parseLookUp(`to: ${address.slice(0, -1)}`)).toEqual([{ kind: 'refused', why: 'digits' }]);
  });

  test.each([
    ['a digit less than an address has', address.slice(0, -1), ['refused', 'aptosAddress']],
    ['two digits more', `${address}ab`, ['refused', 'aptosAddress']],
    ['fewer digits', address.slice(0, 30), ['aptosAddress']],
  ])('says what is wrong with %s, which an account of Aptos may have', (_, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  test('reads only the first literals of a pasted page, in bounded time', () => {
    const page = `${Array.from({ length: 20_000 }, (_, at) => `0x${(at + 1e15).toString(16).padStart(40, 'a')}`).join(' ')}`;
    expect(parseLookUp(page)).toHaveLength(6);
  });
});
