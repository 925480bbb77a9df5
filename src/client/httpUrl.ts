// The URL of a request: parsed, and its user name and password as a header.
import { getBasicAuthorization } from '../base/basicAuthorization.ts';
import { HexLensError } from '../base/errors.ts';

export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new HexLensError('node-unreachable', 'An address in the settings is not an http:// or https:// URL.', {
    fix: 'Check hexlens.nodes and the base URLs in the settings.',
    cause: { code: 'UND_ERR_INVALID_URL' },
  });
}

/** `https://user:secret@host` means basic authentication, which HTTP clients leave to their caller. */
export function createAuthorizationHeader(url: URL): Readonly<Record<string, string>> {
  const authorization = getBasicAuthorization(url);
  return authorization === null ? {} : { authorization };
}
