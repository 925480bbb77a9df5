// `aptosWalletNftTransfers`: token activities with a wallet on either side, newest first.

import { toTokenTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletNftTransfers: Handler<'aptosWalletNftTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNftTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) =>
      source.getTokenActivities(
        {
          wallets: input.walletAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toTokenTransferRecord,
  });
