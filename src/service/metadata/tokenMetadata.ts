// Metadata of the tokens on one page, fetched when it is requested: what is not available is `null`, never an error.

import { findChain } from '../../api/chainTable.ts';
import type { MetadataConfiguration } from '../../api/configuration.ts';
import type { Clock } from '../../base/clock.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { toBatches } from '../../base/toBatches.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { toEthCall } from '../evm/rpcMessage.ts';
import type { MetadataSyncTimes, NftKey, NftStandard } from '../store/rows.ts';
import { createDocumentFetcher, type DocumentFetcher, type FetchedDocument } from './documentFetcher.ts';
import { fetchMedia, type TokenMedia } from './fetchMedia.ts';
import { MAX_METADATA_CHARACTERS, MAX_PAGE_CHARACTERS, MAX_URI_CHARACTERS } from './metadataLimits.ts';
import { type MetadataJson, type NormalizedMetadata, normalizeMetadata, parseMetadata } from './normalizeMetadata.ts';
import {
  decodeTokenUri,
  encodeTokenUriCall,
  parseTokenUri,
  substituteId,
  type TokenUriSource,
  toRemoteUrl,
} from './tokenUri.ts';

/** The metadata of one page may take so long: then the page shows what has arrived. */
export const PAGE_TIMEOUT_MS = 8_000;
/** Calls per batch: a token whose URI burns all gas delays only the calls of its batch. */
const CALLS_PER_BATCH = 20;
const MAX_CONCURRENT_FETCHES_PER_PAGE = 6;

export interface TokenKey extends NftKey {
  readonly standard: NftStandard;
}

export interface TokenMetadata {
  readonly tokenUri: string | null;
  /** The document as it was received, always a JSON object. */
  readonly document: string | null;
  readonly normalized: NormalizedMetadata;
  /** `null` when it was not requested, or there is no image. */
  readonly media: TokenMedia | null;
  /** When each was read; `null` where it was not available. */
  readonly readAt: Pick<MetadataSyncTimes, 'tokenUriSyncedAt' | 'metadataSyncedAt'>;
}

const NO_METADATA: TokenMetadata = {
  tokenUri: null,
  document: null,
  normalized: normalizeMetadata(null),
  media: null,
  readAt: { tokenUriSyncedAt: null, metadataSyncedAt: null },
};

export interface MetadataFetcherDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
  /** The settings of this moment. */
  getSettings(): MetadataConfiguration | undefined;
}

export type MetadataFetcher = ReturnType<typeof createMetadataFetcher>;

