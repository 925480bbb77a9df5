// What a transaction did to what is watched, in one line: `12 MFT · Alice → Bob`.

import type { contractLog, erc20Transfer, nftTransfer, walletTransaction } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { getRecordFee } from '../../api/transactionFee.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatInteger, formatTokenAmount } from '../../base/formatUnits.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { decodeFunctionData } from '../../decode/decodeAbi.ts';
import { type DecodedItemFormat, formatAddressName } from '../../decode/formatDecodedItem.ts';
import { formatBlockAge, formatUtcTime } from '../formatTime.ts';
import { formatTransferAmount } from '../tree/erc20Rows.ts';
import { describeLog } from '../tree/logText.ts';
import type { RowContext, TreeRow } from '../tree/treeRow.ts';
import { formatTokenId, type RowColor, toFacts } from '../tree/treeRow.ts';
import { type Activity, type ActivityGroup, type ActivityText, getFailureKind } from './activityLog.ts';

/** The records of one transaction that concern one watch. */
export interface TransactionRecords {
  readonly transaction: InferRecord<typeof walletTransaction> | null;
  readonly erc20Transfers: readonly InferRecord<typeof erc20Transfer>[];
  readonly nftTransfers: readonly InferRecord<typeof nftTransfer>[];
  readonly logs: readonly InferRecord<typeof contractLog>[];
}

export type ActivityTextContext = Pick<RowContext, 'coin' | 'decimals' | 'getName' | 'format'>;

/** Of texts that are stored; a row shows as much as there is room for, its tooltip all. */
const MAX_LENGTH = 400;
const MAX_DETAILS = 20;

const formatMore = (count: number) => (count > 1 ? ` +${count - 1}` : '');

function getMethod(input: string | null, { registry }: DecodedItemFormat): string {
  if (input === null || input.length < 10) return '';
  const [decoded] = decodeFunctionData(registry, input);
  return decoded === undefined ? input.slice(0, 10) : sanitizeText(decoded.item.name, 48);
}

/** `null` when no record says anything. */
export function describeActivity(
  { transaction, erc20Transfers, nftTransfers, logs }: TransactionRecords,
  { coin, decimals, getName, format }: ActivityTextContext,
): ActivityText | null {
  const isFailed = transaction?.receiptStatus === 0;
  // The code of a new contract is no call.
  const method = transaction?.toAddress == null ? '' : getMethod(transaction.input, format);
  const text = (
    from: string | null,
    to: string | null,
    what: string,
    icon: string,
    color: RowColor | null,
    all: readonly string[] = [],
  ): ActivityText => ({
    from,
    to,
    what: sanitizeText(what, MAX_LENGTH),
    method,
    isFailed,
    icon: isFailed ? 'error' : icon,
    color: isFailed ? ('charts.red' as const) : color,
    ...(all.length > 1 && { details: all.slice(0, MAX_DETAILS).map(one => sanitizeText(one, MAX_LENGTH)) }),
  });
  const moved = erc20Transfers.length + nftTransfers.length;
  const formatNft = ({ tokenAddress, tokenId, amount }: (typeof nftTransfers)[number]) => {
    const name = tokenAddress === null ? '' : (getName(tokenAddress) ?? toShortDisplayAddress(tokenAddress));
    const count = amount === null || amount === 1n ? '' : `${formatInteger(amount)} × `;
    return `${count}${name} ${tokenId === null ? '' : formatTokenId(tokenId)}`;
  };
  const allMoved = [
    ...erc20Transfers.map(transfer => formatTransferAmount(transfer, { getName })),
    ...nftTransfers.map(formatNft),
  ];
  const [erc20] = erc20Transfers;
  if (erc20 !== undefined)
    return text(
      erc20.fromAddress,
      erc20.toAddress,
      `${formatTransferAmount(erc20, { getName })}${formatMore(moved)}`,
      'arrow-swap',
      'charts.green',
      allMoved,
    );
  const [nft] = nftTransfers;
  if (nft !== undefined) {
    const what = `${formatNft(nft)}${formatMore(moved)}`;
    return text(nft.fromAddress, nft.toAddress, what, 'arrow-swap', 'charts.purple', allMoved);
  }
  const formatLog = (one: (typeof logs)[number]) => {
    const described = describeLog(one, format);
    const event = described?.event ?? (one.topic0 === null ? t('Anonymous event') : shortenHex(one.topic0));
    return described === null || described.values === '' ? event : `${event} ${described.values}`;
  };
  const [log] = logs;
  const ofLogs = log === undefined ? '' : `${formatLog(log)}${formatMore(logs.length)}`;
  if (transaction !== null) {
    const { fromAddress, toAddress, value, receiptContractAddress } = transaction;
    if (toAddress === null)
      return text(fromAddress, isFailed ? null : receiptContractAddress, t('creates a contract'), 'add', 'charts.blue');
    if (value !== null && (value > 0n || method === ''))
      return text(
        fromAddress,
        toAddress,
        formatTokenAmount(value, { symbol: coin, decimals }),
        'arrow-swap',
        'charts.blue',
      );
    // What a contract logged says more than the name of its function.
    const what = isFailed || ofLogs === '' ? method : ofLogs;
    return text(fromAddress, toAddress, what, 'symbol-method', 'charts.blue', logs.map(formatLog));
  }
  if (log === undefined) return null;
  return text(null, log.address, ofLogs, 'symbol-event', 'charts.yellow', logs.map(formatLog));
}

type Transaction = InferRecord<typeof walletTransaction>;

