// Several `hexlens serve` processes over one chain and one index, for the tests of what they share.
import { once } from 'node:events';
import { expect } from 'vitest';
import { readUntil } from '../support/readUntil.ts';
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

const TRANSFERS = '/nft/transfers?limit=100&from_block=0';

/** Every transfer, page by page, once the index has them all. */
export async function readTransfers(server: ServeProcess): Promise<readonly TransferSeen[]> {
  // On a busy machine any page may be one of an index that has not seen the head in time.
  const completePage = (path: string) =>
    readUntil(
      () => page(server, path),
      ({ index_complete }) => index_complete === true,
    );
  await completePage(TRANSFERS);
  const rows: TransferSeen[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = await completePage(`${TRANSFERS}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(next.status).toBe(200);
    rows.push(...next.result);
    cursor = next.cursor;
  }
  return rows;
}
