// One action of the user at a time: repeated input does not start it twice, other input cancels it.

export interface SingleAction {
  /** Does nothing while an action runs that was not cancelled. Rejects with what the action throws before it is cancelled. */
  run(action: (signal: AbortSignal) => Promise<void>): Promise<void>;
  cancel(): void;
}

export function createSingleAction(): SingleAction {
  let running: AbortController | null = null;
  return {
    async run(action) {
      if (running !== null) return;
      const controller = new AbortController();
      running = controller;
      try {
        await action(controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        if (running === controller) running = null;
      }
    },
    cancel() {
      running?.abort();
      running = null;
    },
  };
}