/** What a transaction changed in a wallet's balance by its value and its fee; `null` when that is not known. */
function getBalanceChange(transaction: Transaction, wallet: Hex): bigint | null {
  const { fromAddress, toAddress, value, receiptStatus } = transaction;
  if (fromAddress !== wallet && toAddress !== wallet) return null; // a call in it paid the wallet
  if (value === null || receiptStatus === null) return null;
  const moved = receiptStatus === 0 || fromAddress === toAddress ? 0n : value;
  if (fromAddress !== wallet) return moved;
  const fee = getRecordFee(transaction);
  if (fee === null) return null;
  return fee.token === null ? -moved - fee.amount : -moved;
}

/** A balance that was read after two blocks. */
export interface BalanceRead {
  readonly wallet: Hex;
  readonly before: bigint;
  readonly after: bigint;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** `null` when the transactions that were found in these blocks explain the change. */
export function describeBalanceChange(
  { wallet, before, after, fromBlock, toBlock }: BalanceRead,
  transactions: readonly Transaction[],
  { coin, decimals }: Pick<ActivityTextContext, 'coin' | 'decimals'>,
): ActivityText | null {
  const changes = transactions.map(transaction => getBalanceChange(transaction, wallet));
  if (changes.includes(null)) return null;
  const change = changes.reduce<bigint>((rest, known) => rest - (known ?? 0n), after - before);
  // What is missing may be a part of a fee that the record does not have.
  const areFeesKnown = transactions.every(
    ({ receiptFee, receiptFeeIncomplete }) => receiptFee !== null && !receiptFeeIncomplete,
  );
  if (change === 0n || (change < 0n && !areFeesKnown)) return null;
  const amount = `${change > 0n ? '+' : ''}${formatTokenAmount(change, { symbol: coin, decimals })}`;
  const blocks = [formatInteger(fromBlock), formatInteger(toBlock)] as const;
  return {
    from: null,
    to: wallet,
    what:
      transactions.length === 0
        ? t('Balance changed by {0} between blocks {1} and {2}', amount, ...blocks)
        : t('Balance changed by another {0} between blocks {1} and {2}', amount, ...blocks),
    method: '',
    isFailed: false,
    icon: 'arrow-swap',
    color: change > 0n ? 'charts.green' : 'charts.blue',
  };
}

/** Saved name of an address on a chain. */
type GetName = (address: string, chain: string) => string | null;

export type ActivityRow = Pick<TreeRow, 'label' | 'description' | 'facts'>;

/** Senders that a tooltip names. */
const MAX_NAMED_SENDERS = 8;

/** The row of several failures of the same kind. */
export function toFailureGroupRow(
  group: ActivityGroup,
  chainTitle: string,
  getName: GetName,
  now: number,
): ActivityRow {
  const [first] = group;
  const kind = getFailureKind(first);
  const senders = [...new Set(group.flatMap(({ from }) => from ?? []))];
  const { place: _, ...shared } = first; // the others may have failed elsewhere
  const activity = { ...shared, ...(kind && { reason: kind }) };
  const { label, description } = toActivityRow(activity, chainTitle, getName, now, senders);
  const { full } = createPartyFormat(first.chain, getName);
  const more = senders.length - MAX_NAMED_SENDERS;
  return {
    label: `${label} × ${formatInteger(group.length)}`,
    description,
    facts: toFacts([
      [t('Failure'), kind ?? t('failed')],
      [t('From'), [...senders.slice(0, MAX_NAMED_SENDERS).map(full), ...(more > 0 ? [`+${more}`] : [])].join(' · ')],
      [t('To'), first.to === null ? null : full(first.to)],
      [t('Method'), first.method],
      [t('Chain'), chainTitle],
    ]),
  };
}

function createPartyFormat(chain: string, getName: GetName) {
  const name = (address: string) =>
    isAddress(address)
      ? sanitizeText(
          formatAddressName(address, one => getName(one, chain)),
          48,
        )
      : '?';
  /** With the whole address behind its name: a row has no room for it. */
  const full = (address: string) =>
    isAddress(address) ? `${name(address)} ${toDisplayAddress(address)}` : name(address);
  return { name, full };
}

/** How the row reads now: with the present names and the present age. Several `senders` are only counted. */
export function toActivityRow(
  activity: Activity,
  chainTitle: string,
  getName: GetName,
  now: number,
  senders: readonly string[] = activity.from === null ? [] : [activity.from],
): ActivityRow {
  const {
    chain,
    from,
    to,
    what,
    method,
    isFailed,
    reason,
    place = null,
    details,
    blockNumber,
    time,
    hash,
    wallet,
  } = activity;
  const { name, full } = createPartyFormat(chain, getName);
  const sources = senders.length > 1 ? [t('{0} senders', formatInteger(senders.length))] : senders.map(name);
  const sides = [...sources, ...(to === null ? [] : [name(to)])];
  const age = time === null ? null : formatBlockAge(new Date(time), now);
  return {
    // As in the lists of an address: in a narrow sidebar the amount stays visible.
    label: what,
    description: joinParts(
      isFailed && (reason ?? t('failed')),
      place,
      sides.join(' → '),
      method !== what && method,
      t('block {0}', formatInteger(blockNumber)),
      age,
    ),
    facts: toFacts([
      [t('Failure'), isFailed ? joinParts(reason ?? t('failed'), place) : null],
      [t('From'), from === null ? null : full(from)],
      [wallet !== undefined ? t('Wallet') : from === null ? t('Contract') : t('To'), to === null ? null : full(to)],
      [t('Method'), method],
      [t('All'), details === undefined ? null : details.join(' · ')],
      [t('Chain'), chainTitle],
      [t('Block'), formatInteger(blockNumber)],
      [t('Time'), time === null ? null : formatUtcTime(new Date(time))],
      [wallet === undefined ? t('Transaction') : t('Block hash'), hash],
    ]),
  };
}
