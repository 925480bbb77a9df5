// The network part of a hover: what a chain says of an address, a transaction or a block, as Markdown.

import type { Chain } from '../../api/chains.ts';
import type { AddressSummary, BlockSummary, TokenSummary, TransactionSummary } from '../../api/lookups.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { escapeMarkdown, shortenHex, toCodeSpan } from '../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle } from '../chainTitle.ts';
import { formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import { createCopyLink, createExplorerLink, type ExplorerTarget } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';

/** What the renderer asks of its surroundings: names for addresses and signatures, and the time. */
export interface SummaryHoverContext {
  readonly parts: HoverParts;
  readonly now: number;
  /** Saved or well-known name of an address. */
  getName(address: Hex): string | null;
  /** Text signature of the function that an input calls: the first whose arguments it holds. */
  getFunctionText(input: Hex): string | null;
  /** Text signature of an event topic. */
  getEventText(topic: Hex): string | null;
}

const BREAK = '  \n';
const DOT = ' · ';

const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(DOT);
const lines = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(BREAK);

const coinAmount = (amount: bigint, chain: Chain): string =>
  `${formatAmount(amount, chain.decimals)} ${escapeMarkdown(chain.coin)}`;

const chainName = (chain: Chain): string => escapeMarkdown(getChainTitle(chain));

/** An address as people read it: its name where there is one, else the short checksummed form. */
function party(address: Hex, context: SummaryHoverContext): string {
  const name = context.parts.savedName ? context.getName(address) : null;
  const short = `\`${shortenHex(checksumAddress(address))}\``;
  return name === null ? short : `${toCodeSpan(name, 40)} ${short}`;
}

function actions(chain: Chain, target: ExplorerTarget, copies: readonly string[]): string {
  const open = chain.explorer === null ? null : createExplorerLink(target, new URL(chain.explorer).hostname);
  return joined(...copies, open);
}

function tokenLine(token: TokenSummary): string {
  const standard = token.standard.replace('ERC', 'ERC-');
  const symbol = token.symbol === null ? null : toCodeSpan(token.symbol, 24);
  const name = token.name === null ? null : toCodeSpan(token.name, 48);
  const title = name === null ? symbol : symbol === null || token.symbol === token.name ? name : `${name} ${symbol}`;
  const supply =
    token.totalSupply === null
      ? null
      : token.standard === 'ERC20' && token.decimals !== null
        ? t('supply {0}', formatAmount(token.totalSupply, token.decimals))
        : t('{0} in existence', formatInteger(token.totalSupply));
  return joined(
    `**${standard}**${title ? ` ${title}` : ''}`,
    supply,
    token.standard === 'ERC20' && token.decimals !== null && t('{0} decimals', token.decimals),
  );
}

function contractLine(summary: AddressSummary, context: SummaryHoverContext): string | null {
  if (summary.delegate !== null) return t('Delegates to {0} (EIP\\-7702)', party(summary.delegate, context));
  if (summary.implementation !== null) return t('Proxy of {0} (ERC\\-1967)', party(summary.implementation, context));
  return null;
}

function sentText(nonce: number): string {
  if (nonce === 0) return t('no transactions sent');
  return nonce === 1 ? t('1 transaction sent') : t('{0} transactions sent', formatInteger(nonce));
}

export function renderAddressSummary(summary: AddressSummary, context: SummaryHoverContext): string {
  const { parts } = context;
  const { chain } = summary;
  const contract = (summary.codeSize ?? 0) > 0 && summary.delegate === null;
  const name = chainName(chain);
  const head =
    summary.codeSize === null
      ? t('**Address** on {0}', name)
      : contract
        ? t('**Contract** on {0}', name)
        : t('**Account** on {0}', name);
  const nonce =
    summary.nonce === null || (contract && summary.nonce <= 1)
      ? null
      : contract
        ? summary.nonce === 2
          ? t('created 1 contract')
          : t('created {0} contracts', formatInteger(summary.nonce - 1))
        : sentText(summary.nonce);
  return lines(
    head,
    joined(
      parts.balance && t('Balance **{0}**', coinAmount(summary.balance, chain)),
      parts.activity && nonce,
      parts.contract && contract && t('{0} bytes of code', formatInteger(summary.codeSize ?? 0)),
    ),
    parts.contract && contractLine(summary, context),
    parts.token && summary.token !== null && tokenLine(summary.token),
    parts.actions && actions(chain, { chainId: chain.id, kind: 'address', value: summary.address }, []),
  );
}

const STATUS: Readonly<Record<TransactionSummary['status'], () => string>> = {
  success: () => `$(pass) ${t('Success')}`,
  failed: () => `$(error) ${t('Failed')}`,
  pending: () => `$(clock) ${t('Pending')}`,
};

function methodText(summary: TransactionSummary, context: SummaryHoverContext): string | null {
  if (summary.to === null) return t('contract creation');
  if (summary.selector === null) return summary.inputSize === 0 ? t('plain transfer') : null;
  const { input } = summary;
  const signature = context.parts.signature && input !== null ? context.getFunctionText(input) : null;
  return t('calls {0}', signature === null ? `\`${summary.selector}\`` : toCodeSpan(signature, 60));
}

function eventsLine(summary: TransactionSummary, context: SummaryHoverContext): string | null {
  if (!summary.logs) return null;
  const names = [
    ...new Set(
      summary.topics.map(topic => context.getEventText(topic)?.split('(')[0]).filter(name => name !== undefined),
    ),
  ];
  const known =
    context.parts.signature && names.length > 0
      ? `: ${names
          .slice(0, 4)
          .map(name => toCodeSpan(name, 40))
          .join(', ')}`
      : '';
  const count = summary.logs === 1 ? t('1 log') : t('{0} logs', formatInteger(summary.logs));
  return `${count}${known}`;
}

function feeText(summary: TransactionSummary): string | null {
  if (summary.gasUsed === null) return null;
  const used = formatInteger(summary.gasUsed);
  const gas =
    summary.gasLimit > 0n
      ? t('Gas {0} ({1} % of the limit)', used, String((summary.gasUsed * 100n) / summary.gasLimit))
      : t('Gas {0}', used);
  const fee =
    summary.gasPrice === null ? null : t('fee {0}', coinAmount(summary.gasUsed * summary.gasPrice, summary.chain));
  return joined(gas, fee);
}

function whenText(time: Date, context: SummaryHoverContext): string {
  return `${formatRelativeTime(time, context.now)} (${formatUtcTime(time)})`;
}

export function renderTransactionSummary(summary: TransactionSummary, context: SummaryHoverContext): string {
  const { chain } = summary;
  const { parts } = context;
  const receiver =
    summary.to === null
      ? summary.created === null
        ? t('a new contract')
        : t('new contract {0}', party(summary.created, context))
      : party(summary.to, context);
  const copies = [
    createCopyLink(t('Copy sender'), summary.from),
    ...(summary.to === null ? [] : [createCopyLink(t('Copy receiver'), summary.to)]),
  ];
  return lines(
    `${t('**Transaction** on {0}', chainName(chain))}${DOT}${STATUS[summary.status]()}`,
    parts.transaction && `${party(summary.from, context)} → ${receiver}`,
    parts.transaction && joined(t('Value **{0}**', coinAmount(summary.value, chain)), methodText(summary, context)),
    parts.transaction && joined(eventsLine(summary, context), feeText(summary)),
    parts.block &&
      summary.blockNumber !== null &&
      joined(
        t('Block {0}, index {1}', formatInteger(summary.blockNumber), summary.transactionIndex ?? 0),
        summary.time !== null && whenText(summary.time, context),
      ),
    parts.actions && actions(chain, { chainId: chain.id, kind: 'tx', value: summary.hash }, copies),
  );
}

export function renderBlockSummary(summary: BlockSummary, context: SummaryHoverContext): string {
  const { chain } = summary;
  const used = formatInteger(summary.gasUsed);
  const count = summary.transactions;
  return lines(
    t('**Block {0}** on {1}', formatInteger(summary.number), chainName(chain)),
    context.parts.block &&
      joined(
        count === 1 ? t('1 transaction') : t('{0} transactions', formatInteger(count)),
        summary.gasLimit > 0n
          ? t('gas {0} ({1} % full)', used, String((summary.gasUsed * 100n) / summary.gasLimit))
          : t('gas {0}', used),
        summary.baseFee !== null && t('base fee {0} gwei', formatAmount(summary.baseFee, 9)),
      ),
    context.parts.block && joined(whenText(summary.time, context), t('by {0}', party(summary.miner, context))),
    context.parts.actions &&
      actions(chain, { chainId: chain.id, kind: 'block', value: String(summary.number) }, [
        createCopyLink(t('Copy hash'), summary.hash),
      ]),
  );
}

/** Neither a transaction nor a block: worth saying where only one chain is asked. */
export function renderNotFound(chain: Chain): string {
  return t('Not found on {0}.', chainName(chain));
}
