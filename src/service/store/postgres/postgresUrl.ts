// The URL of a PostgreSQL database, with the parameters that the driver does not understand.
import { HexLensError } from '../../../base/errors.ts';

export interface PostgresLocation {
  /** Without the parameters below: what the driver understands. */
  readonly url: string;
  /** The schema of all tables. */
  readonly schema: string;
  /** Settings of each session (`-c name=value …`). */
  readonly options: string;
}

const DEFAULT_SCHEMA = 'hexlens';

/**
 * Parses `postgres://user:password@host:port/database`; `?schema=NAME` selects the schema of all tables. As with libpq,
 * the host may be absent where `?host=/folder` names the folder of a socket. Throws `bad-input`.
 */
export function parsePostgresUrl(text: string): PostgresLocation {
  const url = URL.parse(text.replace(/^([a-z]+:\/\/[^/?#]*@)(?=[/?])/, '$1localhost'));
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new HexLensError('bad-input', 'The store is not the URL of a PostgreSQL database.', {
      fix: 'Write it as postgres://user:password@host:5432/database.',
    });
  }
  const take = (name: string): string | null => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  const schema = take('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new HexLensError('bad-input', `The schema "${schema}" can not be used.`, {
      fix: 'Use lower-case letters, digits and _, beginning with a letter.',
    });
  }
  // The driver would use `options` in place of ours: both are joined later.
  return { options: take('options') ?? '', url: url.href, schema };
}

/** Whether {@link parsePostgresUrl} accepts it. */
export function isPostgresUrl(text: string): boolean {
  try {
    parsePostgresUrl(text);
    return true;
  } catch {
    return false;
  }
}
