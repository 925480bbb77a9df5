// Owning things that must be let go: disposed last-in first-out, once, and late additions at once.

export interface Disposable {
  dispose(): void;
}

export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** Disposes everything, newest first; one that throws does not keep the others alive. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const errors: unknown[] = [];
    while (this.#items.length > 0) {
      try {
        this.#items.pop()?.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some parts could not be disposed.');
  }
}

export function disposable(dispose: () => void): Disposable {
  return { dispose };
}
