// Options of the command line: flag before environment before file, and errors that name the source of the value.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationIds } from '../../../src/api/operations/operations.ts';
import { formatFault } from '../../../src/base/errors.ts';
import { planCall } from '../../../src/cli/callCommand.ts';
import { getOperationFlags } from '../../../src/cli/operationFlags.ts';
import { parseFlags } from '../../../src/cli/options.ts';
import { planServe, type ServePlan } from '../../../src/cli/serveCommand.ts';
import { serveOptions, sourceOptions } from '../../../src/cli/serveOptions.ts';
import { hashApiKey } from '../../../src/server/apiKey.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const folder = createTemporaryFolder('hexlens-options-');

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
function plan(args: readonly string[], env: Record<string, string> = {}): ServePlan {
  return planServe(parseFlags(args, serveOptions, { config: { type: 'string' } }), env);
}
function refusal(args: readonly string[], env: Record<string, string> = {}): string {
  try {
    plan(args, env);
  } catch (error) {
    return formatFault(error);
  }
  throw new Error('It was not refused.');
}

const everything = {
  $schema: 'https://example/schema.json',
  port: 1,
  host: '127.0.0.1',
  key: 'file-key',
  nodes: { local: 'http://127.0.0.1:1', '0x1': 'https://one.example' },
  domains: ['one.example', 'localhost:3000'],
  repeatSignIn: true,
  data: 'index',
  timeout: 5000,
  loopbackMetadata: true,
  cors: ['http://localhost:3000'],
  log: 'json',
};

describe('secrets in files', () => {
  const secretFile = (text: string) => {
    const path = join(folder, `${++files}.txt`);
    writeFileSync(path, text);
    return path;
  };
  const url = 'postgres://user:password@db.example/hexlens';

  test('a key and the URL of a database are read from files, named by flag or environment', () => {
    const key = secretFile('key-of-a-file\n');
    expect(plan(['--key-file', key, '--store-file', secretFile(url)])).toMatchObject({
      key: 'key-of-a-file',
      configuration: { storeUrl: url },
    });
    const env = { HEXLENS_API_KEY_FILE: key, HEXLENS_STORE_FILE: secretFile(`${url}\r\n`) };
    expect(plan([], env)).toMatchObject({ key: 'key-of-a-file', configuration: { storeUrl: url } });
    expect(plan(['--key', 'key-of-a-flag'], env).key).toBe('key-of-a-flag');
    expect(plan([], { ...env, HEXLENS_API_KEY: 'key-of-a-variable' }).key).toBe('key-of-a-variable');
  });

  test('a file that can not be read is named', () => {
    expect(refusal(['--key-file', join(folder, 'nowhere')])).toMatch(/nowhere can not be read \(ENOENT\)/);
  });

  test.skipIf(process.platform === 'win32')('a device, and a pipe that does not end, are refused at once', () => {
    const pipe = join(folder, `${++files}.pipe`);
    execFileSync('mkfifo', [pipe]);
    const held = openSync(pipe, constants.O_RDWR); // a writer that never writes
    for (const flag of ['--key-file', '--config', '--address-book']) {
      expect(refusal([flag, '/dev/zero'])).toContain('/dev/zero is a device, not a file.');
      expect(refusal([flag, pipe])).toContain(`${pipe} is a pipe that does not end.`);
    }
    closeSync(held);
    // Without a writer, a pipe is empty.
    expect(refusal(['--config', pipe])).toContain('is not valid JSON');
  });

  test('a file that is too large for what it should hold is refused', () => {
    const large = secretFile('x'.repeat(1024 * 1024 + 1));
    expect(refusal(['--key-file', large])).toContain('is larger than 64 KiB.');
    expect(refusal(['--config', large])).toContain('is larger than 1024 KiB.');
  });

  test.skipIf(process.platform === 'win32')('a pipe of a shell that ends is read', () => {
    const pipe = join(folder, `${++files}.pipe`);
    execFileSync('mkfifo', [pipe]);
    const writer = openSync(pipe, constants.O_RDWR);
    writeSync(writer, 'key-of-a-pipe\n');
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK); // keeps what was written
    closeSync(writer);
    expect(plan(['--key-file', pipe]).key).toBe('key-of-a-pipe');
    closeSync(reader);
  });
});

