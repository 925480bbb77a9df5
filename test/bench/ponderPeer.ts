// ponder from npm in a process: a cold first sync into its own database, and its API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../src/base/hex.ts';
import { installPeer } from './installPeer.ts';
import { ponderProject } from './ponderProject.ts';

const PACKAGES = { ponder: '0.16.10', viem: '2.57.1', hono: '4.13.19' };
const SYNC_MS = 600_000;
const POLL_MS = 20;

export interface Ponder {
  readonly url: string;
  /** From the first response of its server until it is synced: its start is not counted. */
  readonly syncMs: number;
  stop(): Promise<void>;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

const isOk = (url: string) =>
  fetch(url).then(
    response => response.ok,
    () => false,
  );

/** Installs it and writes the project. Rejects when npm can not install it. */
export async function installPonder(): Promise<string> {
  const folder = await installPeer('ponder', PACKAGES);
  for (const [path, text] of Object.entries(ponderProject)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Starts cold, without data of an earlier run. Block `to` must be 30 blocks deep, which ponder treats as final. */
export async function startPonder(folder: string, url: string, contract: Hex, to: number): Promise<Ponder> {
  await rm(join(folder, '.ponder'), { recursive: true, force: true });
  const port = await findFreePort();
  const program = join(folder, 'node_modules/ponder/dist/esm/bin/ponder.js');
  const flags = ['--schema', 'peer', '--port', String(port), '--hostname', '127.0.0.1', '--log-level', 'warn'];
  const child = spawn(process.execPath, [program, 'start', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PONDER_TELEMETRY_DISABLED: '1',
      PEER_URL: url,
      PEER_CONTRACT: contract,
      PEER_TO: String(to),
    },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(10_000, undefined, { ref: false })]);
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  };
  const base = `http://127.0.0.1:${port}`;
  const waitFor = async (path: string) => {
    const start = performance.now();
    while (!(await isOk(`${base}${path}`))) {
      if (child.exitCode !== null) throw new Error(`ponder ended with ${child.exitCode}.`);
      if (performance.now() - start > SYNC_MS) throw new Error(`ponder is not ready after ${SYNC_MS / 1_000} s.`);
      await sleep(POLL_MS);
    }
    return performance.now() - start;
  };
  try {
    await waitFor('/health');
    return { url: base, syncMs: await waitFor('/ready'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
