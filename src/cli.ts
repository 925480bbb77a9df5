// The command line: reads flags, runs a command, and ends with a code that scripts can rely on.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isUsableKey } from './backend/key.ts';
import { asFault, HexLensError, readable } from './base/errors.ts';
import type { Log } from './base/log.ts';
import { parseChain } from './contract/chains.ts';
import {
  type AptosNetwork,
  type Configuration,
  canonicalDomain,
  defaultConfiguration,
  publicAptosNetworks,
  type SignInPolicy,
} from './contract/configuration.ts';

const HELP = `HexLens: blockchain data from your own node.

Usage:
  hexlens serve [--port PORT] [--key KEY] [--node NAME=URL ...] [--domain DOMAIN ...]
                [--repeat-sign-in] [--aptos NAME=URL ...] [--aptos-indexer NAME=URL ...]
                [--data DIR]

serve answers the service's HTTP operations on 127.0.0.1. When it is ready it prints
one line on standard output, {"url":"http://127.0.0.1:8547","key":"..."}, and logs
one line per request on standard error.

  --port PORT      Port to listen on; 0 takes a free one (default: 8547)
  --key KEY        What callers send as X-API-Key (default: HEXLENS_API_KEY of the
                   environment, or a new random key)
  --node NAME=URL  JSON-RPC node of a chain, may be repeated; the first one answers
                   requests that name no chain (default: local=http://127.0.0.1:8545)
                   NAME is local, a name such as eth or sepolia, or a hex chain id
  --domain DOMAIN  Domain that sign-in messages must name, as example.com or
                   localhost:3000, may be repeated (default: any domain)
  --repeat-sign-in A sign-in message may be verified again until it expires
                   (default: once, its nonce is remembered while this runs)
  --aptos NAME=URL Aptos network and the REST API of its node, may be repeated; the first
                   one answers requests that name no network (default:
                   local=http://127.0.0.1:8080/v1). mainnet, testnet and devnet need no
                   URL: then it is the public node with its indexer
  --aptos-indexer NAME=URL
                   Indexer GraphQL API of a network, may be repeated (default: the
                   node alone is read, which takes a small chain)
  --data DIR       Folder for the indexes of chains, which is made when it is absent and
                   may be deleted at any time (default: kept in memory)

  -h, --help       Print this text
  -v, --version    Print the version

Exit codes: 0 ended as asked, 1 could not do it, 2 wrong use.
`;

const DEFAULT_PORT = '8547';

function wrongUse(message: string, fix = 'Run hexlens --help to see how it is used.'): HexLensError {
  return new HexLensError('bad-input', message, { fix });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw wrongUse(`--port must be a number from 0 to 65535, not "${text}".`, 'Use 0 for a free one.');
}

function parseNodes(texts: readonly string[]): Readonly<Record<string, string>> {
  const nodes: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const example = 'Write it as --node local=http://127.0.0.1:8545.';
    if (at < 1) throw wrongUse(`--node needs NAME=URL, not "${text}".`, example);
    const name = text.slice(0, at);
    const chain = parseChain(name);
    if (chain === null) {
      throw wrongUse(
        `--node: "${name}" is not a chain.`,
        'Use local, a name such as eth or sepolia, or a hex chain id such as 0x1.',
      );
    }
    const url = URL.parse(text.slice(at + 1));
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw wrongUse(`--node: the URL of ${chain} must begin with http:// or https://.`, example);
    }
    if (Object.hasOwn(nodes, chain)) throw wrongUse(`--node: ${chain} is given twice.`, 'Give one URL per chain.');
    nodes[chain] = url.href;
  }
  return texts.length === 0 ? defaultConfiguration.nodes : nodes;
}

function parseAptos(nodes: readonly string[], indexers: readonly string[]): NonNullable<Configuration['aptos']> {
  const networks: Record<string, AptosNetwork> = {};
  const read = (flag: string, text: string): readonly [name: string, url: string | null] => {
    const [, name = '', address] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const example = `Write it as ${flag} local=http://127.0.0.1:8${flag === '--aptos' ? '080/v1' : '090/v1/graphql'}.`;
    if (!/^[a-z][a-z0-9-]{0,31}$/i.test(name)) throw wrongUse(`${flag} needs NAME=URL, not "${text}".`, example);
    if (address === undefined) return [name.toLowerCase(), null];
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol))
      throw wrongUse(`${flag}: the URL of ${name} must begin with http:// or https://.`, example);
    return [name.toLowerCase(), url.href.replace(/\/+$/, '')];
  };
  for (const text of nodes) {
    const [name, node] = read('--aptos', text);
    if (Object.hasOwn(networks, name)) throw wrongUse(`--aptos: ${name} is given twice.`, 'Give one URL per network.');
    const known = Object.hasOwn(publicAptosNetworks, name) ? publicAptosNetworks[name] : undefined;
    if (node === null && known === undefined)
      throw wrongUse(`--aptos: ${name} needs the URL of its node.`, 'Only mainnet, testnet and devnet are known.');
    networks[name] = node === null ? (known as AptosNetwork) : { node, indexer: null };
  }
  for (const text of indexers) {
    const [name, indexer] = read('--aptos-indexer', text);
    if (indexer === null) throw wrongUse(`--aptos-indexer: ${name} needs a URL.`, 'Write NAME=URL.');
    networks[name] = { node: networks[name]?.node ?? null, indexer };
  }
  return Object.keys(networks).length === 0 ? (defaultConfiguration.aptos ?? {}) : networks;
}

