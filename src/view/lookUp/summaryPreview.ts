// A summary from a chain as one plain line for a list: no Markdown, no icons, names from the chain made harmless.

import type { AddressSummary, BlockSummary, NothingFound, TransactionSummary } from '../../api/lookups.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { plainText, shortHex } from '../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { chainTitle } from '../chainTitle.ts';
import { relativeTime } from '../formatTime.ts';

export type Summary = AddressSummary | TransactionSummary | BlockSummary | NothingFound;

const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(' · ');

/** Lists read `$(name)` as an icon, wherever it comes from. */
export const harmless = (text: string, limit?: number): string => plainText(text, limit).replaceAll('$(', '$ (');

function addressLine({ chain, balance, codeSize, delegate, nonce, token }: AddressSummary): string {
  const contract = codeSize !== null && codeSize > 0 && delegate === null;
  const name = token === null ? null : (token.symbol ?? token.name);
  return joined(
    contract ? t('Contract') : t('Account'),
    token !== null && `${token.standard.replace('ERC', 'ERC-')}${name === null ? '' : ` ${harmless(name, 24)}`}`,
    `${formatAmount(balance, chain.decimals)} ${chain.coin}`,
    !contract && nonce !== null && t('{0} sent', formatInteger(nonce)),
  );
}

function transactionLine(summary: TransactionSummary, now: number): string {
  const { chain, from, to, value, status, blockNumber, time } = summary;
  const words = { success: t('Success'), failed: t('Failed'), pending: t('Pending') };
  const receiver = to === null ? t('new contract') : shortHex(checksumAddress(to));
  return joined(
    t('Transaction'),
    words[status],
    `${shortHex(checksumAddress(from))} → ${receiver}`,
    `${formatAmount(value, chain.decimals)} ${chain.coin}`,
    blockNumber !== null && t('block {0}', formatInteger(blockNumber)),
    time !== null && relativeTime(time, now),
  );
}

export function previewLine(summary: Summary, now: number): string {
  switch (summary.kind) {
    case 'address':
      return addressLine(summary);
    case 'transaction':
      return transactionLine(summary, now);
    case 'block':
      return joined(
        t('Block {0}', formatInteger(summary.number)),
        t('{0} transactions', formatInteger(summary.transactions)),
        relativeTime(summary.time, now),
      );
    case 'nothing':
      return t('Not found on {0}', chainTitle(summary.chain));
  }
}