describe('the address book', () => {
  const alice = `0x${'a1'.repeat(20)}`;
  const token = `0x${'b2'.repeat(20)}`;
  const book = {
    version: 1,
    addresses: [
      { address: alice, name: 'Alice' },
      { address: token, name: 'Coin', kind: 'contract', mark: 'verified', logo: 'https://example.com/coin.png' },
    ],
  };
  const addressBook = {
    [alice]: [{ name: 'Alice', chains: [] }],
    [token]: [{ name: 'Coin', chains: [], trust: 'verified', logo: 'https://example.com/coin.png' }],
  };

  test('is read from the file of the extension, with comments, named by flag, variable or field', () => {
    const path = file(`// of our team\n${JSON.stringify(book)}`);
    expect(plan(['--address-book', path]).configuration.addressBook).toEqual(addressBook);
    expect(plan([], { HEXLENS_ADDRESS_BOOK: path }).configuration.addressBook).toEqual(addressBook);
    const config = file({ addressBook: path });
    expect(plan(['--config', config]).configuration.addressBook).toEqual(addressBook);
    expect(planCall('block', ['--block', '1', '--address-book', path], {}).configuration.addressBook).toEqual(
      addressBook,
    );
    expect(plan([]).configuration.addressBook).toBeUndefined();
  });

  test('that can not be read ends the program with the line', () => {
    expect(refusal(['--address-book', join(folder, 'nowhere')])).toMatch(
      /--address-book: .*nowhere can not be read \(ENOENT\)/,
    );
    const broken = file('{ "addresses": [\n  { "address": "0x12", "name": "" }\n] }');
    expect(refusal(['--address-book', broken])).toMatch(/is wrong in line 2/);
    expect(refusal(['--address-book', file('no JSON')])).toMatch(/is wrong in line 1/);
  });

  test('takes https addresses only as logos', () => {
    const addresses = ['javascript:alert(1)', 'http://example.com/a.png', 7].map((logo, index) => ({
      address: `0x${String(index).repeat(40)}`,
      name: 'A',
      logo,
    }));
    const { configuration } = plan(['--address-book', file({ addresses })]);
    expect(Object.values(configuration.addressBook ?? {})).toEqual(addresses.map(() => [{ name: 'A', chains: [] }]));
  });
});

test('strict dates can be set by flag, variable and field', () => {
  expect(plan([]).configuration.strictDates).toBe(false);
  for (const [args, env] of [
    [['--strict-dates'], {}],
    [[], { HEXLENS_STRICT_DATES: 'yes' }],
    [['--config', file({ strictDates: true })], {}],
  ] as const)
    expect(plan(args, env).configuration.strictDates).toBe(true);
  expect(() => planCall('erc20Mints', ['--strict-dates'], {})).toThrow('ERC-20 Mints was removed on 2023-09-04.');
});

test('the policy of sign-ins can be set by flags, variables and file', () => {
  const defaults = { lowerCaseAddresses: true, compactSignatures: false };
  expect(plan([]).configuration.siwe).toMatchObject(defaults);
  expect(plan([]).configuration.siwe?.clockSkewMs).toBeUndefined();
  const strict = { lowerCaseAddresses: false, compactSignatures: true, clockSkewMs: 0 };
  expect(plan(['--require-checksum', '--compact-signatures', '--clock-skew', '0']).configuration.siwe).toMatchObject(
    strict,
  );
  const env = { HEXLENS_REQUIRE_CHECKSUM: '1', HEXLENS_COMPACT_SIGNATURES: 'yes', HEXLENS_CLOCK_SKEW: '0' };
  expect(plan([], env).configuration.siwe).toMatchObject(strict);
  const fields = file({ requireChecksum: true, compactSignatures: true, clockSkew: 0 });
  expect(plan(['--config', fields]).configuration.siwe).toMatchObject(strict);
  expect(refusal(['--clock-skew', '60001'])).toContain('from 0 to 60000');
});

