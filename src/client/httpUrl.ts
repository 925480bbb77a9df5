// The URL of a request: parsed, and its user name and password as a header.
import { textToBase64 } from '../base/base64.ts';
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
  if (url.username === '' && url.password === '') return {};
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // an invalid escape is used unchanged
    }
  };
  return { authorization: `Basic ${textToBase64(`${decode(url.username)}:${decode(url.password)}`)}` };
}
