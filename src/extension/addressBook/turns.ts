// One task after the other, in the order in which they were asked for; a failure does not stop those behind it.

export interface Turns {
  next<T>(task: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    next(task) {
      const result = last.then(task);
      last = result.catch(() => {});
      return result;
    },
  };
}
