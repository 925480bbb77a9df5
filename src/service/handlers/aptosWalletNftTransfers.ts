// `aptosWalletNftTransfers`: token activities with a wallet on either side, newest first.

import { tokenTransferOf } from '../aptos/aptosRecords.ts';
import { activityKeys, aptosPage } from '../aptos/listAptosRecords.ts';
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
