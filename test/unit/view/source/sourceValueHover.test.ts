import { describe, expect, test } from 'vitest';
import { formatValueHint, renderSourceValues, type SourceValue } from '../../../../src/view/source/sourceValueHover.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const value: SourceValue = {
  chain: 'local',
  chainTitle: 'Local dev chain',
  address: ADDRESS,
  name: 'vault',
  value: '1,000',
  failure: null,
  block: 14,
  before: null,
  isChanged: false,
};

test('shows the value with deployment, chain and block, and what it was before', () => {
  expect(renderSourceValues([{ ...value, before: { value: '900', block: 12 } }], [])).toBe(
    '`1,000` · `vault` `0x0000…00AA` · Local dev chain · block 14  \n$(history) In block 12 it was `900`',
  );
});

test('shows text from the chain as text only', () => {
  expect(renderSourceValues([{ ...value, value: '[x](command:y) `$(zap)' }], [])).toMatch(
    /^``\[x\]\(command:y\) `\$ \(zap\)``/,
  );
});

test('shows the keys of a mapping below it, as text only, with what each was before', () => {
  const members = [
    { label: '[`[x](command:y)`]', text: '77', before: { value: '5', block: 12 } },
    { label: '[Bob]', text: '0', before: null },
  ];
  expect(renderSourceValues([{ ...value, value: '7 keys seen', members, hasMoreMembers: true }], [])).toBe(
    [
      '7 keys seen · `vault` `0x0000…00AA` · Local dev chain · block 14',
      '``[`[x](command:y)`]`` → `77` · $(history) In block 12 it was `5`',
      '`[Bob]` → `0`',
      '…',
    ].join('  \n'),
  );
});

test('says that sources were edited since, and that a value could not be read', () => {
  expect(renderSourceValues([{ ...value, value: null, block: null, isChanged: true }], [])).toBe(
    'This value could not be read\\. · `vault` `0x0000…00AA` · Local dev chain · sources were edited since this build',
  );
});

test('tells why a function gives no value', () => {
  const failure = { kind: 'reverted', reason: 'too low [x](command:y)' } as const;
  expect(renderSourceValues([{ ...value, value: null, failure }], [])).toBe(
    'Reverted: `too low [x](command:y)` · `vault` `0x0000…00AA` · Local dev chain · block 14',
  );
});

test('offers the second build once where no deployment has names of variables', () => {
  const unnamed = { ...value, value: null, failure: { kind: 'noNames' } } as const;
  expect(renderSourceValues([unnamed, unnamed], [])).toMatch(
    /^The build does not say where this variable is\\\. \[Build Debug Information\]\(command:hexlens\.buildDebugInformation[^)]*\)$/,
  );
});

test('asks a chain of others only after a click', () => {
  expect(renderSourceValues([], [{ chain: 'base', chainTitle: 'Base', address: ADDRESS, name: 'Vault' }])).toMatch(
    /^`Vault` `0x0000…00AA` · Base · \[Look up on base\]\(command:hexlens\.lookUpAddress\?/,
  );
});

test('says why a deployment that differs from the build has no value', () => {
  expect(renderSourceValues([], [], [{ chain: 'local', chainTitle: 'Local', address: ADDRESS, name: 'Vault' }])).toBe(
    '`Vault` `0x0000…00AA` · Local · its code differs from your build, so that its values are not known',
  );
});

test('shows nothing without deployments', () => {
  expect(renderSourceValues([], [])).toBeNull();
});

describe('the hint behind a state variable', () => {
  const of = (text: string | null): SourceValue => ({ ...value, value: text });

  test.each([
    ['is the value', [of('1,234')], '= 1,234'],
    ['is one value where deployments have the same', [of('5'), of('5')], '= 5'],
    ['has two values where deployments differ', [of('5'), of('6')], '= 5 | 6'],
    ['says that there are more', [of('5'), of('6'), of('7')], '= 5 | 6 | …'],
    ['has no value that could not be read', [of(null), of('6')], '= 6'],
    ['is short', [of('x'.repeat(100))], `= ${'x'.repeat(39)}…`],
    ['has short addresses', [of(`[0x${'a1'.repeat(20)}, …]`)], '= [0xa1a1…a1a1, …]'],
  ])('shows %s', (_title, values, expected) => {
    expect(formatValueHint(values)).toBe(expected);
  });

  test('is behind what the variable was set to where it is declared', () => {
    expect(formatValueHint([of('5'), of('6')], '→')).toBe('→ 5 | 6');
  });

  test('is missing where there is no value', () => {
    expect(formatValueHint([of(null)])).toBeNull();
  });
});
