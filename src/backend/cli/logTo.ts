// The log of the command line: one line per event on standard error, as text or as JSON.
import type { Log, LogFields } from '../../base/log.ts';

const COLUMNS = ['time', 'level', 'message'] as const;

export function logTo(stream: { write(text: string): unknown }, form: 'text' | 'json'): Log {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const time = new Date().toISOString();
      if (form === 'text') return void stream.write(`${time} ${level} ${message}\n`);
      stream.write(
        `${JSON.stringify({ ...fields, ...{ time, level, message } }, [...COLUMNS, ...Object.keys(fields)])}\n`,
      );
    };
  return { debug() {}, info: line('info'), warn: line('warn'), error: line('error') };
}
