// What the status bar and its menu say of the configured chains.

import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { plainText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { chainTitle } from '../../view/chainTitle.ts';

export interface StatusText {
  readonly text: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  readonly troubled: boolean;
}

export const titleOf = (status: ChainStatus): string =>
  status.chain === null ? status.selector : chainTitle(status.chain);

export function chainLine(status: ChainStatus): string {
  if (status.problem !== null) return `${titleOf(status)}: ${status.problem}`;
  const head = status.head === null ? t('no head known') : t('block {0}', formatInteger(status.head));
  const client = status.client === null ? '' : `, ${plainText(status.client, 40)}`;
  return `${titleOf(status)}: ${head}${client}`;
}

/** A network of Aptos, for the tooltip and the menu. */
export function aptosLine(status: AptosStatus): string {
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
export function statusText(statuses: readonly ChainStatus[], aptos: readonly AptosStatus[] = []): StatusText {
  const networks = aptos.map(aptosLine);
  const [first] = statuses;
  if (first === undefined)
    return {
      text: '$(symbol-numeric) HexLens',
      tooltip: [t('No chain is configured.'), ...networks],
      troubled: false,
    };
  const shown = statuses.find(status => status.problem === null) ?? first;
  const troubled = shown.problem !== null;
  const head = shown.head === null ? '' : ` ${formatInteger(shown.head)}`;
  const text = troubled ? `$(debug-disconnect) ${shown.selector}` : `$(symbol-numeric) ${shown.selector}${head}`;
  return { text, tooltip: [...statuses.map(chainLine), ...networks], troubled };
}
