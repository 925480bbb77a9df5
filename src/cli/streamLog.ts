// Log to a stream, such as standard error: one line per event, as text or JSON, written in batches.
import type { Log, LogFields } from '../base/log.ts';

/** The first properties of a JSON line. */
const COMMON_FIELDS = ['time', 'level', 'message'] as const;

/** Lines are collected for this long, or up to this length: each write to a pipe blocks the process for a moment. */
const FLUSH_MS = 20;
const MAX_BUFFERED_LENGTH = 16 * 1024;

export interface StreamLog extends Log {
  /** Writes the collected lines. */
  flush(): void;
}

export function createStreamLog(stream: { write(text: string): unknown }, format: 'text' | 'json'): StreamLog {
  let buffer = '';
  let flushTimer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    const text = buffer;
    buffer = '';
    if (text !== '') stream.write(text);
  };
  const formatLine = (level: string, message: string, fields: LogFields) => {
    const time = new Date().toISOString();
    if (format === 'text') return `${time} ${level} ${message}\n`;
    return `${JSON.stringify({ ...fields, time, level, message }, [...COMMON_FIELDS, ...Object.keys(fields)])}\n`;
  };
  const writeLine =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      buffer += formatLine(level, message, fields);
      if (level !== 'info' || buffer.length > MAX_BUFFERED_LENGTH) flush();
      else flushTimer ??= setTimeout(flush, FLUSH_MS);
    };
  return { debug() {}, info: writeLine('info'), warn: writeLine('warn'), error: writeLine('error'), flush };
}
