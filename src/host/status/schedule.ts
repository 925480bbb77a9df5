// How often the status bar asks a node: quickly while it answers and somebody looks, ever more rarely while it does not.

export interface Schedule {
  /** Milliseconds until the next question. */
  next(answered: boolean): number;
}

const ANSWERED_MS = 3_000;
const SILENT_FROM_MS = 5_000;
const SILENT_TO_MS = 60_000;

export function createSchedule(): Schedule {
  let silent = SILENT_FROM_MS;
  return {
    next(answered) {
      if (answered) {
        silent = SILENT_FROM_MS;
        return ANSWERED_MS;
      }
      const wait = silent;
      silent = Math.min(silent * 2, SILENT_TO_MS);
      return wait;
    },
  };
}
