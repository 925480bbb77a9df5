// Which chains agents may query, and how the others are refused.
import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { toFault } from '../../../src/base/errors.ts';
import { restrictToAllowedHosts, selectChains } from '../../../src/mcp/chainAccess.ts';

const nodes = {
  eth: 'https://one.example/v1',
  polygon: ['https://one.example/v1', 'https://two.example', 'http://127.0.0.1:8545'],
};

function refuse(requested: string, allowedHosts: readonly string[]) {
  const access = restrictToAllowedHosts({ ...defaultConfiguration, nodes }, allowedHosts);
  try {
    return selectChains({ ...access, allowHostHint: 'with --allow-host' }, requested);
  } catch (error) {
    const { message, fix } = toFault(error);
    return `${message} ${fix}`;
  }
}

test('names one host that is not allowed, or all of them', () => {
  expect(refuse('eth', [])).toBe(
    'Agents may not query eth: its node is at one.example, not on this machine. Ask the user to allow this host with --allow-host.',
  );
  expect(refuse('polygon', [])).toBe(
    'Agents may not query polygon: its nodes are at one.example, two.example, not on this machine. Ask the user to allow these hosts with --allow-host.',
  );
  expect(refuse('polygon', ['one.example'])).toContain('its node is at two.example, ');
  expect(refuse('polygon', ['one.example', 'two.example'])).toEqual([{ selector: 'polygon', isOnLoopback: false }]);
});

test('finds a chain by each way to write it', () => {
  const chains = [
    { selector: 'local', isOnLoopback: true },
    { selector: '0x2105', isOnLoopback: false },
  ];
  const select = (chain?: string) =>
    selectChains({ chains, refusedChains: [], allowHostHint: '' }, chain).map(({ selector }) => selector);
  for (const written of ['base', 'Base', '8453', '0x2105']) expect(select(written)).toEqual(['0x2105']);
  expect(select()).toEqual(['local']);
  // Development nodes have names of their own.
  for (const written of ['anvil', 'basee', '10', ' ', '0'])
    expect(() => select(written)).toThrow(/^No node is configured for/);
});

test('leaves out nodes, networks and hosts that are not allowed', () => {
  const { groups } = defaultConfiguration;
  const remote = (baseUrl: string) => ({ mode: 'remote', baseUrl }) as const;
  const configuration = {
    ...defaultConfiguration,
    nodes: { ...nodes, local: 'http://127.0.0.1:8545' },
    aptos: {
      local: { node: 'http://127.0.0.1:8080', indexer: null },
      mixed: { node: 'http://127.0.0.1:8080', indexer: 'https://one.example/graphql' },
    },
    groups: { ...groups, evm: remote('https://one.example/api'), aptos: remote('http://localhost:9000') },
  };
  const strict = restrictToAllowedHosts(configuration, []).configuration;
  expect(Object.keys(strict.nodes)).toEqual(['local']);
  expect(Object.keys(strict.aptos ?? {})).toEqual(['local']);
  expect([strict.groups.evm.mode, strict.groups.aptos.mode]).toEqual(['embedded', 'remote']);
  const open = restrictToAllowedHosts(configuration, ['ONE.example']).configuration;
  expect(Object.keys(open.nodes)).toEqual(['eth', 'local']);
  expect(Object.keys(open.aptos ?? {})).toEqual(['local', 'mixed']);
  expect(open.groups.evm).toEqual(remote('https://one.example/api'));
});
