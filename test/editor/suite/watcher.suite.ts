// When watched addresses are read: of another chain, of a remote host, and while the list is visible.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { resolveChain } from '../../../src/api/chains.ts';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { ActivityTree } from '../../../src/extension/activity/activityTree.ts';
import { Watcher, type WatcherDeps } from '../../../src/extension/activity/watcher.ts';
import { getWatchKey, type Watch } from '../../../src/view/activity/watch.ts';
import { createMemento } from './addressBookFixture.ts';
import { until } from './siweActions.ts';

const watch: Watch = { address: `0x${'ab'.repeat(20)}`, topic0: null, event: null, chain: null };
const key = getWatchKey(watch);
const toHash = (digits: string) => `0x${digits.repeat(32)}`;

/** The chain, its nodes and what is requested of them are of the test. */
async function createFixture(selector: string, allowedHosts: readonly string[], stored: object, isIndexPaused = false) {
  let configuration = { ...defaultConfiguration, nodes: { [selector]: 'http://127.0.0.1:1' } };
  const requests: unknown[] = [];
  const signals: unknown[] = [];
  const writes: unknown[] = [];
  const polled: unknown[] = [];
  let status: object | undefined;
  const statusRead = new vscode.EventEmitter<string>();
  const connectionsChanged = new vscode.EventEmitter<void>();
  const { event: never } = new vscode.EventEmitter<never>();
  const request = async (...all: unknown[]) => {
    requests.push(all.slice(0, 2));
    signals.push(all[2]);
    throw new Error('No node responds.');
  };
  const workspaceState = createMemento({ 'hexlens.watch': { watches: [watch], ...stored } });
  const deps = {
    worker: {
      chains: () => [{ selector }],
      transport: { send: request },
      lookup: request,
      onEvent: never,
      isIndexPaused: () => isIndexPaused,
    },
    buildNames: { learn: async () => {}, get: () => null },
    settings: { configuration: () => configuration, current: () => ({ watch: { allowedHosts } }), onDidChange: never },
    book: { ready: async () => {}, findByAddress: () => [], getName: () => null, onDidChange: never },
    abis: { load: async () => createAbiRegistry() },
    chainMonitor: {
      getStatus: () => status,
      setPolledChains: (_: string, chains: object) => void polled.push(chains),
      refresh: async (selectors: readonly string[]) => void requests.push(['refresh', ...selectors]),
      onDidReadStatus: statusRead.event,
      onDidChangeConnections: connectionsChanged.event,
    },
    workspaceState: {
      ...workspaceState,
      update(name: string, value: unknown) {
        writes.push(value);
        return workspaceState.update(name, value);
      },
    },
    log: silentLog,
  };
  return {
    requests,
    signals,
    polled,
    writes,
    watcher: new Watcher(deps as unknown as WatcherDeps),
    readStatus(read: object) {
      status = {
        selector,
        chain: resolveChain(selector, 31337),
        problem: null,
        isLocal: true,
        isIndexedWhole: true,
        ...read,
      };
      statusRead.fire(selector);
    },
    connect(change: Partial<typeof configuration>) {
      configuration = { ...configuration, ...change };
      connectionsChanged.fire();
    },
  };
}

