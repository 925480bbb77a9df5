// `aptosWalletCoinTransfers`: coin activities of wallets, of some coins or of all but some, newest first.

import { coinTransferOf } from '../aptos/aptosRecords.ts';
import { activityKeys, aptosPage } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletCoinTransfers: Handler<'aptosWalletCoinTransfers'> = (input, context, signal) =>
  aptosPage('aptosWalletCoinTransfers', input, context, {
    codec: activityKeys,
    read: (source, slice) =>
      source.walletCoinTransfers(
        {
          owners: input.ownerAddresses,
          coinTypes: input.coinTypeWhitelist,
          notCoinTypes: input.coinTypeBlacklist,
          fromDate: input.fromDate,
          toDate: input.toDate,
        },
        slice,
        signal,
      ),
    record: coinTransferOf,
  });
