// `aptosCoinTransfers`: activities of one coin and of the fungible asset it is paired with, newest first.

import { toCoinTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

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
