// Disposables as in VS Code's API, and a store that owns several of them.

export interface Disposable {
  dispose(): void;
}

/** As the native `DisposableStack`, which Node 22 lacks, but takes additions after its end. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Disposes the item together with the store; at once if the store has already been disposed. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** Disposes all items, newest first. All are disposed even if some throw; the errors are thrown afterwards. */
  dispose(): void {
    this.#disposed = true;
    const items = this.#items.reverse();
    this.#items = [];
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several items could not be disposed.');
  }
}

/** Disposes what is in its store when it is disposed. */
export abstract class Owner implements Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}

export function disposable(dispose: () => void): Disposable {
  return { dispose };
}
