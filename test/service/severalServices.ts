// Several `hexlens serve` processes over one chain and one index, for the tests of what they share.
import { once } from 'node:events';
import { expect } from 'vitest';
import { type ServeProcess, startServe } from './cliProcess.ts';

export interface TransferSeen {
  readonly block_number: string;
  readonly log_index: number;
  readonly token_address: string;
  readonly token_id: string;
}

export interface PageSeen {
  readonly status: number;
  readonly result: readonly TransferSeen[];
  readonly cursor: string | null;
  readonly index_complete?: boolean;
}

export interface Services {
  readonly running: ReadonlySet<ServeProcess>;
  /** `env` says where the index is. */
  serve(nodeUrl: string, env: Readonly<Record<string, string>>): Promise<ServeProcess>;
  kill(server: ServeProcess): Promise<void>;
  stop(): Promise<void>;
}

export function createServices(): Services {
  const running = new Set<ServeProcess>();
  return {
    running,
    async serve(nodeUrl, env) {
      const server = await startServe(['--port', '0', '--key', 'k', '--node', `local=${nodeUrl}`], env);
      running.add(server);
      return server;
    },
    async kill(server) {
      running.delete(server);
      const ended = once(server.child, 'exit');
      server.child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      await Promise.all([...running].map(server => server.stop()));
    },
  };
}

export async function page(server: ServeProcess, path: string): Promise<PageSeen> {
  const response = await fetch(`${server.ready.url}/api/v2${path}`, { headers: { 'x-api-key': 'k' } });
  return { ...((await response.json()) as Omit<PageSeen, 'status'>), status: response.status };
}

/** Every transfer, page by page. */
export async function readTransfers(server: ServeProcess): Promise<readonly TransferSeen[]> {
  const rows: TransferSeen[] = [];
  const path = '/nft/transfers?limit=100&from_block=0';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, result, cursor: next } = await page(server, `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    rows.push(...result);
    cursor = next;
  }
  return rows;
}

/** Every transfer, once two readings in a row found as many. */
export async function settled(server: ServeProcess): Promise<readonly TransferSeen[]> {
  for (;;) {
    const rows = await readTransfers(server);
    const again = await readTransfers(server);
    if (rows.length > 0 && rows.length === again.length) return again;
  }
}
