// Writes in the background, one at a time and in their order: while one is under way, the next is gathered.

export interface OneAtATime {
  /** Begins the next write when the last one has ended; false, beginning nothing, when that one did not work. */
  begin(): Promise<boolean>;
  /** The same, and waits for its end. */
  finish(): Promise<boolean>;
  /** Resolves when nothing is under way, however it ended. */
  settled(): Promise<void>;
}

/** `write` resolves with whether it worked; what it rejects with, the next call rejects with. */
export function oneAtATime(write: () => Promise<boolean>): OneAtATime {
  let last: Promise<boolean> = Promise.resolve(true);
  const begin = async () => {
    if (!(await last)) return false;
    last = write();
    last.catch(() => {}); // the next call hears of it
    return true;
  };
  return {
    begin,
    finish: async () => (await begin()) && last,
    async settled() {
      await last.catch(() => {});
    },
  };
}
