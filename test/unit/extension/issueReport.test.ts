// A bug report has what is needed to understand it, and nothing that is secret.
import { describe, expect, test } from 'vitest';
import { createIssueReport, type IssueFacts } from '../../../src/extension/report/issueReport.ts';
import { type SettingKey, settingKeys } from '../../../src/manifest/settingDefaults.ts';

const CANARY = 'c4a9e2d77b1f48d0b6a3e5f90c1d2e3f';

const report = (values: Partial<Record<SettingKey, unknown>>, clients: IssueFacts['clients'] = {}) =>
  createIssueReport({
    version: '0.2.0',
    editor: 'Visual Studio Code 1.139.1',
    platform: 'linux x64 6.1.0',
    host: 'local',
    node: '24.21.0',
    clients,
    getSetting: key => values[key],
  });

describe('a report', () => {
  test('has versions, kinds of nodes and changed settings', () => {
    const text = report(
      {
        'hexlens.nodes': {
          local: 'http://127.0.0.1:8545',
          eth: 'https://mainnet.infura.io/v3/${secret:infura}',
          '0x2105': 'https://base.example/rpc',
        },
        'hexlens.hover.enabled': false,
        'hexlens.hover.parts': { balance: false, token: true },
        'hexlens.privacy.lookUp': 'onClick',
        'hexlens.request.timeout': 5_000,
        'hexlens.chain': '',
        'hexlens.metadata.hosts': ['a.example', 'b.example'],
      },
      { local: 'anvil/v1.7.1', eth: 'Geth/v1.16.2-stable-abcdef/linux-amd64/go1.24' },
    );
    for (const line of [
      '- HexLens 0.2.0',
      '- Visual Studio Code 1.139.1, local, Node 24.21.0',
      '- linux x64 6.1.0',
      '- local: on this machine, client anvil/v1.7.1',
      '- eth: https, with a stored key, client Geth/v1.16.2',
      '- 0x2105: https, client unknown',
      '- `hexlens.hover.enabled`: false',
      '- `hexlens.hover.parts`: without balance',
      '- `hexlens.privacy.lookUp`: onClick',
      '- `hexlens.request.timeout`: 5000',
      '- `hexlens.metadata.hosts`: 2 entries',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('hexlens.chain');
  });

  test('never has text that the user or a node chose', () => {
    for (const key of settingKeys)
      for (const value of [
        CANARY,
        `https://user:${CANARY}@host.example/v3/${CANARY}?apikey=${CANARY}`,
        [CANARY],
        { [CANARY]: CANARY, local: `https://${CANARY}.example/${CANARY}`, balance: CANARY, node: { node: CANARY } },
      ])
        expect(report({ [key]: value }, { local: `${CANARY} ${CANARY}` }), key).not.toContain(CANARY.slice(0, 4));
    const client = { local: `![](https://evil.example/${CANARY}) @everyone` };
    expect(report({ 'hexlens.nodes': { local: 'http://127.0.0.1:1' } }, client)).toContain('client unknown');
  });
});
