// One action of the user at a time: repeated input does not start it twice, other input cancels it.

export function createSingleAction() {
  let running: AbortController | null = null;
  return {
    /** Does nothing while an action runs that was not cancelled. Rejects with what the action throws before it is cancelled. */
    async run(action: (signal: AbortSignal) => Promise<void>) {
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
