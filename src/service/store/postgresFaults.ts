// What PostgreSQL and the way to it complain about, as faults that say what to do; never a URL, since it holds a password.
import { asFault, HexLensError } from '../../base/errors.ts';

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
  fix: 'Check user, password and database name of --store, and that this user may create schemas and tables.',
};
const FULL: Words = {
  message: 'The PostgreSQL database of the index has no room left.',
  fix: 'Free disk space, memory or connections of the database, then try again.',
};

/** By SQLSTATE class (postgresql.org, appendix A). */
const BY_CLASS: Readonly<Record<string, Words>> = {
  '08': UNREACHABLE,
  '28': REFUSED,
  '3D': REFUSED,
  '42': REFUSED,
  '53': FULL,
  '57': UNREACHABLE,
};

const NETWORK = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT)/;

/** Any error of the store as a HexLensError. */
export function postgresFault(error: unknown): HexLensError {
  if (error instanceof HexLensError) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const state = typeof code === 'string' ? code : '';
  const lost = NETWORK.test(state) || /terminated|timeout|Connection|not queryable/i.test(String(message));
  const words = /^[0-9A-Z]{5}$/.test(state) ? BY_CLASS[state.slice(0, 2)] : lost ? UNREACHABLE : undefined;
  if (words === undefined) return asFault(error);
  return new HexLensError('internal', words.message, { fix: words.fix, details: `${state} ${message}`, cause: error });
}
