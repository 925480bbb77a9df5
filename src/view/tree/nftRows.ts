// Rows of NFTs: tokens, owners, collections, transfers.

import type { nftCollection, nftOwner, nftTransfer } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts } from '../../base/displayText.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { ZERO_ADDRESS } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { describeDirection } from './transferDirection.ts';
import {
  formatAddress,
  formatAge,
  formatFullAddress,
  formatMoment,
  formatOptionalAddress,
  formatOptionalInteger,
  formatQuantity,
  formatTokenId,
  type RowContext,
  type TreeRow,
  textIfTrue,
  toFacts,
  toReadableName,
} from './treeRow.ts';
import { getEntrySections, getTokenSections } from './treeSections.ts';

type NftRecord = InferRecord<typeof nftOwner>;

function nameInMetadata({ normalizedMetadata, metadata }: NftRecord): string | null {
  let value: unknown = normalizedMetadata;
  if (typeof metadata === 'string' && value === null) {
    try {
      value = JSON.parse(metadata);
    } catch {
      return null; // not JSON: no name
    }
  }
  const name = value !== null && typeof value === 'object' ? (value as { readonly name?: unknown }).name : null;
  return typeof name === 'string' ? toReadableName(name) : null;
}

export function createNftRow(record: NftRecord, context: RowContext): TreeRow | null {
  const { tokenAddress, tokenId } = record;
  if (tokenAddress === null || tokenId === null) return null;
  const collection =
    context.getName(tokenAddress) ?? toReadableName(record.name) ?? toShortDisplayAddress(tokenAddress);
  const title = nameInMetadata(record);
  const spam = textIfTrue(record.possibleSpam, t('possible spam'));
  return {
    key: `${tokenAddress}/${tokenId}`,
    label: title ?? `${collection} ${formatTokenId(tokenId)}`,
    description: joinParts(
      title === null ? null : `${collection} ${formatTokenId(tokenId)}`,
      formatQuantity(record.amount),
      spam,
    ),
    accessibilityLabel: joinParts(
      title,
      `${collection} ${t('token {0}', tokenId.toString())}`,
      formatQuantity(record.amount),
      spam,
    ),
    icon: spam === null ? 'symbol-color' : 'warning',
    color: spam === null ? 'charts.purple' : 'charts.yellow',
    facts: toFacts([
      [t('Name'), title],
      [t('Collection'), `${collection} (${toDisplayAddress(tokenAddress)})`],
      [t('Token ID'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('Amount'), formatOptionalInteger(record.amount)],
      [t('Minted in block'), formatOptionalInteger(record.blockNumberMinted)],
      [t('Verified collection'), textIfTrue(record.verifiedCollection, t('yes'))],
      [t('Spam'), spam],
    ]),
    copyText: tokenId.toString(),
    target: null,
    sections: getTokenSections(tokenAddress, tokenId, context.chain),
  };
}

export function createOwnerRow(record: NftRecord, context: RowContext): TreeRow | null {
  const { ownerOf, tokenAddress, tokenId } = record;
  if (ownerOf === null) return null;
  return {
    key: ownerOf,
    label: formatAddress(ownerOf, context),
    description: joinParts(formatQuantity(record.amount)),
    accessibilityLabel: joinParts(formatFullAddress(ownerOf, context), formatQuantity(record.amount)),
    icon: 'person',
    color: 'charts.blue',
    facts: toFacts([
      [t('Owner'), formatFullAddress(ownerOf, context)],
      [t('Amount'), formatOptionalInteger(record.amount)],
      [t('Contract'), tokenAddress === null ? null : toDisplayAddress(tokenAddress)],
      [t('Token ID'), tokenId === null ? null : tokenId.toString()],
      [t('Last transfer in block'), formatOptionalInteger(record.blockNumber)],
    ]),
    copyText: toDisplayAddress(ownerOf),
    target: { kind: 'address', address: ownerOf },
  };
}

export function createCollectionRow(record: InferRecord<typeof nftCollection>, context: RowContext): TreeRow | null {
  const { tokenAddress } = record;
  if (tokenAddress === null) return null;
  const name = context.getName(tokenAddress) ?? toReadableName(record.name);
  const spam = textIfTrue(record.possibleSpam, t('possible spam'));
  return {
    key: tokenAddress,
    label: name ?? toShortDisplayAddress(tokenAddress),
    description: joinParts(
      toReadableName(record.symbol, 16),
      record.contractType && toReadableName(record.contractType, 16),
      spam,
    ),
    accessibilityLabel: joinParts(name, toDisplayAddress(tokenAddress), spam),
    icon: spam === null ? 'library' : 'warning',
    color: spam === null ? 'charts.purple' : 'charts.yellow',
    facts: toFacts([
      [t('Collection'), name],
      [t('Symbol'), record.symbol],
      [t('Contract'), toDisplayAddress(tokenAddress)],
      [t('Standard'), record.contractType],
      [t('Verified collection'), textIfTrue(record.verifiedCollection, t('yes'))],
      [t('Spam'), spam],
    ]),
    copyText: toDisplayAddress(tokenAddress),
    target: { kind: 'address', address: tokenAddress },
    sections: getEntrySections({ kind: 'collection', address: tokenAddress }, context.chain),
  };
}

type TransferRecord = InferRecord<typeof nftTransfer>;

export function createTransferRow(record: TransferRecord, context: RowContext): TreeRow | null {
  const { tokenAddress, tokenId, transactionHash } = record;
  if (tokenAddress === null || tokenId === null || transactionHash === null) return null;
  const direction = describeDirection(record, context);
  const collection = tokenAddress === context.ownAddress ? null : formatAddress(tokenAddress, context);
  const time = formatAge(record.blockTimestamp, context.now);
  const place =
    record.logIndex === null ? `${record.fromAddress}/${record.toAddress}/${record.amount}` : record.logIndex;
  return {
    key: `${transactionHash}/${place}/${tokenAddress}/${tokenId}`,
    label: `${formatTokenId(tokenId)} ${direction.text}`,
    description: joinParts(formatQuantity(record.amount), collection, time),
    accessibilityLabel: joinParts(
      t('token {0}', tokenId.toString()),
      direction.text,
      formatQuantity(record.amount),
      collection,
      time,
    ),
    icon: direction.icon,
    color: direction.color,
    facts: toFacts([
      [t('Contract'), formatFullAddress(tokenAddress, context)],
      [t('Token ID'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('From'), formatOptionalAddress(record.fromAddress, context)],
      [t('To'), formatOptionalAddress(record.toAddress, context)],
      [t('Amount'), formatOptionalInteger(record.amount)],
      [t('Paid'), record.value === null ? null : `${formatUnits(record.value, context.decimals)} ${context.coin}`],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copyText: transactionHash,
    target: { kind: 'transaction', hash: transactionHash },
  };
}

/** A recently transferred token, with its owners and transfers below. */
export function createTokenRow(record: TransferRecord, context: RowContext): TreeRow | null {
  const { tokenAddress, tokenId } = record;
  if (tokenAddress === null || tokenId === null) return null;
  const isBurned = record.toAddress === ZERO_ADDRESS && record.contractType !== 'ERC1155';
  const time = formatAge(record.blockTimestamp, context.now);
  const transferred = isBurned ? t('burned {0}', time) : t('transferred {0}', time);
  return {
    key: tokenId.toString(),
    label: formatTokenId(tokenId),
    description: transferred,
    accessibilityLabel: joinParts(t('token {0}', tokenId.toString()), transferred),
    icon: isBurned ? 'flame' : 'symbol-color',
    color: isBurned ? 'charts.red' : 'charts.purple',
    facts: toFacts([
      [t('Token ID'), tokenId.toString()],
      [t('Contract'), formatFullAddress(tokenAddress, context)],
      [t('Standard'), record.contractType],
      [t('Last transfer'), formatMoment(record.blockTimestamp)],
    ]),
    copyText: tokenId.toString(),
    target: null,
    sections: getTokenSections(tokenAddress, tokenId, context.chain),
  };
}
