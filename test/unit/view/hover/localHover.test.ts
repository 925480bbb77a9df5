// What a hover says by itself, and what it then asks a chain: from a line of text to the words a person reads.

import { describe, expect, test } from 'vitest';
import { addRecord } from '../../../../src/detect/addRecord.ts';
import { detectLiteralAt } from '../../../../src/detect/detectLiterals.ts';
import type { HexLiteral } from '../../../../src/detect/hexLiteral.ts';
import { checkDisclosure } from '../../../../src/view/checkDisclosure.ts';
import { getHoverLookup, getLiteralChainId } from '../../../../src/view/hover/hoverLookups.ts';
import { renderLocalHover } from '../../../../src/view/hover/localHover.ts';
import { allHoverParts } from '../../../support/hoverParts.ts';

/** The subject of the first hex literal of a line. */
function subjectOf(line: string, fileName = 'notes.ts'): HexLiteral {
  const at = line.search(/0x|\d{4,}/);
  const subject = detectLiteralAt(line, at + 1, { fileName, languageId: 'typescript' });
  if (subject === null) throw new Error(`Nothing was found in ${line}`);
  return subject;
}

const quiet = {
  parts: { ...allHoverParts, actions: false },
  getName: () => null,
  isWorkspaceTrusted: true,
  getEntries: () => [],
};
const render = (line: string) => renderLocalHover(subjectOf(line), quiet);

const valid = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';
const devKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('local part', () => {
  test.each([
    ['an address with a right checksum', `a = "${valid}"`, '**Address** · $(pass) EIP\\-55 checksum'],
    ['an address in lower case', `a = "${valid.toLowerCase()}"`, '**Address**'],
    ['a transaction hash', `const mintTx = '${hash}'`, '**Transaction hash**'],
    ['a hash that nothing speaks for', `x = '${hash}'`, '**32 bytes: a hash, or a private key**'],
    [
      'the Transfer selector',
      `selector = 0xa9059cbb`,
      '**Function** `transfer(address to, uint256 amount)` · ERC\\-20',
    ],
    ['a block number in a link', 'https://etherscan.io/block/19000000', '**Block 19,000,000**'],
    ['a shortened address', 'from 0x7099…79C8', '`0x7099…79C8` is shortened: the missing digits cannot be looked up.'],
  ])('%s', (_, line, text) => {
    expect(render(line)).toBe(text);
  });

  test('shows a wrong checksum with the corrected address', () => {
    expect(render(`a = "${wrong}"`)).toMatch(
      /\*\*The EIP\\-55 checksum is wrong\*\*.*`0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`/,
    );
  });

  test.each([
    [
      { kind: 'creates', name: 'Token' },
      11155111,
      'Creates `Token` · Sepolia · recorded in [`broadcast/run-latest.json`](file:///p/run-latest.json)',
    ],
    [
      { kind: 'calls', name: 'Token.mint(address)' },
      31337,
      'Calls `Token.mint(address)` · Local dev chain · recorded in [`broadcast/run-latest.json`](file:///p/run-latest.json)',
    ],
    [null, 987654, 'Chain 987654 · recorded in [`broadcast/run-latest.json`](file:///p/run-latest.json)'],
    [null, null, 'recorded in [`broadcast/run-latest.json`](file:///p/run-latest.json)'],
  ] as const)('says what a tool has recorded of a hash: %j on %s', (action, chainId, line) => {
    const subject = addRecord(subjectOf(`x = '${hash}'`), { kind: 'transaction', chainId });
    const recorded = { action, chainId, path: 'broadcast/run-latest.json', uri: 'file:///p/run-latest.json' };
    expect(renderLocalHover(subject, { ...quiet, recorded })).toBe(`**Transaction hash**  \n${line}`);
  });

  test('shows names of files as text only', () => {
    const subject = addRecord(subjectOf(`x = '${hash}'`), { kind: 'block', chainId: null });
    const action = { kind: 'creates', name: '`](command:a) $(x)' } as const;
    const recorded = { action, chainId: null, path: 'a`](b).json', uri: 'file:///p/a%60%5D%28b%29.json' };
    expect(renderLocalHover(subject, { ...quiet, recorded })).toBe(
      '**Block hash**  \nCreates `` `](command:a) $ (x) `` · recorded in [``a`](b).json``](file:///p/a%60%5D%28b%29.json)',
    );
  });

  test('says what a chain has under a hash that nothing speaks for', () => {
    const subject = subjectOf(`x = '${hash}'`);
    expect(renderLocalHover(subject, { ...quiet, found: 'transaction' })).toBe('**Transaction hash**');
    expect(renderLocalHover(subject, { ...quiet, found: 'block' })).toBe('**Block hash**');
    expect(renderLocalHover(subject, { ...quiet, found: 'late' })).toBe('**32 bytes**');
    const named = subjectOf(`await client.getTransaction({ hash: '${hash}' })`);
    expect(renderLocalHover(named, quiet)).toBe('**Hash**');
    expect(renderLocalHover(named, { ...quiet, found: 'late' })).toBe('**Hash**');
    expect(renderLocalHover(named, { ...quiet, found: 'transaction' })).toBe('**Transaction hash**');
  });

  test('the zero address needs no checksum and no look-up', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const shown = renderLocalHover(subjectOf(`a = ${zero}`), { ...quiet, parts: { ...quiet.parts, actions: true } });
    expect(shown).toContain('**Address** · `Zero address` · [Copy](');
    expect(shown).toContain('It has no owner, so it is not looked up.');
    expect(shown).not.toContain('checksum');
  });

  test('counts missing digits', () => {
    expect(render(`address owner = ${valid.slice(0, -1)};`)).toBe(
      '$(warning) **Address with 1 digit too few**: it has 39, 40 are needed.',
    );
  });

  test('a key is never shown as a literal to look up', () => {
    expect(render(`PRIVATE_KEY=${hash}`)).toMatch(/may be a secret.*never leaves this machine/s);
    expect(render(`deployer = ${devKey}`)).toContain(
      '**Dev account \\#0 private key**, of `0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`',
    );
    expect(render(`deployer = ${devKey}`)).not.toContain(devKey);
  });

  test('is empty with parts switched off', () => {
    const off = { ...quiet, parts: { ...quiet.parts, kind: false, checksum: false, signature: false } };
    expect(renderLocalHover(subjectOf(`a = "${valid}"`), off)).toBe('');
    expect(renderLocalHover(subjectOf('selector = 0xa9059cbb'), off)).toBe('');
  });
});

