import type { CancellationToken } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** An `AbortSignal` that follows VS Code's cancellation, until `release` is disposed. */
export function toAbortSignal(token: CancellationToken): {
  readonly signal: AbortSignal;
  readonly release: Disposable;
} {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  return { signal: controller.signal, release: token.onCancellationRequested(() => controller.abort()) };
}
