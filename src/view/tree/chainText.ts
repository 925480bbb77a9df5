// Texts of a configured chain in the Service view: one line, and its facts.
import type { ChainStatus } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { getChainTitle, getSelectorTitle } from '../chainTitle.ts';
import { formatBlockAge, formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import { getPercent } from '../progress.ts';
import type { TreeRow } from './treeRow.ts';
import { type Fact, toFacts } from './treeRow.ts';

export type ChainText = Pick<TreeRow, 'label' | 'description' | 'accessibilityLabel' | 'icon' | 'color'>;

/** The configured connection of a chain. */
export interface ChainEndpoint {
  readonly selector: string;
  /** Host and port; not the path, which may contain a key. */
  readonly host: string;
  readonly isOnLoopback: boolean;
}

/** The last status that was read without a problem. */
export interface LastRead {
  readonly status: ChainStatus;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** `block 1,200 read 2 minutes ago`. */
const formatLastRead = (head: number, readAt: number, now: number): string =>
  t('block {0} read {1}', formatInteger(head), formatRelativeTime(new Date(readAt), now));

/** `42%`, `1,200 of 5,000`, `1,200`. */
function formatProgress({ done, total }: Progress): string {
  const percent = getPercent({ done, total });
  if (total === null || percent === null) return formatInteger(done);
  return t('{0} of {1} ({2}%)', formatInteger(done), formatInteger(total), percent);
}

/** Saved name of an address on a chain. */
type NameOf = (address: string, chain: string) => string | null;

/** `Indexing contract Apes`, `Indexing wallet 0x7099…79C8`. */
function formatTask({ chain, address, scope }: Progress, nameOf: NameOf): string {
  if (address === null) return t('Indexing the chain');
  const name = sanitizeText(nameOf(address, chain ?? '') ?? '') || toShortDisplayAddress(address);
  if (scope === 'contract') return t('Indexing contract {0}', name);
  if (scope === 'wallet') return t('Indexing wallet {0}', name);
  return scope === 'trades' ? t('Indexing sales of {0}', name) : t('Indexing {0}', name);
}

const isUnfinished = ({ isRunning, done, total }: Progress): boolean => isRunning && (total === null || done < total);

export function toChainText(
  { selector, isOnLoopback }: ChainEndpoint,
  status: ChainStatus | undefined,
  lastRead: LastRead | undefined,
  progress: readonly Progress[],
  now: number,
): ChainText {
  const chain = status?.chain ?? lastRead?.status.chain;
  const title = chain ? getChainTitle(chain) : getSelectorTitle(selector);
  if (status === undefined) {
    const description = isOnLoopback ? t('connecting…') : t('not loaded yet: refresh to load');
    return {
      label: title,
      description,
      accessibilityLabel: `${title}, ${description}`,
      icon: isOnLoopback ? 'loading~spin' : 'circle-outline',
      color: null,
    };
  }
  if (status.problem !== null) {
    const last = lastRead?.status.head == null ? null : formatLastRead(lastRead.status.head, lastRead.readAt, now);
    const description = joinParts(last, sanitizeText(status.problem, 160));
    return {
      label: title,
      description,
      accessibilityLabel: `${title}, ${description}`,
      icon: 'error',
      color: 'charts.red',
    };
  }
  const head = status.head === null ? t('latest block unknown') : t('block {0}', formatInteger(status.head));
  const syncing = progress.filter(isUnfinished);
  const age = status.headTime === null ? null : formatBlockAge(status.headTime, now);
  const tasks = syncing.length === 0 ? null : t('syncing {0}', syncing.map(formatProgress).join(', '));
  const description = joinParts(head, age, tasks);
  return {
    label: title,
    description,
    accessibilityLabel: `${title}, ${description}`,
    icon: syncing.length > 0 ? 'sync~spin' : 'pass-filled',
    color: syncing.length > 0 ? 'charts.yellow' : 'charts.green',
  };
}

/** Children of the chain, and its tooltip. */
export function getChainFacts(
  { selector, host }: ChainEndpoint,
  current: ChainStatus | undefined,
  lastRead: LastRead | undefined,
  progress: readonly Progress[],
  now: number,
  nameOf: NameOf,
): readonly Fact[] {
  const isStale = current !== undefined && current.problem !== null && lastRead !== undefined;
  const status = isStale ? lastRead.status : current;
  const head = status?.head ?? null;
  const headTime = status?.headTime ?? null;
  return [
    ...toFacts([
      [status?.source === 'host' ? t('Host') : t('Node'), host],
      [t('Last read'), isStale ? formatRelativeTime(new Date(lastRead.readAt), now) : null],
      [t('Client'), status?.client == null ? null : sanitizeText(status.client)],
      [t('Chain'), status?.chain == null ? selector : `${selector} (${t('chain ID {0}', status.chain.id)})`],
      [t('Latest block'), head === null ? null : formatInteger(head)],
      [
        t('Age of latest block'),
        headTime === null ? null : `${formatBlockAge(headTime, now)} (${formatUtcTime(headTime)})`,
      ],
    ]),
    ...progress.map(one => ({ name: formatTask(one, nameOf), value: formatProgress(one) })),
  ];
}
