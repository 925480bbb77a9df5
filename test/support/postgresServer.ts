// A real PostgreSQL of our own for tests: a cluster in a temporary folder, on a free loopback port, ended with the tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { installPackages, canInstall } from '../apt.ts';

export interface PostgresServer {
  /** `postgres://hexlens@127.0.0.1:<port>/postgres`. */
  readonly url: string;
  readonly process: ChildProcess;
  /** A URL of an empty schema. */
  fresh(): string;
  stop(): Promise<void>;
}

/** Debian keeps the programs of each version in a folder of its own; others have them on the path. */
export function findPostgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map(version => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** PostgreSQL refuses to run as root: then it runs as whom its package made, or as nobody. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (name: string, flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id(name, '-u'), gid: id(name, '-g') };
    } catch {
      // not on this machine
    }
  }
  return {};
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
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

/** Debian's package would make a cluster of its own and start it. */
const NO_CLUSTER =
  'mkdir -p /etc/postgresql-common; [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf';

async function ensurePrograms(): Promise<string | null> {
  const found = findPostgresPrograms();
  if (found !== null || !canInstall()) return found;
  await installPackages(['postgresql'], 'ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1', NO_CLUSTER);
  return findPostgresPrograms();
}

/** `null` when this machine has no PostgreSQL and it can not be installed without asking. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const programs = await ensurePrograms();
  if (programs === null) return null;
  const as = user();
  const folder = mkdtempSync(join(tmpdir(), 'hexlens-postgres-'));
  if (as.uid !== undefined && statSync(folder).uid !== as.uid) execFileSync('chown', [`${as.uid}:${as.gid}`, folder]);
  const run = { ...as, cwd: folder, stdio: 'pipe' as const };
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'hexlens', '-A', 'trust', '-E', 'UTF8', '--no-sync'], run);
  const port = await freePort();
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap(line => ['-c', line])], run);
  let said = '';
  server.stderr?.on('data', chunk => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  const url = `postgres://hexlens@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`);
  let schemas = 0;
  return {
    url,
    process: server,
    fresh: () => `${url}?schema=test_${process.pid}_${schemas++}`,
    async stop() {
      if (server.exitCode === null) {
        server.kill('SIGINT'); // fast shutdown: open sessions are ended
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
