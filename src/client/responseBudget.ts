// The memory for all responses that are being received, decompressed or parsed at a time.

/** With what parsing adds, a service under attack stays below 600 MB. */
const MAX_RESPONSES_BYTES = 64 * 1024 * 1024;

export class ResponseBudget {
  readonly maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** False, and nothing is taken, when there is not so much left. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** What all clients of this thread share. */
export const sharedResponseBudget = new ResponseBudget(MAX_RESPONSES_BYTES);

/** What one response takes of the budget. */
export class ResponseShare {
  readonly #budget: ResponseBudget;
  #taken = 0;

  constructor(budget: ResponseBudget) {
    this.#budget = budget;
  }

  get maxBytes(): number {
    return this.#budget.maxBytes;
  }

  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  release(): void {
    this.#budget.give(this.#taken);
    this.#taken = 0;
  }
}
