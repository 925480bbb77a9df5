// The compose file and the systemd unit of docs/deploy start `hexlens serve` with options that exist.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type OptionTable, parseFlags } from '../../src/cli/options.ts';
import { planServe } from '../../src/cli/serveCommand.ts';
import { serveOptions } from '../../src/cli/serveOptions.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/deploy/${name}`, import.meta.url)), 'utf8');
const compose = read('compose.yaml');
const unit = read('hexlens.service');

const folder = createTemporaryFolder('hexlens-deploy-');
/** What the files of credentials hold, by the name that both documents give them. */
const credentials = { key: 'a-key-of-16-letters', store: 'postgres://hexlens:word@postgres:5432/hexlens' };
for (const [name, text] of Object.entries(credentials)) writeFileSync(join(folder, name), text);

const getServeArgs = (command: readonly string[]) => command.slice(command.indexOf('serve') + 1);
const composeArgs = getServeArgs((/^ {4}command: \[(.*)\]$/m.exec(compose)?.[1] ?? '').split(', '));
const unitArgs = getServeArgs((/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').split(' '));
const composeEnv = Object.fromEntries(
  [...compose.matchAll(/^ {6}(HEXLENS_\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const unitEnv = Object.fromEntries(
  [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const knownNames = Object.values<OptionTable[string]>(serveOptions).flatMap(({ env, isSecret }) =>
  isSecret ? [env, `${env}_FILE`] : [env],
);
const findUnknownNames = (env: Readonly<Record<string, string>>) =>
  Object.keys(env).filter(name => !knownNames.includes(name));
/** Throws for a flag that does not exist and for a value that is not accepted. */
const plan = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  planServe(
    parseFlags(args, serveOptions, { config: { type: 'string' } }),
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value.replace(/^(\/run\/secrets|%d)\//, `${folder}/`)]),
    ),
  );

describe('compose.yaml', () => {
  test('starts the service on the port that it publishes, with the secrets that it mounts', () => {
    expect(findUnknownNames(composeEnv)).toEqual([]);
    const { port, host, key, configuration } = plan(composeArgs, composeEnv);
    expect(host).toBe('0.0.0.0');
    expect(compose).toContain(`127.0.0.1:${port}:${port}`);
    expect(compose).toContain(`http://127.0.0.1:${port}/health`);
    expect(key).toBe(credentials.key);
    expect(configuration.storeUrl).toBe(credentials.store);
    expect(Object.keys(configuration.nodes)).toEqual(['local']);
  });

  test('mounts each secret that it reads', () => {
    const used = [...compose.matchAll(/: \/run\/secrets\/(\w+)$/gm)].map(([, name]) => name);
    const mounted = [...compose.matchAll(/^ {4}secrets: \[(.*)\]$/gm)].flatMap(([, list = '']) => list.split(', '));
    const declared = [...compose.matchAll(/^ {2}(\w+):\n {4}file: /gm)].map(([, name]) => name);
    expect([used.sort(), declared.sort()]).toEqual([mounted.sort(), mounted.sort()]);
    expect(used).toHaveLength(3);
  });
});

describe('hexlens.service', () => {
  test('starts the service with a configuration file and with the credentials that systemd loads', () => {
    const config = join(folder, 'hexlens.json');
    writeFileSync(config, '{ "nodes": { "eth": "http://127.0.0.1:8545" } }');
    expect(unitArgs).toContain('/etc/hexlens/hexlens.json');
    expect(findUnknownNames(unitEnv)).toEqual([]);
    const args = unitArgs.map(arg => (arg === '/etc/hexlens/hexlens.json' ? config : arg));
    const { key, configuration } = plan(args, unitEnv);
    expect(key).toBe(credentials.key);
    expect(configuration.storeUrl).toBe(credentials.store);
    const loaded = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => `%d/${name}`);
    expect(Object.values(unitEnv).sort()).toEqual(loaded.sort());
  });
});

test('finds an option that does not exist', () => {
  expect(findUnknownNames({ HEXLENS_NODE: '' })).toEqual(['HEXLENS_NODE']);
  expect(() => plan(['--listen', '0.0.0.0'], {})).toThrow(/--listen/);
});