export function createMetadataFetcher(deps: MetadataFetcherDeps) {
  const { clock, getSettings } = deps;
  const getIpfsGateway = () => getSettings()?.ipfsGateway ?? undefined;
  const documents = createDocumentFetcher(deps);
  const getName = ({ tokenAddress, tokenId }: NftKey) => `${tokenAddress} ${tokenId}`;
  const mayUseLoopback = async (node: EvmNode, signal: AbortSignal): Promise<boolean> => {
    if (getSettings()?.allowsLoopback !== true) return false;
    const state = await node.getState(signal).catch(() => null); // a node that is down is reported by the index, not here
    // What calls itself a public chain may have its contracts: a copy of its state, or a node behind another name.
    return state?.isLocal === true && findChain(state.chain.id) === undefined;
  };

  return {
    /** The bytes of an image as base64, from the address that a token names. Rejects with `cancelled` only. */
    async fetchImage(node: EvmNode, uri: string, signal: AbortSignal | undefined): Promise<FetchedDocument> {
      const url = toRemoteUrl(uri, getIpfsGateway());
      if (url === null) return { kind: 'missing' };
      const inTime = signal ?? AbortSignal.timeout(PAGE_TIMEOUT_MS);
      const isAllowed = isLoopbackUrl(url) && (await mayUseLoopback(node, inTime));
      return documents.fetch(url, 'image', isAllowed, inTime);
    },
    /** In the order of the tokens. With `isInlineOnly` nothing is requested from hosts: only documents that the contracts hold are read. Rejects with `cancelled` only, when the caller's signal aborts. */
    async fetch(
      node: EvmNode,
      keys: readonly TokenKey[],
      options: { readonly media: boolean; readonly isInlineOnly?: boolean },
      signal: AbortSignal | undefined,
    ): Promise<readonly TokenMetadata[]> {
      // The owners of one token share its metadata.
      const tokens = [...new Map(keys.map(key => [getName(key), key])).values()];
      const timeout = AbortSignal.timeout(PAGE_TIMEOUT_MS);
      const inTime = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      const isLoopbackAllowed = await mayUseLoopback(node, inTime);
      const uris = await fetchTokenUris(node, tokens, inTime);
      let characters = 0;
      const results = await mapConcurrently(
        tokens,
        MAX_CONCURRENT_FETCHES_PER_PAGE,
        async (key, index): Promise<TokenMetadata> => {
          const tokenUri = uris[index] ?? null;
          if (tokenUri === null) return NO_METADATA;
          const uriReadAt = { tokenUriSyncedAt: clock.now(), metadataSyncedAt: null };
          const source = parseTokenUri(tokenUri, getIpfsGateway());
          const isSkipped = options.isInlineOnly === true && source.kind === 'remote';
          const document = isSkipped ? null : await fetchDocument(documents, isLoopbackAllowed, key, source, inTime);
          if (document === null || characters + document.text.length > MAX_PAGE_CHARACTERS)
            return { ...NO_METADATA, tokenUri, readAt: uriReadAt };
          characters += document.text.length;
          const readAt = { ...uriReadAt, metadataSyncedAt: clock.now() };
          const normalized = normalizeMetadata(document.json);
          const { image } = normalized;
          // A document of another machine must not choose an address of this one.
          const isOwnDocument = source.kind !== 'remote' || isLoopbackUrl(source.url);
          const media =
            options.media && image !== null
              ? await fetchMedia(
                  documents,
                  image,
                  isLoopbackAllowed && isOwnDocument,
                  new Date(clock.now()),
                  inTime,
                  getIpfsGateway(),
                )
              : null;
          return { tokenUri, document: document.text, normalized, media, readAt };
        },
      );
      signal?.throwIfAborted();
      const byName = new Map(tokens.map((key, index) => [getName(key), results[index] ?? NO_METADATA]));
      return keys.map(key => byName.get(getName(key)) ?? NO_METADATA);
    },
  };
}

/** `null` where the contract reverts, returns nonsense or takes too long. */
async function fetchTokenUris(
  node: EvmNode,
  tokens: readonly TokenKey[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const uris = await Promise.all(
    [...toBatches(tokens, CALLS_PER_BATCH)].map(async batch => {
      const calls = batch.map(({ tokenAddress, tokenId, standard }) =>
        toEthCall(tokenAddress, encodeTokenUriCall(standard, tokenId)),
      );
      try {
        return (await node.rpc.sendAll(calls, signal)).map(response => decodeTokenUri(response.result));
      } catch {
        return batch.map(() => null); // a node that is down is reported by the index, not here
      }
    }),
  );
  return uris.flat().map((uri, index) => {
    const key = tokens[index];
    const fullUri = uri === null || key === undefined ? null : insertId(uri, key);
    return fullUri !== null && fullUri.length <= MAX_URI_CHARACTERS ? fullUri : null;
  });
}

const insertId = (text: string, { standard, tokenId }: TokenKey) =>
  standard === 'ERC1155' ? substituteId(text, tokenId) : text;

async function fetchDocument(
  documents: DocumentFetcher,
  allowsLoopback: boolean,
  key: TokenKey,
  source: TokenUriSource,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly json: MetadataJson } | null> {
  let received: string;
  if (source.kind === 'text') received = source.text;
  else if (source.kind === 'remote') {
    const fetched = await documents.fetch(source.url, 'document', allowsLoopback, signal).catch(() => null);
    if (fetched?.kind !== 'document') return null;
    received = fetched.text;
  } else return null;
  const text = insertId(received, key);
  if (text.length > MAX_METADATA_CHARACTERS) return null;
  const json = await parseMetadata(text);
  return json === null ? null : { text, json };
}
