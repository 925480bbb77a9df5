// VS Code reads the innermost frame of a failure, opens its file, and shows the exception where that frame is still in the stack.
// While the file opens, its call stack view may read the stack too, which puts new frames into it: that one has to wait.
import { setTimeout as sleep } from 'node:timers/promises';

/** Opening a file takes less. */
const MAX_WAIT_MS = 3_000;

export class FailureFocus {
  /** Settled once a frame is in focus; `null` while the debugger is not at a failure that was just reached. */
  #focus: PromiseWithResolvers<void> | null = null;
  /** Whether the client has asked for that frame alone, as it does first. */
  #hasInnermost = false;

  /** The debugger stops. */
  stop(isFailure: boolean): void {
    this.end();
    this.#hasInnermost = false;
    if (isFailure) this.#focus = Promise.withResolvers();
  }

  /** The client asks for what it shows of a frame in focus. */
  end(): void {
    this.#focus?.resolve();
    this.#focus = null;
  }

  /** Resolves when the client may have these frames. */
  async wait(startFrame: number, levels: number): Promise<void> {
    if (this.#focus === null || startFrame > 0) return;
    if (this.#hasInnermost) await Promise.race([this.#focus.promise, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    else this.#hasInnermost = levels === 1;
  }
}
