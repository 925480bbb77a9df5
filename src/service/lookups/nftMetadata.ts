// `nftMetadata`: what the metadata of NFTs says; without permission only what the contracts hold themselves.
import { MAX_NFTS_PER_LOOKUP, type NftKeyInput, type NftMetadata } from '../../api/lookups.ts';
import { HexLensError } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import { parseTokenUri } from '../metadata/tokenUri.ts';
import type { Lookup } from './lookup.ts';

type Standard = NonNullable<NftKeyInput['standard']>;

function toNftMetadata(
  { contract, tokenId }: NftKeyInput,
  { tokenUri, document, normalized }: TokenMetadata,
): NftMetadata {
  const { name, description, image, attributes } = normalized;
  return {
    contract,
    tokenId,
    tokenUri,
    isRead: document !== null,
    name,
    description,
    image,
    isRemote: tokenUri !== null && parseTokenUri(tokenUri).kind === 'remote',
    attributes: attributes.map(({ traitType, value }) => ({ trait: traitType, value: String(value ?? '') })),
  };
}

export const nftMetadata: Lookup<'nftMetadata'> = async ({ chain, tokens, isRemoteAllowed }, context, signal) => {
  if (tokens.length > MAX_NFTS_PER_LOOKUP)
    throw new HexLensError('bad-input', `tokens has more than ${MAX_NFTS_PER_LOOKUP} entries.`);
  const node = await context.nodes.find(chain, signal);
  const fetchAs = (keys: readonly NftKeyInput[], fallback: Standard) =>
    context.metadata.fetch(
      node,
      keys.map(({ contract, tokenId, standard }) => ({
        tokenAddress: toLowerHex(contract),
        tokenId: BigInt(tokenId),
        standard: standard ?? fallback,
      })),
      { media: false, isInlineOnly: isRemoteAllowed !== true },
      signal,
    );
  const found = await fetchAs(tokens, 'ERC721');
  const results = tokens.map((key, index) => ({ key, metadata: found[index] }));
  // Without its standard a token may be one of either.
  const others = results.filter(({ key, metadata }) => key.standard === undefined && metadata?.tokenUri === null);
  const asOther =
    others.length === 0
      ? []
      : await fetchAs(
          others.map(({ key }) => key),
          'ERC1155',
        );
  const value = results.flatMap(result => {
    const metadata = asOther[others.indexOf(result)] ?? result.metadata;
    return metadata === undefined ? [] : [toNftMetadata(result.key, metadata)];
  });
  return { value: { kind: 'nftMetadata', tokens: value } };
};
