// Groups, order and filter of saved entries; what the tree says of entries, chains and faults.
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/addressBook/entry.ts';
import { resolveChain } from '../../../../src/api/chains.ts';
import type { ChainStatus } from '../../../../src/api/lookups.ts';
import type { Progress } from '../../../../src/api/workerProtocol.ts';
import { checksumAddress } from '../../../../src/base/checksumAddress.ts';
import { shortenHex } from '../../../../src/base/displayText.ts';
import { HexLensError } from '../../../../src/base/errors.ts';
import { type Arrangement, arrangeEntries, type EntryGroup } from '../../../../src/view/tree/arrangeEntries.ts';
import { getChainFacts, toChainText } from '../../../../src/view/tree/chainText.ts';
import { getEntryFacts, toEntryText } from '../../../../src/view/tree/entryText.ts';
import { toFaultText } from '../../../../src/view/tree/faultText.ts';

let count = 0;
const saved = (name: string, change: Partial<SavedEntry> = {}): SavedEntry => {
  count++;
  return {
    id: `id${count}`,
    address: `0x${count.toString(16).padStart(40, '0')}`,
    kind: 'wallet',
    name,
    chains: [],
    folder: '',
    tags: [],
    notes: '',
    color: null,
    trust: null,
    storage: { kind: 'personal' },
    ...change,
  };
};
const plain: Arrangement = { grouping: 'folder', sorting: 'name', filter: '' };
const shape = ({ label, groups, entries }: EntryGroup): unknown => [
  label,
  ...groups.map(shape),
  ...entries.map(({ name }) => name),
];

describe('arrangeEntries', () => {
  const entries = [
    saved('b', { folder: 'x/y' }),
    saved('A 10'),
    saved('a 9', { folder: 'x', tags: ['t', 'u'], kind: 'aptos' }),
    saved('c', { chains: ['eth'], kind: 'contract' }),
  ];

  test('groups by folder, including empty ones', () => {
    const { root, matchCount, totalCount } = arrangeEntries(entries, ['empty/deep'], plain);
    expect(shape(root)).toEqual(['', ['empty', ['deep']], ['x', ['y', 'b'], 'a 9'], 'A 10', 'c']);
    expect([matchCount, totalCount, root.count, root.groups[1]?.count]).toEqual([4, 4, 4, 2]);
  });

  test('a folder and one of the same name in another have different ids, and so do filtered groups', () => {
    const twins = [saved('1', { folder: 'x/x' }), saved('2', { folder: 'x' })];
    const ids = (filter: string) => {
      const [outer] = arrangeEntries(twins, [], { ...plain, filter }).root.groups;
      return [outer?.id, outer?.groups[0]?.id];
    };
    expect(ids('')).toEqual(['folder:x', 'folder:x/x']);
    expect(ids('1')).toEqual(['~folder:x', '~folder:x/x']);
  });

  test('groups by tag, by chain or not at all; entries without a value are last', () => {
    expect(shape(arrangeEntries(entries, ['gone'], { ...plain, grouping: 'tag' }).root)).toEqual([
      '',
      ['t', 'a 9'],
      ['u', 'a 9'],
      ['No tag', 'A 10', 'b', 'c'],
    ]);
    expect(shape(arrangeEntries(entries, [], { ...plain, grouping: 'chain' }).root)).toEqual([
      '',
      ['eth', 'c'],
      ['Every chain', 'a 9', 'A 10', 'b'],
    ]);
    const ofAllKinds = [saved('B 1', { kind: 'collection' }), ...entries];
    expect(shape(arrangeEntries(ofAllKinds, [], { ...plain, grouping: 'none', sorting: 'kind' }).root)).toEqual([
      '',
      'A 10',
      'b',
      'c',
      'B 1',
      'a 9',
    ]);
  });

  test('the filter requires every word, in any field, and hides empty folders', () => {
    const { root, matchCount } = arrangeEntries(entries, ['empty'], { ...plain, filter: ' WALLET  x/Y' });
    expect(shape(root)).toEqual(['', ['x', ['y', 'b']]]);
    expect(matchCount).toBe(1);
  });

  test('arranges 5,000 entries in 500 folders within two frames', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => saved(`n${at}`, { folder: `f${at % 50}/g${at % 10}` }));
    const { root } = arrangeEntries(many, [], plain);
    expect(root.count).toBe(5_000);
    expect(root.groups).toHaveLength(50);
  });
});

