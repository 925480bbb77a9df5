// The network part of a hover: what a chain says of an address, a transaction or a block, as Markdown.
import { checksumAddress } from '../../base/address.ts';
import type { Hex } from '../../base/hex.ts';
import { formatAmount, formatInteger } from '../../base/units.ts';
import type { Chain } from '../../contract/chains.ts';
import type { AddressSummary, BlockSummary, TokenSummary, TransactionSummary } from '../../contract/lookup.ts';
import { copyLink, type ExternalTarget, externalLink } from './links.ts';
import type { HoverParts } from './parts.ts';
import { codeSpan, escapeMarkdown, shortHex } from './text.ts';
import { relativeTime, utcTime } from './time.ts';

/** What the renderer asks of its surroundings: names for addresses and signatures, and the time. */
export interface HoverContext {
  readonly parts: HoverParts;
  readonly now: number;
  /** Saved or well-known name of an address. */
  nameOf(address: Hex): string | null;
  /** Text signature of a function selector, the first candidate. */
  functionOf(selector: Hex): string | null;
  /** Text signature of an event topic. */
  eventOf(topic: Hex): string | null;
}

const BREAK = '  \n';
const DOT = ' · ';

const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(DOT);
const lines = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(BREAK);

const coinAmount = (amount: bigint, chain: Chain): string =>
  `${formatAmount(amount, chain.decimals)} ${escapeMarkdown(chain.coin)}`;

const chainName = (chain: Chain): string => escapeMarkdown(chain.title);

/** An address as people read it: its name where there is one, else the short checksummed form. */
function party(address: Hex, context: HoverContext): string {
  const name = context.parts.savedName ? context.nameOf(address) : null;
  const short = `\`${shortHex(checksumAddress(address))}\``;
  return name === null ? short : `${codeSpan(name, 40)} ${short}`;
}

function actions(chain: Chain, target: ExternalTarget, copies: readonly string[]): string {
  const open = chain.explorer === null ? null : externalLink(target, new URL(chain.explorer).hostname);
  return joined(...copies, open);
}

function tokenLine(token: TokenSummary): string {
  const standard = token.standard.replace('ERC', 'ERC-');
  const symbol = token.symbol === null ? null : codeSpan(token.symbol, 24);
  const name = token.name === null ? null : codeSpan(token.name, 48);
  const title = name === null ? symbol : symbol === null || token.symbol === token.name ? name : `${name} ${symbol}`;
  const supply =
    token.totalSupply === null
      ? null
      : token.standard === 'ERC20' && token.decimals !== null
        ? `supply ${formatAmount(token.totalSupply, token.decimals)}`
        : `${formatInteger(token.totalSupply)} in existence`;
  return joined(
    `**${standard}**${title ? ` ${title}` : ''}`,
    supply,
    token.standard === 'ERC20' && token.decimals !== null && `${token.decimals} decimals`,
  );
}

function contractLine(summary: AddressSummary, context: HoverContext): string | null {
  if (summary.delegate !== null) return `Delegates to ${party(summary.delegate, context)} (EIP\\-7702)`;
  if (summary.implementation !== null) return `Proxy of ${party(summary.implementation, context)} (ERC\\-1967)`;
  return null;
}

export function addressMarkdown(summary: AddressSummary, context: HoverContext): string {
  const { parts } = context;
  const { chain } = summary;
  const contract = (summary.codeSize ?? 0) > 0 && summary.delegate === null;
  const kind = summary.codeSize === null ? 'Address' : contract ? 'Contract' : 'Account';
  const nonce =
    summary.nonce === null || (contract && summary.nonce <= 1)
      ? null
      : contract
        ? `created ${formatInteger(summary.nonce - 1)} ${summary.nonce === 2 ? 'contract' : 'contracts'}`
        : summary.nonce === 0
          ? 'no transactions sent'
          : `${formatInteger(summary.nonce)} ${summary.nonce === 1 ? 'transaction' : 'transactions'} sent`;
  return lines(
    `**${kind}** on ${chainName(chain)}`,
    joined(
      parts.balance && `Balance **${coinAmount(summary.balance, chain)}**`,
      parts.activity && nonce,
      parts.contract && contract && `${formatInteger(summary.codeSize ?? 0)} bytes of code`,
    ),
    parts.contract && contractLine(summary, context),
    parts.token && summary.token !== null && tokenLine(summary.token),
    parts.actions && actions(chain, { chainId: chain.id, kind: 'address', value: summary.address }, []),
  );
}

