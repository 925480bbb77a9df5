// Lets other work of the thread run between the steps of a long task.

interface Immediate {
  readonly setImmediate?: (run: () => void) => unknown;
}

/** A browser has no `setImmediate`, and its timers wait at least 4 ms. */
function postTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(null);
}

/** Resolves after the events that are waiting now have been handled. */
export function yieldToEventLoop(): Promise<void> {
  const { setImmediate = postTask } = globalThis as Immediate;
  return new Promise(resolve => setImmediate(resolve));
}
