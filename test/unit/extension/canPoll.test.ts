// To which nodes watched addresses are sent: those of this machine, and those of hosts that the user allows.
import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { canPoll } from '../../../src/extension/activity/pollRounds.ts';

const nodes = {
  local: 'http://127.0.0.1:8545',
  eth: 'https://Main.example/v3/key',
  base: ['https://one.example', 'https://two.example:8443'],
};
const embedded = { nodes, groups: defaultConfiguration.groups };
const remote = {
  nodes,
  groups: { ...embedded.groups, evm: { mode: 'remote', baseUrl: 'https://host.example/api/v2' } as const },
};

test.each([
  ['a node of this machine', embedded, 'local', [], true],
  ['a node of another host', embedded, 'eth', [], false],
  ['a node of an allowed host', embedded, 'eth', ['main.example'], true],
  ['a node of a host whose name ends in an allowed one', embedded, 'eth', ['example'], false],
  ['several nodes of which one is allowed', embedded, 'base', ['one.example'], false],
  ['a host with a port that is allowed without it', embedded, 'base', ['one.example', 'two.example'], false],
  ['several nodes that are allowed', embedded, 'base', ['one.example', 'two.example:8443'], true],
  ['a node of this machine behind a remote host', remote, 'local', [], false],
  ['a remote host that is allowed, for a node that is not', remote, 'eth', ['host.example'], false],
  ['a remote host that is allowed, as the node is', remote, 'eth', ['host.example', 'main.example'], true],
] as const)(
  'decides whether watched addresses are sent to %s',
  (_title, configuration, selector, allowedHosts, expected) => {
    expect(canPoll(selector, configuration, allowedHosts)).toBe(expected);
  },
);
