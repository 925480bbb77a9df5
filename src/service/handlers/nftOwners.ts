// `nftOwners` and `contractNftOwners`: the owners of one token, or of all tokens of a contract, by the last change, newest first.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { Handler, HandlerContext } from '../handler.ts';
import { getPageQuery, openListing, readConsistently } from '../queries/listing.ts';
import { decodeOwnerKey, finishOwners } from '../queries/ownerRecords.ts';
import { readOwnersAtBlock } from '../queries/ownersAtBlock.ts';

type OwnersInput = Input<'contractNftOwners'>;

async function listOwners(
  operation: 'nftOwners' | 'contractNftOwners',
  input: OwnersInput,
  tokenId: bigint | undefined,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) {
  const scope = { kind: 'contract', address: input.address } as const;
  const listing = await openListing(operation, input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store } = listing.source;
  const query = { contracts: [input.address], tokenId };
  return readConsistently(listing.source, async () => {
    const rows = await readOwnersAtBlock(store, query, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = listing.shouldCount ? await store.countOwners(query) : null;
    const shown = rows.slice(0, listing.limit);
    return finishOwners(listing, { rows, shown, total }, input, context, signal);
  });
}

export const nftOwners: Handler<'nftOwners'> = (input, context, signal) =>
  listOwners('nftOwners', input, input.tokenId, context, signal);

export const contractNftOwners: Handler<'contractNftOwners'> = (input, context, signal) =>
  listOwners('contractNftOwners', input, undefined, context, signal);
