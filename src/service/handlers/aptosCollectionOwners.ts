// `aptosCollectionOwners`: who holds the tokens of a collection, changed last first.

import { ownerRecordOf } from '../aptos/aptosRecords.ts';
import { aptosPage, ownershipKeys } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosCollectionOwners: Handler<'aptosCollectionOwners'> = (input, context, signal) =>
  aptosPage('aptosCollectionOwners', input, context, {
    codec: ownershipKeys,
    read: (source, slice) =>
      source.collectionOwners(
        { collection: input.collectionDataIdHash, owners: input.walletWhitelist, notOwners: input.walletBlacklist },
        slice,
        signal,
      ),
    record: ownerRecordOf,
  });
