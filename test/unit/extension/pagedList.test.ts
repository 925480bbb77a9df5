// The list of a section: first page, further pages, refresh, cancellation and failures.
import { expect, test } from 'vitest';
import { PARTIAL_HEADER, SCAN_HEADER } from '../../../src/api/wire/responseHeaders.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { PagedList } from '../../../src/extension/sidebar/pagedList.ts';
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
});
const createPage = (keys: string, cursor: string | null): SectionPage => ({
  rows: [...keys].map(row),
  cursor,
  total: null,
  isSyncing: false,
  notes: {},
});

/** A list whose requests are resolved by the test. */
function createFixture() {
  const requests: {
    cursor: string | null;
    signal: AbortSignal;
    resolve(createPage: SectionPage): void;
    reject(error: unknown): void;
  }[] = [];
  let changes = 0;
  let time = 1_000;
  const list = new PagedList({
    fetchPage: (cursor, signal) =>
      new Promise((resolve, reject) => {
        requests.push({ cursor, signal, resolve, reject });
      }),
    clock: { now: () => time },
    onDidChange: () => changes++,
  });
  return {
    list,
    requests,
    changes: () => changes,
    setTime: (ms: number) => {
      time = ms;
    },
    keys: () =>
      list
        .state()
        .rows.map(({ key }) => key)
        .join(''),
  };
}

/** Lets the callbacks of settled promises run. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('requests the first page once for several callers', async () => {
  const { list, requests, keys } = createFixture();
  const both = [list.load(), list.load()];
  expect(requests).toHaveLength(1);
  requests[0]?.resolve(createPage('ab', 'next'));
  await Promise.all(both);
  expect(keys()).toBe('ab');
  await list.load();
  expect(requests).toHaveLength(1);
});

test('appends further pages without duplicate rows', async () => {
  const { list, requests, keys } = createFixture();
  void list.load();
  requests[0]?.resolve(createPage('ab', 'next'));
  await settle();
  const more = list.loadMore();
  void list.loadMore(); // a second click
  expect(requests.map(({ cursor }) => cursor)).toEqual([null, 'next']);
  requests[1]?.resolve(createPage('bc', null));
  await more;
  expect(keys()).toBe('abc');
  await list.loadMore();
  expect(requests).toHaveLength(2);
});

test('refreshes as many pages as are shown and keeps the rows until all are loaded', async () => {
  const { list, requests, keys, changes } = createFixture();
  void list.load();
  requests[0]?.resolve(createPage('ab', '1'));
  await settle();
  void list.loadMore();
  requests[1]?.resolve(createPage('cd', '2'));
  await settle();
  const before = changes();
  const refreshed = list.refresh();
  requests[2]?.resolve(createPage('xa', '1x'));
  await settle();
  expect(keys()).toBe('abcd');
  expect(changes()).toBe(before);
  expect(requests[3]?.cursor).toBe('1x');
  requests[3]?.resolve(createPage('bc', '2x'));
  await refreshed;
  expect(keys()).toBe('xabc');
  expect(list.state().cursor).toBe('2x');
  expect(requests).toHaveLength(4);
});

test('runs only one more refresh for several that are requested during a refresh', async () => {
  const { list, requests } = createFixture();
  void list.load();
  requests[0]?.resolve(createPage('a', null));
  await settle();
  void list.refresh();
  void list.refresh();
  void list.refresh();
  expect(requests).toHaveLength(2);
  requests[1]?.resolve(createPage('b', null));
  await settle();
  expect(requests).toHaveLength(3);
  requests[2]?.resolve(createPage('c', null));
  await settle();
  expect(requests).toHaveLength(3);
});

test('repeats a refresh that loading more has ended', async () => {
  const { list, requests, keys } = createFixture();
  void list.load();
  requests[0]?.resolve(createPage('a', '1'));
  await settle();
  void list.refresh();
  void list.loadMore();
  expect(requests[1]?.signal.aborted).toBe(true);
  requests[2]?.resolve(createPage('b', null));
  await settle();
  expect(keys()).toBe('ab');
  requests[3]?.resolve(createPage('xa', '1x'));
  await settle();
  requests[4]?.resolve(createPage('b', null));
  await settle();
  expect(keys()).toBe('xab');
  expect(requests).toHaveLength(5);
});

test('cancels the request without a trace and requests again at the next load', async () => {
  const { list, requests, keys } = createFixture();
  const loading = list.load();
  list.cancel();
  expect(requests[0]?.signal.aborted).toBe(true);
  requests[0]?.resolve(createPage('late', null));
  await loading;
  expect(list.state()).toMatchObject({ loaded: false, busy: null, error: null });
  expect(keys()).toBe('');
  void list.load();
  expect(requests).toHaveLength(2);
});

test('keeps the rows after a failure and loads again on refresh', async () => {
  const { list, requests, keys } = createFixture();
  const fault = new HexLensError('node-unreachable', 'Gone.');
  void list.load();
  requests[0]?.reject(fault);
  await settle();
  expect(list.state().error).toBe(fault);
  await list.load(); // not by itself
  expect(requests).toHaveLength(1);
  const again = list.refresh();
  requests[1]?.resolve(createPage('ab', 'n'));
  await again;
  expect(keys()).toBe('ab');
  const more = list.loadMore();
  requests[2]?.reject(fault);
  await more;
  expect(keys()).toBe('ab');
  expect(list.state()).toMatchObject({ error: fault, cursor: 'n' });
});

test('says when the rows were read that a failed refresh leaves', async () => {
  const { list, requests, keys, setTime } = createFixture();
  expect(list.state().readAt).toBeNull();
  void list.load();
  requests[0]?.resolve(createPage('ab', null));
  await settle();
  setTime(5_000);
  const refresh = list.refresh();
  requests[1]?.reject(new HexLensError('node-unreachable', 'Gone.'));
  await refresh;
  expect(keys()).toBe('ab');
  expect(list.state()).toMatchObject({ loaded: true, readAt: 1_000 });
  const again = list.refresh();
  requests[2]?.resolve(createPage('abc', null));
  await again;
  expect(list.state()).toMatchObject({ error: null, readAt: 5_000 });
});

test('has whether more rows are still being indexed, what the rows of any page lack, and how far the scan of the last page got', async () => {
  const partial = { [PARTIAL_HEADER]: 'Only what it sent.' };
  const scan = { [SCAN_HEADER]: 'Searched down to block 5; load more to continue.' };
  const { list, requests } = createFixture();
  void list.load();
  requests[0]?.resolve({ ...createPage('ab', 'next'), isSyncing: true, notes: { ...partial, ...scan } });
  await settle();
  expect(list.state()).toMatchObject({ isSyncing: true, notes: { ...partial, ...scan } });
  void list.loadMore();
  requests[1]?.resolve(createPage('c', null));
  await settle();
  expect(list.state()).toMatchObject({ isSyncing: false, notes: partial });
  void list.refresh();
  requests[2]?.resolve(createPage('ab', 'next'));
  await settle();
  requests[3]?.resolve(createPage('c', null));
  await settle();
  expect(list.state()).toMatchObject({ isSyncing: false, notes: {} });
});
