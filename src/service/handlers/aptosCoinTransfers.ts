// Handlers of the coin transfer operations. All lists are sorted newest first.

import { listAptosRecords } from '../aptos/listAptosRecords.ts';
import { toCoinTransferRecord } from '../aptos/toAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosWalletCoinTransfers: Handler<'aptosWalletCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletCoinTransfers', input, context, signal, {
    list: 'coinActivitiesByOwner',
    query: {
      owners: input.ownerAddresses,
      coinTypes: input.coinTypeWhitelist,
      excludedCoinTypes: input.coinTypeBlacklist,
      fromDate: input.fromDate,
      toDate: input.toDate,
    },
    toRecord: toCoinTransferRecord,
  });

export const aptosBlockCoinTransfers: Handler<'aptosBlockCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosBlockCoinTransfers', input, context, signal, {
    list: 'coinActivitiesByBlock',
    query: { blockHeights: input.blockHeights },
    toRecord: toCoinTransferRecord,
  });

/** Activities of one coin and of the fungible asset that it is paired with. */
export const aptosCoinTransfers: Handler<'aptosCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosCoinTransfers', input, context, signal, {
    list: 'coinActivitiesByType',
    query: { coinType: input.coinType, fromDate: input.fromDate, toDate: input.toDate },
    toRecord: toCoinTransferRecord,
  });
