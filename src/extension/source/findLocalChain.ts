// The chain that commands read many transactions of: only one of this machine is read so much from.
import { l10n, ProgressLocation } from 'vscode';
import { isFault } from '../../base/errors.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import { withProgress } from '../prompts/messages.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface LocalChain {
  readonly selector: string;
  /** Its newest block. */
  readonly head: number;
}

async function find({ chains, identifyChain, lookup }: WorkerClient, signal: AbortSignal): Promise<LocalChain | null> {
  for (const { selector, isOnLoopback } of chains()) {
    if (!isOnLoopback || !(await identifyChain(selector, signal)).isLocal) continue;
    const { head } = await lookup('chainStatus', { chain: selector }, signal);
    if (head !== null) return { selector, head };
  }
  return null;
}

/** The first one whose node responds; `null` without one, `'cancelled'` when the user did not wait. */
export async function findLocalChain(worker: WorkerClient): Promise<LocalChain | 'cancelled' | null> {
  const title = l10n.t('Asking the nodes of this machine');
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return withProgress(options, async (_, token) => {
    const { signal, release } = toAbortSignal(token);
    try {
      return await find(worker, signal);
    } catch (error) {
      if (isFault(error, 'cancelled')) return 'cancelled';
      throw error;
    } finally {
      release.dispose();
    }
  });
}
