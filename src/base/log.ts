// Logging as a port. Whoever logs never passes a key, a full query or a full URL.

/** The same facts as in the message, for logs that are read by programs; others leave them out. */
export type LogFields = Readonly<Record<string, string | number>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