describe('sources of values', () => {
  test('are the defaults where nothing is given', () => {
    expect(plan([])).toMatchObject({ port: 8547, host: undefined, key: undefined, keys: [], log: 'text' });
    expect(plan([]).configuration).toMatchObject({ nodes: { local: 'http://127.0.0.1:8545' }, dataFolder: null });
  });

  test('the file can contain every option; its relative paths start at the file', () => {
    expect(plan(['--config', file(everything)])).toMatchObject({
      port: 1,
      host: '127.0.0.1',
      key: 'file-key',
      allowedOrigins: ['http://localhost:3000'],
      log: 'json',
      configuration: {
        nodes: { local: 'http://127.0.0.1:1/', eth: 'https://one.example/' },
        siwe: { expectedDomains: ['one.example', 'localhost:3000'], singleUse: false },
        dataFolder: join(folder, 'index'),
        timeoutMs: 5000,
      },
    });
  });

  test('the environment overrides the file, a flag overrides both', () => {
    const env = {
      HEXLENS_CONFIG: file(everything),
      HEXLENS_PORT: '2',
      HEXLENS_API_KEY: 'env-key',
      HEXLENS_NODES: 'local=http://127.0.0.1:2 sepolia=http://127.0.0.1:3',
      HEXLENS_REPEAT_SIGN_IN: 'no',
      HEXLENS_LOG: '',
    };
    expect(plan([], env)).toMatchObject({ port: 2, key: 'env-key', log: 'json' });
    expect(plan([], env).configuration).toMatchObject({
      nodes: { local: 'http://127.0.0.1:2/', sepolia: 'http://127.0.0.1:3/' },
      siwe: { singleUse: true },
    });
    const flags = [
      '--port',
      '3',
      '--node',
      'bsc=http://127.0.0.1:4,https://bsc.example/k',
      '--repeat-sign-in',
      '--key',
      'flag-key',
    ];
    expect(plan(flags, env)).toMatchObject({ port: 3, key: 'flag-key' });
    expect(plan(flags, env).configuration).toMatchObject({
      nodes: { bsc: ['http://127.0.0.1:4/', 'https://bsc.example/k'] },
      siwe: { singleUse: false },
    });
  });

  test('nodes of chains by their names and decimal ids', () => {
    expect(plan(['--node', 'base=http://127.0.0.1:1', '--node', '10=http://127.0.0.1:2']).configuration).toMatchObject({
      nodes: { '0x2105': 'http://127.0.0.1:1/', '0xa': 'http://127.0.0.1:2/' },
    });
  });

  test('the first node of a file is not the one by a decimal id', () => {
    const nodes = { local: 'http://127.0.0.1:1', '8453': 'http://127.0.0.1:2' };
    expect(Object.keys(plan(['--config', file({ nodes })]).configuration.nodes)).toEqual(['local', '0x2105']);
  });

  test('several keys, given as text or as digests', () => {
    const keys = [
      { name: 'ci', sha256: hashApiKey('a').toUpperCase(), perSecond: 5 },
      { name: 'web', key: 'b', perMinute: 60, groups: ['evm', 'auth'] },
    ];
    expect(plan(['--config', file({ keys })]).keys).toEqual([
      { name: 'ci', sha256: hashApiKey('a'), perSecond: 5 },
      { name: 'web', sha256: hashApiKey('b'), perMinute: 60, groups: ['evm', 'auth'] },
    ]);
  });
});

describe('errors name the source and the fix', () => {
  test.each<[string, readonly string[], Record<string, string>, string]>([
    [
      'variable',
      [],
      { HEXLENS_PORT: 'x' },
      'HEXLENS_PORT must be a number from 0 to 65535, not "x". Use 0 for a free one.',
    ],
    ['switch', [], { HEXLENS_REPEAT_SIGN_IN: 'maybe' }, 'HEXLENS_REPEAT_SIGN_IN must be true or false, not "maybe"'],
    [
      'no file',
      ['--config', '/nowhere.json'],
      {},
      'The configuration file /nowhere.json does not exist. Check the path',
    ],
    ['folder', ['--config', '/'], {}, 'can not be read (EISDIR)'],
    ['host', ['--host', 'data.example'], {}, '--host must be an address of this machine, not "data.example"'],
    ['star', ['--cors', '*'], {}, '--cors needs the origin of a page, not "*". Write scheme, host and port only'],
    ['path', ['--cors', 'http://localhost:3000/'], {}, '--cors needs the origin of a page'],
    ['name without host', ['--host-name', 'data.example'], {}, 'Give --host too'],
    ['name', ['--host', '0.0.0.0', '--host-name', 'http://x'], {}, '--host-name needs a name, not "http://x"'],
    ['log', ['--log', 'xml'], {}, '--log must be text or json, not "xml"'],
    ['timeout', ['--timeout', '1'], {}, '--timeout must be a number from 1000 to 120000, not "1"'],
  ])('%s: %j %j is refused with "%s"', (_, args, env, text) => {
    expect(refusal(args, env)).toContain(text);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{"port": 1,, "key": "hidden-secret"}', 'is not valid JSON'],
    ['a comment', '// port\n{}', 'Comments are not allowed in it.'],
    ['a list', [], 'must hold one JSON object'],
    ['unknown', { prot: 1 }, '"prot" in '],
    ['a text for a number', { port: '1' }, 'must be a number.'],
    ['a number too large', { port: 65_536 }, 'must be a number from 0 to 65535'],
    ['nodes as a list', { nodes: ['local=http://127.0.0.1:1'] }, 'must be an object of texts'],
    ['a node as a number', { nodes: { local: 1 } }, 'must be an object of texts'],
    ['a chain', { nodes: { nowhere: 'http://a' } }, '"nowhere" is not a chain'],
    ['a switch as text', { repeatSignIn: 'true' }, 'must be true or false'],
    ['domains', { domains: [1] }, 'must be a list of texts'],
    ['keys', { keys: {} }, 'must be a list of keys'],
    ['no key', { keys: [] }, 'must be a list of keys'],
    ['key 1', { keys: ['x'] }, 'key 1 must be an object'],
    ['no name', { keys: [{ key: 'x' }] }, 'key 1 needs a "name"'],
    ['neither', { keys: [{ name: 'a' }] }, 'key 1 needs either "key" or "sha256"'],
    ['both', { keys: [{ name: 'a', key: 'x', sha256: hashApiKey('x') }] }, 'needs either'],
    ['digest', { keys: [{ name: 'a', sha256: 'x' }] }, 'is not 64 hex digits'],
    ['rate', { keys: [{ name: 'a', key: 'x', perSecond: 0 }] }, '"perSecond" that is no whole number'],
    ['groups', { keys: [{ name: 'a', key: 'x', groups: ['solana'] }] }, 'auth, evm, aptos'],
    ['typo', { keys: [{ name: 'a', key: 'x', perHour: 1 }] }, 'has an unknown field "perHour"'],
    ['twice', { keys: ['x', 'y'].map(key => ({ name: 'a', key })) }, 'two keys of the name a'],
    ['short', { host: '0.0.0.0', keys: [{ name: 'a', key: 'short' }] }, 'too short for a service that is open'],
  ])('of a file with %s: %j is refused with "%s"', (_, content, text) => {
    const path = file(content);
    const message = refusal(['--config', path]);
    expect(message).toContain(text);
    expect(message).toContain(path);
    expect(message).not.toContain('hidden-secret');
  });
});

