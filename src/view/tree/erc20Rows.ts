// Rows of ERC-20 tokens: mints, transfers and what a wallet holds.

import type { erc20Balance, erc20Mint, erc20Transfer } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts } from '../../base/displayText.ts';
import { formatAmount, formatInteger, formatUnits, MAX_TOKEN_DECIMALS } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { describeDirection } from './transferDirection.ts';
import {
  formatAddress,
  formatAge,
  formatFullAddress,
  formatMoment,
  formatOptionalAddress,
  formatOptionalInteger,
  type RowContext,
  type TreeRow,
  textIfTrue,
  toFacts,
  toReadableName,
} from './treeRow.ts';

/** An amount in the token's unit, in short and exact; in its smallest unit where the decimals are not known. */
function formatTokenAmount(amount: bigint, tokenDecimals: number | null) {
  const decimals = tokenDecimals !== null && tokenDecimals <= MAX_TOKEN_DECIMALS ? tokenDecimals : null;
  const exact = decimals === null ? `${formatInteger(amount)} (${t('raw')})` : formatUnits(amount, decimals);
  return { exact, shown: decimals === null ? exact : formatAmount(amount, decimals) };
}

const getSymbol = (symbol: string | null, token: string, context: Pick<RowContext, 'getName'>): string =>
  toReadableName(symbol, 12) ?? context.getName(token) ?? toShortDisplayAddress(token);

/** `12 MFT`. */
export function formatTransferAmount(
  { address, value, tokenSymbol, tokenDecimals }: InferRecord<typeof erc20Transfer>,
  context: Pick<RowContext, 'getName'>,
): string {
  const amount = value === null ? '?' : formatTokenAmount(value, tokenDecimals).shown;
  return address === null ? amount : `${amount} ${getSymbol(tokenSymbol, address, context)}`;
}

export function createMintRow(record: InferRecord<typeof erc20Mint>, context: RowContext): TreeRow | null {
  const { contractAddress, transactionHash, value, tokenDecimals } = record;
  if (contractAddress === null || transactionHash === null || value === null) return null;
  const symbol = getSymbol(record.tokenSymbol, contractAddress, context);
  const { exact, shown } = formatTokenAmount(value, tokenDecimals);
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
  };
}

export function createErc20TransferRow(record: InferRecord<typeof erc20Transfer>, context: RowContext): TreeRow | null {
  const { address, transactionHash, value } = record;
  if (address === null || transactionHash === null || value === null) return null;
  const symbol = getSymbol(record.tokenSymbol, address, context);
  const { exact, shown } = formatTokenAmount(value, record.tokenDecimals);
  const direction = describeDirection(record, context);
  const spam = textIfTrue(record.possibleSpam, t('possible spam'));
  const time = formatAge(record.blockTimestamp, context.now);
  return {
    key: `${transactionHash}/${record.logIndex}`,
    label: `${shown} ${symbol}`,
    description: joinParts(direction.text, spam, time),
    accessibilityLabel: joinParts(`${exact} ${symbol}`, direction.text, spam, time),
    icon: direction.icon,
    color: direction.color,
    facts: toFacts([
      [t('Amount'), `${exact} ${symbol}`],
      [t('Token'), joinParts(toReadableName(record.tokenName), toDisplayAddress(address))],
      [t('From'), formatOptionalAddress(record.fromAddress, context)],
      [t('To'), formatOptionalAddress(record.toAddress, context)],
      [t('Block'), formatOptionalInteger(record.blockNumber)],
      [t('Time'), formatMoment(record.blockTimestamp)],
      [t('Transaction'), transactionHash],
      [t('Spam'), spam],
    ]),
    copyText: transactionHash,
    target: { kind: 'transaction', hash: transactionHash },
  };
}

/** What a wallet holds of one token. */
export function createErc20BalanceRow(record: InferRecord<typeof erc20Balance>, context: RowContext): TreeRow | null {
  const { tokenAddress, balance } = record;
  if (tokenAddress === null || balance === null) return null;
  const symbol = getSymbol(record.symbol, tokenAddress, context);
  const { exact, shown } = formatTokenAmount(balance, record.decimals);
  const name = toReadableName(record.name) ?? formatAddress(tokenAddress, context);
  const spam = textIfTrue(record.possibleSpam, t('possible spam'));
  return {
    key: tokenAddress,
    label: `${shown} ${symbol}`,
    description: joinParts(name, spam),
    accessibilityLabel: joinParts(`${exact} ${symbol}`, name, spam),
    icon: spam === null ? 'circle-large-outline' : 'warning',
    color: spam === null ? 'charts.blue' : 'charts.yellow',
    facts: toFacts([
      [t('Balance'), `${exact} ${symbol}`],
      [t('Smallest unit'), formatInteger(balance)],
      [t('Token'), toReadableName(record.name)],
      [t('Contract'), formatFullAddress(tokenAddress, context)],
      [t('Spam'), spam],
    ]),
    copyText: toDisplayAddress(tokenAddress),
    target: { kind: 'address', address: tokenAddress },
  };
}
