// The network part of a hover over an Aptos literal: summary of an account, a coin or a transaction.

import type { AptosAccountSummary, AptosCoinSummary, AptosTransactionSummary } from '../../api/lookups.ts';
import type { aptosNftOwner, coinTransfer } from '../../api/records/aptosRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { padAptosAddress, toShortAptosAddress } from '../../base/aptosAddress.ts';
import { joinParts, shortenHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { formatAip40, getFrameworkName } from '../../detect/aptos/moveAddresses.ts';
import { formatBlockAge, formatUtcTime } from '../formatTime.ts';
import { createAptosExplorerLink, createCopyLink, createInspectLink } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { escapeMarkdown, joinLines, toCodeSpan } from './markdown.ts';
import { TRANSACTION_STATUS } from './transactionStatus.ts';

export type AptosCoinTransfer = InferRecord<typeof coinTransfer>;
export type AptosNftOwner = InferRecord<typeof aptosNftOwner>;

export interface AptosSummaryHoverContext {
  readonly parts: HoverParts;
  readonly now: number;
  /** Saved name of an address. */
  getName(address: Hex): string | null;
}

const on = (network: string): string => escapeMarkdown(t('on Aptos {0}', network));
const APT_DECIMALS = 8;
const apt = (octas: bigint): string => `${formatAmount(octas, APT_DECIMALS, APT_DECIMALS)} APT`;
const APT = '0x1::aptos_coin::AptosCoin';
/** Maximum number of transfers and NFTs in a hover. */
const MAX_SHOWN_ROWS = 3;
/** Number of rows to request, so that the hover can tell how many there are. */
export const REQUESTED_ROWS = 25;

function formatParty(address: Hex, { parts, getName }: AptosSummaryHoverContext): string {
  const name = (parts.savedName ? getName(address) : null) ?? getFrameworkName(address);
  const short = `\`${shortenHex(formatAip40(address))}\``;
  return name === null ? short : `${toCodeSpan(name, 40)} ${short}`;
}

const OBJECTS: Readonly<Record<NonNullable<AptosAccountSummary['object']>, () => string>> = {
  collection: () => t('Collection'),
  token: () => t('NFT (token object)'),
  fungibleAsset: () => t('Fungible asset'),
  assetStore: () => t('Fungible asset store'),
};

function describeHoldings({ holds, object, packages }: AptosAccountSummary): string {
  if (holds === 'nothing') return t('Nothing at this address');
  if (holds === 'object') return object === null ? t('Object') : OBJECTS[object]();
  return packages.length > 0 ? t('Account with published packages') : t('Account');
}

export function renderAptosAccount(summary: AptosAccountSummary, context: AptosSummaryHoverContext): string {
  const { parts } = context;
  const { network, address, balance, sequenceNumber, packages, owner, name, holds } = summary;
  const operation = { kind: 'operation', operation: 'aptosWalletCoinTransfers' } as const;
  const external = { network, kind: holds === 'object' ? 'object' : 'account', value: address } as const;
  return joinLines(
    joinParts(`**${describeHoldings(summary)}** ${on(network)}`, name !== null && toCodeSpan(name, 64)),
    joinParts(
      parts.balance && balance !== null && t('Balance **{0}**', apt(balance)),
      parts.activity && sequenceNumber !== null && t('sequence number {0}', formatInteger(sequenceNumber)),
    ),
    parts.contract && packages.length > 0 && t('Packages: {0}', packages.map(text => toCodeSpan(text, 64)).join(', ')),
    parts.contract && owner !== null && t('Owned by {0}', formatParty(owner, context)),
    parts.actions &&
      joinParts(
        createInspectLink({ ...operation, parameters: { ownerAddresses: [address], limit: '100', network } }),
        createAptosExplorerLink(external),
      ),
  );
}

/** From the last part of the activity type: `WithdrawEvent`, `Deposit`. */
function formatDirection({ activityType }: AptosCoinTransfer): string {
  if (/Deposit/i.test(activityType ?? '')) return t('received');
  if (/Withdraw/i.test(activityType ?? '')) return t('sent');
  return toCodeSpan(activityType?.split('::').at(-1) ?? '', 40);
}

function formatCoinName(type: string): string {
  const parts = type.replace(/<.*/s, '').split('::');
  return parts.length === 3 ? toCodeSpan(parts[2] ?? type, 40) : `\`${shortenHex(type.replace(/[^0-9a-zA-Z]/g, ''))}\``;
}

function formatTransfer(transfer: AptosCoinTransfer, { now }: AptosSummaryHoverContext): string {
  const { amount, coinType, transactionTimestamp, transactionVersion, isTransactionSuccess } = transfer;
  const what =
    amount == null
      ? ''
      : coinType === APT || coinType == null
        ? apt(amount)
        : t('{0} units of {1}', formatInteger(amount), formatCoinName(coinType));
  return joinParts(
    `${formatDirection(transfer)} ${what}`.trim(),
    isTransactionSuccess === false && t('failed'),
    transactionTimestamp != null && formatBlockAge(transactionTimestamp, now),
    transactionVersion != null && t('version {0}', formatInteger(transactionVersion)),
  );
}

const formatCount = (found: number, more: boolean) => `${formatInteger(found)}${more ? '+' : ''}`;

export interface HoverRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Transfers and NFTs of an account; empty when there are none. */
export function renderAptosActivity(
  network: string,
  address: Hex,
  transfers: HoverRows<AptosCoinTransfer> | null,
  nfts: HoverRows<AptosNftOwner> | null,
  context: AptosSummaryHoverContext,
): string {
  const { parts } = context;
  // Gas fees are part of every transaction and not of interest.
  const moved = (transfers?.rows ?? [])
    .filter(({ isGasFee }) => isGasFee !== true)
    .slice(0, MAX_SHOWN_ROWS)
    .map(row => `- ${formatTransfer(row, context)}`);
  const owned = nfts?.rows ?? [];
  const names = owned.slice(0, MAX_SHOWN_ROWS).map(({ name, collectionName }) => {
    const title = toCodeSpan(name ?? '', 48) || t('unnamed');
    return collectionName ? t('{0} of {1}', title, toCodeSpan(collectionName, 48)) : title;
  });
  const target = { kind: 'operation', operation: 'aptosWalletNfts' } as const;
  const nftLine =
    owned.length === 0
      ? null
      : joinParts(
          `**${t('NFTs')}** ${on(network)}: ${formatCount(owned.length, nfts?.hasMore ?? false)}`,
          names.join(', '),
          parts.actions &&
            createInspectLink({ ...target, parameters: { ownerAddresses: [address], limit: '100', network } }),
        );
  const transferLines =
    moved.length === 0 ? null : `**${t('Newest coin transfers')}** ${on(network)}\n\n${moved.join('\n')}`;
  return [transferLines, nftLine].filter(part => part !== null).join('\n\n');
}

export function renderAptosTransaction(summary: AptosTransactionSummary, context: AptosSummaryHoverContext): string {
  const { parts, now } = context;
  const { network, version, hash, sender, entryFunction, gasUsed, gasUnitPrice, time, status, vmStatus } = summary;
  const kind = summary.type.replace(/_transaction$/, '').replaceAll('_', ' ');
  const fee = gasUsed !== null && gasUnitPrice !== null ? ` (${t('fee {0}', apt(gasUsed * gasUnitPrice))})` : '';
  const value = version === null ? hash : String(version);
  return joinLines(
    `**${t('Transaction')}** ${on(network)} · ${TRANSACTION_STATUS[status]()}`,
    parts.transaction && status === 'failed' && vmStatus !== null && toCodeSpan(vmStatus, 200),
    parts.transaction &&
      joinParts(
        sender === null ? toCodeSpan(kind, 40) : t('by {0}', formatParty(sender, context)),
        entryFunction !== null && t('calls {0}', toCodeSpan(entryFunction, 120)),
      ),
    parts.transaction &&
      joinParts(
        gasUsed !== null && gasUsed > 0n && `${t('Gas {0}', formatInteger(gasUsed))}${fee}`,
        summary.events > 0 && (summary.events === 1 ? t('1 event') : t('{0} events', formatInteger(summary.events))),
      ),
    parts.block &&
      joinParts(
        version !== null && t('Version {0}', formatInteger(version)),
        summary.blockHeight !== null && t('block {0}', formatInteger(summary.blockHeight)),
        time !== null && `${formatBlockAge(time, now)} (${formatUtcTime(time)})`,
      ),
    parts.actions &&
      joinParts(
        createCopyLink(t('Copy hash'), hash),
        sender !== null && createCopyLink(t('Copy sender'), sender),
        summary.blockHeight !== null &&
          createInspectLink({
            kind: 'operation',
            operation: 'aptosBlockCoinTransfers',
            parameters: { blockHeights: [String(summary.blockHeight)], limit: '100', network },
          }),
        createAptosExplorerLink({ network, kind: 'txn', value }),
      ),
  );
}

/** Empty for a struct that is not a coin on the network. */
export function renderAptosCoin(summary: AptosCoinSummary, { parts }: AptosSummaryHoverContext): string {
  const { network, coinType, name, symbol, decimals, metadata, asCoin, asFungibleAsset } = summary;
  if (!parts.token || (!asCoin && !asFungibleAsset)) return '';
  const title =
    name === null
      ? null
      : symbol === null || symbol === name
        ? toCodeSpan(name, 48)
        : `${toCodeSpan(name, 48)} ${toCodeSpan(symbol, 24)}`;
  return joinLines(
    joinParts(`**${t('Coin')}** ${on(network)}`, title, decimals !== null && t('{0} decimals', decimals)),
    asFungibleAsset && `${t('Fungible asset')} \`${shortenHex(toShortAptosAddress(padAptosAddress(metadata)))}\``,
    parts.actions &&
      joinParts(
        asFungibleAsset && createCopyLink(t('Copy metadata address'), formatAip40(metadata)),
        createInspectLink({
          kind: 'operation',
          operation: 'aptosCoinTransfers',
          parameters: { coinType, limit: '100', network },
        }),
        createAptosExplorerLink({ network, kind: 'coin', value: coinType }),
      ),
  );
}

export function renderAptosNotFound(network: string): string {
  return t('Not found {0}.', on(network));
}
