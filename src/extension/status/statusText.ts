// Texts of the status bar item and its menu.
import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle, getSelectorTitle } from '../../view/chainTitle.ts';

export interface StatusText {
  readonly text: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  readonly hasProblem: boolean;
}

export const getStatusTitle = (status: ChainStatus): string =>
  status.chain === null ? getSelectorTitle(status.selector) : getChainTitle(status.chain);

export function formatChainStatus(status: ChainStatus): string {
  if (status.problem !== null) return `${getStatusTitle(status)}: ${status.problem}`;
  const head = status.head === null ? t('latest block unknown') : t('block {0}', formatInteger(status.head));
  const client = status.client === null ? '' : `, ${sanitizeText(status.client, 40)}`;
  return `${getStatusTitle(status)}: ${head}${client}`;
}

/** For the tooltip and the menu. */
export function formatAptosStatus(status: AptosStatus): string {
  const { network, problem, ledgerVersion, index } = status;
  const title = t('Aptos {0}', network);
  if (problem !== null) return `${title}: ${problem}`;
  const head = ledgerVersion === null ? t('version unknown') : t('version {0}', formatInteger(ledgerVersion));
  if (index === null) return `${title}: ${head}`;
  const isBehind = index.head === null || index.version < index.head;
  return isBehind
    ? t('{0}: {1}, index at {2}', title, head, formatInteger(index.version))
    : t('{0}: {1}, index up to date', title, head);
}

/** One item for all chains: the head of the first reachable one, or that there is none. */
export function formatStatusBar(statuses: readonly ChainStatus[], aptos: readonly AptosStatus[] = []): StatusText {
  const networks = aptos.map(formatAptosStatus);
  const [first] = statuses;
  if (first === undefined)
    return {
      text: '$(symbol-numeric) HexLens',
      tooltip: [t('No chain is configured.'), ...networks],
      hasProblem: false,
    };
  const status = statuses.find(status => status.problem === null) ?? first;
  const hasProblem = status.problem !== null;
  const head = status.head === null ? '' : ` ${formatInteger(status.head)}`;
  const title = getStatusTitle(status);
  const text = hasProblem ? `$(debug-disconnect) ${title}` : `$(symbol-numeric) ${title}${head}`;
  return { text, tooltip: [...statuses.map(formatChainStatus), ...networks], hasProblem };
}
