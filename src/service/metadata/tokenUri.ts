// Where a token's metadata is: the ABI string that the contract answers with, and what kind of address it is.
import type { Hex } from '../../base/hex.ts';

/** Characters of a URI that are read at most: metadata may stand in it whole, as a `data:` URI. */
export const MAX_URI_CHARACTERS = 512 * 1024;
/** Characters of a document that are read at most. */
export const MAX_DOCUMENT_CHARACTERS = 256 * 1024;

/** What IPFS is read through where nothing else is said; the egress policy decides whether it may be. */
export const IPFS_GATEWAY = 'https://ipfs.io/ipfs/';
export const ARWEAVE_GATEWAY = 'https://arweave.net/';

/** `text`: the document itself. `remote`: an http or https URL to fetch it from. */
export type TokenUriSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: TokenUriSource = { kind: 'unreadable' };

/** The ABI `string` in a call's answer; `null` when it is none, empty, or longer than `longest` bytes. */
export function abiString(data: unknown, longest = MAX_URI_CHARACTERS): string | null {
  if (typeof data !== 'string' || !data.startsWith('0x') || data.length < 2 + 128) return null;
  const word = (at: number): number => {
    const digits = data.slice(2 + at * 2, 2 + at * 2 + 64);
    const value = digits.length === 64 && /^[0-9a-f]+$/i.test(digits) ? BigInt(`0x${digits}`) : -1n;
    return value >= 0n && value < 1n << 31n ? Number(value) : -1;
  };
  const offset = word(0);
  const length = offset < 0 ? -1 : word(offset);
  if (length <= 0 || length > longest) return null;
  const start = 2 + (offset + 32) * 2;
  const digits = data.slice(start, start + length * 2);
  if (digits.length < length * 2) return null;
  const bytes = Buffer.from(digits, 'hex');
  return bytes.length === length ? bytes.toString('utf8') : null;
}

/** ERC-1155: `{id}` stands for the id as 64 lower-case hex digits, in the URI and in every text of the document. */
export function substituteId(text: string, tokenId: bigint): string {
  return text.replaceAll('{id}', tokenId.toString(16).padStart(64, '0'));
}

/** What a URI from a contract means. Hostile text: whatever it is, this never throws. */
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
  const ipfs = /^(?:ipfs:\/\/(?:ipfs\/)?|\/ipfs\/)(.+)$/is.exec(uri)?.[1];
  if (ipfs !== undefined) return `${gateway}${encodeHash(ipfs)}`;
  if (/^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy[a-z2-7]{50,})(?:\/|$)/.test(uri)) return `${gateway}${encodeHash(uri)}`;
  const arweave = /^ar:\/\/(.+)$/is.exec(uri)?.[1];
  return arweave === undefined ? uri : `${ARWEAVE_GATEWAY}${encodeHash(arweave)}`;
}

/** File names on IPFS hold `#` and `?` that are no fragment and no query. */
const encodeHash = (path: string) => path.replaceAll('#', '%23').replaceAll('?', '%3F');

export interface DataUri {
  /** `image/png`; `text/plain` when the URI does not say. */
  readonly type: string;
  /** Bytes of the content as text: UTF-8, percent signs decoded where they are well-formed. */
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
    text: () => (isBase64 ? Buffer.from(percentDecoded(body), 'base64').toString('utf8') : percentDecoded(body)),
  };
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // JSON that holds a plain percent sign
  }
}

/** Calldata of ERC-721 `tokenURI(uint256)` or ERC-1155 `uri(uint256)`. */
export function encodeTokenUriCall(standard: string, tokenId: bigint): Hex {
  const selector = standard === 'ERC1155' ? '0x0e89341c' : '0xc87b56dd';
  return `${selector}${tokenId.toString(16).padStart(64, '0')}`;
}