describe('texts', () => {
  test('an entry has one sanitized line, and all fields in the facts', () => {
    const entry = saved('Tre\u202easury\n', {
      tags: ['hot'],
      color: 'red',
      trust: 'spam',
      chains: ['eth'],
      notes: 'n',
    });
    const text = toEntryText(entry, true);
    expect(text).toMatchObject({ label: 'Tre·asury', color: 'charts.red', icon: 'warning' });
    expect(text.description).toMatch(/^0x0000…\w{4} · #hot · spam$/);
    const alice = saved('Alice', { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' });
    expect(toEntryText(alice, true)).toMatchObject({
      description: '0x7099…79C8',
      accessibilityLabel: 'Alice, Wallet, 0x7099…79C8',
    });
    expect(text.accessibilityLabel).toContain('Wallet');
    expect(getEntryFacts(entry).map(({ name }) => name)).toEqual([
      'Kind',
      'Address',
      'Chains',
      'Tags',
      'Notes',
      'Trust',
      'Stored in',
    ]);
  });

  const place = { selector: 'local', host: '127.0.0.1:8545', isOnLoopback: true };
  const status: ChainStatus = {
    selector: 'local',
    chain: resolveChain('local', 31337),
    source: 'node',
    head: 1_234,
    headTime: new Date(1_000_000),
    client: 'anvil/v1\n',
    problem: null,
  };

  test('a chain: not loaded, connected, syncing, failing', () => {
    expect(toChainText(place, undefined, undefined, [], 0).icon).toBe('loading~spin');
    expect(toChainText({ ...place, isOnLoopback: false }, undefined, undefined, [], 0).description).toMatch(
      /refresh to load/,
    );
    expect(toChainText(place, status, undefined, [], 1_003_000)).toMatchObject({
      label: 'Local dev chain',
      description: 'block 1,234 · 3 seconds ago',
      color: 'charts.green',
    });
    const progress = {
      task: 'index',
      kind: 'index' as const,
      chain: 'local',
      address: null,
      done: 50,
      total: 200,
      isRunning: true,
    };
    expect(toChainText(place, status, undefined, [progress], 1_003_000)).toMatchObject({ icon: 'sync~spin' });
    const work = (change: Partial<Progress>) =>
      getChainFacts(place, status, undefined, [{ ...progress, ...change }], 1_003_000, address =>
        address.endsWith('02') ? 'Apes\u202e' : null,
      ).at(-1);
    const value = '50 of 200 (25%)';
    expect(work({})).toEqual({ name: 'Indexing the chain', value });
    const wallet = `0x${'ab'.repeat(20)}` as const;
    expect(work({ address: wallet, scope: 'wallet' })).toEqual({
      name: `Indexing wallet ${shortenHex(checksumAddress(wallet))}`,
      value,
    });
    const apes = `0x${'00'.repeat(19)}02` as const;
    expect(work({ address: apes, scope: 'contract' })?.name).toBe('Indexing contract Apes·');
    expect(work({ address: apes, scope: 'trades' })?.name).toBe('Indexing sales of Apes·');
    const lastRead = { status, readAt: 1_000_000 };
    const failing = { ...status, chain: null, head: null, headTime: null, client: null, problem: 'No answer.' };
    expect(toChainText(place, failing, lastRead, [], 1_120_000)).toMatchObject({
      label: 'Local dev chain',
      description: 'block 1,234 read 2 minutes ago · No answer.',
      icon: 'error',
    });
    expect(getChainFacts(place, failing, lastRead, [], 1_120_000, () => null)).toContainEqual({
      name: 'Latest block',
      value: '1,234',
    });
    expect(toChainText(place, { ...status, problem: 'No answer.' }, undefined, [], 0)).toMatchObject({
      icon: 'error',
      description: 'No answer.',
    });
  });

  test('a fault: the problem, what to do, a command that helps', () => {
    const unreachable = new HexLensError('node-unreachable', 'The node did not answer. Is it running?', {
      fix: 'Start it.',
    });
    expect(toFaultText(unreachable)).toEqual({
      label: 'The node did not answer.',
      fix: 'Is it running? Start it.',
      icon: 'error',
      isError: true,
      isRetryable: true,
      action: 'connectNode',
    });
    expect(toFaultText(new HexLensError('not-implemented', 'Not built.'))).toMatchObject({
      label: 'Not available here yet',
      fix: 'Not built.',
      isError: false,
      isRetryable: false,
    });
    expect(toFaultText(new HexLensError('no-node', 'No node for eth. Add --node.')).fix).toMatch(/Connect a node/);
    expect(toFaultText(new Error('boom'))).toMatchObject({ action: 'showOutput', isError: true });
  });
});
