// Metadata of the tokens on one page, read when it is asked for: what cannot be had is `null`, never an error.
import type { Clock } from '../../base/clock.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { MetadataSyncTimes, NftKey, NftStandard } from '../store/rows.ts';
import { createDocumentFetcher, type DocumentFetcher, type FetchedDocument } from './documentFetcher.ts';
import { fetchMedia, type TokenMedia } from './fetchMedia.ts';
import { type MetadataJson, type NormalizedMetadata, normalizeMetadata, parseMetadata } from './normalizeMetadata.ts';
import {
  abiString,
  encodeTokenUriCall,
  MAX_DOCUMENT_CHARACTERS,
  MAX_URI_CHARACTERS,
  parseTokenUri,
  substituteId,
  type TokenUriSource,
  toRemoteUrl,
} from './tokenUri.ts';

/** One page's metadata may take this long: then it is answered with what is there. */
export const PAGE_TIMEOUT_MS = 8_000;
/** Characters of all documents of one page; what comes after is `null`. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;
/** Calls per batch: a token whose URI burns all gas delays its neighbours only. */
const CALLS = 20;
const FETCHES_AT_ONCE = 6;

export interface TokenKey extends NftKey {
  readonly standard: NftStandard;
}

export interface TokenMetadata {
  readonly tokenUri: string | null;
  /** The document as it came, always a JSON object. */
  readonly document: string | null;
  readonly normalized: NormalizedMetadata;
  /** `null` when it was not asked for, or there is no picture. */
  readonly media: TokenMedia | null;
  /** When; `null` where it could not be had. */
  readonly readAt: Pick<MetadataSyncTimes, 'tokenUriSyncedAt' | 'metadataSyncedAt'>;
}

export interface MetadataFetcher {
  /** By the order of the tokens. Rejects with `cancelled` only, when the caller's signal aborts. */
  fetch(
    node: EvmNode,
    tokens: readonly TokenKey[],
    wanted: { readonly media: boolean },
    signal: AbortSignal | undefined,
  ): Promise<readonly TokenMetadata[]>;
  /** A picture's bytes as base64, from where a token says that it is. Rejects with `cancelled` only. */
  fetchImage(uri: string, ownMachine: boolean, signal: AbortSignal | undefined): Promise<FetchedDocument>;
}

const NOTHING: TokenMetadata = {
  tokenUri: null,
  document: null,
  normalized: normalizeMetadata(null),
  media: null,
  readAt: { tokenUriSyncedAt: null, metadataSyncedAt: null },
};

export interface MetadataFetcherDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
  /** What `ipfs://` is read through (`https://ipfs.io/ipfs/`), as it is set at this moment. */
  getIpfsGateway?(): string | undefined;
}

export function createMetadataFetcher(deps: MetadataFetcherDeps): MetadataFetcher {
  const { clock, getIpfsGateway: gateway = () => undefined } = deps;
  const documents = createDocumentFetcher(deps);
  const nameOf = ({ token, tokenId }: NftKey) => `${token} ${tokenId}`;

  return {
    async fetchImage(uri, ownMachine, signal) {
      const url = toRemoteUrl(uri, gateway());
      if (url === null) return { kind: 'missing' };
      return documents.fetch(url, 'image', ownMachine, signal ?? AbortSignal.timeout(PAGE_TIMEOUT_MS));
    },
    async fetch(node, keys, wanted, signal) {
      // The owners of one token share its metadata.
      const tokens = [...new Map(keys.map(key => [nameOf(key), key])).values()];
      const limit = AbortSignal.timeout(PAGE_TIMEOUT_MS);
      const inTime = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const uris = await tokenUris(node, tokens, inTime);
      let characters = 0;
      const results = await mapConcurrently(tokens, FETCHES_AT_ONCE, async (key, index): Promise<TokenMetadata> => {
        const tokenUri = uris[index] ?? null;
        if (tokenUri === null) return NOTHING;
        const uriRead = { tokenUriSyncedAt: clock.now(), metadataSyncedAt: null };
        const found = await documentOf(documents, node, key, parseTokenUri(tokenUri, gateway()), inTime);
        if (found === null || characters + found.text.length > PAGE_CHARACTERS)
          return { ...NOTHING, tokenUri, readAt: uriRead };
        characters += found.text.length;
        const read = { ...uriRead, metadataSyncedAt: clock.now() };
        const normalized = normalizeMetadata(found.json);
        const { image } = normalized;
        const media =
          wanted.media && image !== null
            ? await fetchMedia(documents, image, node.rpc.isLoopback, new Date(clock.now()), inTime, gateway())
            : null;
        return { tokenUri, document: found.text, normalized, media, readAt: read };
      });
      signal?.throwIfAborted();
      const byName = new Map(tokens.map((key, index) => [nameOf(key), results[index] ?? NOTHING]));
      return keys.map(key => byName.get(nameOf(key)) ?? NOTHING);
    },
  };
}

/** `null` where the contract reverts, answers nonsense or takes too long. */
async function tokenUris(
  node: EvmNode,
  tokens: readonly TokenKey[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const parts: (readonly TokenKey[])[] = [];
  for (let at = 0; at < tokens.length; at += CALLS) parts.push(tokens.slice(at, at + CALLS));
  const uris = await Promise.all(
    parts.map(async part => {
      const calls = part.map(({ token, tokenId, standard }) => ({
        method: 'eth_call',
        params: [{ to: token, data: encodeTokenUriCall(standard, tokenId) }, 'latest'],
      }));
      try {
        return (await node.rpc.sendAll(calls, signal)).map(answer => abiString(answer.result));
      } catch {
        return part.map(() => null); // a node that is gone has been told where the index was brought up to date
      }
    }),
  );
  return uris.flat().map((uri, index) => {
    const key = tokens[index];
    const full = uri === null || key === undefined ? null : withId(uri, key);
    return full !== null && full.length <= MAX_URI_CHARACTERS ? full : null;
  });
}

const withId = (text: string, { standard, tokenId }: TokenKey) =>
  standard === 'ERC1155' ? substituteId(text, tokenId) : text;

async function documentOf(
  documents: DocumentFetcher,
  node: EvmNode,
  key: TokenKey,
  source: TokenUriSource,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly json: MetadataJson } | null> {
  let text: string;
  if (source.kind === 'text') text = source.text;
  else if (source.kind === 'remote') {
    const fetched = await documents.fetch(source.url, 'document', node.rpc.isLoopback, signal).catch(() => null);
    if (fetched?.kind !== 'document') return null;
    text = fetched.text;
  } else return null;
  text = withId(text, key);
  if (text.length > MAX_DOCUMENT_CHARACTERS) return null;
  const json = parseMetadata(text);
  return json === null ? null : { text, json };
}
