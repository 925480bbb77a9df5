// What differs between an extension host on a machine and one in a browser (vscode.dev, github.dev).
import type { Worker } from 'node:worker_threads';
import type { WorkerLike } from '../client/workerConnection.ts';

export interface Platform {
  /** There are no processes, no threads of Node.js and no databases. */
  readonly isBrowser: boolean;
  /** Folder of the chain indexes; `null` where there are none. */
  readonly dataFolder: string | null;
  /** Starts the service. */
  startWorker(): WorkerLike;
  /** Starts the thread that checks large documents; `null` where there is none. */
  readonly startChecksumWorker: (() => Worker) | null;
  /** Operating system and Node.js, for reports of issues. */
  describe(): { readonly system: string; readonly node: string };
}
