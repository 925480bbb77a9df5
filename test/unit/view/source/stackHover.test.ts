import { expect, test } from 'vitest';
import type { StackFrame } from '../../../../src/api/transactionStack.ts';
import { formatFailurePlace, renderStackHover } from '../../../../src/view/source/stackHover.ts';

const frame = (functionName: string, line: number, change: Partial<StackFrame> = {}): StackFrame => ({
  contract: 'Vault',
  functionName,
  address: `0x${'ab'.repeat(20)}`,
  location: {
    source: 'project/contracts/Vault.sol',
    file: '0/contracts/Vault.sol',
    isChanged: false,
    start: { line: line - 1, character: 8 },
    end: { line: line - 1, character: 20 },
  },
  isInferred: false,
  excerpt: null,
  ...change,
});
const render = (...frames: StackFrame[]) =>
  renderStackHover(
    { stack: { frames, reason: 'reverted', call: 0 } },
    ({ file, start }) => `file:///${file}#L${start.line + 1}`,
  );

test('names the innermost frame first, with links to the lines', () => {
  expect(render(frame('withdraw', 41), frame('_take', 60))).toBe(
    '$(error) `Vault._take`, [contracts\\/Vault\\.sol\\:60](file:///0/contracts/Vault.sol#L60)  \n' +
      '$(arrow-small-right) `Vault.withdraw`, [contracts\\/Vault\\.sol\\:41](file:///0/contracts/Vault.sol#L41)',
  );
});

test('says why a call reverted without data, also where no line is known', () => {
  const unknown = frame('', 1, { contract: 'Grain', functionName: null, location: null });
  const reasonOf = (reason: 'unknownFunction' | 'noReceive' | 'reverted', ...frames: StackFrame[]) =>
    renderStackHover({ stack: { frames, reason, call: 0 } }, () => null)?.split('  \n')[0];
  expect(reasonOf('unknownFunction', unknown)).toBe(
    '$(info) The contract has no such function, and no fallback function',
  );
  expect(reasonOf('noReceive', frame('pay', 4), unknown)).toBe(
    '$(info) The contract has no receive function, and no fallback function',
  );
  expect(reasonOf('reverted', unknown)).toBeUndefined();
});

test('marks what is inferred, and files that were edited after the build', () => {
  const { location } = frame('take', 5);
  const changed = location === null ? null : { ...location, isChanged: true };
  expect(render(frame('take', 5, { isInferred: true, location: changed }))).toMatch(
    / \*\(inferred, edited since the build\)\*$/,
  );
});

test('shows five frames, and how many more there are', () => {
  const frames = Array.from({ length: 8 }, (_, i) => frame(`f${i}`, i + 1));
  expect(render(...frames)?.split('\n')).toHaveLength(6);
  expect(render(...frames)).toMatch(/and 3 more$/);
});

test('shows a frame without a line as such, and nothing where no line is known', () => {
  const unknown = frame('take', 1, { location: null });
  expect(render(unknown, frame('_take', 2))).toMatch(/`Vault\.take`, line unknown$/);
  expect(render(unknown)).toBeNull();
  expect(renderStackHover({ stack: null }, () => null)).toBeNull();
});

test('names a call without a build by its address, and one that lends its account to the next as a proxy', () => {
  const unknown = { contract: null, functionName: null, location: null };
  const other = `0x${'cd'.repeat(20)}` as const;
  const text = render(frame('', 1, { ...unknown, address: other }), frame('', 1, unknown), frame('take', 2));
  expect(text?.split('  \n').slice(1)).toEqual([
    '$(arrow-small-right) `proxy 0xABaB…ABaB`, line unknown',
    '$(arrow-small-right) `0xCdCD…CDcD`, line unknown',
  ]);
});

test('the place of a failure is the line of its innermost function, and nothing where that has none', () => {
  const place = (...frames: StackFrame[]) => formatFailurePlace({ stack: { frames, reason: 'reverted', call: 0 } });
  expect(place(frame('withdraw', 41), frame('_take', 60))).toBe('contracts/Vault.sol:60');
  expect(place(frame('_take', 60, { isInferred: true }))).toBe('contracts/Vault.sol:60 (inferred)');
  expect(place(frame('withdraw', 41), frame('_take', 60, { location: null }))).toBeNull();
  expect(formatFailurePlace({ stack: null })).toBeNull();
});
