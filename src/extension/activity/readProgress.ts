// Up to where the chains of watches were read, and what was not read of them.
import { l10n } from 'vscode';
import { formatInteger } from '../../base/formatUnits.ts';
import type { ChainMonitor } from '../sidebar/chainMonitor.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { Blocks } from './pollChain.ts';

export class ReadProgress {
  /** The heads up to which everything is read, by chain. */
  readonly #heads = new Map<string, string>();
  readonly #faults = new Map<string, string>();
  readonly #skipped = new Map<string, Blocks>();
  readonly #chainMonitor: Pick<ChainMonitor, 'getStatus'>;
  readonly #worker: Pick<WorkerClient, 'isIndexPaused'>;

  constructor(chainMonitor: Pick<ChainMonitor, 'getStatus'>, worker: Pick<WorkerClient, 'isIndexPaused'>) {
    this.#chainMonitor = chainMonitor;
    this.#worker = worker;
  }

  isReadTo(chain: string, head: string): boolean {
    return this.#heads.get(chain) === head;
  }

  /** `head` is `null` where not everything up to it was read. */
  recordRead(chain: string, head: string | null, skipped: Blocks | null): void {
    if (head === null) this.#heads.delete(chain);
    else this.#heads.set(chain, head);
    if (skipped !== null) this.#skipped.set(chain, skipped);
  }

  /** `null` after a read without a fault. */
  recordFault(chain: string, fault: string | null): void {
    if (fault === null) this.#faults.delete(chain);
    else this.#faults.set(chain, fault);
  }

  clearSkipped(): void {
    this.#skipped.clear();
  }

  clear(): void {
    for (const known of [this.#heads, this.#faults, this.#skipped]) known.clear();
  }

  /** What was not read, and why, in sentences. */
  describeProblems(chain: string): readonly string[] {
    const fault = this.#chainMonitor.getStatus(chain)?.problem ?? this.#faults.get(chain);
    const skipped = this.#skipped.get(chain);
    const unread = fault ?? (this.#heads.has(chain) ? null : this.#describeUnread(chain));
    return [
      ...(unread === null ? [] : [unread]),
      ...(skipped === undefined
        ? []
        : [
            l10n.t(
              'The node refuses to read blocks {0} to {1}: activity there is missing.',
              formatInteger(skipped.fromBlock),
              formatInteger(skipped.toBlock),
            ),
          ]),
    ];
  }

  #describeUnread(chain: string): string {
    return this.#worker.isIndexPaused(chain)
      ? l10n.t('Not all blocks are read: the index is paused.')
      : l10n.t('Not all blocks are read yet.');
  }
}
