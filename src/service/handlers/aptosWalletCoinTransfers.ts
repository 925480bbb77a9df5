// `aptosWalletCoinTransfers`: coin activities of wallets, of some coins or of all but some, newest first.

import { toCoinTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletCoinTransfers: Handler<'aptosWalletCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletCoinTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) =>
      source.getCoinActivitiesByOwner(
        {
          owners: input.ownerAddresses,
          coinTypes: input.coinTypeWhitelist,
          excludedCoinTypes: input.coinTypeBlacklist,
          fromDate: input.fromDate,
          toDate: input.toDate,
        },
        slice,
        signal,
      ),
    toRecord: toCoinTransferRecord,
  });