function parseDomain(text: string): string {
  const domain = canonicalDomain(text);
  if (domain !== null) return domain;
  throw wrongUse(
    `--domain needs a host, not "${text}".`,
    'Write it as in the first line of the message, without scheme or path: --domain example.com.',
  );
}

function parseFolder(text: string | undefined): string | null {
  if (text === '') throw wrongUse('--data needs a folder.', 'Leave it out to keep everything in memory.');
  return text === undefined ? null : resolve(text);
}

function parseKey(flag: string | undefined): string | undefined {
  const key = flag ?? (process.env['HEXLENS_API_KEY'] || undefined);
  if (key === undefined || isUsableKey(key)) return key;
  throw wrongUse(
    `${flag === undefined ? 'HEXLENS_API_KEY' : '--key'} can not be sent in a header.`,
    'Use 1 to 256 letters, digits and signs without spaces, or leave it out: then one is made.',
  );
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        key: { type: 'string' },
        node: { type: 'string', multiple: true },
        domain: { type: 'string', multiple: true },
        'repeat-sign-in': { type: 'boolean' },
        aptos: { type: 'string', multiple: true },
        'aptos-indexer': { type: 'string', multiple: true },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw wrongUse(said.split(/\. |\n/)[0]?.replace(/\.?$/, '.') ?? said);
  }
}

/** The version of the package that this file is part of, as source or as `dist/cli.js`. */
function version(): string {
  const file = join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // our own file
  return version;
}

function stderrLog(): Log {
  const line = (level: string) => (message: string) =>
    process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
  return { debug() {}, info: line('info'), warn: line('warn'), error: line('error') };
}

type Command =
  | { readonly run: 'print'; readonly text: string }
  | {
      readonly run: 'serve';
      readonly port: number;
      readonly key: string | undefined;
      readonly nodes: Configuration['nodes'];
      readonly aptos: NonNullable<Configuration['aptos']>;
      readonly auth: SignInPolicy;
      readonly dataFolder: string | null;
    };

/** What the command line asks for. Throws when it is wrongly used. */
function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parseFlags(args);
  if (values.help) return { run: 'print', text: HELP };
  if (values.version) return { run: 'print', text: `${version()}\n` };
  const [command, ...rest] = positionals;
  if (command === undefined) throw wrongUse('Say what to do: hexlens serve.');
  if (command !== 'serve') throw wrongUse(`"${command}" is not a command.`);
  if (rest.length > 0) throw wrongUse(`"${rest[0]}" is not expected after serve.`);
  return {
    run: 'serve',
    port: parsePort(values.port ?? DEFAULT_PORT),
    key: parseKey(values.key),
    nodes: parseNodes(values.node ?? []),
    aptos: parseAptos(values.aptos ?? [], values['aptos-indexer'] ?? []),
    auth: {
      expectedDomains: (values.domain ?? []).map(parseDomain),
      singleUse: values['repeat-sign-in'] !== true,
    },
    dataFolder: parseFolder(values.data),
  };
}

async function serve({ port, key, nodes, aptos, auth, dataFolder }: Extract<Command, { run: 'serve' }>): Promise<void> {
  const log = stderrLog();
  // Loaded here: help and complaints about flags need none of it.
  const configuration = { ...defaultConfiguration, nodes, aptos, auth, dataFolder };
  const { startServer } = await import('./backend/serve.ts');
  const server = await startServer({ port, key, configuration, log, ownsProcess: true });
  let asked = false;
  const stop = (signal: NodeJS.Signals) => {
    if (asked) process.exit(130); // asked twice: at once
    asked = true;
    log.info(`${signal}: stopping.`);
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Whoever started us may read the first line and close the pipe.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  process.stdout.write(`${JSON.stringify({ url: server.url, key: server.key })}\n`);
}

function fail(error: unknown, code: number): void {
  const { code: fault, details } = asFault(error);
  // There is no other place to look for the details of a mistake of ours.
  process.stderr.write(`hexlens: ${fault === 'internal' ? `${details}` : readable(error)}\n`);
  process.exitCode = code;
}

try {
  const command = readCommandLine(process.argv.slice(2));
  if (command.run === 'print') process.stdout.write(command.text);
  else serve(command).catch((error: unknown) => fail(error, 1));
} catch (error) {
  fail(error, 2);
}
