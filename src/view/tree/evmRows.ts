// Rows of balances, logs, prices and mints.

import type { chainBalances, contractLog, erc20Mint, trade } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { joinParts, shortenHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { describeLog } from './logText.ts';
import {
  formatAddress,
  formatAge,
  formatFullAddress,
  formatMoment,
  formatOptionalAddress,
  formatOptionalInteger,
  formatTokenId,
  type RowContext,
  type TreeRow,
  textIfTrue,
  toDisplayAddress,
  toFacts,
  toReadableName,
} from './treeRow.ts';

export function createBalanceRows(record: InferRecord<typeof chainBalances>, context: RowContext): readonly TreeRow[] {
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
      accessibilityLabel: joinParts(exact, block),
      icon: 'credit-card',
      color: null,
      facts: toFacts([
        [t('Balance'), exact],
        [t('Smallest unit'), formatInteger(balance)],
        [t('Address'), formatFullAddress(address, context)],
        [t('Block'), formatOptionalInteger(record.blockNumber)],
        [t('Time'), formatMoment(record.blockTimestamp)],
      ]),
      copyText: formatUnits(balance, decimals),
      target: { kind: 'address', address },
      sections: [],
    };
  });
}

export function createLogRow(record: InferRecord<typeof contractLog>, context: RowContext): TreeRow | null {
  const { transactionHash, topic0, logIndex } = record;
  if (transactionHash === null) return null;
  const text = describeLog(record, context.format);
  const name = text?.event ?? (topic0 === null ? t('Anonymous event') : shortenHex(topic0));
  const block = record.blockNumber === null ? null : t('block {0}', formatInteger(record.blockNumber));
  const time = formatAge(record.blockTimestamp, context.now);
  return {
    key: `${record.blockHash}/${logIndex ?? transactionHash}`,
    label: name,
    description: joinParts(text?.values ?? null, block, time),
    accessibilityLabel: joinParts(name, text?.values ?? null, block, time),
    icon: 'symbol-event',
    color: text === null ? null : 'charts.yellow',
    facts: toFacts([
      [t('Event'), text?.signature ?? null],
      [t('Values'), text?.values ?? null],
      [t('Topic 0'), topic0],
      [t('Topic 1'), record.topic1],
      [t('Topic 2'), record.topic2],
      [t('Topic 3'), record.topic3],
      [t('Data'), record.data],
      [t('Log index'), formatOptionalInteger(logIndex)],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copyText: transactionHash,
    target: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}

export function createTradeRow(record: InferRecord<typeof trade>, context: RowContext): TreeRow | null {
  const { price, transactionHash } = record;
  if (price === null || transactionHash === null) return null;
  const ids = (record.tokenIds ?? []).map(formatTokenId);
  const tokens = ids.length > 3 ? `${ids.slice(0, 3).join(', ')} +${ids.length - 3}` : ids.join(', ');
  const time = formatAge(record.blockTimestamp, context.now);
  const exact = `${formatUnits(price, context.decimals)} ${context.coin}`;
  return {
    key: transactionHash,
    label: `${formatAmount(price, context.decimals)} ${context.coin}`,
    description: joinParts(tokens, time),
    accessibilityLabel: joinParts(exact, tokens, time),
    icon: 'tag',
    color: 'charts.green',
    facts: toFacts([
      [t('Price'), exact],
      [t('Tokens'), (record.tokenIds ?? []).slice(0, 20).join(', ')],
      [t('Seller'), formatOptionalAddress(record.sellerAddress, context)],
      [t('Buyer'), formatOptionalAddress(record.buyerAddress, context)],
      [t('Marketplace'), formatOptionalAddress(record.marketplaceAddress, context)],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
    ]),
    copyText: formatUnits(price, context.decimals),
    target: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}

export function createMintRow(record: InferRecord<typeof erc20Mint>, context: RowContext): TreeRow | null {
  const { contractAddress, transactionHash, value, tokenDecimals } = record;
  if (contractAddress === null || transactionHash === null || value === null) return null;
  const decimals = tokenDecimals !== null && tokenDecimals <= 77 ? tokenDecimals : null;
  const symbol =
    toReadableName(record.tokenSymbol, 12) ??
    context.getName(contractAddress) ??
    shortenHex(toDisplayAddress(contractAddress));
  const exact = decimals === null ? `${formatInteger(value)} (${t('raw')})` : formatUnits(value, decimals);
  const shown = decimals === null ? exact : formatAmount(value, decimals);
  const to = record.toWallet === null ? null : t('to {0}', formatAddress(record.toWallet, context));
  const time = formatAge(record.blockTimestamp, context.now);
  return {
    key: `${transactionHash}/${record.logIndex}`,
    label: `${shown} ${symbol}`,
    description: joinParts(to, time),
    accessibilityLabel: joinParts(`${exact} ${symbol}`, to, time),
    icon: 'sparkle',
    color: 'charts.green',
    facts: toFacts([
      [t('Minted'), `${exact} ${symbol}`],
      [t('Token'), joinParts(toReadableName(record.tokenName), toDisplayAddress(contractAddress))],
      [t('To'), formatOptionalAddress(record.toWallet, context)],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
      [t('Spam'), textIfTrue(record.possibleSpam, t('possible spam'))],
    ]),
    copyText: transactionHash,
    target: { kind: 'transaction', hash: transactionHash },
    sections: [],
  };
}
