// `aptosWalletNfts`: tokens that wallets hold, changed last first.

import { toNftOwnerRecord } from '../aptos/aptosRecords.ts';
import { listAptosRecords, ownershipKeyCodec } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletNfts: Handler<'aptosWalletNfts'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNfts', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, slice) =>
      source.getOwnedTokens(
        {
          owners: input.ownerAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });
