// `aptosBlockCoinTransfers`: coin activities of whole blocks, newest first.

import { coinTransferOf } from '../aptos/aptosRecords.ts';
import { activityKeys, aptosPage } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosBlockCoinTransfers: Handler<'aptosBlockCoinTransfers'> = (input, context, signal) =>
  aptosPage('aptosBlockCoinTransfers', input, context, {
    codec: activityKeys,
    read: (source, slice) => source.blockCoinTransfers({ blockHeights: input.blockHeights }, slice, signal),
    record: coinTransferOf,
  });
