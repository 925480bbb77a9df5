// Rows of group C's records: coin transfers, NFTs, NFT transfers, created NFTs.

import type { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../../api/records/aptosRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import { shortHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { ago, factsOf, joined, moment, named, partyOf, readableName, timesOf, whole } from './rowText.ts';
import type { Row, RowContext } from './treeRow.ts';
import { aptosCollectionSections } from './treeSections.ts';

/** The only coin whose decimals the records themselves tell us: it is the network's own. */
const APT = /^0x0*1::aptos_coin::AptosCoin$/;
const APT_DECIMALS = 8;

/** `module::Name` of a coin type; the address is in the tooltip. */
function coinName(coinType: string | null): string {
  if (coinType === null) return '';
  if (APT.test(coinType)) return 'APT';
  return readableName(coinType.split('::').at(-1) ?? coinType, 32) ?? shortHex(coinType);
}

interface Direction {
  readonly text: string;
  readonly icon: string;
  readonly color: Row['color'];
}

function directionOf(activity: string | null, gas: boolean | null): Direction {
  if (gas === true) return { text: t('gas fee'), icon: 'flame', color: 'charts.yellow' };
  if (activity !== null && /deposit/i.test(activity))
    return { text: t('received'), icon: 'arrow-down', color: 'charts.green' };
  if (activity !== null && /withdraw/i.test(activity))
    return { text: t('sent'), icon: 'arrow-up', color: 'charts.yellow' };
  return { text: activity?.split('::').at(-1) ?? '', icon: 'arrow-swap', color: null };
}

export function coinTransferRow(record: RecordOf<typeof coinTransfer>, context: RowContext): Row | null {
  const { transactionVersion, amount, coinType } = record;
  if (transactionVersion === null) return null;
  const coin = coinName(coinType);
  const apt = coinType !== null && APT.test(coinType);
  const exact =
    amount === null ? null : apt ? formatUnits(amount, APT_DECIMALS) : `${formatInteger(amount)} (${t('raw')})`;
  const shown = amount === null ? '?' : apt ? formatAmount(amount, APT_DECIMALS) : formatInteger(amount);
  const direction = directionOf(record.activityType, record.isGasFee);
  const failed = record.isTransactionSuccess === false ? t('failed') : null;
  const time = ago(record.transactionTimestamp, context.now);
  const word = readableName(direction.text, 24);
  return {
    key: `${transactionVersion}/${record.eventAccountAddress}/${record.eventCreationNumber}/${record.eventSequenceNumber}/${record.activityType}`,
    label: `${shown} ${coin}`,
    description: joined(word, failed, time),
    spoken: joined(`${exact ?? '?'} ${coin}`, word, failed, time),
    icon: failed === null ? direction.icon : 'error',
    color: failed === null ? direction.color : 'charts.red',
    facts: factsOf([
      [t('Amount'), exact === null ? null : `${exact} ${coin}`],
      [t('Coin type'), coinType],
      [t('Activity'), record.activityType],
      [t('Function'), record.entryFunctionIdStr],
      [t('Owner'), partyOf(record.ownerAddress, context)],
      [t('Block height'), whole(record.blockHeight)],
      [t('Version'), whole(transactionVersion)],
      [t('Time'), moment(record.transactionTimestamp)],
    ]),
    copy: transactionVersion.toString(),
    subject: null,
    sections: [],
  };
}

/** An NFT that somebody holds; in a list of owners the owner comes first. */
export function aptosNftRow(
  record: RecordOf<typeof aptosNftOwner>,
  context: RowContext,
  ofOwners: boolean,
): Row | null {
  const { tokenDataIdHash, ownerAddress } = record;
  if (tokenDataIdHash === null && ownerAddress === null) return null;
  const name = readableName(record.name) ?? (tokenDataIdHash === null ? '?' : shortHex(tokenDataIdHash));
  const collection = readableName(record.collectionName);
  const owner = ownerAddress === null ? '?' : named(ownerAddress, context);
  return {
    key: `${tokenDataIdHash}/${record.propertyVersion}/${ownerAddress}`,
    label: ofOwners ? owner : name,
    description: joined(ofOwners ? name : collection, timesOf(record.amount)),
    spoken: joined(ofOwners ? owner : name, ofOwners ? name : collection, timesOf(record.amount)),
    icon: ofOwners ? 'person' : 'symbol-color',
    color: ofOwners ? 'charts.blue' : 'charts.purple',
    facts: factsOf([
      [t('Name'), readableName(record.name, 128)],
      [t('Collection'), readableName(record.collectionName, 128)],
      [t('Amount'), whole(record.amount)],
      [t('Owner'), partyOf(ownerAddress, context)],
      [t('Creator'), partyOf(record.creatorAddress, context)],
      [t('Token data id'), tokenDataIdHash],
      [t('Collection data id'), record.collectionDataIdHash],
      [t('Last version'), whole(record.lastTransactionVersion)],
      [t('Last moved'), moment(record.lastTransactionTimestamp)],
    ]),
    copy: (ofOwners ? ownerAddress : tokenDataIdHash) ?? name,
    subject: null,
    sections:
      ofOwners || record.collectionDataIdHash === null
        ? []
        : aptosCollectionSections(record.collectionDataIdHash, context.chain),
  };
}

export function aptosNftTransferRow(record: RecordOf<typeof aptosNftTransfer>, context: RowContext): Row | null {
  const { transactionVersion, fromAddress, toAddress } = record;
  if (transactionVersion === null) return null;
  const name = readableName(record.name) ?? t('NFT');
  const received = toAddress === context.own && fromAddress !== context.own;
  const sent = fromAddress === context.own && toAddress !== context.own;
  const who = received
    ? fromAddress && t('from {0}', named(fromAddress, context))
    : sent
      ? toAddress && t('to {0}', named(toAddress, context))
      : readableName(record.transferType?.split('::').at(-1) ?? null, 32);
  const time = ago(record.transactionTimestamp, context.now);
  return {
    key: `${transactionVersion}/${record.eventAccountAddress}/${record.eventCreationNumber}/${record.eventSequenceNumber}/${record.tokenDataIdHash}`,
    label: name,
    description: joined(who, timesOf(record.tokenAmount), time),
    spoken: joined(name, who, timesOf(record.tokenAmount), time),
    icon: received ? 'arrow-down' : sent ? 'arrow-up' : 'arrow-swap',
    color: received ? 'charts.green' : sent ? 'charts.yellow' : null,
    facts: factsOf([
      [t('Name'), readableName(record.name, 128)],
      [t('Collection'), readableName(record.collectionName, 128)],
      [t('Kind of transfer'), record.transferType],
      [t('From'), partyOf(fromAddress, context)],
      [t('To'), partyOf(toAddress, context)],
      [t('Amount'), whole(record.tokenAmount)],
      [t('Token data id'), record.tokenDataIdHash],
      [t('Version'), whole(transactionVersion)],
      [t('Time'), moment(record.transactionTimestamp)],
    ]),
    copy: transactionVersion.toString(),
    subject: null,
    sections: [],
  };
}

export function createdNftRow(record: RecordOf<typeof aptosNftCreator>, context: RowContext): Row | null {
  const { tokenDataIdHash } = record;
  if (tokenDataIdHash === null) return null;
  const name = readableName(record.name) ?? shortHex(tokenDataIdHash);
  const supply = record.supply === null ? null : t('supply {0}', formatInteger(record.supply));
  return {
    key: tokenDataIdHash,
    label: name,
    description: joined(readableName(record.collectionName), supply),
    spoken: joined(name, readableName(record.collectionName), supply),
    icon: 'paintcan',
    color: 'charts.purple',
    facts: factsOf([
      [t('Name'), readableName(record.name, 128)],
      [t('Collection'), readableName(record.collectionName, 128)],
      [t('Description'), readableName(record.description, 200)],
      [t('Creator'), partyOf(record.creatorAddress, context)],
      [t('Supply'), whole(record.supply)],
      [t('Metadata'), record.metadataUri],
      [t('Token data id'), tokenDataIdHash],
      [t('Last version'), whole(record.lastTransactionVersion)],
    ]),
    copy: tokenDataIdHash,
    subject: null,
    sections:
      record.collectionDataIdHash === null ? [] : aptosCollectionSections(record.collectionDataIdHash, context.chain),
  };
}
