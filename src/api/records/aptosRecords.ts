// Group C's records, field by field as the description types them.
import { always, extra, field, record } from './record.ts';
import { amount, boolean, jsonText, text, time } from './valueKinds.ts';

/** "Aptos coin transfer record". */
export const coinTransfer = record('AptosCoinTransfer', {
  activityType: always(text),
  amount: field(amount),
  blockHeight: field(amount),
  coinType: field(text),
  entryFunctionIdStr: field(text),
  eventAccountAddress: field(text),
  eventCreationNumber: field(amount),
  eventSequenceNumber: field(amount),
  isGasFee: field(boolean),
  isTransactionSuccess: field(boolean),
  ownerAddress: field(text),
  transactionTimestamp: field(time),
  transactionVersion: always(amount),
});

/** "Aptos NFT transfer record"; `coinType` is what hosts add. */
export const aptosNftTransfer = record('AptosNftTransfer', {
  coinAmount: field(amount),
  coinType: extra(text),
  collectionDataIdHash: field(text),
  collectionName: field(text),
  creatorAddress: field(text),
  eventAccountAddress: field(text),
  eventCreationNumber: field(amount),
  eventSequenceNumber: field(amount),
  fromAddress: field(text),
  name: field(text),
  propertyVersion: field(amount),
  toAddress: field(text),
  tokenAmount: field(amount),
  tokenDataIdHash: field(text),
  transactionTimestamp: field(time),
  transactionVersion: always(amount),
  transferType: field(text),
});

/** A mutability flag: the description types all fields of a creator record as strings. */
const stringFlag = { ...boolean, name: 'stringFlag', schema: text.schema, encode: (value: boolean) => String(value) };

/** "Aptos NFT creator record" (all strings). */
export const aptosNftCreator = record('AptosNftCreator', {
  collectionDataIdHash: field(text),
  collectionName: field(text),
  creatorAddress: field(text),
  defaultProperties: field(jsonText),
  description: field(text),
  descriptionMutable: field(stringFlag),
  largestPropertyVersion: field(amount),
  lastTransactionTimestamp: field(time),
  lastTransactionVersion: always(amount),
  maximum: field(amount),
  maximumMutable: field(stringFlag),
  metadataUri: field(text),
  name: field(text),
  payeeAddress: field(text),
  propertiesMutable: field(stringFlag),
  royaltyMutable: field(stringFlag),
  royaltyPointsDenominator: field(amount),
  royaltyPointsNumerator: field(amount),
  supply: field(amount),
  tokenDataIdHash: field(text),
  uriMutable: field(stringFlag),
});

/** "Aptos NFT owner record" (collection owners, wallet NFTs). */
export const aptosNftOwner = record('AptosNftOwner', {
  amount: field(amount),
  collectionDataIdHash: field(text),
  collectionName: field(text),
  creatorAddress: field(text),
  lastTransactionTimestamp: field(time),
  lastTransactionVersion: always(amount),
  name: field(text),
  ownerAddress: field(text),
  propertyVersion: field(amount),
  tableType: field(text),
  tokenDataIdHash: field(text),
  tokenProperties: field(jsonText),
});
