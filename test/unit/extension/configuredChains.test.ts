// Whether a chain counts as local, which decides what may be sent to it without a click.

import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import type { ChainStatus } from '../../../src/api/lookups.ts';
import {
  ConfiguredNetworks,
  getConfiguredChains,
  isDevelopmentNode,
  isMinedHere,
  isSearchedForHash,
  selectExplorer,
} from '../../../src/extension/worker/configuredChains.ts';
import { getConfiguredTitle } from '../../../src/view/chainTitle.ts';

const nodes = { local: 'http://127.0.0.1:8545', eth: 'https://node.example/v1' };
const withEvm = (mode: 'embedded' | 'remote', baseUrl: string) => ({
  nodes,
  groups: { ...defaultConfiguration.groups, evm: { mode, baseUrl } },
});

test.each([
  ['embedded', 'https://host.example/api/v2', [true, false]],
  ['remote', 'https://host.example/api/v2', [false, false]],
  ['remote', 'http://127.0.0.1:8547/api/v2', [true, true]],
  ['remote', '', [false, false]],
] as const)('with an %s service at %j the chains are on this machine: %j', (mode, baseUrl, isOnLoopback) => {
  expect(getConfiguredChains(withEvm(mode, baseUrl), new Set())).toEqual([
    { selector: 'local', reportedTitle: null, isOnLoopback: isOnLoopback[0], isLocal: false },
    { selector: 'eth', reportedTitle: null, isOnLoopback: isOnLoopback[1], isLocal: false },
  ]);
});

test('a chain is local only when its node is on this machine and says that no other machine knows the chain', () => {
  const chains = getConfiguredChains(withEvm('embedded', ''), new Set(['local', 'eth']));
  expect(chains.map(({ isLocal }) => isLocal)).toEqual([true, false]);
});

test('a chain is called what its node reports, until then by the name in the settings', () => {
  const nodes = { local: 'http://127.0.0.1:8545', sepolia: 'http://127.0.0.1:8546', base: 'http://127.0.0.1:8547' };
  const networks = new ConfiguredNetworks({
    configuration: () => ({ ...defaultConfiguration, nodes }),
    userAptosNetworks: () => new Set(),
  });
  const getTitles = () => networks.get().chains.map(getConfiguredTitle);
  expect(getTitles()).toEqual(['Local dev chain', 'Sepolia', 'base']);
  const report = (selector: string, title: string | null) =>
    networks.noteStatus({
      selector,
      chain: title === null ? null : { name: selector, id: 1, title, coin: 'ETH', decimals: 18, explorer: null },
    } as ChainStatus);
  expect(report('local', 'Local node (Ethereum)')).toBe(true);
  expect(report('sepolia', 'Local node (Sepolia)')).toBe(true);
  expect(report('sepolia', null)).toBe(false);
  expect(getTitles()).toEqual(['Local node (Ethereum)', 'Local node (Sepolia)', 'base']);
  networks.clear();
  expect(getTitles()).toEqual(['Local dev chain', 'Sepolia', 'base']);
});

test('a chain with several nodes is on this machine only when all of them are', () => {
  const [here, remote] = [nodes.local, nodes.eth];
  const several = { ...withEvm('embedded', ''), nodes: { local: [here, 'http://[::1]:8545'], eth: [here, remote] } };
  const chains = getConfiguredChains(several, new Set(['local', 'eth']));
  expect(chains).toEqual([
    { selector: 'local', reportedTitle: null, isOnLoopback: true, isLocal: true },
    { selector: 'eth', reportedTitle: null, isOnLoopback: false, isLocal: false },
  ]);
});

test('blocks of a fork are mined here behind its first, all of a local chain, and none of another one', () => {
  const [fork, remote] = getConfiguredChains(
    withEvm('embedded', ''),
    new Set(),
    new Map([
      ['local', 40],
      ['eth', 40],
    ]),
  );
  const mined = (chain: Parameters<typeof isMinedHere>[0] | undefined) =>
    [40, 41, null].map(block => isMinedHere(chain ?? {}, block));
  expect(mined(fork)).toEqual([false, true, false]);
  expect(mined({ isLocal: true })).toEqual([true, true, true]);
  expect(mined(remote)).toEqual([false, false, false]);
});

test('only a node of a chain of this machine is queried for a hash that may be a key', () => {
  const searched = (chain: Parameters<typeof isSearchedForHash>[0]) =>
    [true, false].map(isPublic => isSearchedForHash(chain, isPublic));
  expect(searched({ isLocal: true })).toEqual([true, true]);
  expect(searched({ isLocal: false, forkBlock: 40 })).toEqual([true, false]);
  expect(searched({ isLocal: false })).toEqual([false, false]);
});

test('no explorer of the public chain has what a fork mined on this machine, but one of the settings has', () => {
  const fork = { isLocal: false, forkBlock: 40 };
  const explorers = (ofSettings?: string) => [40, 41].map(block => selectExplorer(fork, block, ofSettings));
  expect(explorers()).toEqual([{}, { explorer: null }]);
  expect(explorers('http://127.0.0.1:5100')).toEqual([
    { explorer: 'http://127.0.0.1:5100' },
    { explorer: 'http://127.0.0.1:5100' },
  ]);
  expect(selectExplorer({ isLocal: false }, 41, undefined)).toEqual({});
});

test('forks have the accounts of development nodes too', () => {
  expect([{ isLocal: true }, { isLocal: false, forkBlock: 40 }, { isLocal: false }].map(isDevelopmentNode)).toEqual([
    true,
    true,
    false,
  ]);
});