describe('call', () => {
  test('no option of the command hides a parameter of an operation', () => {
    const taken = [
      'url',
      'key',
      'config',
      'all',
      'pretty',
      'help',
      ...Object.values(sourceOptions).map(({ flag }) => flag),
    ];
    for (const id of operationIds)
      for (const { flag } of getOperationFlags(id)) expect(taken, `--${flag} of ${id}`).not.toContain(flag);
  });

  const wallet = `0x${'ab'.repeat(20)}`;
  test.each(['--from-block', '--fromBlock', '--from_block'])('%s is a spelling of the same parameter', flag => {
    const { input } = planCall('contractLogs', ['--address', wallet, flag, '7', '--limit=5'], {});
    expect(input).toEqual({ address: wallet, fromBlock: 7, limit: 5 });
  });

  test('switches with and without a value, lists by repeating', () => {
    const args = ['--address', wallet, '--exclude-spam', '--media-items', 'false', '--token-addresses', wallet];
    expect(
      planCall('walletNfts', [...args, '--token-addresses', wallet, '--normalize-metadata=true'], {}).input,
    ).toEqual({
      address: wallet,
      excludeSpam: true,
      mediaItems: false,
      normalizeMetadata: true,
      tokenAddresses: [wallet, wallet],
    });
  });

  test('a body parameter can be read from a file', () => {
    const path = file('a message\nof two lines\n');
    const { input } = planCall('verifySignIn', ['--message', `@${path}`, '--signature', `0x${'00'.repeat(65)}`], {});
    expect(input).toMatchObject({ message: 'a message\nof two lines' });
  });

  test('--url takes an origin or a base URL; the key is for its origin only', () => {
    const ours = planCall('block', ['--block', '1', '--url', 'http://127.0.0.1:8547/', '--key', 'k'], {}).configuration;
    expect(ours.groups.evm).toEqual({ mode: 'remote', baseUrl: 'http://127.0.0.1:8547/api/v2' });
    expect(ours.groups.aptos).toEqual({ mode: 'remote', baseUrl: 'http://127.0.0.1:8547/aptos' });
    expect(ours.keys).toEqual({ 'http://127.0.0.1:8547': 'k' });
    const env = { HEXLENS_URL: 'https://host.example/api/v2.2', HEXLENS_API_KEY: 'e' };
    const host = planCall('block', ['--block', '1'], env).configuration;
    expect(host.groups.evm.baseUrl).toBe('https://host.example/api/v2.2');
    expect(host.keys).toEqual({ 'https://host.example': 'e' });
  });

  test.each<[string, readonly string[], string]>([
    ['missing', [], 'address is required'],
    ['wrong, both named', ['--address', '0x1', '--limit', '999'], 'address is not a valid hex address'],
    ['unknown', ['--address', wallet, '--nonsense', '1'], "Unknown option '--nonsense'"],
    ['without value', ['--address'], '--address needs a value'],
    ['by position', [wallet], 'give parameters by name'],
    ['in the clear', ['--address', wallet, '--url', 'http://host.example', '--key', 'k'], 'sent in the clear'],
    ['no URL', ['--address', wallet, '--url', 'host.example'], '--url must be the address of a service'],
  ])('refuses parameters that are %s: %j, with "%s"', (_, args, text) => {
    expect(() => planCall('walletNfts', args, {})).toThrow(text);
  });
});
