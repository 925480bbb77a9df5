// `aptosCoinTransfers`: activities of one coin and of the fungible asset it is paired with, newest first.

import { toCoinTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

// `aptosWalletCoinTransfers`: coin activities of wallets, of some coins or of all but some, newest first.
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

// `aptosBlockCoinTransfers`: coin activities of whole blocks, newest first.
export const aptosBlockCoinTransfers: Handler<'aptosBlockCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosBlockCoinTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) => source.getCoinActivitiesByBlock({ blockHeights: input.blockHeights }, slice, signal),
    toRecord: toCoinTransferRecord,
  });

export const aptosCoinTransfers: Handler<'aptosCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosCoinTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) =>
      source.getCoinActivitiesByType(
        { coinType: input.coinType, fromDate: input.fromDate, toDate: input.toDate },
        slice,
        signal,
      ),
    toRecord: toCoinTransferRecord,
  });