const STATUS = { success: '$(pass) Success', failed: '$(error) Failed', pending: '$(clock) Pending' } as const;

function methodText(summary: TransactionSummary, context: HoverContext): string | null {
  if (summary.to === null) return 'contract creation';
  if (summary.selector === null) return summary.inputSize === 0 ? 'plain transfer' : null;
  const signature = context.parts.signature ? context.functionOf(summary.selector) : null;
  return `calls ${signature === null ? `\`${summary.selector}\`` : codeSpan(signature, 60)}`;
}

function eventsLine(summary: TransactionSummary, context: HoverContext): string | null {
  if (!summary.logs) return null;
  const names = [
    ...new Set(summary.topics.map(topic => context.eventOf(topic)?.split('(')[0]).filter(name => name !== undefined)),
  ];
  const known =
    context.parts.signature && names.length > 0
      ? `: ${names
          .slice(0, 4)
          .map(name => codeSpan(name, 40))
          .join(', ')}`
      : '';
  return `${formatInteger(summary.logs)} ${summary.logs === 1 ? 'log' : 'logs'}${known}`;
}

function feeText(summary: TransactionSummary): string | null {
  if (summary.gasUsed === null) return null;
  const share = summary.gasLimit > 0n ? ` (${(summary.gasUsed * 100n) / summary.gasLimit} % of the limit)` : '';
  const fee = summary.gasPrice === null ? null : `fee ${coinAmount(summary.gasUsed * summary.gasPrice, summary.chain)}`;
  return joined(`Gas ${formatInteger(summary.gasUsed)}${share}`, fee);
}

function whenText(time: Date, context: HoverContext): string {
  return `${relativeTime(time, context.now)} (${utcTime(time)})`;
}

export function transactionMarkdown(summary: TransactionSummary, context: HoverContext): string {
  const { chain } = summary;
  const { parts } = context;
  const receiver =
    summary.to === null
      ? summary.created === null
        ? 'a new contract'
        : `new contract ${party(summary.created, context)}`
      : party(summary.to, context);
  const copies = [
    copyLink('Copy sender', summary.from),
    ...(summary.to === null ? [] : [copyLink('Copy receiver', summary.to)]),
  ];
  return lines(
    `**Transaction** on ${chainName(chain)}${DOT}${STATUS[summary.status]}`,
    parts.transaction && `${party(summary.from, context)} → ${receiver}`,
    parts.transaction && joined(`Value **${coinAmount(summary.value, chain)}**`, methodText(summary, context)),
    parts.transaction && joined(eventsLine(summary, context), feeText(summary)),
    parts.block &&
      summary.blockNumber !== null &&
      joined(
        `Block ${formatInteger(summary.blockNumber)}, index ${summary.transactionIndex ?? 0}`,
        summary.time !== null && whenText(summary.time, context),
      ),
    parts.actions && actions(chain, { chainId: chain.id, kind: 'tx', value: summary.hash }, copies),
  );
}

export function blockMarkdown(summary: BlockSummary, context: HoverContext): string {
  const { chain } = summary;
  const full = summary.gasLimit > 0n ? ` (${(summary.gasUsed * 100n) / summary.gasLimit} % full)` : '';
  return lines(
    `**Block ${formatInteger(summary.number)}** on ${chainName(chain)}`,
    context.parts.block &&
      joined(
        `${formatInteger(summary.transactions)} ${summary.transactions === 1 ? 'transaction' : 'transactions'}`,
        `gas ${formatInteger(summary.gasUsed)}${full}`,
        summary.baseFee !== null && `base fee ${formatAmount(summary.baseFee, 9)} gwei`,
      ),
    context.parts.block && joined(whenText(summary.time, context), `by ${party(summary.miner, context)}`),
    context.parts.actions &&
      actions(chain, { chainId: chain.id, kind: 'block', value: String(summary.number) }, [
        copyLink('Copy hash', summary.hash),
      ]),
  );
}

/** Neither a transaction nor a block: worth saying where only one chain is asked. */
export function nothingMarkdown(chain: Chain): string {
  return `Not found on ${chainName(chain)}.`;
}
