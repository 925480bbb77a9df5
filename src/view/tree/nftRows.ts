// Rows of NFTs: tokens, owners, collections, transfers.

import type { nftCollection, nftOwner, nftTransfer } from '../../api/records/evmRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import { shortHex } from '../../base/displayText.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import {
  ago,
  factsOf,
  joined,
  moment,
  named,
  namedInFull,
  partyOf,
  readableName,
  shortToken,
  timesOf,
  whole,
  wholeAddress,
  wordOf,
} from './rowText.ts';
import type { Row, RowContext } from './treeRow.ts';
import { sectionsOf, tokenSections } from './treeSections.ts';

const ZERO = /^0x0{40}$/;

type NftRecord = RecordOf<typeof nftOwner>;

function nameInMetadata({ normalizedMetadata, metadata }: NftRecord): string | null {
  let value: unknown = normalizedMetadata;
  if (typeof metadata === 'string' && value === null) {
    try {
      value = JSON.parse(metadata);
    } catch {
      return null; // what is not JSON has no name in it
    }
  }
  const name = value !== null && typeof value === 'object' ? (value as { readonly name?: unknown }).name : null;
  return typeof name === 'string' ? readableName(name) : null;
}

/** An NFT in a wallet: the token first, then where it is from. */
export function nftRow(record: NftRecord, context: RowContext): Row | null {
  const { tokenAddress, tokenId } = record;
  if (tokenAddress === null || tokenId === null) return null;
  const collection = context.nameOf(tokenAddress) ?? readableName(record.name) ?? shortHex(wholeAddress(tokenAddress));
  const title = nameInMetadata(record);
  const spam = wordOf(record.possibleSpam, t('possible spam'));
  return {
    key: `${tokenAddress}/${tokenId}`,
    label: title ?? `${collection} ${shortToken(tokenId)}`,
    description: joined(title === null ? null : `${collection} ${shortToken(tokenId)}`, timesOf(record.amount), spam),
    spoken: joined(title, `${collection} ${t('token {0}', tokenId.toString())}`, timesOf(record.amount), spam),
    icon: spam === null ? 'symbol-color' : 'warning',
    color: spam === null ? 'charts.purple' : 'charts.yellow',
    facts: factsOf([
      [t('Name'), title],
      [t('Collection'), `${collection} (${wholeAddress(tokenAddress)})`],
      [t('Token id'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('Amount'), whole(record.amount)],
      [t('Minted in block'), whole(record.blockNumberMinted)],
      [t('Verified collection'), wordOf(record.verifiedCollection, t('yes'))],
      [t('Spam'), spam],
    ]),
    copy: tokenId.toString(),
    subject: null,
    sections: tokenSections(tokenAddress, tokenId, context.chain),
  };
}

/** Who owns a token. */
export function ownerRow(record: NftRecord, context: RowContext): Row | null {
  const { ownerOf, tokenAddress, tokenId } = record;
  if (ownerOf === null) return null;
  return {
    key: ownerOf,
    label: named(ownerOf, context),
    description: joined(timesOf(record.amount)),
    spoken: joined(namedInFull(ownerOf, context), timesOf(record.amount)),
    icon: 'person',
    color: 'charts.blue',
    facts: factsOf([
      [t('Owner'), namedInFull(ownerOf, context)],
      [t('Amount'), whole(record.amount)],
      [t('Contract'), tokenAddress === null ? null : wholeAddress(tokenAddress)],
      [t('Token id'), tokenId === null ? null : tokenId.toString()],
      [t('Last moved in block'), whole(record.blockNumber)],
    ]),
    copy: wholeAddress(ownerOf),
    subject: { kind: 'address', address: ownerOf },
    sections: [],
  };
}

export function collectionRow(record: RecordOf<typeof nftCollection>, context: RowContext): Row | null {
  const { tokenAddress } = record;
  if (tokenAddress === null) return null;
  const name = context.nameOf(tokenAddress) ?? readableName(record.name);
  const spam = wordOf(record.possibleSpam, t('possible spam'));
  return {
    key: tokenAddress,
    label: name ?? shortHex(wholeAddress(tokenAddress)),
    description: joined(
      readableName(record.symbol, 16),
      record.contractType && readableName(record.contractType, 16),
      spam,
    ),
    spoken: joined(name, wholeAddress(tokenAddress), spam),
    icon: spam === null ? 'library' : 'warning',
    color: spam === null ? 'charts.purple' : 'charts.yellow',
    facts: factsOf([
      [t('Collection'), name],
      [t('Symbol'), record.symbol],
      [t('Contract'), wholeAddress(tokenAddress)],
      [t('Standard'), record.contractType],
      [t('Verified collection'), wordOf(record.verifiedCollection, t('yes'))],
      [t('Spam'), spam],
    ]),
    copy: wholeAddress(tokenAddress),
    subject: { kind: 'address', address: tokenAddress },
    sections: sectionsOf({ kind: 'collection', address: tokenAddress }, context.chain),
  };
}

type TransferRecord = RecordOf<typeof nftTransfer>;

interface Way {
  readonly text: string;
  readonly icon: string;
  readonly color: Row['color'];
}

/** A transfer as the entry sees it: in, out, minted, burnt, or between others. */
function wayOf({ fromAddress, toAddress }: TransferRecord, context: RowContext): Way {
  const from = fromAddress === null ? '?' : named(fromAddress, context);
  const to = toAddress === null ? '?' : named(toAddress, context);
  if (fromAddress !== null && ZERO.test(fromAddress))
    return {
      text: toAddress === context.own ? t('minted') : t('minted to {0}', to),
      icon: 'sparkle',
      color: 'charts.green',
    };
  if (toAddress !== null && ZERO.test(toAddress))
    return {
      text: fromAddress === context.own ? t('burnt') : t('burnt by {0}', from),
      icon: 'flame',
      color: 'charts.red',
    };
  if (fromAddress === context.own && toAddress === context.own)
    return { text: t('to itself'), icon: 'sync', color: null };
  if (toAddress === context.own) return { text: t('from {0}', from), icon: 'arrow-down', color: 'charts.green' };
  if (fromAddress === context.own) return { text: t('to {0}', to), icon: 'arrow-up', color: 'charts.yellow' };
  return { text: `${from} → ${to}`, icon: 'arrow-swap', color: null };
}

export function transferRow(record: TransferRecord, context: RowContext): Row | null {
  const { tokenAddress, tokenId, transactionHash } = record;
  if (tokenAddress === null || tokenId === null || transactionHash === null) return null;
  const way = wayOf(record, context);
  const collection = tokenAddress === context.own ? null : named(tokenAddress, context);
  const time = ago(record.blockTimestamp, context.now);
  const place =
    record.logIndex === null ? `${record.fromAddress}/${record.toAddress}/${record.amount}` : record.logIndex;
  return {
    key: `${transactionHash}/${place}/${tokenAddress}/${tokenId}`,
    label: `${shortToken(tokenId)} ${way.text}`,
    description: joined(timesOf(record.amount), collection, time),
    spoken: joined(t('token {0}', tokenId.toString()), way.text, timesOf(record.amount), collection, time),
    icon: way.icon,
    color: way.color,
    facts: factsOf([
      [t('Contract'), namedInFull(tokenAddress, context)],
      [t('Token id'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('From'), partyOf(record.fromAddress, context)],
      [t('To'), partyOf(record.toAddress, context)],
      [t('Amount'), whole(record.amount)],
      [t('Paid'), record.value === null ? null : `${formatUnits(record.value, context.decimals)} ${context.coin}`],
      [t('Block'), whole(record.blockNumber)],
      [t('Time'), moment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copy: transactionHash,
    subject: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}

/** A token that was moved lately, with its owners and transfers below. */
export function tokenRow(record: TransferRecord, context: RowContext): Row | null {
  const { tokenAddress, tokenId } = record;
  if (tokenAddress === null || tokenId === null) return null;
  const burnt = record.toAddress !== null && ZERO.test(record.toAddress) && record.contractType !== 'ERC1155';
  const time = ago(record.blockTimestamp, context.now);
  const moved = burnt ? t('burnt {0}', time) : t('moved {0}', time);
  return {
    key: tokenId.toString(),
    label: shortToken(tokenId),
    description: moved,
    spoken: joined(t('token {0}', tokenId.toString()), moved),
    icon: burnt ? 'flame' : 'symbol-color',
    color: burnt ? 'charts.red' : 'charts.purple',
    facts: factsOf([
      [t('Token id'), tokenId.toString()],
      [t('Contract'), namedInFull(tokenAddress, context)],
      [t('Standard'), record.contractType],
      [t('Last moved'), moment(record.blockTimestamp)],
    ]),
    copy: tokenId.toString(),
    subject: null,
    sections: tokenSections(tokenAddress, tokenId, context.chain),
  };
}
