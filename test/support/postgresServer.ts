// A real PostgreSQL server for tests: a cluster in a temporary folder, on a free loopback port, stopped after the tests.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { canInstall, installPackages } from '../apt.ts';

export interface PostgresServer {
  /** `postgres://hexlens@127.0.0.1:<port>/postgres`. */
  readonly url: string;
  /** A URL of an empty schema. */
  createSchemaUrl(): string;
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

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
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

async function ensurePrograms(): Promise<string | null> {
  const found = findPostgresPrograms();
  if (found !== null || !canInstall()) return found;
  await installPackages(['postgresql'], 'ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1', DISABLE_MAIN_CLUSTER);
  return findPostgresPrograms();
}

let isAbsenceReported = false;

/** `null`, with a sentence on the console, when this machine has no PostgreSQL and it can not be installed without a prompt. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const programs = await ensurePrograms();
  if (programs === null) {
    if (!isAbsenceReported) console.warn('SKIPPED: no PostgreSQL on this machine (apt-get install postgresql).');
    isAbsenceReported = true;
    return null;
  }
  const serverUser = getServerUser();
  const folder = mkdtempSync(join(tmpdir(), 'hexlens-postgres-'));
  if (serverUser.uid !== undefined && statSync(folder).uid !== serverUser.uid)
    execFileSync('chown', [`${serverUser.uid}:${serverUser.gid}`, folder]);
  const run = { ...serverUser, cwd: folder, stdio: 'pipe' as const };
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'hexlens', '-A', 'trust', '-E', 'UTF8', '--no-sync'], run);
  const port = await findFreePort();
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap(line => ['-c', line])], run);
  let output = '';
  server.stderr?.on('data', chunk => {
    output = `${output}${chunk}`.slice(-4_000);
  });
  const url = `postgres://hexlens@127.0.0.1:${port}/postgres`;
  while (!(await isReady(url))) if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
  let schemas = 0;
  return {
    url,
    createSchemaUrl: () => `${url}?schema=test_${process.pid}_${schemas++}`,
    async stop() {
      if (server.exitCode === null) {
        server.kill('SIGINT'); // fast shutdown: open sessions are ended
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
