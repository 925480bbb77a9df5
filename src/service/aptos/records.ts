// Rows as the records of group C: only what the rows have and the description names.
import type { RecordOf } from '../../contract/record.ts';
import type { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../../contract/records/aptos.ts';
import type { CoinActivity, TokenActivity, TokenData, TokenOwnership } from './rows.ts';

export function coinTransferOf({
  assetType: _asset,
  tokenStandard: _standard,
  eventIndex: _index,
  ...row
}: CoinActivity): RecordOf<typeof coinTransfer> {
  return row;
}

export function tokenTransferOf({
  tokenStandard: _standard,
  eventIndex: _index,
  ...row
}: TokenActivity): RecordOf<typeof aptosNftTransfer> {
  return { ...row, coinAmount: null, coinType: null };
}

export function creatorRecordOf({ tokenStandard: _standard, ...row }: TokenData): RecordOf<typeof aptosNftCreator> {
  return row;
}

export function ownerRecordOf({ tokenStandard: _standard, ...row }: TokenOwnership): RecordOf<typeof aptosNftOwner> {
  return row;
}
