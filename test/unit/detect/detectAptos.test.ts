// Detection of Aptos addresses, types and transactions, and what of them may leave the machine.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { padAptosAddress } from '../../../src/base/aptosAddress.ts';
import { detectAptos } from '../../../src/detect/aptos/detectAptos.ts';
import { formatAip40, parseMoveToml } from '../../../src/detect/aptos/moveAddresses.ts';
import { detectLiteralAt, detectLiterals } from '../../../src/detect/detectLiterals.ts';
import type { TextSource } from '../../../src/detect/literalContext.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';
import { anyText } from '../../support/anyText.ts';

const LONG = '0xf3b1c40a5e9d27cf28a1de5b9d0c6d6f0a3cc1e2a7d8f1b04a9e5c6d7e8f9a0b';
const ODD = `0x${LONG.slice(3)}`; // 63 digits: a leading zero was left out
const SHORT20 = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const APT = '0x1::aptos_coin::AptosCoin';

const move: TextSource = { fileName: 'hello.move', languageId: 'move' };
const toml: TextSource = { fileName: 'Move.toml', languageId: 'toml' };
const script: TextSource = { fileName: 'transfer.ts', languageId: 'typescript' };
const importing: TextSource = { ...script, isAptos: true };
const sol: TextSource = { fileName: 'A.sol', languageId: 'solidity' };

/** The place marked with `‸` in a text, and the text without it. */
function at(marked: string, source: TextSource) {
  const offset = marked.indexOf('‸');
  return detectLiteralAt(marked.replace('‸', ''), offset, source);
}

describe('addresses', () => {
  test.each<[string, TextSource, string, string]>([
    ['let f = @0x‸1;', move, '0x1', '@'],
    ['let f = ‸@0x1;', move, '0x1', '@'],
    ['let f = @‸0x1;', move, '0x1', '@'],
    [`const A: address = @0x‸${LONG.slice(2)};`, move, LONG, '@'],
    ['friend 0x‸3::token;', move, '0x3', '::'],
    ['module 0xC‸AFE::hello {', move, '0xcafe', '::'],
    [`use 0x‸1::signer;`, { fileName: 'sources/a.move' }, '0x1', '::'],
    [`[addresses]\nhello = "0x‸cafe"`, toml, '0xcafe', '[addresses]'],
    [
      `[package]\nname = "a"\n\n[addresses]\na = "0x1"\nhello = '${LONG.slice(0, 9)}‸${LONG.slice(9)}'`,
      toml,
      LONG,
      '[addresses]',
    ],
    [`[dev-addresses]\nhello = "0x‸cafe" # local`, toml, '0xcafe', '[addresses]'],
    [`[dependencies]\nA = { local = "a", addr_subst = { "std" = "0x‸1" } }`, toml, '0x1', '[addresses]'],
    [`const coin = '0x‸1::aptos_coin::AptosCoin';`, script, '0x1', '::'],
    [`import { Aptos } from '@aptos-labs/ts-sdk';\nconst recipient = '${LONG}‸';`, script, LONG, 'recipient'],
    [`import { Aptos } from '@aptos-labs/ts-sdk';\nconst recipient = '${ODD}‸';`, script, ODD, 'recipient'],
    [`const owner = '0x‸${LONG.slice(2)}';`, importing, LONG, 'owner'],
    [`aptos.getAccountInfo({ accountAddress: '0x‸1' })`, script, '0x1', 'address'],
    [`AccountAddress.from("0x‸a")`, script, '0xa', 'address'],
    [`{ "type": "0x1::coin::CoinStore", "sender": "0x‸cafe" }`, { fileName: 'a.json' }, '0xcafe', 'sender'],
    [
      `https://explorer.aptoslabs.com/account/0x‸1?network=testnet`,
      { fileName: 'README.md' },
      '0x1',
      'explorer.aptoslabs.com',
    ],
    [`https://explorer.aptoslabs.com/object/${LONG}‸/modules?network=mainnet`, {}, LONG, 'explorer.aptoslabs.com'],
    [`https://api.mainnet.aptoslabs.com/v1/accounts/0x‸1/resources`, {}, '0x1', 'api.mainnet.aptoslabs.com'],
  ])('are detected where the text is about Aptos: %s', (text, source, address, word) => {
    const subject = at(text, source);
    expect(subject).toMatchObject({
      kind: 'aptosAddress',
      address: padAptosAddress(address),
      secretWord: null,
      hint: { word },
    });
    if (subject?.kind === 'aptosAddress')
      expect(text.replace('‸', '').slice(subject.start, subject.end)).toBe(subject.text);
  });

  test.each<[string, TextSource]>([
    // numbers of Move
    ['let n = 0x‸1;', move],
    ['const MAX: u64 = 0x‸ffff;', move],
    [`const P: u256 = 0x‸${'1'.repeat(40)};`, move],
    ['let v = x"0x‸1";', move],
    // of other tables of a Move.toml
    ['[package]\nversion = "0x‸1"', toml],
    ['[dependencies.AptosFramework]\nrev = "0x‸cafe"', toml],
    ['[addresses]\n# hello = "0x‸cafe"', toml],
    // numbers of EVM sources
    ['uint256 x = 0x‸1;', sol],
    ['address a = address(0x‸1);', sol],
    [`// like Aptos\naddress owner = address(0x‸1);`, sol],
    ['bytes32 b = 0x1::a;‸', sol],
    ['if (flags & 0x‸1) {', script],
    ['const owner = "0x‸1";', script],
    ['{"address": "0x‸1"}', { fileName: 'a.json' }],
    // near Aptos words, but numbers
    [`// for Aptos\nconst mask = 0x‸ff;`, script],
    [`// for Aptos\nconst chainId = "0x‸1";`, script],
    [`// for Aptos\nconst amount = '0x‸10';`, script],
    [`// for Aptos\nconst addressCount = '0x‸10';`, script],
    [`// bridges Aptos\nconst ethAddress = '0x‸10';`, script],
    // of Sui
    [`sui client call 0x‸2::sui::SUI`, { fileName: 'a.md' }],
    // parts of words
    ['let a = b0x‸1::c::D;', move],
  ])('are not detected in %s', (text, source) => {
    const subject = at(text, source);
    expect(subject?.kind ?? 'nothing').not.toMatch(/^aptos/);
  });

  test('20 bytes are an EVM address, also near Aptos words', () => {
    expect(at(`// bridges from Aptos\nconst owner = '${SHORT20}‸';`, script)).toMatchObject({ kind: 'address' });
  });

  test('names addresses of the framework', () => {
    expect(at('@0x‸4', move)).toMatchObject({ name: 'Aptos token objects framework (aptos_token_objects)' });
    expect(at('@0x‸5', move)).toMatchObject({ name: 'Aptos trading framework (aptos_trading)' });
    expect(at('@0x‸9', move)).toMatchObject({ name: 'Reserved for the Aptos framework' });
    expect(at('@0x‸b', move)).toMatchObject({ name: null });
  });

  test.each([
    ['0x1', '0x1'],
    ['0x0f', '0xf'],
    ['0x10', `0x${'0'.repeat(62)}10`],
    [LONG, LONG],
  ])('are written as AIP-40 says: %s', (text, printed) => {
    expect(formatAip40(padAptosAddress(text))).toBe(printed);
  });
});

