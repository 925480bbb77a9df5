// Logging as a port. Messages never hold a key, a full query or a full URL.

/** The facts of the message as values, for logs that programs read; other logs ignore them. */
export type LogFields = Readonly<Record<string, string | number>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
