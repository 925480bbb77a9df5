// Formats a summary as one plain line for a list: no Markdown, no icons, names from the chain sanitized.

import type { Chain } from '../../api/chains.ts';
import type { AddressSummary, BlockSummary, NothingFound, TransactionSummary } from '../../api/lookups.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText } from '../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle } from '../chainTitle.ts';
import { type FoundBuild, formatBuildName, formatBuildState } from '../contractBuild.ts';
import { formatGasPrice } from '../formatGasPrice.ts';
import { formatBlockAge } from '../formatTime.ts';
import type { RawTransaction } from './rawTransaction.ts';

type GetName = (address: Hex) => string | null;

export type PreviewSummary = AddressSummary | TransactionSummary | BlockSummary | NothingFound;

/** Labels of lists render `$(name)` as an icon. */
export const sanitizeLabel = (text: string, limit?: number): string =>
  sanitizeText(text, limit).replaceAll('$(', '$ (');

function formatAddressSummary(
  { chain, balance, codeSize, delegate, nonce, token }: AddressSummary,
  now: number | null,
  build: FoundBuild | null,
): string {
  if (now !== null && codeSize === 0 && balance === 0n && nonce === 0)
    return t('Nothing on {0}: no code, balance or transactions', getChainTitle(chain));
  const contract = codeSize !== null && codeSize > 0 && delegate === null;
  const name = token === null ? null : (token.symbol ?? token.name);
  return joinParts(
    contract ? t('Contract') : t('Account'),
    build !== null && sanitizeLabel(formatBuildName(build), 80) + (now === null ? '' : `, ${formatBuildState(build)}`),
    token !== null && `${token.standard.replace('ERC', 'ERC-')}${name === null ? '' : ` ${sanitizeLabel(name, 24)}`}`,
    now !== null && `${formatAmount(balance, chain.decimals)} ${chain.coin}`,
    now !== null && !contract && nonce !== null && t('{0} sent', formatInteger(nonce)),
  );
}

function formatTransactionSummary(
  summary: TransactionSummary,
  now: number | null,
  getName: GetName,
  place: string | null,
): string {
  const { chain, from, to, value, status, blockNumber, time } = summary;
  const formatParty = (address: Hex) => sanitizeLabel(getName(address) ?? '', 40) || toShortDisplayAddress(address);
  const words = { success: t('Success'), failed: t('Failed'), pending: t('Pending') };
  const receiver = to === null ? t('new contract') : formatParty(to);
  return joinParts(
    t('Transaction'),
    (now !== null || status !== 'pending') && words[status],
    place !== null && sanitizeLabel(place, 120),
    `${formatParty(from)} → ${receiver}`,
    `${formatAmount(value, chain.decimals)} ${chain.coin}`,
    blockNumber !== null && t('block {0}', formatInteger(blockNumber)),
    now !== null && time !== null && formatBlockAge(time, now),
  );
}

/** What a signed transaction says, a line each: who sends what to whom first. */
export function formatRawTransaction(
  { type, to, value, nonce, gas, gasPrice, data, hash }: RawTransaction,
  from: Hex | null,
  chain: Pick<Chain, 'coin' | 'decimals'>,
  getName: GetName,
): readonly string[] {
  const formatParty = (address: Hex) => {
    const name = sanitizeLabel(getName(address) ?? '', 40);
    return name === '' ? toDisplayAddress(address) : `${name} ${toShortDisplayAddress(address)}`;
  };
  const sender = from === null ? t('an invalid signature') : formatParty(from);
  return [
    `${sender} → ${to === null ? t('new contract') : formatParty(to)}`,
    t('Value {0}', `${formatAmount(value, chain.decimals)} ${chain.coin}`),
    t('Nonce {0}', formatInteger(nonce)),
    t('Gas {0}, at most {1} each', formatInteger(gas), formatGasPrice(gasPrice, chain)),
    t('Type {0}', type),
    ...(data === '0x' ? [] : [t('Input {0}', data)]),
    t('Hash {0}', hash),
  ];
}

/**
 * `now`: `null` leaves out what changes with time, for a line that is stored. `build`: the contract of the workspace that the address has the code of;
 * `place`: where in the source a transaction failed.
 */
export function formatSummaryPreview(
  summary: PreviewSummary,
  now: number | null,
  getName: GetName = () => null,
  build: FoundBuild | null = null,
  place: string | null = null,
): string {
  switch (summary.kind) {
    case 'address':
      return formatAddressSummary(summary, now, build);
    case 'transaction':
      return formatTransactionSummary(summary, now, getName, place);
    case 'block':
      return joinParts(
        t('Block {0}', formatInteger(summary.number)),
        summary.transactions === 1 ? t('1 transaction') : t('{0} transactions', formatInteger(summary.transactions)),
        now !== null && formatBlockAge(summary.time, now),
      );
    case 'nothing':
      return t('Not found on {0}', getChainTitle(summary.chain));
  }
}
