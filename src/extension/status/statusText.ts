// What the status bar and its menu say of the configured chains.

import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle } from '../../view/chainTitle.ts';

export interface StatusText {
  readonly text: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  readonly hasProblem: boolean;
}

export const getStatusTitle = (status: ChainStatus): string =>
  status.chain === null ? status.selector : getChainTitle(status.chain);

export function formatChainStatus(status: ChainStatus): string {
  if (status.problem !== null) return `${getStatusTitle(status)}: ${status.problem}`;
  const head = status.head === null ? t('no head known') : t('block {0}', formatInteger(status.head));
  const client = status.client === null ? '' : `, ${sanitizeText(status.client, 40)}`;
  return `${getStatusTitle(status)}: ${head}${client}`;
}

/** A network of Aptos, for the tooltip and the menu. */
export function formatAptosStatus(status: AptosStatus): string {
  const { network, problem, ledgerVersion, index } = status;
  const title = t('Aptos {0}', network);
  if (problem !== null) return `${title}: ${problem}`;
  const head = ledgerVersion === null ? t('no version known') : t('version {0}', formatInteger(ledgerVersion));
  if (index === null) return `${title}: ${head}`;
  const behind = index.head === null || index.version < index.head;
  return behind
    ? t('{0}: {1}, index at {2}', title, head, formatInteger(index.version))
    : t('{0}: {1}, index up to date', title, head);
}

/** One item for all chains: the first one's head, and a mark when any of them has a problem. */
export function formatStatusBar(statuses: readonly ChainStatus[], aptos: readonly AptosStatus[] = []): StatusText {
  const networks = aptos.map(formatAptosStatus);
  const [first] = statuses;
  if (first === undefined)
    return {
      text: '$(symbol-numeric) HexLens',
      tooltip: [t('No chain is configured.'), ...networks],
      hasProblem: false,
    };
  const shown = statuses.find(status => status.problem === null) ?? first;
  const troubled = shown.problem !== null;
  const head = shown.head === null ? '' : ` ${formatInteger(shown.head)}`;
  const text = troubled ? `$(debug-disconnect) ${shown.selector}` : `$(symbol-numeric) ${shown.selector}${head}`;
  return { text, tooltip: [...statuses.map(formatChainStatus), ...networks], hasProblem: troubled };
}