describe('named addresses', () => {
  const names = parseMoveToml(
    `[package]\nname = "x"\n[addresses]\nhello = "0xCAFE" # here\nstd = "0x1"\nopen = "_"\nlater = "_"\nbare = 'b0b'\n` +
      `[dev-addresses]\nlater = "0xd"\nhello = "0xbad"\n[dependencies]\nother = "0x9"\n`,
  );
  const inPackage = { ...move, moveAddresses: names };

  test('are read from [addresses], and from [dev-addresses] if left open', () => {
    expect([...names]).toEqual([
      ['hello', padAptosAddress('0xcafe')],
      ['std', padAptosAddress('0x1')],
      ['open', null],
      ['later', padAptosAddress('0xd')],
      ['bare', padAptosAddress('b0b')],
    ]);
  });

  test.each([
    ['let a = @hel‸lo;', 'hello', padAptosAddress('0xcafe')],
    ['let a = ‸@hello;', 'hello', padAptosAddress('0xcafe')],
    ['let a = @op‸en;', 'open', null],
    ['let a = @aptos_fram‸ework;', 'aptos_framework', padAptosAddress('0x1')],
    ['let a = @miss‸ing;', 'missing', null],
    ['module hel‸lo::greeter {', 'hello', padAptosAddress('0xcafe')],
    ['use aptos_tok‸en_objects::token;', 'aptos_token_objects', padAptosAddress('0x4')],
  ])('have the address that the package gives them: %s', (text, named, address) => {
    expect(at(text, inPackage)).toMatchObject({ kind: 'aptosAddress', namedAddress: named, address });
  });

  test.each([
    ['let a = co‸in::value(x);', inPackage],
    ['// mail to bob@hello‸', inPackage],
    ['import "@hel‸lo";', script],
    ['use std::fmt‸;', { fileName: 'a.rs', languageId: 'rust' }],
    ['std::vec‸tor<int>', { fileName: 'a.cpp', languageId: 'cpp' }],
  ])('are not detected in %s', (text, source) => {
    expect(at(text, source)).toBeNull();
  });

  test('parsing a Move.toml never throws', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), text => {
        for (const address of parseMoveToml(`[addresses]\n${text}`).values())
          expect(address === null || /^0x[0-9a-f]{64}$/.test(address)).toBe(true);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('types', () => {
  test.each<[string, TextSource, object]>([
    [`'0x1::aptos_coin::Aptos‸Coin'`, script, { form: 'struct', path: APT, module: 'aptos_coin', item: 'AptosCoin' }],
    [`"0x1::co‸in::transfer"`, script, { form: 'function', path: '0x1::coin::transfer', item: 'transfer' }],
    ['use 0x1::coi‸n;', move, { form: 'module', path: '0x1::coin', item: null }],
    [
      `"0x01::coin::Coin‸Store<0x0cafe::moon::Moon,u64>"`,
      script,
      {
        form: 'struct',
        path: '0x1::coin::CoinStore<0xcafe::moon::Moon, u64>',
        typeArguments: '<0x0cafe::moon::Moon,u64>',
      },
    ],
    ['0x1::coin::CoinStore<0xcafe::moon::Mo‸on>', script, { path: '0xcafe::moon::Moon' }],
    ['aptos_framework::coi‸n::Coin<T>', move, { form: 'struct', path: '0x1::coin::Coin<T>' }],
    [
      `https://explorer.aptoslabs.com/coin/0x1::aptos_coin::Aptos‸Coin?network=devnet`,
      {},
      { path: APT, network: 'devnet' },
    ],
  ])('are detected in %s', (text, source, facts) => {
    expect(at(text, source)).toMatchObject({ kind: 'aptosType', ...facts });
  });

  test('a type with an open name has no path', () => {
    const moveAddresses = new Map([['hello', null]]);
    expect(at('hello::gree‸ter::Greeting', { ...move, moveAddresses: moveAddresses })).toMatchObject({
      path: null,
      address: null,
    });
  });
});

describe('transactions', () => {
  test.each<[string, TextSource, object]>([
    [
      'https://explorer.aptoslabs.com/txn/12‸3?network=mainnet',
      {},
      { transaction: '123', by: 'version', network: 'mainnet' },
    ],
    [
      'https://explorer.aptoslabs.com/txn/3456‸789012/events?network=testnet',
      {},
      { transaction: '3456789012', network: 'testnet' },
    ],
    ['https://api.devnet.aptoslabs.com/v1/transactions/by_version/4‸2', {}, { transaction: '42', network: 'devnet' }],
    [`https://explorer.aptoslabs.com/txn/${LONG}‸`, {}, { transaction: LONG, by: 'hash', network: null }],
    [`https://aptoscan.com/transaction/99‸`, {}, { transaction: '99' }],
    [`await aptos.waitForTransaction({ transactionHash: '${LONG}‸' })`, script, { transaction: LONG, by: 'hash' }],
  ])('are detected in %s', (text, source, facts) => {
    expect(at(text, source)).toMatchObject({ kind: 'aptosTransaction', ...facts });
  });

  test('a block in an Aptos explorer link is not an EVM block', () => {
    expect(at('https://explorer.aptoslabs.com/block/12‸3?network=mainnet', {})).toMatchObject({
      kind: 'aptosBlock',
      height: '123',
    });
  });

  test.each(['https://example.com/txn/12‸3', 'https://etherscan.io/txn/12‸3', 'see /txn/12‸3'])(
    'are not detected in %s',
    text => {
      expect(at(text, {})).toBeNull();
    },
  );

  test('a transaction hash is an EVM one unless the text mentions Aptos', () => {
    expect(at(`const txHash = '${LONG}‸'`, script)).toMatchObject({ kind: 'hash32' });
  });
});

describe('privacy', () => {
  const verdict = (text: string, source: TextSource, isUserRequested = false) => {
    const subject = at(text, source);
    if (subject === null) throw new Error(`nothing in ${text}`);
    return getPrivacyVerdict(subject, { isLocal: false, fileName: source.fileName, isUserRequested: isUserRequested })
      .decision;
  };

  test.each<[string, TextSource, string]>([
    [`@${LONG}‸`, move, 'yes'],
    [`[addresses]\na = "${LONG}‸"`, toml, 'yes'],
    [`[dev-addresses]\nadmin = "${LONG}‸"`, toml, 'click'],
    [`[addresses]\ndeployer = "${LONG}‸"`, toml, 'click'],
    [`[addresses]\nadmin = "0x‸cafe"`, toml, 'yes'],
    [`[addresses]\nvault = "${LONG}‸" # the package on mainnet`, toml, 'yes'],
    [`[addresses]\nvault = "${LONG}‸" # shared by DM`, toml, 'click'],
    [`# never commit\n[addresses]\nvault = "${LONG}‸"`, toml, 'click'],
    [`// Aptos\nconst recipient = '${LONG}‸'`, script, 'yes'],
    [`// Aptos\nconst account = '${LONG}‸'`, script, 'click'],
    [`// Aptos\nconst accounts = ['${LONG}‸']`, script, 'click'],
    [`// Aptos\nconst x = '${LONG}‸'`, script, 'click'],
    [`// Aptos\nconst privateKey = '${LONG}‸'`, script, 'never'],
    [`// Aptos\nnew Ed25519PrivateKey('${LONG}‸')`, script, 'never'],
    [`// Aptos\nAccount.fromPrivateKey({ address: '${LONG}‸' })`, script, 'never'],
    [`# Aptos\nOWNER_SECRET=${LONG}‸`, { fileName: '.env' }, 'never'],
    [`# Aptos\nOWNER_ADDRESS=${LONG}‸`, { fileName: '.env' }, 'never'],
    [`// Aptos\nconst txHash = '${LONG}‸'`, script, 'yes'],
    [
      `---\nprofiles:\n  default:\n    private_key: "${LONG}‸"\n    rest_url: "https://api.devnet.aptoslabs.com"`,
      {},
      'never',
    ],
    ['@nobo‸dy', move, 'never'],
  ])('decides what is sent of %s', (text, source, answer) => {
    expect(verdict(text, source)).toBe(answer);
  });

  test('a click permits a literal with a weak word, but never a secret', () => {
    expect(verdict(`// Aptos\nconst account = '${LONG}‸'`, script, true)).toBe('yes');
    expect(verdict(`// Aptos\nconst privateKey = '${LONG}‸'`, script, true)).toBe('never');
  });
});

describe('whole texts', () => {
  const source = `module hello::coins {
    use aptos_framework::coin;
    const TREASURY: address = @0x${LONG.slice(2)};
    const LIMIT: u64 = 0xffff;
    fun pay(a: &signer) { coin::transfer<0x1::aptos_coin::AptosCoin>(a, @hello, 5); }
}`;
  const facts = { ...move, moveAddresses: new Map([['hello', padAptosAddress('0xcafe')]]) };

  test('a Move source', () => {
    expect(detectAptos(source, facts).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'aptosType hello::coins',
      'aptosType aptos_framework::coin',
      `aptosAddress ${LONG}`,
      'aptosType 0x1::aptos_coin::AptosCoin',
      'aptosAddress @hello',
    ]);
  });

  test('every literal is found at each of its offsets, or a part of it', () => {
    for (const { start, end } of detectAptos(source, facts)) {
      for (let offset = start; offset < end; offset++) {
        const here = detectLiteralAt(source, offset, facts);
        expect(here?.kind).toMatch(/^aptos/);
        expect(here !== null && here.start >= start && here.end <= end).toBe(true);
      }
    }
  });

  test('detectLiterals orders them among the others, without overlaps', () => {
    const text = `// Aptos\nconst a = '${LONG}';\nconst owner = '${LONG}';\nconst b = '${SHORT20}'; // ${APT}`;
    expect(detectLiterals(text, script).map(({ kind }) => kind)).toEqual([
      'hash32',
      'aptosAddress',
      'address',
      'aptosType',
    ]);
  });
});

describe('texts that do not mention Aptos', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('const a = "', 'address: ', 'tx ', '"\n', ' = ', ';\n', '(', ')', '/tx/', 'owner'),
    fc.integer({ min: 1, max: 70 }).map(length => `0x${'1f9a0c'.repeat(12).slice(0, length)}`),
  );
  const text = fc.array(piece, { maxLength: 12 }).map(parts => parts.join(''));
  const silent = (value: string) => !/aptos|::|move|accountaddress/i.test(value);

  test('contain no Aptos literals', () => {
    fc.assert(
      fc.property(text.filter(silent), value => {
        for (const file of [script, sol, { fileName: 'notes.md' }]) {
          expect(detectAptos(value, file)).toEqual([]);
          for (const subject of detectLiterals(value, file)) expect(subject.kind).not.toMatch(/^aptos/);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test('contain only whole Aptos addresses if the file mentions Aptos elsewhere', () => {
    fc.assert(
      fc.property(text.filter(silent), value => {
        const plain = detectLiterals(value, script).filter(
          ({ kind }) => kind === 'address' || kind === 'selector' || kind === 'data',
        );
        const aware = detectLiterals(value, importing);
        for (const subject of plain)
          if (
            !aware.some(
              ({ kind, start, end }) => kind.startsWith('aptos') && start <= subject.start && subject.end <= end,
            )
          )
            expect(aware).toContainEqual(subject);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
