// The metadata of the NFTs that an element shows: what contracts hold at once, what other hosts hold only on request.
import type { LitElement } from 'lit';
import { MAX_NFTS_PER_LOOKUP, type NftKeyInput, type NftMetadata } from '../../api/lookups.ts';
import { t } from '../../base/localize.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import type { PageContext } from './pageContext.ts';
import { RequestController } from './requestController.ts';
import { toVisibleText } from './rows/cellFormat.ts';

const getKey = (contract: string, tokenId: string) => `${contract.toLowerCase()} ${tokenId}`;

/** Where contracts name IPFS by the path or the hash alone. */
const IPFS_URI = /^(?:ipfs:|\/?ipfs\/|Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy)/i;

/** The host of a URI, or the network that it names; untrusted text. */
export function getUriHost(uri: string): string {
  if (IPFS_URI.test(uri)) return t('IPFS');
  if (/^ar:/i.test(uri)) return 'Arweave';
  const { host = '', protocol = '' } = URL.parse(uri) ?? {};
  return toVisibleText(host === '' || !/^https?:$/.test(protocol) ? protocol.replace(':', '') || uri : host, 80);
}

/** The setting that decides whether a URI can be read; `''` for one of this machine. */
export function getUriHint(uri: string): string {
  if (IPFS_URI.test(uri)) return t('Its gateway is set in {0}.', 'hexlens.metadata.ipfsGateway');
  return isLoopbackUrl(uri) ? '' : t('Permitted hosts are in {0}.', 'hexlens.metadata.hosts');
}

export class NftMetadataController {
  readonly #tokens = new Map<string, NftMetadata>();
  readonly #request: RequestController<'nftMetadata'>;

  constructor(host: LitElement) {
    this.#request = new RequestController(host, 'nftMetadata', ({ tokens }) => {
      for (const token of tokens) this.#tokens.set(getKey(token.contract, token.tokenId), token);
    });
  }

  get isLoading(): boolean {
    return this.#request.isLoading;
  }

  /** `null` until it is known. */
  get(contract: string, tokenId: string): NftMetadata | null {
    return this.#tokens.get(getKey(contract, tokenId)) ?? null;
  }

  request(
    { channel, chain, refreshCount }: PageContext,
    tokens: readonly NftKeyInput[],
    isRemoteAllowed: boolean,
  ): void {
    const params = {
      chain,
      tokens: tokens.slice(0, MAX_NFTS_PER_LOOKUP),
      ...(isRemoteAllowed && { isRemoteAllowed: true as const }),
    };
    this.#request.request(channel, tokens.length === 0 ? null : params, refreshCount);
  }

  /** Some of it is held by hosts that the contracts choose. */
  get hasRemote(): boolean {
    return [...this.#tokens.values()].some(({ isRemote, image }) => isRemote || isRemoteImage(image));
  }

  /** Why there is no picture; `''` while it is not known. */
  getProblem(contract: string, tokenId: string, isRemoteAllowed: boolean): string {
    const token = this.get(contract, tokenId);
    if (token === null) return this.#request.fault === null ? '' : t('The node does not say.');
    const { tokenUri, isRemote, isRead, image } = token;
    if (tokenUri === null) return t('The contract names no metadata.');
    if (isRemote && !isRead)
      return isRemoteAllowed
        ? `${t('Its metadata could not be read from {0}.', getUriHost(tokenUri))} ${getUriHint(tokenUri)}`.trim()
        : t('Its metadata is at {0}.', getUriHost(tokenUri));
    if (!isRead) return t('Its metadata cannot be read.');
    if (image === null) return t('Its metadata names no image.');
    return isRemoteAllowed ? '' : t('Its image is at {0}.', getUriHost(image));
  }
}

const isRemoteImage = (image: string | null): boolean => image !== null && !/^data:/i.test(image);
