// `aptosCollectionOwners`: who holds the tokens of a collection, changed last first.

import { toNftOwnerRecord } from '../aptos/aptosRecords.ts';
import { listAptosRecords, ownershipKeyCodec } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosCollectionOwners: Handler<'aptosCollectionOwners'> = (input, context, signal) =>
  listAptosRecords('aptosCollectionOwners', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, slice) =>
      source.getCollectionOwners(
        {
          collection: input.collectionDataIdHash,
          owners: input.walletWhitelist,
          excludedOwners: input.walletBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });
