// `aptosNftsByCreators`: tokens of collections that accounts created, changed last first.
import { aptosPage, tokenDataKeys } from '../aptos/listing.ts';
import { creatorRecordOf } from '../aptos/records.ts';
import type { Handler } from '../handler.ts';

export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  aptosPage('aptosNftsByCreators', input, context, {
    codec: tokenDataKeys,
    read: (source, slice) => source.tokensByCreators({ creators: input.creatorAddresses }, slice, signal),
    record: creatorRecordOf,
  });
