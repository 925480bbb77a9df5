// Errors of PostgreSQL and of the connection to it as faults with a fix; never with the URL, which has a password.
import { type FaultCode, HexLensError, toFault } from '../../../base/errors.ts';

interface FaultText {
  /** `internal` when absent. */
  readonly code?: FaultCode;
  readonly message: string;
  readonly fix: string;
}

const UNREACHABLE: FaultText = {
  code: 'store-unavailable',
  message: 'The PostgreSQL database of the index can not be reached.',
  fix: 'Check that it runs and that host and port of --store are correct, then try again.',
};
const ACCESS_DENIED: FaultText = {
  message: 'The PostgreSQL database of the index denies access.',
  fix: 'Check user, password and database name of --store.',
};
const FULL: FaultText = {
  message: 'The PostgreSQL database of the index has no space left.',
  fix: 'Free disk space or memory of the database, then try again.',
};
const CROWDED: FaultText = {
  code: 'store-unavailable',
  message: 'The PostgreSQL database of the index accepts no more connections.',
  fix: 'Raise its max_connections (this program takes 9 at most), or close other connections, then try again.',
};
const FORBIDDEN: FaultText = {
  message: 'The PostgreSQL user of --store lacks a privilege.',
  fix: 'Let it own the schema of the index, or grant it USAGE on the schema and SELECT on its tables: then it only reads what other processes store.',
};
const READ_ONLY: FaultText = {
  message: 'The PostgreSQL database of --store takes no writes, and the chain is not in its index.',
  fix: 'Use the primary database, or start a service with that one first.',
};
/** pgbouncer has one code for everything. */
const POOLER_REJECTS: FaultText = {
  code: 'store-unavailable',
  message: 'The connection pooler before the PostgreSQL database rejects the connection.',
  fix: 'Check the databases, users and limits in pgbouncer.ini, then try again.',
};
const POOLER_REFUSES: FaultText = {
  message: 'The connection pooler before the PostgreSQL database refuses the settings of a session.',
  fix: 'Add ignore_startup_parameters = extra_float_digits, options to pgbouncer.ini: the index works without them.',
};
const WRONG_ROLE: FaultText = {
  code: 'store-unavailable',
  message: 'None of the PostgreSQL hosts of --store has the role that target_session_attrs names.',
  fix: 'Start or promote one, or change target_session_attrs, then try again.',
};
const UNEXPECTED_SCHEMA: FaultText = {
  message: 'The tables of the index in PostgreSQL are not as this program created them.',
  fix: 'Restore them; or stop all services that use the index, drop its schema (DROP SCHEMA hexlens CASCADE, or the one that ?schema= names) and start again: it will be rebuilt.',
};
const SLOW: FaultText = {
  message: 'The PostgreSQL database of the index ended a statement because it took too long.',
  fix: 'Raise statement_timeout and lock_timeout of the user of --store, then try again.',
};
const CONFLICTING: FaultText = {
  message: 'The PostgreSQL database of the index undid a write repeatedly because of conflicting writes.',
  fix: 'Try again in a moment; if that does not help, the log of the database says which statements were in conflict.',
};
const INSECURE: FaultText = {
  message: 'There is no secure connection to the PostgreSQL database of the index.',
  fix: 'Add sslrootcert=FILE to --store for a certificate of your own, sslmode=no-verify to take any, or sslmode=disable for none.',
};

/** By SQLSTATE, or its class (postgresql.org, appendix A). */
const BY_STATE: Readonly<Record<string, FaultText>> = {
  '08': UNREACHABLE,
  '08P01': POOLER_REJECTS,
  '25006': READ_ONLY,
  '28': ACCESS_DENIED,
  '3D': ACCESS_DENIED,
  '3F': UNEXPECTED_SCHEMA,
  '40': CONFLICTING,
  '42': UNEXPECTED_SCHEMA,
  '42501': FORBIDDEN,
  '53': FULL,
  '53300': CROWDED,
  '55P03': SLOW,
  '57': UNREACHABLE,
  '57014': SLOW,
};

const NETWORK = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/;

/** Errors of the driver that have no code. */
const BY_MESSAGE: readonly (readonly [RegExp, FaultText])[] = [
  [/^ *target_session_attrs/, WRONG_ROLE],
  [/SSL|certificate|^ERR_TLS|_CERT_|\.(pem|crt|key)\b/i, INSECURE],
  [/password|SASL/i, ACCESS_DENIED],
  [/terminated|timeout|Connection|not queryable/i, UNREACHABLE],
];

const findText = (code: string, message: string): FaultText | undefined => {
  if (code === '08P01' && message.includes('startup parameter')) return POOLER_REFUSES;
  if (/^[0-9A-Z]{5}$/.test(code) && !NETWORK.test(code)) return BY_STATE[code] ?? BY_STATE[code.slice(0, 2)];
  const text = BY_MESSAGE.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return text ?? (NETWORK.test(code) ? UNREACHABLE : undefined);
};

/** Serialization failure and deadlock: the server has undone the whole transaction, which may be repeated. */
const CONFLICT_STATES: readonly unknown[] = ['40001', '40P01'];

export const isConflict = ({ cause }: HexLensError): boolean =>
  CONFLICT_STATES.includes((cause as { code?: unknown } | undefined)?.code);

/** Any error of the store as a HexLensError. */
export function toPostgresFault(error: unknown): HexLensError {
  if (error instanceof HexLensError) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const state = typeof code === 'string' ? code : '';
  const text = findText(state, String(message));
  if (text === undefined) return toFault(error);
  return new HexLensError(text.code ?? 'internal', text.message, {
    fix: text.fix,
    details: `${state} ${message}`.trim(),
    cause: error,
  });
}
