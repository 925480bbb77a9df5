// The network part of a hover: summary of an address, a transaction or a block.

import type { Chain } from '../../api/chains.ts';
import type {
  AddressSummary,
  BlockSummary,
  ContractProxy,
  TokenSummary,
  TokenUnit,
  TransactionSummary,
} from '../../api/lookups.ts';
import { type TokenTransfer, withStandard } from '../../api/tokenTransfer.ts';
import { TRANSACTION_GAS, type TransactionFee } from '../../api/transactionFee.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts } from '../../base/displayText.ts';
import { formatAmount, formatInteger, MAX_TOKEN_DECIMALS } from '../../base/formatUnits.ts';
import { type Hex, toLowerHex, ZERO_ADDRESS } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getCoinTransfers, getLastingCalls, type InnerCall, type OwnCall } from '../../decode/assetMovements.ts';
import { compareWithKnownCode } from '../../detect/knownCode.ts';
import { getWellKnownAddress } from '../../detect/wellKnownAddresses.ts';
import { getChainTitle } from '../chainTitle.ts';
import { formatBuildState, formatKnownCode, type IdentifiedContract, isOwnBuild } from '../contractBuild.ts';
import { type FailureText, formatFailure, formatSwallowedFailures } from '../failureText.ts';
import { formatGasPrice } from '../formatGasPrice.ts';
import { formatShare } from '../formatShare.ts';
import { formatBlockAge, formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import { getRestrictedText } from '../source/noBuildText.ts';
import {
  type ChainTarget,
  createCommandLink,
  createCopyLink,
  createDebugLink,
  createExplainLink,
  createExplorerLink,
  createInspectLink,
  createLogsLink,
  createReadLink,
  type ExplorerTarget,
  hoverCommands,
} from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { escapeMarkdown, joinLines, toCodeSpan } from './markdown.ts';
import { TRANSACTION_STATUS } from './transactionStatus.ts';

/** What a read-only function of a contract returned; untrusted text. */
export interface ContractValue {
  readonly name: string;
  readonly text: string;
}

export interface SummaryHoverContext {
  readonly parts: HoverParts;
  readonly now: number;
  /** Saved or well-known name of an address. */
  getName(address: Hex): string | null;
  /** Selector of the chain that was asked. */
  readonly chain: string;
  /** Block explorer of the settings; that of the chain when it is absent; `null` for what no explorer has. */
  readonly explorer?: string | null;
  /** The decoded call with its arguments in one line; untrusted text. `null` when no known function matches the input. */
  getCallText(input: Hex, to: Hex): string | null;
  /** Unit of a token's amounts, as far as it is known. */
  getToken(token: Hex): TokenUnit | null;
  /** Signature of an event. */
  getEventText(topic: Hex): string | null;
  /** The ENS name that leads to the address; untrusted text. */
  readonly ensName?: string | null;
  /** Which contract of the workspace it is; absent where that is unknown. */
  readonly contract?: IdentifiedContract | null;
  /** Results of the functions that the settings name. */
  readonly values?: readonly ContractValue[];
  /** A failure is not explained by itself: its node is not on this machine, or has to ask another one. */
  readonly isExplainedOnClick?: boolean;
  /** Builds of the workspace, which tell more of a failure, are not read until the user trusts it. */
  readonly isRestricted?: boolean;
  /** Saved as a contract or collection of this chain. */
  isSavedContract?(address: Hex): boolean;
}

const formatCoinAmount = (amount: bigint, chain: Chain, places?: number): string =>
  `${formatAmount(amount, chain.decimals, places)} ${escapeMarkdown(chain.coin)}`;

const formatChainName = (chain: Chain): string => escapeMarkdown(getChainTitle(chain));

/** Name and short address. */
function formatParty(address: Hex, context: SummaryHoverContext): string {
  const name = context.parts.savedName ? context.getName(address) : null;
  const short = `\`${toShortDisplayAddress(address)}\``;
  return name === null ? short : `${toCodeSpan(name, 40)} ${short}`;
}

function formatActions(
  chain: Chain,
  target: ChainTarget,
  explored: Pick<ExplorerTarget, 'kind' | 'value'>,
  copies: readonly string[],
  context: SummaryHoverContext,
): string {
  const explorer = context.explorer === undefined ? chain.explorer : context.explorer;
  const open =
    explorer === null
      ? null
      : createExplorerLink({ chainId: chain.id, chain: target.chain, ...explored }, new URL(explorer).hostname);
  return joinParts(createInspectLink(target), ...copies, open);
}

function formatToken(token: TokenSummary): string {
  const standard = token.standard.replace('ERC', 'ERC-');
  const symbol = token.symbol === null ? null : toCodeSpan(token.symbol, 24);
  const name = token.name === null ? null : toCodeSpan(token.name, 48);
  const title = name === null ? symbol : symbol === null || token.symbol === token.name ? name : `${name} ${symbol}`;
  const supply =
    token.totalSupply === null
      ? null
      : token.standard === 'ERC20' && token.decimals !== null && token.decimals <= MAX_TOKEN_DECIMALS
        ? t('supply {0}', formatAmount(token.totalSupply, token.decimals))
        : t('supply {0}', formatInteger(token.totalSupply));
  return joinParts(
    `**${standard}**${title ? ` ${title}` : ''}`,
    supply,
    token.standard === 'ERC20' &&
      token.decimals !== null &&
      (token.decimals === 1 ? t('1 decimal') : t('{0} decimals', token.decimals)),
  );
}

/** Facets of a diamond that a hover names. */
const MAX_IMPLEMENTATIONS = 4;

function formatImplementation(summary: AddressSummary, context: SummaryHoverContext): string | null {
  const { delegate, proxy } = summary;
  return joinParts(
    delegate !== null && t('Delegates to {0} (EIP\\-7702)', formatParty(delegate, context)),
    proxy !== null && formatProxy(proxy, context),
  );
}

function formatProxy(proxy: ContractProxy, context: SummaryHoverContext): string {
  const targets = proxy.implementations.slice(0, MAX_IMPLEMENTATIONS).map(target => formatParty(target, context));
  const rest = proxy.implementations.length - targets.length;
  const list = [...targets, ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
  if (proxy.kind === 'ERC-2535') return t('Diamond (ERC\\-2535) with facets {0}', list);
  if (list === '') return t('Proxy of an unknown contract ({0})', escapeMarkdown(proxy.kind));
  return t('Proxy of {0} ({1})', list, escapeMarkdown(proxy.kind));
}

/** The contracts of the workspace, each with a link to its source. */
function formatBuilds(context: SummaryHoverContext): readonly string[] {
  const { contract, chain, parts } = context;
  if (!contract) return [];
  const all = [{ address: contract.address, build: contract.build }, ...contract.implementations];
  return all.slice(0, 1 + MAX_IMPLEMENTATIONS).flatMap(({ address, build }) => {
    if (build === null) return [];
    const { name, source, copy } = build;
    const file = source === null ? '' : ` (${toCodeSpan(source, 120)})`;
    const icon = isOwnBuild(build) ? '$(verified)' : copy?.ownIds.length === 0 ? '$(info)' : '$(warning)';
    const link = createCommandLink(
      t('Go to source'),
      hoverCommands.openSource,
      [chain, address],
      t('Open the source of the contract'),
    );
    return joinParts(
      `${icon} ${toCodeSpan(name, 60)}${file}, ${escapeMarkdown(formatBuildState(build))}`,
      parts.actions && link,
    );
  });
}

/** Where the code is a copy of a well-known contract's, or not the one that its address promises. */
function formatKnownCodeLine({ address, codeHash }: AddressSummary): string | null {
  const known = compareWithKnownCode(address, codeHash);
  if (known === null) return null;
  return `${known.relation === 'differs' ? '$(warning) ' : ''}${escapeMarkdown(formatKnownCode(known))}`;
}

function formatSentCount(nonce: number): string {
  if (nonce === 0) return t('no transactions sent');
  return nonce === 1 ? t('1 transaction sent') : t('{0} transactions sent', formatInteger(nonce));
}

const addressActions = ({ chain, address }: AddressSummary, context: SummaryHoverContext): string =>
  formatActions(
    chain,
    { kind: 'address', chain: context.chain, address },
    { kind: 'address', value: address },
    context.contract == null ? [] : [createReadLink(context.chain, address)],
    context,
  );

export function renderAddressSummary(summary: AddressSummary, context: SummaryHoverContext): string {
  const { parts } = context;
  const { chain } = summary;
  const contract = (summary.codeSize ?? 0) > 0 && summary.delegate === null;
  const name = formatChainName(chain);
  const warning =
    summary.codeSize === 0 &&
    context.isSavedContract?.(summary.address) === true &&
    `$(warning) ${t('Saved as a contract, no code here: redeployed?')}`;
  if (summary.codeSize === 0 && summary.balance === 0n && summary.nonce === 0)
    return joinLines(
      `**${t('Address')}** · ${t('Nothing on {0}: no code, balance or transactions', name)}`,
      warning,
      parts.actions && addressActions(summary, context),
    );
  const head =
    summary.codeSize === null
      ? t('**Address** on {0}', name)
      : contract
        ? t('**Contract** on {0}', name)
        : t('**Account** on {0}', name);
  const nonce =
    // A contract's nonce starts at 1 (EIP-161); that of a delegated account also counts its authorizations (EIP-7702).
    // Development chains have well-known contracts from their first block on, where it starts at 0.
    summary.nonce === null ||
    summary.delegate !== null ||
    (contract && (summary.nonce <= 1 || getWellKnownAddress(summary.address.slice(2).toLowerCase()) !== null))
      ? null
      : contract
        ? summary.nonce === 2
          ? t('created 1 contract')
          : t('created {0} contracts', formatInteger(summary.nonce - 1))
        : formatSentCount(summary.nonce);
  return joinLines(
    joinParts(head, parts.savedName && context.ensName != null && toCodeSpan(context.ensName, 80)),
    warning,
    joinParts(
      parts.balance && t('Balance **{0}**', formatCoinAmount(summary.balance, chain)),
      parts.activity && nonce,
      parts.contract && contract && t('{0} bytes of code', formatInteger(summary.codeSize ?? 0)),
    ),
    parts.contract && formatImplementation(summary, context),
    parts.contract && formatKnownCodeLine(summary),
    ...(parts.contract ? formatBuilds(context) : []),
    parts.token && summary.token !== null && formatToken(summary.token),
    joinParts(...(context.values ?? []).map(({ name, text }) => `${escapeMarkdown(name)} ${toCodeSpan(text, 80)}`)),
    parts.actions && addressActions(summary, context),
  );
}

function formatMethod(summary: TransactionSummary, context: SummaryHoverContext): string | null {
  if (summary.to === null) return t('contract creation');
  if (summary.selector === null) return summary.inputSize === 0 ? t('plain transfer') : null;
  const { input, to } = summary;
  const call = context.parts.signature && input !== null ? context.getCallText(input, to) : null;
  return t('calls {0}', call === null ? `\`${summary.selector}\`` : toCodeSpan(call, 240));
}

/** What the calls inside a transaction tell of it. */
export interface TransactionCalls {
  readonly inner: InnerEffects;
  /** Why the transaction failed; `null` when it did not, or that is unknown. */
  readonly failure: FailureText | null;
  /** Calls that failed although the transaction did not. */
  readonly swallowed: readonly FailureText[];
  /** They are still being read, so that it is unknown whether one failed, or why the transaction did. */
  readonly isLate: boolean;
  /** It called an address without code. */
  readonly isReceiverEmpty: boolean;
}

/** What calls inside a transaction did; addresses in lower case. */
export interface InnerEffects {
  readonly payments: readonly { readonly from: Hex; readonly to: Hex; readonly value: bigint }[];
  readonly created: readonly Hex[];
}

export const NO_CALLS: TransactionCalls = {
  inner: { payments: [], created: [] },
  failure: null,
  swallowed: [],
  isLate: false,
  isReceiverEmpty: false,
};

export function getInnerEffects(own: OwnCall, calls: readonly InnerCall[]): InnerEffects {
  const payments = getCoinTransfers(own, calls)
    .slice(1)
    .flatMap(({ from, to, value }) =>
      to === null || value === 0n ? [] : [{ from: toLowerHex(from as Hex), to: toLowerHex(to as Hex), value }],
    );
  const created = getLastingCalls(own, calls).flatMap(({ type, to }) =>
    to !== null && /^create2?$/i.test(type ?? '') ? [toLowerHex(to as Hex)] : [],
  );
  return { payments, created };
}

/** Transfers, and contracts, that a hover lists. */
const MAX_TRANSFERS = 4;
const MAX_CREATED = 4;

function formatCreatedContract({ created }: InnerEffects, context: SummaryHoverContext): string | null {
  if (created.length === 0) return null;
  const parties = created.slice(0, MAX_CREATED).map(address => formatParty(address, context));
  const rest = created.length - parties.length;
  const list = [...parties, ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
  return created.length === 1 ? t('Created contract {0}', list) : t('Created contracts {0}', list);
}

function formatTransfer(transfer: TokenTransfer, context: SummaryHoverContext): string {
  const unit = context.getToken(transfer.tokenAddress);
  const { tokenAddress, amount, tokenId } = withStandard(transfer, unit?.standard ?? null);
  const symbol = unit?.symbol ?? null;
  const name = symbol === null ? formatParty(tokenAddress, context) : toCodeSpan(symbol, 24);
  if (tokenId !== null) {
    const count = amount === null || amount === 1n ? '' : `${formatInteger(amount)} × `;
    return `**${count}${name} #${shortenDigits(tokenId)}**`;
  }
  const known = unit?.standard === 'ERC20' && unit.decimals !== null && unit.decimals <= MAX_TOKEN_DECIMALS;
  return `**${known ? formatAmount(amount ?? 0n, unit.decimals ?? 0) : formatInteger(amount ?? 0n)} ${name}**`;
}

const shortenDigits = (id: bigint): string => {
  const digits = String(id);
  return digits.length > 20 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits;
};

/** What moved, as the sender of the transaction sees it: `−250 MFT → Bob`. */
function formatTransfers(
  summary: TransactionSummary,
  { payments }: InnerEffects,
  context: SummaryHoverContext,
): readonly string[] {
  const sender = summary.from.toLowerCase();
  const party = (address: Hex) => (address === ZERO_ADDRESS ? t('zero address') : formatParty(address, context));
  const moves = [
    ...payments.map(({ from, to, value }) => ({ from, to, text: `**${formatCoinAmount(value, summary.chain)}**` })),
    ...summary.transfers.map(transfer => ({ ...transfer, text: formatTransfer(transfer, context) })),
  ];
  const lines = moves.slice(0, MAX_TRANSFERS).map(({ from, to, text }) => {
    if (from === sender) return `−${text} → ${party(to)}`;
    if (to === sender) return `+${text} ← ${party(from)}`;
    return `${text}: ${party(from)} → ${party(to)}`;
  });
  const rest = moves.length - MAX_TRANSFERS;
  return rest > 0 ? [...lines, rest === 1 ? t('1 more transfer') : t('{0} more transfers', rest)] : lines;
}

function formatEvents(summary: TransactionSummary, context: SummaryHoverContext): string | null {
  if (!summary.logs) return null;
  const names = [
    ...new Set(
      summary.topics.map(topic => context.getEventText(topic)?.split('(')[0]).filter(name => name !== undefined),
    ),
  ];
  const eventNames =
    context.parts.signature && names.length > 0
      ? `: ${names
          .slice(0, 4)
          .map(name => toCodeSpan(name, 40))
          .join(', ')}`
      : '';
  const count = summary.logs === 1 ? t('1 log') : t('{0} logs', formatInteger(summary.logs));
  return `${context.parts.actions ? createLogsLink(context.chain, summary.hash, count) : count}${eventNames}`;
}

/** Of a billionth of a coin, which is one gwei. */
const FEE_PLACES = 9;

function formatPaidFee({ amount, isMinimum, token }: TransactionFee, chain: Chain): string {
  if (token !== null)
    return t('fee {0} in the smallest unit of {1}', formatInteger(amount), `\`${toShortDisplayAddress(token)}\``);
  const paid = formatCoinAmount(amount, chain, FEE_PLACES);
  return isMinimum ? t('fee at least {0}', paid) : t('fee {0}', paid);
}

function formatFee(summary: TransactionSummary): string | null {
  if (summary.gasUsed === null) return null;
  const used = formatInteger(summary.gasUsed);
  const gas =
    summary.gasLimit > 0n
      ? t('Gas {0} ({1} of the limit)', used, formatShare(Number(summary.gasUsed), Number(summary.gasLimit)))
      : t('Gas {0}', used);
  return joinParts(gas, summary.fee !== null && formatPaidFee(summary.fee, summary.chain));
}

function whenText(time: Date, context: SummaryHoverContext): string {
  return `${formatBlockAge(time, context.now)} (${formatUtcTime(time)})`;
}

/** A transfer of coins runs code where the receiver has some. */
const hasRunCode = ({ inputSize, gasUsed }: Pick<TransactionSummary, 'inputSize' | 'gasUsed'>): boolean =>
  inputSize !== 0 || (gasUsed !== null && gasUsed > TRANSACTION_GAS);

const formatLate = ({ status }: TransactionSummary): string =>
  status === 'failed'
    ? `$(clock) ${t('Why it failed is still being read: hover again to see it')}`
    : `$(clock) ${t('The calls inside it are still being read: hover again to see them')}`;

export function renderTransactionSummary(
  summary: TransactionSummary,
  context: SummaryHoverContext,
  { inner, failure, swallowed, isLate, isReceiverEmpty }: TransactionCalls = NO_CALLS,
): string {
  const { chain } = summary;
  const { parts } = context;
  const receiver =
    summary.to === null
      ? summary.created === null
        ? t('a new contract')
        : t('new contract {0}', formatParty(summary.created, context))
      : formatParty(summary.to, context);
  const copies = [
    createCopyLink(t('Copy sender'), toDisplayAddress(summary.from)),
    ...(summary.to === null ? [] : [createCopyLink(t('Copy receiver'), toDisplayAddress(summary.to))]),
  ];
  return joinLines(
    `${t('**Transaction** on {0}', formatChainName(chain))} · ${TRANSACTION_STATUS[summary.status]()}`,
    parts.transaction && failure !== null && formatFailure(failure, text => toCodeSpan(text, 400)),
    parts.transaction &&
      context.isRestricted === true &&
      summary.status === 'failed' &&
      `$(workspace-untrusted) ${getRestrictedText()}`,
    parts.transaction &&
      swallowed.length > 0 &&
      `$(warning) ${formatSwallowedFailures(swallowed, text => toCodeSpan(text, 120))}`,
    parts.transaction && isLate && formatLate(summary),
    parts.transaction && isReceiverEmpty && `$(warning) ${t('The receiver has no code: nothing was executed')}`,
    parts.transaction && `${formatParty(summary.from, context)} → ${receiver}`,
    parts.transaction &&
      joinParts(t('Value **{0}**', formatCoinAmount(summary.value, chain)), formatMethod(summary, context)),
    parts.transaction && formatCreatedContract(inner, context),
    ...(parts.transaction && parts.transfers ? formatTransfers(summary, inner, context) : []),
    parts.transaction && joinParts(formatEvents(summary, context), formatFee(summary)),
    parts.block &&
      summary.blockNumber !== null &&
      joinParts(
        t('Block {0}, index {1}', formatInteger(summary.blockNumber), summary.transactionIndex ?? 0),
        summary.time !== null && whenText(summary.time, context),
      ),
    parts.actions &&
      formatActions(
        chain,
        { kind: 'transaction', chain: context.chain, hash: summary.hash },
        { kind: 'tx', value: summary.hash },
        summary.blockNumber === null || !hasRunCode(summary)
          ? copies
          : [
              ...(context.isExplainedOnClick && summary.status === 'failed'
                ? [createExplainLink(context.chain, summary.hash)]
                : []),
              createDebugLink(context.chain, summary.hash),
              ...copies,
            ],
        context,
      ),
  );
}

export function renderBlockSummary(summary: BlockSummary, context: SummaryHoverContext): string {
  const { chain } = summary;
  const used = formatInteger(summary.gasUsed);
  const count = summary.transactions;
  return joinLines(
    t('**Block {0}** on {1}', formatInteger(summary.number), formatChainName(chain)),
    context.parts.block &&
      joinParts(
        count === 1 ? t('1 transaction') : t('{0} transactions', formatInteger(count)),
        summary.gasLimit > 0n
          ? t('gas {0} ({1}% full)', used, String((summary.gasUsed * 100n) / summary.gasLimit))
          : t('gas {0}', used),
        summary.baseFee !== null && t('base fee {0}', formatGasPrice(summary.baseFee, chain)),
      ),
    context.parts.block && joinParts(whenText(summary.time, context), t('by {0}', formatParty(summary.miner, context))),
    context.parts.actions &&
      formatActions(
        chain,
        { kind: 'block', chain: context.chain, block: String(summary.number) },
        { kind: 'block', value: String(summary.number) },
        [createCopyLink(t('Copy hash'), summary.hash)],
        context,
      ),
  );
}

/** A chain that has neither a transaction nor a block with a hash. */
export interface UnknownHash {
  readonly chain: Chain;
  /** When the chain was seen to be reset, in milliseconds; `null` when it was not. */
  readonly resetAt: number | null;
}

export function formatNotFound(unknown: readonly UnknownHash[], now: number): string {
  const names = unknown.map(({ chain }) => formatChainName(chain)).join(', ');
  const resets = unknown.flatMap(({ chain, resetAt }) =>
    resetAt === null
      ? []
      : t(
          '{0} was reset {1}: what it had before is gone.',
          formatChainName(chain),
          formatRelativeTime(new Date(resetAt), now),
        ),
  );
  return joinLines(t('Not found on {0}.', names), ...resets);
}
