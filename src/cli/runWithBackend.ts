// Runs a command over a backend of its own, until it is done or a signal ends it.
import type { Configuration } from '../api/configuration.ts';
import { isFault, toFault } from '../base/errors.ts';
import { silentLog } from '../base/log.ts';
import type { Backend } from '../worker/backend.ts';
import { createNodeBackend } from '../worker/nodeBackend.ts';

/** `addHostHint`: how the user allows a host, as the end of a sentence. */
export async function runWithBackend<T>(
  configuration: Configuration,
  run: (backend: Backend, signal: AbortSignal) => Promise<T>,
  addHostHint = 'with --node NAME=URL',
): Promise<T> {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  const backend = createNodeBackend({ log: silentLog, addHostHint });
  backend.configure(configuration);
  try {
    return await run(backend, controller.signal);
  } finally {
    await backend.stop();
  }
}

/** Every reason why there is no answer has the same code, which is not that of a failed transaction. */
export const getNoAnswerExitCode = (error: unknown): number => (isFault(toFault(error), 'cancelled') ? 130 : 2);