describe('getHoverLookup', () => {
  test('an address is in lower case, a hash and a block are unchanged', () => {
    expect(getHoverLookup(subjectOf(`a = "${valid}"`))).toEqual({ kind: 'address', address: valid.toLowerCase() });
    expect(getHoverLookup(subjectOf(`mintTx = '${hash}'`))).toEqual({ kind: 'hash', hash });
    expect(getHoverLookup(subjectOf('https://etherscan.io/block/19000000'))).toEqual({
      kind: 'block',
      block: 19_000_000,
    });
  });

  test.each([`deployer = ${devKey}`, 'a = 0x0000000000000000000000000000000000000000', 'selector = 0xa9059cbb'])(
    'nothing is queried about %s',
    line => {
      expect(getHoverLookup(subjectOf(line))).toBeNull();
    },
  );

  test("an explorer's link names its chain", () => {
    expect(getLiteralChainId(subjectOf(`https://polygonscan.com/tx/${hash}`))).toBe(137);
    expect(getLiteralChainId(subjectOf(`mintTx = '${hash}'`))).toBeNull();
  });
});

describe('checkDisclosure', () => {
  const local = { isLocal: true, isUserRequested: false };
  const away = { isLocal: false, isUserRequested: false };
  const clicked = { isLocal: false, isUserRequested: true };
  const rules = { fileName: 'notes.ts', addressesOnClick: false };

  test.each([
    ['an address, on this machine', `a = "${valid}"`, local, rules, 'yes'],
    ['an address, elsewhere', `a = "${valid}"`, away, rules, 'yes'],
    ['an address, elsewhere, by click only', `a = "${valid}"`, away, { ...rules, addressesOnClick: true }, 'click'],
    ['an address, elsewhere, clicked', `a = "${valid}"`, clicked, { ...rules, addressesOnClick: true }, 'yes'],
    ['a hash with evidence, elsewhere', `mintTx = '${hash}'`, away, rules, 'yes'],
    ['a hash without, on this machine', `x = '${hash}'`, local, rules, 'yes'],
    ['a hash without, elsewhere', `x = '${hash}'`, away, rules, 'click'],
    ['a hash without, elsewhere, clicked', `x = '${hash}'`, clicked, rules, 'yes'],
    [
      'a hash in an env file, elsewhere, clicked',
      `x = '${hash}'`,
      clicked,
      { ...rules, fileName: '.env.local' },
      'never',
    ],
    ['a secret, elsewhere, clicked', `privateKey = '${hash}'`, clicked, rules, 'never'],
    ['a development key, on this machine', `x = ${devKey}`, local, rules, 'never'],
  ] as const)('%s: %5$s', (_, line, chain, asking, answer) => {
    expect(checkDisclosure(subjectOf(line), chain, asking).decision).toBe(answer);
  });
});
