// Token URIs: the call that returns one, and what kind of address it is.
import { base64ToBytes, bytesToText } from '../../base/base64.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import { decodeStringBytes, encodeWord } from '../evm/abiWords.ts';
import { MAX_URI_CHARACTERS } from './metadataLimits.ts';

/** The default IPFS gateway; the egress policy decides whether it may be used. */
const IPFS_GATEWAY = 'https://ipfs.io/ipfs/';
const ARWEAVE_GATEWAY = 'https://arweave.net/';

/** `text`: the document itself. `remote`: an http or https URL to fetch it from. */
export type TokenUriSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: TokenUriSource = { kind: 'unreadable' };

/** The URI that a call returned; `null` when there is none, it is empty, or longer than `maxBytes`. */
export function decodeTokenUri(result: unknown, maxBytes = MAX_URI_CHARACTERS): string | null {
  if (!isHex(result)) return null;
  const bytes = decodeStringBytes(result, maxBytes + 1);
  return bytes === null || bytes.length === 0 || bytes.length > maxBytes ? null : bytesToText(bytes);
}

/** ERC-1155: replaces `{id}` by the id as 64 lower-case hex digits, in the URI and in every text of the document. */
export function substituteId(text: string, tokenId: bigint): string {
  return text.replaceAll('{id}', encodeWord(tokenId));
}

/** Where a URI of a contract leads. The text may be hostile: never throws. */
export function parseTokenUri(uri: string, gateway = IPFS_GATEWAY): TokenUriSource {
  const text = uri.trim();
  if (/^data:/i.test(text)) {
    const content = parseDataUri(text);
    return content === null ? UNREADABLE : { kind: 'text', text: content.text() };
  }
  if (text.startsWith('{')) return { kind: 'text', text };
  const url = toRemoteUrl(text, gateway);
  return url === null ? UNREADABLE : { kind: 'remote', url };
}

/** The URL to fetch an http, https, IPFS or Arweave address from; `null` for anything else and for URLs with a password. */
export function toRemoteUrl(uri: string, gateway = IPFS_GATEWAY): string | null {
  const url = URL.parse(throughGateway(uri, gateway));
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url.href;
}

function throughGateway(uri: string, gateway: string): string {
  const ipfsPath = /^(?:ipfs:\/\/(?:ipfs\/)?|\/ipfs\/)(.+)$/is.exec(uri)?.[1];
  if (ipfsPath !== undefined) return `${gateway}${encodeFileName(ipfsPath)}`;
  if (/^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy[a-z2-7]{50,})(?:\/|$)/.test(uri)) return `${gateway}${encodeFileName(uri)}`;
  const arweavePath = /^ar:\/\/(.+)$/is.exec(uri)?.[1];
  return arweavePath === undefined ? uri : `${ARWEAVE_GATEWAY}${encodeFileName(arweavePath)}`;
}

/** In file names on IPFS `#` and `?` begin no fragment and no query. */
const encodeFileName = (path: string) => path.replaceAll('#', '%23').replaceAll('?', '%3F');

export interface DataUri {
  /** `image/png`; `text/plain` when the URI does not say. */
  readonly type: string;
  /** The content as UTF-8 text, with percent encoding decoded where it is well-formed. */
  text(): string;
}

/** RFC 2397, read as leniently as wallets do; `null` when there is no comma. */
export function parseDataUri(uri: string): DataUri | null {
  const comma = uri.indexOf(',');
  if (comma < 0 || !/^data:/i.test(uri)) return null;
  const head = uri.slice(5, comma).split(';');
  const body = uri.slice(comma + 1);
  const isBase64 = head.slice(1).some(part => part.trim().toLowerCase() === 'base64');
  return {
    type: head[0]?.trim().toLowerCase() || 'text/plain',
    text: () => (isBase64 ? bytesToText(base64ToBytes(decodePercent(body))) : decodePercent(body)),
  };
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // JSON with a literal percent sign
  }
}

/** Calldata of ERC-721 `tokenURI(uint256)` or ERC-1155 `uri(uint256)`. */
export function encodeTokenUriCall(standard: string, tokenId: bigint): Hex {
  const selector = standard === 'ERC1155' ? '0x0e89341c' : '0xc87b56dd';
  return `${selector}${encodeWord(tokenId)}`;
}
