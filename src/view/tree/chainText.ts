// What the Service view says of a configured chain: one line, and its facts one by one.

import type { ChainStatus } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle } from '../chainTitle.ts';
import { formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import { getPercent } from '../progress.ts';
import { joinParts, toFacts } from './rowText.ts';
import type { Fact, RowColor } from './treeRow.ts';

export interface ChainText {
  readonly label: string;
  readonly description: string;
  readonly accessibilityLabel: string;
  readonly icon: string;
  readonly color: RowColor | null;
}

/** What is configured of a chain, before anybody has asked it. */
export interface ChainEndpoint {
  readonly selector: string;
  /** Host and port of the node or host; never the path, which may hold a key. */
  readonly host: string;
  readonly local: boolean;
}

/** `42 %`, `1,200 of 5,000`, `1,200`. */
export function formatProgress({ done, total }: Progress): string {
  const percent = getPercent({ done, total });
  if (total === null || percent === null) return formatInteger(done);
  return t('{0} of {1} ({2} %)', formatInteger(done), formatInteger(total), percent);
}

/** The saved name of an address on a chain. */
type NameOf = (address: string, chain: string) => string | null;

/** `Indexing contract Apes`, `Indexing wallet 0x7099…79C8`. */
function workText({ chain, address: subject, scope: about }: Progress, nameOf: NameOf): string {
  if (subject === null) return t('Indexing the chain');
  const who = sanitizeText(nameOf(subject, chain ?? '') ?? '') || shortenHex(checksumAddress(subject));
  if (about === 'contract') return t('Indexing contract {0}', who);
  if (about === 'wallet') return t('Indexing wallet {0}', who);
  return about === 'trades' ? t('Indexing sales of {0}', who) : t('Indexing {0}', who);
}

const unfinished = ({ isRunning: running, done, total }: Progress): boolean =>
  running && (total === null || done < total);

export function toChainText(
  { selector, local }: ChainEndpoint,
  status: ChainStatus | undefined,
  progress: readonly Progress[],
  now: number,
): ChainText {
  const title = status?.chain ? getChainTitle(status.chain) : selector;
  if (status === undefined) {
    const description = local ? t('asking…') : t('not asked yet: refresh to ask');
    return {
      label: title,
      description,
      accessibilityLabel: `${title}, ${description}`,
      icon: local ? 'loading~spin' : 'circle-outline',
      color: null,
    };
  }
  if (status.problem !== null) {
    const description = sanitizeText(status.problem, 160);
    return {
      label: title,
      description,
      accessibilityLabel: `${title}, ${description}`,
      icon: 'error',
      color: 'charts.red',
    };
  }
  const head = status.head === null ? t('no head known') : t('block {0}', formatInteger(status.head));
  const syncing = progress.filter(unfinished);
  const age = status.headTime === null ? null : formatRelativeTime(status.headTime, now);
  const work = syncing.length === 0 ? null : t('syncing {0}', syncing.map(formatProgress).join(', '));
  const description = joinParts(head, age, work);
  return {
    label: title,
    description,
    accessibilityLabel: `${title}, ${description}`,
    icon: syncing.length > 0 ? 'sync~spin' : 'pass-filled',
    color: syncing.length > 0 ? 'charts.yellow' : 'charts.green',
  };
}

/** Line by line, as children of the chain and in its tooltip. */
export function getChainFacts(
  { selector, host }: ChainEndpoint,
  status: ChainStatus | undefined,
  progress: readonly Progress[],
  now: number,
  nameOf: NameOf,
): readonly Fact[] {
  const head = status?.head ?? null;
  const headTime = status?.headTime ?? null;
  return [
    ...toFacts([
      [status?.source === 'host' ? t('Host') : t('Node'), host],
      [t('Client'), status?.client == null ? null : sanitizeText(status.client)],
      [t('Chain'), status?.chain == null ? selector : `${selector} (${t('chain id {0}', status.chain.id)})`],
      [t('Head'), head === null ? null : formatInteger(head)],
      [
        t('Age of head'),
        headTime === null ? null : `${formatRelativeTime(headTime, now)} (${formatUtcTime(headTime)})`,
      ],
    ]),
    ...progress.map(one => ({ name: workText(one, nameOf), value: formatProgress(one) })),
  ];
}
