// What the transactions of some blocks did together, as a Markdown page.
import type { AccountChanges } from '../../api/stateChanges.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger, type TokenAmountUnit } from '../../base/formatUnits.ts';
import { localize, t } from '../../base/localize.ts';
import { describeUnnamed, getStateNotes, isOfOneSlot } from '../../decode/source/formatStateChanges.ts';
import { FIRST_ONLY, type MethodCount, type RunDiff } from '../../decode/source/runDiff.ts';
import { escapeMarkdown, formatTable, toCodeSpan, toTableCell } from '../hover/markdown.ts';
import { getRestrictedText } from './noBuildText.ts';
import { formatLocation } from './stackHover.ts';
import { toStateAccount } from './stateTable.ts';

const MAX_TEXT_LENGTH = 300;
/** Saved contracts without a change that are named. */
const MAX_UNCHANGED = 50;

/** Lines as they are, which nothing in them ends. */
function fence(text: string): readonly string[] {
  const lines = text.split('\n').map(line => (/^ */.exec(line)?.[0] ?? '') + sanitizeText(line, MAX_TEXT_LENGTH));
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = '`'.repeat(longest + 1);
  return [marks, ...lines, marks, ''];
}

/** What the page knows of addresses beside the transactions. */
export interface RunReportNames {
  /** Saved name. */
  getName(address: string): string | null;
  /** Of an ERC-20 contract whose amounts changed. */
  getUnit(address: string): TokenAmountUnit | null;
  /** Saved contracts of the chain: those that did not change are named. */
  readonly saved: readonly { readonly address: string; readonly name: string }[];
}

function formatState(diff: RunDiff, names: RunReportNames): readonly string[] {
  const { state, chain } = diff;
  const { getName, getUnit, saved } = names;
  if (chain === null) return [];
  // Only their addresses distinguish contracts of one build.
  const nameValue = (address: string) => {
    const contract = diff.contracts[address.toLowerCase()];
    return getName(address) ?? (contract === undefined ? null : `${contract} ${toShortDisplayAddress(address)}`);
  };
  const coin = { symbol: chain.coin, decimals: chain.decimals };
  const savedAddresses = new Set(saved.map(({ address }) => address.toLowerCase()));
  // Contracts that the user has saved come first, then others; balances alone come last.
  const rank = ({ address, storage }: AccountChanges) =>
    savedAddresses.has(address.toLowerCase()) ? 0 : storage.length > 0 ? 1 : 2;
  const accounts = state.accounts.toSorted((a, b) => rank(a) - rank(b));
  const changed = new Set(accounts.map(({ address }) => address.toLowerCase()));
  const others = saved.filter(({ address }) => !changed.has(address.toLowerCase())).slice(0, MAX_UNCHANGED);
  const unchanged =
    others.length === 0
      ? []
      : [
          `${t('Saved contracts that did not change:')} ${others.map(({ name }) => toCodeSpan(name, 60)).join(', ')}`,
          '',
        ];
  const changes = accounts.flatMap(account => {
    const unit = getUnit(account.address);
    const { address, rows } = toStateAccount(account, { coin, unit, getName: nameValue });
    const called = new Set(
      [getName(account.address), diff.contracts[account.address] ?? account.contract].filter(each => each !== null),
    );
    const title = [...[...called].map(each => toCodeSpan(each, 60)), toCodeSpan(address)];
    const reasons = new Set(account.storage.flatMap(({ unnamed }) => unnamed ?? []));
    const notes = [...reasons].filter(each => !isOfOneSlot(each)).map(each => localize(describeUnnamed(each)));
    const heads = [t('Variable'), t('Before'), t('After'), t('Line')];
    const cells = rows.map(({ label, before, after, location, marks, note }) => [
      ...[note === null || notes.includes(note) ? label : `${label}: ${note}`, before, after].map(toTableCell),
      location === null ? '' : toTableCell([formatLocation(location), ...marks].join(', ')),
    ]);
    const why = notes.length === 0 ? [] : [escapeMarkdown(notes.join(', ')), ''];
    return [`### ${title.join(' ')}`, '', ...why, ...formatTable(heads, cells)];
  });
  return [...changes, ...unchanged];
}

const ADDRESS = /\b0x[0-9a-f]{40}\b/gi;

/** `isTrusted`: whether builds of the workspace were read. */
export function formatRunReport(diff: RunDiff, names: RunReportNames, isTrusted = true): string {
  const { from, to, transactions, methods, failures, created, contracts, state, unread, hasMore } = diff;
  /** Its saved name, else the contract whose build it is. */
  const getLabel = (address: string) => names.getName(address) ?? contracts[address.toLowerCase()] ?? null;
  const nameOf = (address: string, contract: string | null = null) => {
    const called = new Set([getLabel(address), contract].filter(name => name !== null));
    return [...called, toDisplayAddress(address)].map(toTableCell).join(' ');
  };
  const targetOf = ({ to: target, contract, created: made }: MethodCount) => {
    if (target !== null) return nameOf(target, contract);
    const [address] = made;
    const only = made.length === 1 && address !== undefined ? nameOf(address, contract) : null;
    return [t('New contract'), only ?? (contract === null ? null : toTableCell(contract))]
      .filter(each => each !== null)
      .join(' ');
  };
  const methodRows = methods.map(each => [
    formatInteger(each.count),
    each.outcome === 'success' ? t('Success') : t('Failed'),
    toTableCell(each.method),
    targetOf(each),
  ]);
  const createdRows = created.map(({ address, creator, hash }) => [
    nameOf(address),
    nameOf(creator),
    toTableCell(hash),
  ]);
  const stateLines = formatState(diff, names);
  const withNames = (text: string) =>
    text.replace(ADDRESS, address => {
      const label = getLabel(address);
      return label === null ? address : `${sanitizeText(label, 60)} (${toShortDisplayAddress(address)})`;
    });
  const notes = [
    ...(isTrusted ? [] : [getRestrictedText()]),
    ...(hasMore ? [localize(FIRST_ONLY)] : []),
    ...getStateNotes(state).map(localize),
    ...unread.map(({ hash, reason }) => `${hash}: ${localize(reason)}`),
  ];
  return [
    `# ${escapeMarkdown(t('Blocks {0} to {1}', formatInteger(from + 1), formatInteger(to)))}`,
    '',
    transactions === 1
      ? t('1 transaction, {0} failed.', formatInteger(failures.length))
      : t('{0} transactions, {1} failed.', formatInteger(transactions), formatInteger(failures.length)),
    '',
    ...formatTable([t('Transactions'), t('Outcome'), t('Function'), t('Contract')], methodRows),
    ...(failures.length === 0
      ? []
      : [`## ${t('Failures')}`, '', ...failures.flatMap(({ text }) => fence(withNames(text)))]),
    ...(created.length === 0 ? [] : [`## ${t('New contracts')}`, '']),
    ...formatTable([t('Contract'), t('Created by'), t('Transaction')], createdRows),
    ...(stateLines.length === 0 ? [] : [`## ${t('What is different')}`, '', ...stateLines]),
    ...notes.map(note => `- ${escapeMarkdown(note)}`),
    '',
  ].join('\n');
}
