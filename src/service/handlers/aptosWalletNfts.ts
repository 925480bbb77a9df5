// `aptosWalletNfts`: tokens that wallets hold, changed last first.
import { aptosPage, ownershipKeys } from '../aptos/listing.ts';
import { ownerRecordOf } from '../aptos/records.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletNfts: Handler<'aptosWalletNfts'> = (input, context, signal) =>
  aptosPage('aptosWalletNfts', input, context, {
    codec: ownershipKeys,
    read: (source, slice) =>
      source.walletTokens(
        {
          owners: input.ownerAddresses,
          collections: input.collectionWhitelist,
          notCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    record: ownerRecordOf,
  });
