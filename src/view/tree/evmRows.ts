// Rows of group B's records: balances, NFTs, collections, transfers, logs, owners, prices and mints.
import { t } from '../../base/localize.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/units.ts';
import type { RecordOf } from '../../contract/record.ts';
import type {
  chainBalances,
  contractLog,
  erc20Mint,
  nftCollection,
  nftOwner,
  nftTransfer,
  trade,
} from '../../contract/records/evm.ts';
import { shortHex } from '../hover/text.ts';
import type { Row, RowContext } from './row.ts';
import { sectionsOf, tokenSections } from './sections.ts';
import { ago, factsOf, joined, moment, named, namedInFull, readableName, shortToken, wholeAddress } from './words.ts';

const ZERO = /^0x0{40}$/;

/** ERC-1155 tokens come in amounts; a single one is not worth a word. */
const amountOf = (amount: bigint | null): string | null =>
  amount === null || amount === 1n ? null : `× ${formatInteger(amount)}`;

const wordOf = (flag: boolean | null, yes: string): string | null => (flag === true ? yes : null);

export function balanceRows(record: RecordOf<typeof chainBalances>, context: RowContext): readonly Row[] {
  const { coin, decimals } = context;
  return (record.walletBalances ?? []).flatMap(({ address, balance }) => {
    if (address === null || balance === null) return [];
    const label = `${formatAmount(balance, decimals)} ${coin}`;
    const exact = `${formatUnits(balance, decimals)} ${coin}`;
    const block = record.blockNumber === null ? null : t('block {0}', formatInteger(record.blockNumber));
    return {
      key: address,
      label,
      description: block ?? '',
      spoken: joined(exact, block),
      icon: 'credit-card',
      color: null,
      facts: factsOf([
        [t('Balance'), exact],
        [t('Smallest unit'), formatInteger(balance)],
        [t('Address'), namedInFull(address, context)],
        [t('Block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
        [t('Time'), moment(record.blockTimestamp)],
      ]),
      copy: formatUnits(balance, decimals),
      subject: { kind: 'address', address },
      sections: [],
    };
  });
}

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
    description: joined(title === null ? null : `${collection} ${shortToken(tokenId)}`, amountOf(record.amount), spam),
    spoken: joined(title, `${collection} ${t('token {0}', tokenId.toString())}`, amountOf(record.amount), spam),
    icon: spam === null ? 'symbol-color' : 'warning',
    color: spam === null ? 'charts.purple' : 'charts.yellow',
    facts: factsOf([
      [t('Name'), title],
      [t('Collection'), `${collection} (${wholeAddress(tokenAddress)})`],
      [t('Token id'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('Amount'), record.amount === null ? null : formatInteger(record.amount)],
      [t('Minted in block'), record.blockNumberMinted === null ? null : formatInteger(record.blockNumberMinted)],
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
    description: joined(amountOf(record.amount)),
    spoken: joined(namedInFull(ownerOf, context), amountOf(record.amount)),
    icon: 'person',
    color: 'charts.blue',
    facts: factsOf([
      [t('Owner'), namedInFull(ownerOf, context)],
      [t('Amount'), record.amount === null ? null : formatInteger(record.amount)],
      [t('Contract'), tokenAddress === null ? null : wholeAddress(tokenAddress)],
      [t('Token id'), tokenId === null ? null : tokenId.toString()],
      [t('Last moved in block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
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
    description: joined(readableName(record.symbol, 16), record.contractType && readableName(record.contractType, 16), spam),
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
    return { text: t('minted to {0}', to), icon: 'sparkle', color: 'charts.green' };
  if (toAddress !== null && ZERO.test(toAddress))
    return { text: t('burnt by {0}', from), icon: 'flame', color: 'charts.red' };
  if (fromAddress === context.own && toAddress === context.own)
    return { text: t('to itself'), icon: 'sync', color: null };
  if (toAddress === context.own) return { text: t('from {0}', from), icon: 'arrow-down', color: 'charts.green' };
  if (fromAddress === context.own) return { text: t('to {0}', to), icon: 'arrow-up', color: 'charts.orange' };
  return { text: `${from} → ${to}`, icon: 'arrow-swap', color: null };
}

export function transferRow(record: TransferRecord, context: RowContext): Row | null {
  const { tokenAddress, tokenId, transactionHash } = record;
  if (tokenAddress === null || tokenId === null || transactionHash === null) return null;
  const way = wayOf(record, context);
  const token = `${named(tokenAddress, context)} ${shortToken(tokenId)}`;
  const label = tokenAddress === context.own ? shortToken(tokenId) : token;
  const time = ago(record.blockTimestamp, context.now);
  const place = record.logIndex === null ? `${record.fromAddress}/${record.toAddress}/${record.amount}` : record.logIndex;
  return {
    key: `${transactionHash}/${place}/${tokenAddress}/${tokenId}`,
    label,
    description: joined(way.text, amountOf(record.amount), time),
    spoken: joined(t('token {0}', tokenId.toString()), way.text, amountOf(record.amount), time),
    icon: way.icon,
    color: way.color,
    facts: factsOf([
      [t('Contract'), namedInFull(tokenAddress, context)],
      [t('Token id'), tokenId.toString()],
      [t('Standard'), record.contractType],
      [t('From'), record.fromAddress === null ? null : namedInFull(record.fromAddress, context)],
      [t('To'), record.toAddress === null ? null : namedInFull(record.toAddress, context)],
      [t('Amount'), record.amount === null ? null : formatInteger(record.amount)],
      [
        t('Paid'),
        record.value === null ? null : `${formatUnits(record.value, context.decimals)} ${context.coin}`,
      ],
      [t('Block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
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

export function logRow(record: RecordOf<typeof contractLog>, context: RowContext): Row | null {
  const { transactionHash, topic0, logIndex } = record;
  if (transactionHash === null) return null;
  const event = topic0 === null ? null : context.eventOf(topic0);
  const name = event?.replace(/\(.*$/s, '') ?? (topic0 === null ? t('Anonymous event') : shortHex(topic0));
  const block = record.blockNumber === null ? null : t('block {0}', formatInteger(record.blockNumber));
  const time = ago(record.blockTimestamp, context.now);
  return {
    key: `${record.blockHash}/${logIndex ?? transactionHash}`,
    label: name,
    description: joined(block, time),
    spoken: joined(name, block, time),
    icon: 'symbol-event',
    color: event === null ? null : 'charts.yellow',
    facts: factsOf([
      [t('Event'), event],
      [t('Topic 0'), topic0],
      [t('Topic 1'), record.topic1],
      [t('Topic 2'), record.topic2],
      [t('Topic 3'), record.topic3],
      [t('Data'), record.data],
      [t('Log index'), logIndex === null ? null : formatInteger(logIndex)],
      [t('Block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
      [t('Time'), moment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copy: transactionHash,
    subject: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}

export function tradeRow(record: RecordOf<typeof trade>, context: RowContext): Row | null {
  const { price, transactionHash } = record;
  if (price === null || transactionHash === null) return null;
  const ids = (record.tokenIds ?? []).map(shortToken);
  const tokens = ids.length > 3 ? `${ids.slice(0, 3).join(', ')} +${ids.length - 3}` : ids.join(', ');
  const time = ago(record.blockTimestamp, context.now);
  const exact = `${formatUnits(price, context.decimals)} ${context.coin}`;
  return {
    key: transactionHash,
    label: `${formatAmount(price, context.decimals)} ${context.coin}`,
    description: joined(tokens, time),
    spoken: joined(exact, tokens, time),
    icon: 'tag',
    color: 'charts.green',
    facts: factsOf([
      [t('Price'), exact],
      [t('Tokens'), (record.tokenIds ?? []).slice(0, 20).join(', ')],
      [t('Seller'), record.sellerAddress === null ? null : namedInFull(record.sellerAddress, context)],
      [t('Buyer'), record.buyerAddress === null ? null : namedInFull(record.buyerAddress, context)],
      [t('Marketplace'), record.marketplaceAddress === null ? null : namedInFull(record.marketplaceAddress, context)],
      [t('Block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
      [t('Time'), moment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copy: formatUnits(price, context.decimals),
    subject: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}

export function mintRow(record: RecordOf<typeof erc20Mint>, context: RowContext): Row | null {
  const { contractAddress, transactionHash, value, tokenDecimals } = record;
  if (contractAddress === null || transactionHash === null || value === null) return null;
  const decimals = tokenDecimals !== null && tokenDecimals <= 77 ? tokenDecimals : null;
  const symbol = readableName(record.tokenSymbol, 12) ?? context.nameOf(contractAddress) ?? shortHex(wholeAddress(contractAddress));
  const exact = decimals === null ? `${formatInteger(value)} (${t('raw')})` : formatUnits(value, decimals);
  const shown = decimals === null ? exact : formatAmount(value, decimals);
  const to = record.toWallet === null ? null : t('to {0}', named(record.toWallet, context));
  const time = ago(record.blockTimestamp, context.now);
  return {
    key: `${transactionHash}/${record.logIndex}`,
    label: `${shown} ${symbol}`,
    description: joined(to, time),
    spoken: joined(`${exact} ${symbol}`, to, time),
    icon: 'sparkle',
    color: 'charts.green',
    facts: factsOf([
      [t('Minted'), `${exact} ${symbol}`],
      [t('Token'), joined(readableName(record.tokenName), wholeAddress(contractAddress))],
      [t('To'), record.toWallet === null ? null : namedInFull(record.toWallet, context)],
      [t('Block'), record.blockNumber === null ? null : formatInteger(record.blockNumber)],
      [t('Time'), moment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
      [t('Spam'), wordOf(record.possibleSpam, t('possible spam'))],
    ]),
    copy: transactionHash,
    subject: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}
