// What PostgreSQL and the way to it complain about, as faults that say what to do; never a URL, since it holds a password.
import { HexLensError, toFault } from '../../../base/errors.ts';

interface Words {
  readonly message: string;
  readonly fix: string;
}

const UNREACHABLE: Words = {
  message: 'The PostgreSQL database of the index can not be reached.',
  fix: 'Check that it runs and that host and port of --store are right, then try again.',
};
const REFUSED: Words = {
  message: 'The PostgreSQL database of the index does not let us in.',
  fix: 'Check user, password and database name of --store.',
};
const FULL: Words = {
  message: 'The PostgreSQL database of the index has no room left.',
  fix: 'Free disk space or memory of the database, then try again.',
};
const CROWDED: Words = {
  message: 'The PostgreSQL database of the index takes no more connections.',
  fix: 'Raise its max_connections (this program takes 9 at most), or end others, then try again.',
};
const FORBIDDEN: Words = {
  message: 'The PostgreSQL user of --store lacks a right.',
  fix: 'Let it own the schema of the index, or grant it USAGE on the schema and SELECT on its tables: then it only reads what others store.',
};
const FROZEN: Words = {
  message: 'The PostgreSQL database of --store takes no writes, and the chain is not in its index.',
  fix: 'Give the database that replicas are made of, or start a service with that one first.',
};
const DAMAGED: Words = {
  message: 'The tables of the index in PostgreSQL are not as this program made them.',
  fix: 'Restore them; or end all that use the index, drop its schema (DROP SCHEMA hexlens CASCADE, or the one that ?schema= names) and start again: it is built anew.',
};
const SLOW: Words = {
  message: 'The PostgreSQL database of the index ended a statement because it took too long.',
  fix: 'Raise statement_timeout and lock_timeout of the user of --store, then try again.',
};
const INSECURE: Words = {
  message: 'There is no secure connection to the PostgreSQL database of the index.',
  fix: 'Add sslrootcert=FILE to --store for a certificate of your own, sslmode=no-verify to take any, or sslmode=disable for none.',
};

/** By SQLSTATE, or its class (postgresql.org, appendix A). */
const BY_STATE: Readonly<Record<string, Words>> = {
  '08': UNREACHABLE,
  '25006': FROZEN,
  '28': REFUSED,
  '3D': REFUSED,
  '3F': DAMAGED,
  '42': DAMAGED,
  '42501': FORBIDDEN,
  '53': FULL,
  '53300': CROWDED,
  '55P03': SLOW,
  '57': UNREACHABLE,
  '57014': SLOW,
};

const NETWORK = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/;

/** What the driver says without a code of its own. */
const BY_TEXT: readonly (readonly [RegExp, Words])[] = [
  [/SSL|certificate|^ERR_TLS|_CERT_|\.(pem|crt|key)\b/i, INSECURE],
  [/password|SASL/i, REFUSED],
  [/terminated|timeout|Connection|not queryable/i, UNREACHABLE],
];

const wordsOf = (code: string, message: string): Words | undefined => {
  if (/^[0-9A-Z]{5}$/.test(code) && !NETWORK.test(code)) return BY_STATE[code] ?? BY_STATE[code.slice(0, 2)];
  const said = BY_TEXT.find(([text]) => text.test(`${code} ${message}`))?.[1];
  return said ?? (NETWORK.test(code) ? UNREACHABLE : undefined);
};

/** Any error of the store as a HexLensError. */
export function toPostgresFault(error: unknown): HexLensError {
  if (error instanceof HexLensError) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const state = typeof code === 'string' ? code : '';
  const words = wordsOf(state, String(message));
  if (words === undefined) return toFault(error);
  return new HexLensError('internal', words.message, { fix: words.fix, details: `${state} ${message}`, cause: error });
}
