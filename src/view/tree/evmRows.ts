// Rows of balances, logs, prices and mints.

import type { chainBalances, contractLog, erc20Mint, trade } from '../../api/records/evmRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import { shortHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/formatUnits.ts';
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
  whole,
  wholeAddress,
  wordOf,
} from './rowText.ts';
import type { Row, RowContext } from './treeRow.ts';

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
        [t('Block'), whole(record.blockNumber)],
        [t('Time'), moment(record.blockTimestamp)],
      ]),
      copy: formatUnits(balance, decimals),
      subject: { kind: 'address', address },
      sections: [],
    };
  });
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
      [t('Log index'), whole(logIndex)],
      [t('Block'), whole(record.blockNumber)],
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
      [t('Seller'), partyOf(record.sellerAddress, context)],
      [t('Buyer'), partyOf(record.buyerAddress, context)],
      [t('Marketplace'), partyOf(record.marketplaceAddress, context)],
      [t('Block'), whole(record.blockNumber)],
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
  const symbol =
    readableName(record.tokenSymbol, 12) ?? context.nameOf(contractAddress) ?? shortHex(wholeAddress(contractAddress));
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
      [t('To'), partyOf(record.toWallet, context)],
      [t('Block'), whole(record.blockNumber)],
      [t('Time'), moment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
      [t('Spam'), wordOf(record.possibleSpam, t('possible spam'))],
    ]),
    copy: transactionHash,
    subject: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}
