import { expect, test } from 'vitest';
import { findLinkText } from '../../../src/view/linkText.ts';

const hash = `0x${'1a'.repeat(32)}`;
const address = `0x${'2b'.repeat(20)}`;

/** What the link names around the first `|` of the line, and its text. */
function find(marked: string) {
  const line = marked.replace('|', '');
  const found = findLinkText(line, marked.indexOf('|'));
  return found === null ? null : [line.slice(found.start, found.end), line.slice(found.target)];
}

test('the text of a link leads to what its URL names', () => {
  expect(find(`see [fai|led](https://example.com/tx/${hash}) now`)).toEqual(['failed', `${hash}) now`]);
  expect(find(`[\`the mi|ll\`](<https://example.com/address/${address}#code>)`)).toEqual([
    '`the mill`',
    `${address}#code>)`,
  ]);
  expect(find('Block [7|3](https://example.com/block/73)')).toEqual(['73', '73)']);
  expect(find(`[one](https://example.com/tx/${hash}), [tw|o](https://example.com/address/${address})`)?.[0]).toBe(
    'two',
  );
});

test('other texts, and links to something else, lead nowhere', () => {
  for (const marked of [
    `fai|led https://example.com/tx/${hash}`,
    '[gui|de](https://example.com/docs/intro)',
    `[fai|led](./notes.md) ${hash}`,
    `[failed](https://example.com/tx/0x|${hash.slice(2)})`,
    `[commit|](https://example.com/tx/${hash}ff)`,
  ])
    expect(find(marked), marked).toBeNull();
});
