// `aptosCoinTransfers`: activities of one coin and of the fungible asset it is paired with, newest first.

import { coinTransferOf } from '../aptos/aptosRecords.ts';
import { activityKeys, aptosPage } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosCoinTransfers: Handler<'aptosCoinTransfers'> = (input, context, signal) =>
  aptosPage('aptosCoinTransfers', input, context, {
    codec: activityKeys,
    read: (source, slice) =>
      source.coinTransfers({ coinType: input.coinType, fromDate: input.fromDate, toDate: input.toDate }, slice, signal),
    record: coinTransferOf,
  });
