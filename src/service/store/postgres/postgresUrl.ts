// The URL of a PostgreSQL database, with the parameters that the driver does not understand.
import { HexLensError } from '../../../base/errors.ts';

export interface PostgresLocation {
  /** One for each host, without the parameters below: what the driver understands. */
  readonly urls: readonly [string, ...string[]];
  /** Which of the hosts are used, as libpq's `target_session_attrs`. */
  readonly target: SessionTarget;
  /** The schema of all tables. */
  readonly schema: string;
  /** Settings of each session (`-c name=value …`). */
  readonly options: string;
}

const SESSION_TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const;
export type SessionTarget = (typeof SESSION_TARGETS)[number];

const DEFAULT_SCHEMA = 'hexlens';

/**
 * Parses `postgres://user:password@host:port/database`; `?schema=NAME` selects the schema of all tables. As with libpq,
 * the host may be absent where `?host=/folder` names the folder of a socket, and several hosts are separated by commas
 * (`postgres://h1:5432,h2/database?target_session_attrs=read-write`). Throws `bad-input`.
 */
export function parsePostgresUrl(text: string): PostgresLocation {
  const start = text.indexOf('://') + 3;
  const [authority = ''] = text.slice(start).split(/[/?#]/, 1);
  const hostsAt = authority.lastIndexOf('@') + 1;
  const [before, after] = [text.slice(0, start + hostsAt), text.slice(start + authority.length)];
  const locations = authority
    .slice(hostsAt)
    .split(',')
    .map(host => `${before}${host}${after}`);
  const [first, ...others] = locations.map(parseLocation);
  if (first === undefined) throw createUrlFault();
  const { url, ...location } = first;
  return { ...location, urls: [url, ...others.map(other => other.url)] };
}

const createUrlFault = () =>
  new HexLensError('bad-input', 'The store is not the URL of a PostgreSQL database.', {
    fix: 'Write it as postgres://user:password@host:5432/database.',
  });

function parseLocation(text: string): Omit<PostgresLocation, 'urls'> & { readonly url: string } {
  const url = URL.parse(text.replace(/^([a-z]+:\/\/[^/?#]*@)(?=[/?])/, '$1localhost'));
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) throw createUrlFault();
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
  const wanted = take('target_session_attrs') ?? 'any';
  const target = SESSION_TARGETS.find(name => name === wanted);
  if (target === undefined)
    throw new HexLensError('bad-input', `target_session_attrs=${wanted} can not be used.`, {
      fix: `Use one of ${SESSION_TARGETS.join(', ')}.`,
    });
  // The driver would use `options` in place of ours: both are joined later.
  return { options: take('options') ?? '', url: url.href, schema, target };
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
