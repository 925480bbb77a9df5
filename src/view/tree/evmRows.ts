// Rows of native balances, transactions, logs and prices.

import type { chainBalances, contractLog, trade, walletTransaction } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { joinParts, sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import { decodeFunctionData } from '../../decode/decodeAbi.ts';
import { formatDecodedItem } from '../../decode/formatDecodedItem.ts';
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
  toFacts,
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
    key: `${transactionHash}/${logIndex}`,
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
    ...(topic0 !== null &&
      record.address !== null && { event: { address: record.address, topic0, event: text?.event ?? null } }),
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
  };
}

const MAX_CALL_LENGTH = 400;

export function createTransactionRow(
  record: InferRecord<typeof walletTransaction>,
  context: RowContext,
): TreeRow | null {
  const { hash, value, fromAddress, toAddress } = record;
  if (hash === null) return null;
  const isFailed = record.receiptStatus === 0;
  // Receipts of nodes name the address of a failed creation too, where no contract is.
  const created = isFailed ? null : record.receiptContractAddress;
  const side =
    toAddress === null
      ? t('creates {0}', created === null ? t('a contract') : formatAddress(created, context))
      : toAddress === context.ownAddress && fromAddress !== null
        ? t('from {0}', formatAddress(fromAddress, context))
        : t('to {0}', formatAddress(toAddress, context));
  const paid = value === null || value === 0n ? null : `${formatAmount(value, context.decimals)} ${context.coin}`;
  const input = toAddress === null ? null : record.input; // the code of a new contract is no call
  const [call] = input === null ? [] : decodeFunctionData(context.format.registry, input);
  const method = call?.item.name ?? (input !== null && input.length >= 10 ? input.slice(0, 10) : null);
  const paidCall = paid === null ? null : (call?.item.name ?? null);
  const time = formatAge(record.blockTimestamp, context.now);
  const failure = isFailed ? joinParts(t('failed'), context.places?.get(hash) ?? null) : null;
  const label = joinParts(paid ?? method, side);
  return {
    key: hash,
    label,
    description: joinParts(failure, paidCall, time),
    accessibilityLabel: joinParts(label, failure, paidCall, time),
    icon: isFailed ? 'error' : toAddress === context.ownAddress ? 'arrow-down' : 'arrow-up',
    color: isFailed ? 'charts.red' : toAddress === context.ownAddress ? 'charts.green' : 'charts.yellow',
    facts: toFacts([
      [t('From'), formatOptionalAddress(fromAddress, context)],
      [t('To'), formatOptionalAddress(toAddress, context)],
      [t('Created contract'), formatOptionalAddress(created, context)],
      [t('Value'), value === null ? null : `${formatUnits(value, context.decimals)} ${context.coin}`],
      [t('Method'), call === undefined ? method : formatAbiItem(call.item)],
      [
        t('Call'),
        call === undefined ? null : sanitizeText(formatDecodedItem(call, context.format, toAddress), MAX_CALL_LENGTH),
      ],
      [t('Nonce'), formatOptionalInteger(record.nonce)],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), hash],
    ]),
    copyText: hash,
    target: { kind: 'transaction', hash },
  };
}
