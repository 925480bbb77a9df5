// `aptosNftsByCreators`: tokens of collections that accounts created, changed last first.

import { toNftCreatorRecord } from '../aptos/aptosRecords.ts';
import { listAptosRecords, tokenDataKeyCodec } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  listAptosRecords('aptosNftsByCreators', input, context, {
    keyCodec: tokenDataKeyCodec,
    readPage: (source, slice) => source.getTokensByCreator({ creators: input.creatorAddresses }, slice, signal),
    toRecord: toNftCreatorRecord,
  });
