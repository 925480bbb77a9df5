// A real PostgreSQL server for tests: a cluster in a temporary folder, on a free loopback port, stopped after the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { canInstall, installPackages } from '../apt.ts';
import { ownChildProcess } from './chain/ownedProcess.ts';
import { startAtFreePort } from './freePort.ts';
import { makeOncePerRun } from './makeOncePerRun.ts';
import { readUntil } from './readUntil.ts';
import { startProcess } from './startProcess.ts';

export interface PostgresServer {
  /** `postgres://hexlens@127.0.0.1:<port>/postgres`. */
  readonly url: string;
  /** A server that `npm run test:store -- --url` names: it is neither stopped nor changed outside of its schemas. */
  readonly isExternal: boolean;
  readonly port: number;
  /** A URL of an empty schema. */
  createSchemaUrl(): string;
  /** A standby that follows this server. */
  startStandby(): Promise<PostgresServer>;
  /** Ends a standby's recovery: it takes writes then. */
  promote(): void;
  /** Ends the server at once, as a crash does. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian has a folder for the programs of each version; elsewhere they are in the PATH. */
function findPostgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map(version => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** The id of an unprivileged user on Linux. */
const UNPRIVILEGED_ID = 65_534;

/** PostgreSQL does not run as root: then it runs as the user of its package, or as an unprivileged one. */
function getServerUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const readId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: readId('-u'), gid: readId('-g') };
  } catch {
    return { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Keeps Debian's package from creating and starting a cluster. */
const DISABLE_MAIN_CLUSTER =
  'mkdir -p /etc/postgresql-common; [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf';

/** The folder of the programs; installs them where no confirmation is needed. */
export async function ensurePostgres(): Promise<string | null> {
  const found = findPostgresPrograms();
  if (found !== null || !canInstall()) return found;
  await installPackages(['postgresql'], 'ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1', DISABLE_MAIN_CLUSTER);
  return findPostgresPrograms();
}

let isAbsenceReported = false;

/** `null`, with a sentence on the console, when this machine has no PostgreSQL and it can not be installed without a prompt. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const external = process.env[EXTERNAL_URL_VARIABLE];
  if (external !== undefined) return useExternalServer(external);
  const programs = await ensurePostgres();
  if (programs === null) {
    if (!isAbsenceReported) console.warn('SKIPPED: no PostgreSQL on this machine (apt-get install postgresql).');
    isAbsenceReported = true;
    return null;
  }
  // Creating a cluster takes ten times as much processor time as copying it.
  const made = await makeOncePerRun('postgres', async folder => {
    const cluster = ['-U', 'hexlens', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    execFileSync(join(programs, 'initdb'), ['-D', join(folder, 'data'), ...cluster], giveToServerUser(folder));
  });
  return startServer(programs, (data, run) => {
    execFileSync('cp', ['-R', '-p', join(made, 'data'), data], run);
  });
}

let shared: Promise<PostgresServer | null> | undefined;

/**
 * The one server that all files of this process use which need only schemas of their own: creating a cluster takes longer
 * than most of these tests. It ends with the process; a test that ends a server starts its own.
 */
export function sharePostgres(): Promise<PostgresServer | null> {
  if (process.env[EXTERNAL_URL_VARIABLE] !== undefined) return startPostgres();
  shared ??= startPostgres().then(server => server && { ...server, crash: rejectShared, stop: async () => {} });
  return shared;
}

const rejectShared = () => Promise.reject(new Error('Other files use this server too.'));

/** The URL of a server to test instead of one of our own. */
export const EXTERNAL_URL_VARIABLE = 'HEXLENS_TEST_POSTGRES';

function useExternalServer(url: string): PostgresServer {
  const rejectHere = () => {
    throw new Error('This test needs a server of its own.');
  };
  const run = Date.now().toString(36);
  let schemas = 0;
  return {
    url,
    port: Number(new URL(url).port || 5432),
    isExternal: true,
    createSchemaUrl: () => `${url}${url.includes('?') ? '&' : '?'}schema=test_${run}_${process.pid}_${schemas++}`,
    startStandby: rejectHere,
    promote: rejectHere,
    crash: rejectHere,
    stop: () => dropSchemas(url, `test_${run}_${process.pid}_`),
  };
}

/** Whether the server is the coordinator of a Citus cluster. */
export async function hasCitus(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  await client.end();
  return rows.length > 0;
}

/** Also those of a test that failed. */
async function dropSchemas(url: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1)',
    [prefix],
  );
  for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`);
  await client.end();
}

/** Gives the folder to the user of the server, and returns how its programs run there. */
function giveToServerUser(folder: string): RunOptions {
  const serverUser = getServerUser();
  if (serverUser.uid !== undefined && statSync(folder).uid !== serverUser.uid)
    execFileSync('chown', [`${serverUser.uid}:${serverUser.gid}`, folder]);
  return { ...serverUser, cwd: folder, stdio: 'pipe' };
}

type RunOptions = { uid?: number; gid?: number; cwd: string; stdio: 'pipe' };

type CreateData = (data: string, run: RunOptions) => void;

const startServer = (programs: string, createData: CreateData): Promise<PostgresServer> =>
  startAtFreePort(port => startServerAt(port, programs, createData));

async function startServerAt(port: number, programs: string, createData: CreateData): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hexlens-postgres-'));
  const run = giveToServerUser(folder);
  const data = join(folder, 'data');
  createData(data, run);
  // Autovacuum and checkpoints would only take processor time: no test changes as many rows as they are for.
  const background = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'checkpoint_timeout=1h', 'lc_messages=C'];
  const settings = [...background, 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const server = await startProcess(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap(line => ['-c', line])],
    run,
  );
  const ended = ownChildProcess(server, folder, 'SIGQUIT');
  let output = '';
  let isListening = false;
  server.stderr.on('data', chunk => {
    output = `${output}${chunk}`.slice(-4_000);
    isListening ||= /listening on IPv4/.test(output);
  });
  const url = `postgres://hexlens@127.0.0.1:${port}/postgres`;
  await readUntil(
    // Before it listens, another server may at that port.
    async () => isListening && (await isReady(url)),
    ready => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
      return ready;
    },
  );
  let schemas = 0;
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await ended;
  };
  return {
    url,
    port,
    isExternal: false,
    createSchemaUrl: () => `${url}?schema=test_${process.pid}_${schemas++}`,
    startStandby: () =>
      startServer(programs, (standbyData, standbyRun) => {
        const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'hexlens'];
        const copy = ['-D', standbyData, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
        execFileSync(join(programs, 'pg_basebackup'), [...source, ...copy], standbyRun);
      }),
    promote: () => void execFileSync(join(programs, 'pg_ctl'), ['promote', '-W', '-D', data], run),
    crash: () => end('SIGQUIT'), // immediate shutdown: as after a crash, without orphans
    stop: () => end('SIGINT'), // fast shutdown: open sessions are ended
  };
}

