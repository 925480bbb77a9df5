// `aptosWalletNfts`: tokens that wallets hold, changed last first.

import { ownerRecordOf } from '../aptos/aptosRecords.ts';
import { aptosPage, ownershipKeys } from '../aptos/listAptosRecords.ts';
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