describe('what is watched', () => {
  const log = {
    items: [],
    positions: { local: { [key]: [{ number: 5, hash: toHash('05') }] } },
    genesis: { local: toHash('aa') },
  };
  const head = { head: 9, headHash: toHash('09') };

  it('is read from the head on when another node has another chain', async () => {
    const { watcher, connect, readStatus, requests } = await createFixture('local', [], { log });
    try {
      connect({ nodes: { local: 'http://127.0.0.1:2' } });
      readStatus({ ...head, genesisHash: toHash('bb') });
      const getPositions = () => watcher.log().positions['local']?.[key];
      await until(getPositions, positions => positions?.[0]?.number === 9, 'the position at the head');
      assert.deepEqual(getPositions(), [{ number: 9, hash: head.headHash }]);
      assert.deepEqual(requests, []);
    } finally {
      watcher.dispose();
    }
  });

  it('is read from the first block on when the same node was reset', async () => {
    const { watcher, readStatus, requests } = await createFixture('local', [], { log });
    try {
      readStatus({ ...head, genesisHash: toHash('bb') });
      await until(
        () => requests,
        all => all.length > 0,
        'requests for blocks',
      );
      assert.notEqual(watcher.log().positions['local']?.[key]?.[0]?.number, 9);
    } finally {
      watcher.dispose();
    }
  });

  it('learns the head of a remote host from the balance of what is watched', async () => {
    const evm = { mode: 'remote', baseUrl: 'https://host.example/api' } as const;
    const { watcher, connect, requests, signals } = await createFixture('eth', ['host.example'], {});
    try {
      watcher.setVisible(true);
      connect({ nodes: {}, groups: { ...defaultConfiguration.groups, evm } });
      // Other rounds may have had nothing to request.
      const getAll = () => requests.map(one => JSON.stringify(one));
      const refresh = JSON.stringify(['refresh', 'eth']);
      await until(getAll, all => all.includes(refresh), 'a refresh of the status');
      const summary = JSON.stringify(['addressSummary', { chain: 'eth', address: watch.address }]);
      assert.ok(getAll().indexOf(summary) >= 0 && getAll().indexOf(summary) < getAll().indexOf(refresh));
      const signal = signals[0] as AbortSignal;
      assert.equal(signal.aborted, false);
      connect({});
      assert.equal(signal.aborted, true);
    } finally {
      watcher.dispose();
    }
  });

  it('without an entry is on all chains again after it was not watched', async () => {
    const stored = { entryChains: { [watch.address]: ['base'] } };
    const { watcher } = await createFixture('local', [], stored);
    try {
      assert.deepEqual(watcher.getChains(watch).polled, []);
      await watcher.setWatched([watch], false);
      await watcher.setWatched([watch], true);
      assert.deepEqual(watcher.getChains(watch).polled, ['local']);
    } finally {
      watcher.dispose();
    }
  });

  it('is stored once for all watches of a command', async () => {
    const other: Watch = { ...watch, address: `0x${'cd'.repeat(20)}` };
    const items = [watch, other].map((one, index) => ({
      ...{ chain: 'local', hash: toHash(`0${index}`), blockNumber: 5, time: null, from: null, to: one.address },
      ...{ what: '1 ETH', method: '', isFailed: false, icon: '', color: null },
      ...{ watches: [getWatchKey(one)], state: 'new' },
    }));
    const stored = { watches: [watch, other], log: { ...log, items } };
    const { watcher, writes } = await createFixture('local', [], stored);
    try {
      assert.equal(watcher.log().items.length, 2);
      await watcher.setWatched([watch, other], false);
      assert.deepEqual(writes, [undefined]);
      await watcher.setWatched([watch, other], true);
      assert.equal(writes.length, 2);
    } finally {
      watcher.dispose();
    }
  });

  it('requests nothing of an index that was paused before the sidebar was loaded', async () => {
    const { watcher, readStatus, requests } = await createFixture('local', [], { log }, true);
    try {
      readStatus({ ...head, genesisHash: toHash('bb') });
      const getProblem = () => watcher.getProblems()[0]?.text ?? '';
      await until(getProblem, text => text.includes('paused'), 'the notice that the index is paused');
      assert.deepEqual(requests, []);
    } finally {
      watcher.dispose();
    }
  });

  it('names contracts by the build, when that is known and again when it has changed', async () => {
    const item = {
      ...{ chain: 'local', hash: toHash('01'), blockNumber: 5, time: null, from: null, to: toHash('ab').slice(0, 42) },
      ...{ what: 'Moved', method: '', isFailed: false, icon: '', color: null, watches: [key], state: 'seen' },
    };
    const { watcher } = await createFixture('local', [], { log: { ...log, items: [item] } });
    let name = 'Vault (build)';
    let known: string | null = null;
    const tree: ActivityTree = new ActivityTree({
      watcher,
      book: { getName: () => null, onDidChange: new vscode.EventEmitter<void>().event },
      chainMonitor: { getChain: () => resolveChain('local', 31337) },
      buildNames: {
        async learn() {
          if (known === name) return;
          known = name;
          tree.handleNameChange();
        },
        get: (address, chain) => (address === item.to && chain === 'local' ? known : null),
      },
    });
    const getRow = () => tree.getChildren().map(node => String(tree.getTreeItem(node).description))[0] ?? '';
    let changes = 0;
    const listening = tree.onDidChange(() => changes++);
    try {
      assert.match(getRow(), /^Vault \(build\) · block 5/);
      await until(
        () => changes,
        count => count === 1,
        'a refresh of the rows',
      );
      name = 'Vault (Ignition)';
      assert.match(getRow(), /^Vault \(Ignition\) · block 5/);
    } finally {
      listening.dispose();
      tree.dispose();
      watcher.dispose();
    }
  });

  it('is read without the focus while the list is visible', async () => {
    const { watcher, polled } = await createFixture('local', [], {});
    try {
      watcher.setVisible(true);
      assert.deepEqual(polled.at(-1), { shown: ['local'], isPolledWithoutFocus: true });
      watcher.setVisible(false);
      assert.deepEqual(polled.at(-1), { shown: ['local'], isPolledWithoutFocus: false });
    } finally {
      watcher.dispose();
    }
  });
});
