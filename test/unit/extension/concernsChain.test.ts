// Which chains a hover asks about a literal whose text names one.
import { expect, test } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { concernsChain } from '../../../src/extension/hover/concernsChain.ts';
import { createLookupPermissions } from '../../../src/extension/hover/lookupPermissions.ts';
import { getHoverLookup } from '../../../src/view/hover/hoverLookups.ts';

const HASH = '0x5f1c3a9be07d24468ac1f07b3e9d5528c0a7714be6d2938f4b6051ce7d9a3f82';

/** `local` is a development chain with the id 31337, or a fork of Ethereum with its id. */
function ask(text: string, selector: string, { chainId = 31337, isLinkText = false, isAllowed = false } = {}) {
  const [literal] = detectLiterals(text);
  const request = literal === undefined ? null : getHoverLookup(literal);
  if (literal === undefined || request === null) throw new Error(`There is nothing to look up in ${text}.`);
  const permissions = createLookupPermissions();
  if (isAllowed) permissions.allow(selector, literal.text);
  const deps = {
    worker: { lookup: async () => ({ chain: { id: chainId } }) },
    book: { findByAddress: () => [] },
    permissions,
  } as unknown as Parameters<typeof concernsChain>[3];
  const signal = new AbortController().signal;
  return concernsChain(
    { selector, isOnLoopback: selector === 'local' },
    { literal, isLinkText },
    request,
    deps,
    signal,
  );
}

const LINK = `https://etherscan.io/tx/${HASH}`;

test('a link to an explorer is of its chain, and of a local node with the id of that chain', async () => {
  expect(await ask(LINK, 'eth')).toBe(true);
  expect(await ask(LINK, 'base')).toBe(false);
  expect(await ask(LINK, 'local')).toBe(false);
  expect(await ask(LINK, 'local', { chainId: 1 })).toBe(true);
});

test('another chain is queried after a click, and one of this machine for the text of a link', async () => {
  expect(await ask(LINK, 'local', { isAllowed: true })).toBe(true);
  expect(await ask(LINK, 'local', { isLinkText: true })).toBe(true);
  expect(await ask(`tx ${HASH}`, 'local')).toBe(true);
});
