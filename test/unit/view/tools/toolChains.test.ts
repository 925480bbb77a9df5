// The chains that a language model names.
import { expect, test } from 'vitest';
import { formatFault } from '../../../../src/base/errors.ts';
import { createUnknownChainError, selectToolChains } from '../../../../src/view/tools/toolChains.ts';

const chains = [
  { selector: 'eth', isLocal: false },
  { selector: 'local', isLocal: true },
  { selector: '0x2105', isLocal: false },
];
const isLocal = (chain: { readonly isLocal: boolean }) => chain.isLocal;
const select = (chain: unknown) => selectToolChains(chains, chain, isLocal).map(({ selector }) => selector);

test.each<unknown>(['base', '8453', 8453, '0x2105'])('%j is the chain Base', chain => {
  expect(select(chain)).toEqual(['0x2105']);
});

test.each<unknown>([undefined, null, ''])('%j names no chain: the local ones answer', chain => {
  expect(select(chain)).toEqual(['local']);
});

test('without a local chain the first one answers', () => {
  expect(selectToolChains([{ selector: 'eth', isLocal: false }], undefined, isLocal)).toHaveLength(1);
});

test.each(['basee', '10', 'polygon', ' ', 0, true, {}, ['base'], { toString: 1 }].map(chain => ({ chain })))(
  'no chain answers for $chain',
  ({ chain }) => {
    expect(select(chain)).toEqual([]);
  },
);

test('the error says which chains there are', () => {
  expect(formatFault(createUnknownChainError('basee', chains))).toMatch(
    /the chain "basee"\..*"chain": eth, local, 0x2105\./,
  );
});
