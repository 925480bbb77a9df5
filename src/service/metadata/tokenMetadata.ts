// Metadata of the tokens on one page, read when it is asked for: what cannot be had is `null`, never an error.
import type { Clock } from '../../base/clock.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { eachAtOnce } from '../evm/rpcClient.ts';
import type { MetadataSync, NftKey, NftStandard } from '../store/rows.ts';
import { createDocuments, type Documents, type Fetched } from './documentFetcher.ts';
import { type Media, mediaOf } from './fetchMedia.ts';
import { type MetadataJson, type NormalizedMetadata, normalize, parseMetadata } from './normalizeMetadata.ts';
import {
  abiString,
  LONGEST_DOCUMENT,
  LONGEST_URI,
  remoteUrl,
  type Source,
  sourceOf,
  substituteId,
  uriCallData,
} from './tokenUri.ts';

/** One page's metadata may take this long: then it is answered with what is there. */
export const PAGE_MS = 8_000;
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
  readonly media: Media | null;
  /** When; `null` where it could not be had. */
  readonly read: Pick<MetadataSync, 'tokenUri' | 'metadata'>;
}

export interface Metadata {
  /** By the order of the tokens. Rejects with `cancelled` only, when the caller's signal aborts. */
  read(
    node: EvmNode,
    tokens: readonly TokenKey[],
    wanted: { readonly media: boolean },
    signal: AbortSignal | undefined,
  ): Promise<readonly TokenMetadata[]>;
  /** A picture's bytes as base64, from where a token says that it is. Rejects with `cancelled` only. */
  image(uri: string, ownMachine: boolean, signal: AbortSignal | undefined): Promise<Fetched>;
}

const NOTHING: TokenMetadata = {
  tokenUri: null,
  document: null,
  normalized: normalize(null),
  media: null,
  read: { tokenUri: null, metadata: null },
};

export interface MetadataDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
  /** What `ipfs://` is read through (`https://ipfs.io/ipfs/`), as it is set at this moment. */
  gateway?(): string | undefined;
}

export function createMetadata(deps: MetadataDeps): Metadata {
  const { clock, gateway = () => undefined } = deps;
  const documents = createDocuments(deps);
  const nameOf = ({ token, tokenId }: NftKey) => `${token} ${tokenId}`;

  return {
    async image(uri, ownMachine, signal) {
      const url = remoteUrl(uri, gateway());
      if (url === null) return { kind: 'missing' };
      return documents.read(url, 'image', ownMachine, signal ?? AbortSignal.timeout(PAGE_MS));
    },
    async read(node, keys, wanted, signal) {
      // The owners of one token share its metadata.
      const tokens = [...new Map(keys.map(key => [nameOf(key), key])).values()];
      const limit = AbortSignal.timeout(PAGE_MS);
      const inTime = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const uris = await tokenUris(node, tokens, inTime);
      let characters = 0;
      const results = await eachAtOnce(tokens, FETCHES_AT_ONCE, async (key, index): Promise<TokenMetadata> => {
        const tokenUri = uris[index] ?? null;
        if (tokenUri === null) return NOTHING;
        const uriRead = { tokenUri: clock.now(), metadata: null };
        const found = await documentOf(documents, node, key, sourceOf(tokenUri, gateway()), inTime);
        if (found === null || characters + found.text.length > PAGE_CHARACTERS)
          return { ...NOTHING, tokenUri, read: uriRead };
        characters += found.text.length;
        const read = { ...uriRead, metadata: clock.now() };
        const normalized = normalize(found.json);
        const { image } = normalized;
        const media =
          wanted.media && image !== null
            ? await mediaOf(documents, image, node.rpc.loopback, new Date(clock.now()), inTime, gateway())
            : null;
        return { tokenUri, document: found.text, normalized, media, read };
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
        params: [{ to: token, data: uriCallData(standard, tokenId) }, 'latest'],
      }));
      try {
        return (await node.rpc.askAll(calls, signal)).map(answer => abiString(answer.result));
      } catch {
        return part.map(() => null); // a node that is gone has been told where the index was brought up to date
      }
    }),
  );
  return uris.flat().map((uri, index) => {
    const key = tokens[index];
    const full = uri === null || key === undefined ? null : withId(uri, key);
    return full !== null && full.length <= LONGEST_URI ? full : null;
  });
}

const withId = (text: string, { standard, tokenId }: TokenKey) =>
  standard === 'ERC1155' ? substituteId(text, tokenId) : text;

async function documentOf(
  documents: Documents,
  node: EvmNode,
  key: TokenKey,
  source: Source,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly json: MetadataJson } | null> {
  let text: string;
  if (source.kind === 'text') text = source.text;
  else if (source.kind === 'remote') {
    const fetched = await documents.read(source.url, 'document', node.rpc.loopback, signal).catch(() => null);
    if (fetched?.kind !== 'document') return null;
    text = fetched.text;
  } else return null;
  text = withId(text, key);
  if (text.length > LONGEST_DOCUMENT) return null;
  const json = parseMetadata(text);
  return json === null ? null : { text, json };
}
