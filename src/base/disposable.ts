// Disposables as in VS Code's API, and a store that owns several of them.

export interface Disposable {
  dispose(): void;
}

/** A native `DisposableStack` for objects with a `dispose` method; unlike the stack it takes additions after its end. */
export class DisposableStore implements Disposable {
  readonly #stack = new DisposableStack();

  get disposed(): boolean {
    return this.#stack.disposed;
  }

  /** Disposes the item together with the store; at once if the store has already been disposed. */
  add<T extends Disposable>(item: T): T {
    if (this.#stack.disposed) item.dispose();
    else this.#stack.adopt(item, added => added.dispose());
    return item;
  }

  /** Disposes all items, newest first. All are disposed even if some throw; the errors are thrown afterwards. */
  dispose(): void {
    this.#stack.dispose();
  }
}

export function disposable(dispose: () => void): Disposable {
  return { dispose };
}
