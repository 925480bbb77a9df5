// Converts rows to the records of the API description.
import type { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../../api/records/aptosRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import type { CoinActivity, TokenActivity, TokenData, TokenOwnership } from './models.ts';

export function toCoinTransferRecord({
  assetType: _asset,
  tokenStandard: _standard,
  eventIndex: _index,
  ...row
}: CoinActivity): InferRecord<typeof coinTransfer> {
  return row;
}

export function toTokenTransferRecord({
  tokenStandard: _standard,
  eventIndex: _index,
  ...row
}: TokenActivity): InferRecord<typeof aptosNftTransfer> {
  return { ...row, coinAmount: null, coinType: null };
}

/** An object is a single token without editions; without a royalty resource, no royalty is paid. */
export function toNftCreatorRecord({ tokenStandard, ...row }: TokenData): InferRecord<typeof aptosNftCreator> {
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

export function toNftOwnerRecord({
  tokenStandard: _standard,
  ...row
}: TokenOwnership): InferRecord<typeof aptosNftOwner> {
  return row;
}
