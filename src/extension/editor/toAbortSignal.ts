import type { CancellationToken } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';

/** An `AbortSignal` that follows VS Code's cancellation, until `release` is disposed. */
export function toAbortSignal(token: CancellationToken): {
  readonly signal: AbortSignal;
  readonly release: Disposable;
} {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  return { signal: controller.signal, release: token.onCancellationRequested(() => controller.abort()) };
}

/** Runs `work` with such a signal. */
export async function withAbortSignal<T>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = toAbortSignal(token);
  try {
    return await work(signal);
  } finally {
    release.dispose();
  }
}

/** What `work` resolves with; `fallback` where it was cancelled. */
export const unlessCancelled = <T, F>(work: Promise<T>, fallback: F): Promise<T | F> =>
  work.catch(error => {
    if (isFault(error, 'cancelled')) return fallback;
    throw error;
  });

/** A fault in words; `null` where the user has cancelled. */
export const toCancellableText = (error: unknown): string | null =>
  isFault(error, 'cancelled') ? null : formatFault(error);
