// VS Code reads the stack of a failure, opens the file of the innermost frame, and shows the exception where that frame is still in
// the stack. Its call stack view may read the stack too, and so put new frames into it while the file opens: that has to wait.
import { setTimeout as sleep } from 'node:timers/promises';

/** Opening a file takes less. */
const MAX_WAIT_MS = 3_000;

export class FailureFocus {
  /** Settled once a frame is in focus; `null` while the debugger is not at a failure that was just reached. */
  #focus: PromiseWithResolvers<void> | null = null;
  #hasRead = false;

  /** The debugger stops. */
  stop(isFailure: boolean): void {
    this.end();
    this.#hasRead = false;
    if (isFailure) this.#focus = Promise.withResolvers();
  }

  /** The client asks for what it shows of a frame in focus. */
  end(): void {
    this.#focus?.resolve();
    this.#focus = null;
  }

  /** Resolves when the client may have these frames. */
  async wait(startFrame: number, levels: number): Promise<void> {
    // VS Code says how many frames it wants.
    if (this.#focus === null || startFrame > 0 || levels === 0) return;
    if (this.#hasRead) await Promise.race([this.#focus.promise, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    this.#hasRead = true;
  }
}
