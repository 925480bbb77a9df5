// `aptosWalletNftTransfers`: token activities with a wallet on either side, newest first.
import { activityKeys, aptosPage } from '../aptos/listing.ts';
import { tokenTransferOf } from '../aptos/records.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletNftTransfers: Handler<'aptosWalletNftTransfers'> = (input, context, signal) =>
  aptosPage('aptosWalletNftTransfers', input, context, {
    codec: activityKeys,
    read: (source, slice) =>
      source.walletTokenTransfers(
        {
          wallets: input.walletAddresses,
          collections: input.collectionWhitelist,
          notCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    record: tokenTransferOf,
  });
