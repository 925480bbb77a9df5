// `aptosBlockCoinTransfers`: coin activities of whole blocks, newest first.

import { toCoinTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosBlockCoinTransfers: Handler<'aptosBlockCoinTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosBlockCoinTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) => source.getCoinActivitiesByBlock({ blockHeights: input.blockHeights }, slice, signal),
    toRecord: toCoinTransferRecord,
  });
