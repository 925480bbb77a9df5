// Rows of Aptos records: coin transfers, NFTs, NFT transfers, created NFTs.

import type { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../../api/records/aptosRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { joinParts, shortenHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import type { Direction } from './transferDirection.ts';
import {
  formatAddress,
  formatAge,
  formatMoment,
  formatOptionalAddress,
  formatOptionalInteger,
  formatQuantity,
  type RowContext,
  type TreeRow,
  toFacts,
  toReadableName,
} from './treeRow.ts';
import { getAptosCollectionSections } from './treeSections.ts';

/** The native coin, the only one whose decimals are known without a request. */
const APT = /^0x0*1::aptos_coin::AptosCoin$/;
const APT_DECIMALS = 8;

/** `module::Name` of a coin type; the address is in the tooltip. */
function coinName(coinType: string | null): string {
  if (coinType === null) return '';
  if (APT.test(coinType)) return 'APT';
  return toReadableName(coinType.split('::').at(-1) ?? coinType, 32) ?? shortenHex(coinType);
}

function getDirection(activity: string | null, gas: boolean | null): Direction {
  if (gas === true) return { text: t('gas fee'), icon: 'flame', color: 'charts.yellow' };
  if (activity !== null && /deposit/i.test(activity))
    return { text: t('received'), icon: 'arrow-down', color: 'charts.green' };
  if (activity !== null && /withdraw/i.test(activity))
    return { text: t('sent'), icon: 'arrow-up', color: 'charts.yellow' };
  return { text: activity?.split('::').at(-1) ?? '', icon: 'arrow-swap', color: null };
}

export function createCoinTransferRow(record: InferRecord<typeof coinTransfer>, context: RowContext): TreeRow | null {
  const { transactionVersion, amount, coinType } = record;
  if (transactionVersion === null) return null;
  const coin = coinName(coinType);
  const apt = coinType !== null && APT.test(coinType);
  const exact =
    amount === null ? null : apt ? formatUnits(amount, APT_DECIMALS) : `${formatInteger(amount)} (${t('raw')})`;
  const shown = amount === null ? '?' : apt ? formatAmount(amount, APT_DECIMALS) : formatInteger(amount);
  const direction = getDirection(record.activityType, record.isGasFee);
  const failed = record.isTransactionSuccess === false ? t('failed') : null;
  const time = formatAge(record.transactionTimestamp, context.now);
  const word = toReadableName(direction.text, 24);
  return {
    key: `${transactionVersion}/${record.eventAccountAddress}/${record.eventCreationNumber}/${record.eventSequenceNumber}/${record.activityType}`,
    label: `${shown} ${coin}`,
    description: joinParts(word, failed, time),
    accessibilityLabel: joinParts(`${exact ?? '?'} ${coin}`, word, failed, time),
    icon: failed === null ? direction.icon : 'error',
    color: failed === null ? direction.color : 'charts.red',
    facts: toFacts([
      [t('Amount'), exact === null ? null : `${exact} ${coin}`],
      [t('Coin type'), coinType],
      [t('Activity'), record.activityType],
      [t('Function'), record.entryFunctionIdStr],
      [t('Owner'), formatOptionalAddress(record.ownerAddress, context)],
      [t('Block height'), formatOptionalInteger(record.blockHeight)],
      [t('Version'), formatOptionalInteger(transactionVersion)],
      [t('Time'), formatMoment(record.transactionTimestamp)],
    ]),
    copyText: transactionVersion.toString(),
    target: null,
  };
}

/** An NFT and its owner; in a list of owners the owner is the label. */
export function createAptosNftRow(
  record: InferRecord<typeof aptosNftOwner>,
  context: RowContext,
  isOwnerList: boolean,
): TreeRow | null {
  const { tokenDataIdHash, ownerAddress } = record;
  if (tokenDataIdHash === null && ownerAddress === null) return null;
  const name = toReadableName(record.name) ?? (tokenDataIdHash === null ? '?' : shortenHex(tokenDataIdHash));
  const collection = toReadableName(record.collectionName);
  const owner = ownerAddress === null ? '?' : formatAddress(ownerAddress, context);
  return {
    key: `${tokenDataIdHash}/${record.propertyVersion}/${ownerAddress}`,
    label: isOwnerList ? owner : name,
    description: joinParts(isOwnerList ? name : collection, formatQuantity(record.amount)),
    accessibilityLabel: joinParts(
      isOwnerList ? owner : name,
      isOwnerList ? name : collection,
      formatQuantity(record.amount),
    ),
    icon: isOwnerList ? 'person' : 'symbol-color',
    color: isOwnerList ? 'charts.blue' : 'charts.purple',
    facts: toFacts([
      [t('Name'), toReadableName(record.name, 128)],
      [t('Collection'), toReadableName(record.collectionName, 128)],
      [t('Amount'), formatOptionalInteger(record.amount)],
      [t('Owner'), formatOptionalAddress(ownerAddress, context)],
      [t('Creator'), formatOptionalAddress(record.creatorAddress, context)],
      [t('Token data ID'), tokenDataIdHash],
      [t('Collection data ID'), record.collectionDataIdHash],
      [t('Last version'), formatOptionalInteger(record.lastTransactionVersion)],
      [t('Last transfer'), formatMoment(record.lastTransactionTimestamp)],
    ]),
    copyText: (isOwnerList ? ownerAddress : tokenDataIdHash) ?? name,
    target: null,
    ...(!isOwnerList &&
      record.collectionDataIdHash !== null && {
        sections: getAptosCollectionSections(record.collectionDataIdHash, context.chain),
      }),
  };
}

export function createAptosNftTransferRow(
  record: InferRecord<typeof aptosNftTransfer>,
  context: RowContext,
): TreeRow | null {
  const { transactionVersion, fromAddress, toAddress } = record;
  if (transactionVersion === null) return null;
  const name = toReadableName(record.name) ?? t('NFT');
  const received = toAddress === context.ownAddress && fromAddress !== context.ownAddress;
  const sent = fromAddress === context.ownAddress && toAddress !== context.ownAddress;
  const who = received
    ? fromAddress && t('from {0}', formatAddress(fromAddress, context))
    : sent
      ? toAddress && t('to {0}', formatAddress(toAddress, context))
      : toReadableName(record.transferType?.split('::').at(-1) ?? null, 32);
  const time = formatAge(record.transactionTimestamp, context.now);
  return {
    key: `${transactionVersion}/${record.eventAccountAddress}/${record.eventCreationNumber}/${record.eventSequenceNumber}/${record.tokenDataIdHash}`,
    label: name,
    description: joinParts(who, formatQuantity(record.tokenAmount), time),
    accessibilityLabel: joinParts(name, who, formatQuantity(record.tokenAmount), time),
    icon: received ? 'arrow-down' : sent ? 'arrow-up' : 'arrow-swap',
    color: received ? 'charts.green' : sent ? 'charts.yellow' : null,
    facts: toFacts([
      [t('Name'), toReadableName(record.name, 128)],
      [t('Collection'), toReadableName(record.collectionName, 128)],
      [t('Transfer type'), record.transferType],
      [t('From'), formatOptionalAddress(fromAddress, context)],
      [t('To'), formatOptionalAddress(toAddress, context)],
      [t('Amount'), formatOptionalInteger(record.tokenAmount)],
      [t('Token data ID'), record.tokenDataIdHash],
      [t('Version'), formatOptionalInteger(transactionVersion)],
      [t('Time'), formatMoment(record.transactionTimestamp)],
    ]),
    copyText: transactionVersion.toString(),
    target: null,
  };
}

export function createCreatedNftRow(record: InferRecord<typeof aptosNftCreator>, context: RowContext): TreeRow | null {
  const { tokenDataIdHash } = record;
  if (tokenDataIdHash === null) return null;
  const name = toReadableName(record.name) ?? shortenHex(tokenDataIdHash);
  const supply = record.supply === null ? null : t('supply {0}', formatInteger(record.supply));
  return {
    key: tokenDataIdHash,
    label: name,
    description: joinParts(toReadableName(record.collectionName), supply),
    accessibilityLabel: joinParts(name, toReadableName(record.collectionName), supply),
    icon: 'paintcan',
    color: 'charts.purple',
    facts: toFacts([
      [t('Name'), toReadableName(record.name, 128)],
      [t('Collection'), toReadableName(record.collectionName, 128)],
      [t('Description'), toReadableName(record.description, 200)],
      [t('Creator'), formatOptionalAddress(record.creatorAddress, context)],
      [t('Supply'), formatOptionalInteger(record.supply)],
      [t('Metadata'), record.metadataUri],
      [t('Token data ID'), tokenDataIdHash],
      [t('Last version'), formatOptionalInteger(record.lastTransactionVersion)],
    ]),
    copyText: tokenDataIdHash,
    target: null,
    ...(record.collectionDataIdHash !== null && {
      sections: getAptosCollectionSections(record.collectionDataIdHash, context.chain),
    }),
  };
}
