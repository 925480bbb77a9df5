// `aptosNftsByCreators`: tokens of collections that accounts created, changed last first.

import { creatorRecordOf } from '../aptos/aptosRecords.ts';
import { aptosPage, tokenDataKeys } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  aptosPage('aptosNftsByCreators', input, context, {
    codec: tokenDataKeys,
    read: (source, slice) => source.tokensByCreators({ creators: input.creatorAddresses }, slice, signal),
    record: creatorRecordOf,
  });
