// The log of the command line: one line per event on standard error, as text or as JSON, written a few at a time.
import type { Log, LogFields } from '../base/log.ts';

const COLUMNS = ['time', 'level', 'message'] as const;

/** Lines wait this long for others: each write to a pipe stops everything else for a moment. */
const LATER_MS = 20;
const MANY = 16 * 1024;

export interface StreamLog extends Log {
  /** Writes what waits. */
  flush(): void;
}

export function createStreamLog(stream: { write(text: string): unknown }, form: 'text' | 'json'): StreamLog {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') stream.write(text);
  };
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const time = new Date().toISOString();
      waiting +=
        form === 'text'
          ? `${time} ${level} ${message}\n`
          : `${JSON.stringify({ ...fields, ...{ time, level, message } }, [...COLUMNS, ...Object.keys(fields)])}\n`;
      if (level !== 'info' || waiting.length > MANY) flush();
      else timer ??= setTimeout(flush, LATER_MS);
    };
  return { debug() {}, info: line('info'), warn: line('warn'), error: line('error'), flush };
}
