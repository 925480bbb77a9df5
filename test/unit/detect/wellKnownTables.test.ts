// Consistency of the tables of well-known values: checksums, hashes, derived keys, hosts.
import * as Address from 'ox/Address';
import { keccak256 } from 'ox/Hash';
import * as HdKey from 'ox/HdKey';
import * as Hex from 'ox/Hex';
import * as Mnemonic from 'ox/Mnemonic';
import * as Secp256k1 from 'ox/Secp256k1';
import { describe, expect, it } from 'vitest';
import { findDevelopmentAccount, findDevelopmentAccountByKey } from '../../../src/detect/developmentAccounts.ts';
import { detectDigitPattern } from '../../../src/detect/digitPatterns.ts';
import { compareWithKnownCode } from '../../../src/detect/knownCode.ts';
import { splitWords } from '../../../src/detect/splitWords.ts';
import { getWellKnownAddress, getWellKnownAddressLines } from '../../../src/detect/wellKnownAddresses.ts';
import { findWellKnownHash } from '../../../src/detect/wellKnownHashes.ts';

describe('development accounts', () => {
  const root = HdKey.fromSeed(Mnemonic.toSeed('test test test test test test test test test test test junk'));
  it.each(Array.from({ length: 20 }, (_, index) => index))('has the address and the key of account %i', index => {
    const key = root.derive(`m/44'/60'/0'/0/${index}`).privateKey;
    const address = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: key }), { checksum: true });
    const expected = { index, address, name: `Dev account #${index}` };
    expect(findDevelopmentAccount(address)).toEqual(expected);
    expect(findDevelopmentAccount(address.toLowerCase())).toEqual(expected);
    expect(findDevelopmentAccountByKey(key)).toEqual(expected);
    expect(findDevelopmentAccountByKey(`0x${key.slice(2).toUpperCase()}`)).toEqual(expected);
    // Same beginning, another key.
    expect(findDevelopmentAccountByKey(`0x${key.slice(2, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBeNull();
  });
  it('finds no others', () => {
    expect(findDevelopmentAccount('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBeNull();
    expect(findDevelopmentAccountByKey(root.derive("m/44'/60'/0'/0/20").privateKey)).toBeNull();
  });
});

describe('well-known addresses', () => {
  it.each(getWellKnownAddressLines())('%s', line => {
    const digits = line.slice(3, 43);
    expect(line).toMatch(/^(ze|bu|se|sy|co) [0-9a-fA-F]{40} \S.*\S$/);
    expect(Address.checksum(`0x${digits.toLowerCase()}`)).toBe(`0x${digits}`);
    const { name, codeHash } = getWellKnownAddress(digits.toLowerCase()) ?? {};
    expect(`${name}${codeHash === null ? '' : ` ${codeHash}`}`).toBe(line.slice(44));
  });
});

describe('the code of a well-known contract', () => {
  const multicall = '0xca11bde05977b3631167028862be2a173976ca11';
  const wpol = '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270';
  const elsewhere = `0x${'5a'.repeat(20)}` as const;
  const codeHash = getWellKnownAddress(multicall.slice(2))?.codeHash ?? null;
  const otherHash = `0x${'11'.repeat(32)}` as const;

  it('is expected at its address', () => {
    expect(codeHash).toMatch(/^0xd5c15df6/);
    expect(compareWithKnownCode(multicall, codeHash)).toBeNull();
    expect(compareWithKnownCode(multicall, otherHash)).toEqual({ name: 'Multicall3', relation: 'differs' });
    expect(compareWithKnownCode(multicall, null)).toBeNull();
  });
  it('is recognized elsewhere', () => {
    expect(compareWithKnownCode(elsewhere, codeHash)).toEqual({ name: 'Multicall3', relation: 'copy' });
    expect(compareWithKnownCode(elsewhere, otherHash)).toBeNull();
  });
  it('is not compared where it differs between chains', () => {
    expect(compareWithKnownCode(wpol, otherHash)).toBeNull();
    expect(compareWithKnownCode(wpol, codeHash)).toEqual({ name: 'Multicall3', relation: 'copy' });
  });
  it('may be the code of two of them', () => {
    const factory = '0x914d7fec6aac8cd542e72bca78b30650d45643d7';
    const hash = getWellKnownAddress(factory.slice(2))?.codeHash ?? null;
    expect(compareWithKnownCode(factory, hash)).toBeNull();
    expect(compareWithKnownCode(elsewhere, hash)).toEqual({ name: 'CREATE2 deployer', relation: 'copy' });
  });
});

describe('well-known hashes', () => {
  const keccak = (text: string) => keccak256(Hex.fromString(text)).slice(2);
  const minusOne = (hash: string) => (BigInt(`0x${hash}`) - 1n).toString(16).padStart(64, '0');
  it.each([
    [keccak(''), 'keccak-256 of no bytes'],
    [keccak256('0x80').slice(2), 'Root of an empty trie'],
    [keccak256('0xc0').slice(2), 'Hash of no uncles'],
    [minusOne(keccak('eip1967.proxy.implementation')), 'ERC-1967 implementation slot'],
    [minusOne(keccak('eip1967.proxy.admin')), 'ERC-1967 admin slot'],
    [minusOne(keccak('eip1967.proxy.beacon')), 'ERC-1967 beacon slot'],
    [minusOne(keccak('eip1967.proxy.rollback')), 'ERC-1967 rollback slot'],
    [keccak('PROXIABLE'), 'ERC-1822 PROXIABLE slot'],
    [keccak('org.zeppelinos.proxy.implementation'), 'OpenZeppelin implementation slot (before ERC-1967)'],
    [keccak('org.zeppelinos.proxy.admin'), 'OpenZeppelin admin slot (before ERC-1967)'],
    [keccak('diamond.standard.diamond.storage'), 'ERC-2535 diamond storage slot'],
    ...'Initializable Ownable Ownable2Step AccessControl AccessControlEnumerable AccessControlDefaultAdminRules AccessManaged ReentrancyGuard Pausable EIP712 Nonces ERC20 ERC20Votes Votes ERC20Capped ERC721 ERC721Enumerable ERC721URIStorage ERC1155 ERC1155Supply ERC4626 ERC2981 Governor TimelockController VestingWallet PaymentSplitter'
      .split(' ')
      .map((name): [string, string] => [
        `${keccak256(`0x${minusOne(keccak(`openzeppelin.storage.${name}`))}`).slice(2, 64)}00`,
        `OpenZeppelin ${name} storage slot (ERC-7201)`,
      ]),
    [keccak('fallback_manager.handler.address'), 'Safe fallback handler slot'],
    [keccak('guard_manager.guard.address'), 'Safe guard slot'],
    [keccak('module_manager.module_guard.address'), 'Safe module guard slot'],
    ...[
      'MINTER',
      'PAUSER',
      'BURNER',
      'UPGRADER',
      'PROPOSER',
      'EXECUTOR',
      'CANCELLER',
      'TIMELOCK_ADMIN',
      'ADMIN',
      'OPERATOR',
      'MANAGER',
    ].map((role): [string, string] => [keccak(`${role}_ROLE`), `${role}_ROLE`]),
    [
      keccak('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
      'EIP-712 domain type hash',
    ],
    [
      keccak('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
      'ERC-2612 Permit type hash',
    ],
  ])('%s is %s', (digits, name) => {
    expect(findWellKnownHash(digits)).toEqual({ name, differences: 0 });
  });
  it('finds no others', () => expect(findWellKnownHash('1'.repeat(64))).toBeNull());
  const SLOT = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  it.each([
    [SLOT.replace('bbc', 'bbd'), 1],
    [SLOT.replace('db98', 'bd98'), 2],
    [SLOT.replace('360894', '360849').replace('d382', 'd832'), 4],
  ])('says in how many digits a value differs from one that it nearly is: %s in %i', (digits, differences) => {
    expect(findWellKnownHash(digits)).toEqual({ name: 'ERC-1967 implementation slot', differences });
  });
  it('knows no value of which only the begin is the same', () => {
    expect(findWellKnownHash(SLOT.slice(0, 32) + SLOT.slice(0, 32))).toBeNull();
  });
});

it.each([
  ['txHash', 'tx hash'],
  ['TX_HASH', 'tx hash'],
  ['TXHASH', 'tx hash'],
  ['txhash', 'tx hash'],
  ['TxHash', 'tx hash'],
  ['transactionHashes', 'transaction hashes'],
  ['--private-key', 'private key'],
  ['privatekey', 'private key'],
  ['PRIVATE_KEY_1', 'private key'],
  ['privateKey2', 'private key'],
  ['topic0', 'topic'],
  ['sha256Hash', 'sha256 hash'],
  ['keccak256', 'keccak256'],
  ['bytes4', 'bytes4'],
  ['L1TxHash', 'l tx hash'],
  ['ERC20Token', 'erc token'],
  ['eth_getTransactionByHash', 'eth get transaction by hash'],
  ['obj["tx_hash"]', 'obj tx hash'],
  ['monkey turkey hockey keyboard', 'monkey turkey hockey keyboard'],
  ['blockchain', 'blockchain'],
  ['méthodeId', 'méthode id'],
  ['123', ''],
  ['', ''],
])('wordsOf(%j) is %j', (name, words) => {
  expect(splitWords(name).join(' ')).toBe(words);
});

it.each([
  ['0000000000000000000000000000000000000000', 'zero'],
  ['ffffffffffffffffffffffffffffffffffffffff', 'ones'],
  ['00ffffffffffffffffffffffffffffffffffff00', 'mask'],
  ['abcabcabcabcabcabcabcabcabcabcabcabcabca', 'repeated'],
  ['0123456789012345678901234567890123456789', 'repeated'],
  ['d8da6bf26964af9d7eedd8da6bf26964af9d7eed', 'repeated'],
  ['0102030405060708090a0b0c0d0e0f1011121314', 'sequence'],
  ['d8da6bf26964af9d7eed9e03e53415d37aa96045', null],
  ['4200000000000000000000000000000000000006', null],
])('the pattern of %s is %s', (digits, pattern) => {
  expect(detectDigitPattern(digits)).toBe(pattern);
});
