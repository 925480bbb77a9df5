// Loaded before a program by `--import`: the longest turn of its main thread, in processor time, which does not depend on
// what else the machine runs. Measured from SIGUSR2 on, and written when the process ends.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

export const FILE_VARIABLE = 'HEXLENS_TURN_FILE';

const file = process.env[FILE_VARIABLE];
if (isMainThread && file !== undefined && file !== '') {
  let longestMs = 0;
  process.once('SIGUSR2', () => {
    let last = process.threadCpuUsage();
    // A timer that is due runs once a turn.
    setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      last = process.threadCpuUsage();
      longestMs = Math.max(longestMs, (user + system) / 1_000);
    }, 1).unref();
  });
  process.once('exit', () => writeFileSync(file, String(longestMs)));
}