export interface Pgbouncer {
  /** The URL of a store, through the pooler. */
  pooled(url: string): string;
  stop(): Promise<void>;
}

const findPgbouncer = () => ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(path => existsSync(path));

/** The program; installs it where no confirmation is needed. */
export async function ensurePgbouncer(): Promise<string | undefined> {
  if (findPgbouncer() === undefined && canInstall())
    await installPackages(['pgbouncer'], 'test -x /usr/sbin/pgbouncer', 'true');
  return findPgbouncer();
}

/** A real pgbouncer before a server; `null` when it can not be installed without a prompt. */
export async function startPgbouncer(
  server: PostgresServer,
  mode: 'session' | 'transaction',
  settings = 'ignore_startup_parameters = extra_float_digits, options',
): Promise<Pgbouncer | null> {
  const program = await ensurePgbouncer();
  if (program === undefined) return null;
  return startAtFreePort(port => startPgbouncerAt(port, program, server, mode, settings));
}

async function startPgbouncerAt(
  port: number,
  program: string,
  server: PostgresServer,
  mode: string,
  settings: string,
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'hexlens-postgres-'));
  const run = giveToServerUser(folder);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port} user=hexlens
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 6
${settings}
`,
  );
  const pooler = await startProcess(program, [file], run);
  const ended = ownChildProcess(pooler, folder);
  let output = '';
  pooler.stderr.on('data', chunk => {
    output = `${output}${chunk}`.slice(-4_000);
  });
  await readUntil(
    () => output.includes(`listening on 127.0.0.1:${port}`),
    listens => {
      if (pooler.exitCode !== null) throw new Error(`pgbouncer did not start:\n${output}`);
      return listens;
    },
  );
  return {
    pooled: url => url.replace(`:${server.port}/`, `:${port}/`),
    async stop() {
      pooler.kill('SIGTERM');
      await ended;
    },
  };
}
