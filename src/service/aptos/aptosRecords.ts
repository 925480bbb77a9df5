// Rows as the records of group C: only what the rows have and the description names.

import type { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../../api/records/aptosRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import type { CoinActivity, TokenActivity, TokenData, TokenOwnership } from './models.ts';

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

/** An object is one token and stays one: it has no editions, and without a royalty nobody is paid. */
export function creatorRecordOf({ tokenStandard, ...row }: TokenData): RecordOf<typeof aptosNftCreator> {
  if (tokenStandard === 'v1') return row;
  return {
    ...row,
    largestPropertyVersion: row.largestPropertyVersion ?? 0n,
    maximum: 1n,
    supply: 1n,
    maximumMutable: false,
    royaltyPointsNumerator: row.royaltyPointsNumerator ?? 0n,
    royaltyPointsDenominator: row.royaltyPointsDenominator ?? 0n,
  };
}

export function ownerRecordOf({ tokenStandard: _standard, ...row }: TokenOwnership): RecordOf<typeof aptosNftOwner> {
  return row;
}
