// A mutex for asynchronous tasks: one runs at a time, in the order in which they were added.

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task when all tasks added before it have ended; one that fails does not stop those behind it. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when every task that has been added so far has ended, whether it failed or not. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
