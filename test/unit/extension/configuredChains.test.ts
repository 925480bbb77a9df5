// Whether a chain counts as local, which decides what may be sent to it without a click.
import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { getConfiguredChains } from '../../../src/extension/worker/configuredChains.ts';

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
] as const)('with an %s service at %j the chains are local: %j', (mode, baseUrl, local) => {
  expect(getConfiguredChains(withEvm(mode, baseUrl))).toEqual([
    { selector: 'local', local: local[0] },
    { selector: 'eth', local: local[1] },
  ]);
});
