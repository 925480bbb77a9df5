// Reads the heap size of a child process after garbage collection, through its inspector.
import { once } from 'node:events';
import type { ServeProcess } from '../service/cliProcess.ts';

/** Environment of the process: when its inspector is opened, it uses a free port. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

export interface LiveHeap {
  /** Collects garbage first. */
  bytes(): Promise<number>;
  close(): void;
}

interface Reply {
  readonly id?: number;
  readonly result?: { readonly usedSize?: number };
}

/** The process must have been started with `INSPECTABLE`. */
export async function openLiveHeap({ child, stderr }: ServeProcess): Promise<LiveHeap> {
  const address = () => /ws:\/\/127\.0\.0\.1:\S+/.exec(stderr())?.[0];
  child.kill('SIGUSR1');
  while (address() === undefined && child.stderr !== null) await once(child.stderr, 'data');
  const socket = new WebSocket(address() ?? '');
  await once(socket, 'open');
  let last = 0;
  const ask = (method: string) =>
    new Promise<Reply>((resolve, reject) => {
      const id = ++last;
      const answered = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as Reply;
        if (reply.id !== id) return;
        socket.removeEventListener('message', answered);
        resolve(reply);
      };
      socket.addEventListener('message', answered);
      socket.addEventListener('close', () => reject(new Error('The process has ended.')), { once: true });
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async bytes() {
      await ask('HeapProfiler.collectGarbage');
      return (await ask('Runtime.getHeapUsage')).result?.usedSize ?? Number.NaN;
    },
    close: () => socket.close(),
  };
}
