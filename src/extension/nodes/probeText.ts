// Words for a node that answered, and the host of a URL without what may be a key.
import { l10n } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { sanitizeLabel } from '../../view/lookUp/summaryPreview.ts';

const chainTitle = (chainId: number): string =>
  getChainById(chainId)?.title ?? (chainId === 31337 || chainId === 1337 ? l10n.t('dev chain') : l10n.t('chain'));

export const formatProbe = ({ chainId, client, head }: NodeProbe): string =>
  [
    `${chainTitle(chainId)} (${chainId})`,
    l10n.t('block {0}', formatInteger(head)),
    client === null ? '' : sanitizeLabel(client, 40),
  ]
    .filter(part => part !== '')
    .join(' · ');

/** Never the path or query: they may hold a key. */
export const getUrlHost = (url: string): string => URL.parse(url)?.host ?? url;
