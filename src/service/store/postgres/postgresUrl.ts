// The URL of a PostgreSQL database as people write it, and what of it only we understand.
import { HexLensError } from '../../../base/errors.ts';

export interface PostgresLocation {
  /** What the driver understands. */
  readonly url: string;
  /** The schema that everything is kept in. */
  readonly schema: string;
  /** Settings of each session (`-c name=value …`) that the URL asks for. */
  readonly options: string;
}

export const DEFAULT_SCHEMA = 'hexlens';

/**
 * Takes `postgres://user:password@host:port/database` apart; `?schema=NAME` keeps everything in a schema of that name. As
 * libpq has it, the host may be missing where `?host=/folder` names the folder of a socket. Throws `bad-input`.
 */
export function parsePostgresUrl(text: string): PostgresLocation {
  const url = URL.parse(text.replace(/^([a-z]+:\/\/[^/?#]*@)(?=[/?])/, '$1localhost'));
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new HexLensError('bad-input', 'The store is no PostgreSQL database.', {
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
  // The driver would take these instead of ours, not beside them.
  return { options: take('options') ?? '', url: url.href, schema };
}

/** Whether {@link parsePostgresUrl} takes it. */
export function isPostgresUrl(text: string): boolean {
  try {
    parsePostgresUrl(text);
    return true;
  } catch {
    return false;
  }
}
