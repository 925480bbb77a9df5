// `walletNfts`: the tokens that a wallet owns, by last change, newest first; of some contracts or all, with or without spam.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { Hex } from '../../base/hex.ts';
import { decodeAddressAt, decodeUint256At, encodeWord } from '../evm/abiWords.ts';
import { fetchCallResults } from '../evm/callResult.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { type RpcCall, toEthCall } from '../evm/rpcMessage.ts';
import type { Handler } from '../handler.ts';
import type { CurrentIndex } from '../indexer/indexes.ts';
import type { GetTokenTrust } from '../queries/describeTokens.ts';
import { getPageQuery, type Listing, openListing, readConsistently } from '../queries/listing.ts';
import { decodeOwnerKey, finishOwners } from '../queries/ownerRecords.ts';
import { readOwnersAtBlock } from '../queries/ownersAtBlock.ts';
import type { OwnerRow } from '../store/rows.ts';
import type { OwnerQuery } from '../store/store.ts';
import { readAllCollectionsWithoutSpam } from './walletNftCollections.ts';

const OWNER_OF = '0x6352211e'; // ownerOf(uint256)
const PUNK_INDEX_TO_ADDRESS = '0x58178168'; // punkIndexToAddress(uint256)
const BALANCE_OF = '0x00fdd58e'; // balanceOf(address,uint256)

/**
 * The rows whose owners still hold the id, with their present amounts, by calling the contracts: for an index that does not
 * reach the node's head yet. One call per row, in batches.
 */
async function fetchCurrentHoldings(
  node: EvmNode,
  rows: readonly OwnerRow[],
  signal: AbortSignal | undefined,
): Promise<readonly OwnerRow[]> {
  const results = await fetchCallResults(node, rows.map(toHoldingCall), signal);
  return rows.map((row, index) => toCurrentRow(row, results[index] ?? '0x')).filter(row => row !== null);
}

function toHoldingCall({ standard, tokenAddress, tokenId, owner }: OwnerRow): RpcCall {
  const id = encodeWord(tokenId);
  const data: Hex =
    standard === 'ERC1155'
      ? `${BALANCE_OF}${encodeWord(owner)}${id}`
      : `${standard === 'ERC721' ? OWNER_OF : PUNK_INDEX_TO_ADDRESS}${id}`;
  return toEthCall(tokenAddress, data);
}

/** `null` when the owner holds nothing any more, as where the call reverts (burned ids). */
function toCurrentRow(row: OwnerRow, data: Hex): OwnerRow | null {
  if (row.standard !== 'ERC1155') return decodeAddressAt(data, 0) === row.owner ? row : null;
  const amount = decodeUint256At(data, 0) ?? 0n;
  return amount === 0n ? null : { ...row, amount };
}

export const walletNfts: Handler<'walletNfts'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNfts', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced } = listing.source;
  return readConsistently(listing.source, async () => {
    const query = await resolveQuery(listing, input, context.getAddressBook(listing.node.selector).getTrust);
    const rows =
      query === null
        ? []
        : await readOwnersAtBlock(store, query, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = !listing.shouldCount ? null : query === null ? 0 : await store.countOwners(query);
    const page = rows.slice(0, listing.limit);
    // The index of a wallet that is behind lacks what the wallet sent away since.
    const isUpToDate = isSynced || store.info.scope === undefined;
    const shown = isUpToDate ? page : await fetchCurrentHoldings(listing.node, page, signal);
    return finishOwners(listing, { rows, shown, total }, input, context, signal);
  });
};

/** `null` when no contract is left. */
async function resolveQuery(
  { source, range }: Listing<CurrentIndex>,
  input: Input<'walletNfts'>,
  getTrust: GetTokenTrust,
): Promise<OwnerQuery | null> {
  const { address: owner, tokenAddresses, excludeSpam = false } = input;
  if (!excludeSpam) return { owner, contracts: tokenAddresses };
  const collections = await readAllCollectionsWithoutSpam(source.store, owner, range.to, getTrust);
  const withoutSpam = collections.map(row => row.tokenAddress);
  const contracts =
    tokenAddresses === undefined ? withoutSpam : withoutSpam.filter(token => tokenAddresses.includes(token));
  return contracts.length === 0 ? null : { owner, contracts };
}
