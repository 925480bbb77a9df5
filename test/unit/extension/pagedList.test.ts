// A list behind a section: first page, more, refresh, cancel, failures; what is shown is never lost on the way.
import { expect, test } from 'vitest';
import { HexLensError } from '../../../src/base/errors.ts';
import { createPagedList } from '../../../src/extension/sidebar/pagedList.ts';
import type { SectionPage } from '../../../src/view/tree/sectionRows.ts';
import type { TreeRow } from '../../../src/view/tree/treeRow.ts';

const row = (key: string): TreeRow => ({
  key,
  label: key,
  description: '',
  accessibilityLabel: '',
  icon: '',
  color: null,
  facts: [],
  copyText: '',
  target: null,
  sections: [],
});
const answer = (keys: string, cursor: string | null): SectionPage => ({
  rows: [...keys].map(row),
  cursor,
  total: null,
  isSyncing: false,
});

/** A list whose questions are answered by hand. */
function rig() {
  const asked: {
    cursor: string | null;
    signal: AbortSignal;
    resolve(answer: SectionPage): void;
    reject(error: unknown): void;
  }[] = [];
  let changes = 0;
  const list = createPagedList({
    fetchPage: (cursor, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ cursor, signal, resolve, reject });
      }),
    onDidChange: () => changes++,
  });
  return {
    list,
    asked,
    changes: () => changes,
    keys: () =>
      list
        .state()
        .rows.map(({ key }) => key)
        .join(''),
  };
}

/** Lets settled promises run on. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('the first page is asked once, however many wait for it', async () => {
  const { list, asked, keys } = rig();
  const both = [list.load(), list.load()];
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(answer('ab', 'next'));
  await Promise.all(both);
  expect(keys()).toBe('ab');
  await list.load();
  expect(asked).toHaveLength(1);
});

test('more is added behind, without what is there already', async () => {
  const { list, asked, keys } = rig();
  void list.load();
  asked[0]?.resolve(answer('ab', 'next'));
  await settle();
  const more = list.loadMore();
  void list.loadMore(); // a second click
  expect(asked.map(({ cursor }) => cursor)).toEqual([null, 'next']);
  asked[1]?.resolve(answer('bc', null));
  await more;
  expect(keys()).toBe('abc');
  await list.loadMore();
  expect(asked).toHaveLength(2);
});

test('a refresh reads as many pages as are shown and keeps the rows until they are there', async () => {
  const { list, asked, keys, changes } = rig();
  void list.load();
  asked[0]?.resolve(answer('ab', '1'));
  await settle();
  void list.loadMore();
  asked[1]?.resolve(answer('cd', '2'));
  await settle();
  const before = changes();
  const refreshed = list.refresh();
  asked[2]?.resolve(answer('xa', '1x'));
  await settle();
  expect(keys()).toBe('abcd');
  expect(changes()).toBe(before);
  expect(asked[3]?.cursor).toBe('1x');
  asked[3]?.resolve(answer('bc', '2x'));
  await refreshed;
  expect(keys()).toBe('xabc');
  expect(list.state().cursor).toBe('2x');
  expect(asked).toHaveLength(4);
});

test('heads that come while it refreshes lead to one refresh more, not to many', async () => {
  const { list, asked } = rig();
  void list.load();
  asked[0]?.resolve(answer('a', null));
  await settle();
  void list.refresh();
  void list.refresh();
  void list.refresh();
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(answer('b', null));
  await settle();
  expect(asked).toHaveLength(3);
  asked[2]?.resolve(answer('c', null));
  await settle();
  expect(asked).toHaveLength(3);
});

test('cancelling ends the request and leaves nothing behind; the next look asks again', async () => {
  const { list, asked, keys } = rig();
  const waiting = list.load();
  list.cancel();
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[0]?.resolve(answer('late', null));
  await waiting;
  expect(list.state()).toMatchObject({ loaded: false, busy: null, error: null });
  expect(keys()).toBe('');
  void list.load();
  expect(asked).toHaveLength(2);
});

test('a failure keeps the rows, and trying again starts anew', async () => {
  const { list, asked, keys } = rig();
  const fault = new HexLensError('node-unreachable', 'Gone.');
  void list.load();
  asked[0]?.reject(fault);
  await settle();
  expect(list.state().error).toBe(fault);
  await list.load(); // not by itself
  expect(asked).toHaveLength(1);
  const again = list.refresh();
  asked[1]?.resolve(answer('ab', 'n'));
  await again;
  expect(keys()).toBe('ab');
  const more = list.loadMore();
  asked[2]?.reject(fault);
  await more;
  expect(keys()).toBe('ab');
  expect(list.state()).toMatchObject({ error: fault, cursor: 'n' });
});
