// The hover of a name in Solidity: its value on each deployment of the contract.
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { createCommandLink, hoverCommands } from '../hover/hoverLinks.ts';
import { escapeMarkdown, joinLines, toCodeSpan } from '../hover/markdown.ts';
import { createLookUpLink } from '../hover/requestLines.ts';
import type { EarlierValue } from './shownValues.ts';
import type { ValueMember } from './valueMembers.ts';

export interface SourceValue extends UnaskedValue {
  /** Untrusted text; `null` where there is none, as `failure` says. */
  readonly value: string | null;
  readonly failure: ValueFailure | null;
  readonly block: number | null;
  /** What an earlier hover showed. */
  readonly before: EarlierValue | null;
  /** Of a mapping or a large array, of which `value` is a summary in words of ours. */
  readonly members?: readonly ShownMember[];
  readonly hasMoreMembers?: boolean;
  /** Sources were edited since the build that is deployed. */
  readonly isChanged: boolean;
}

/** Untrusted text. */
export interface ShownMember extends ValueMember {
  readonly before: EarlierValue | null;
}

/** `reason`: untrusted text. `noNames`: the build does not say where the variable is. */
export type ValueFailure =
  | { readonly kind: 'reverted'; readonly reason: string }
  | { readonly kind: 'noNames' | 'unread' };

/** A deployment of which nothing was read: that takes a click, or its code is of no build. */
export interface UnaskedValue {
  readonly chain: string;
  readonly chainTitle: string;
  readonly address: Hex;
  /** Of the deployment. */
  readonly name: string;
}

/** Further deployments are counted. */
const MAX_SHOWN = 8;
const MAX_TEXT_LENGTH = 300;
const MAX_LABEL_LENGTH = 120;

const renderPlace = ({ chainTitle, address, name }: UnaskedValue): string =>
  `${toCodeSpan(name, 60)} ${toCodeSpan(toShortDisplayAddress(address))} · ${escapeMarkdown(chainTitle)}`;

function renderText({ value, failure, members }: SourceValue): string {
  if (value !== null && members !== undefined) return escapeMarkdown(value);
  if (value !== null) return toCodeSpan(value, MAX_TEXT_LENGTH);
  if (failure?.kind === 'reverted') return t('Reverted: {0}', toCodeSpan(failure.reason, MAX_TEXT_LENGTH));
  return escapeMarkdown(t('This value could not be read.'));
}

const renderBefore = ({ block, value }: EarlierValue): string =>
  `$(history) ${escapeMarkdown(t('In block {0} it was', formatInteger(block)))} ${toCodeSpan(value, MAX_TEXT_LENGTH)}`;

const renderMember = ({ label, text, before }: ShownMember): string =>
  [
    `${toCodeSpan(label, MAX_LABEL_LENGTH)} → ${toCodeSpan(text, MAX_TEXT_LENGTH)}`,
    ...(before === null ? [] : [renderBefore(before)]),
  ].join(' · ');

function renderValue(shown: SourceValue): string {
  const { block, before, isChanged } = shown;
  const notes = [
    ...(block === null ? [] : [t('block {0}', formatInteger(block))]),
    ...(isChanged ? [t('sources were edited since this build')] : []),
  ].map(note => escapeMarkdown(note));
  const head = `${renderText(shown)} · ${[renderPlace(shown), ...notes].join(' · ')}`;
  const was = before === null ? null : renderBefore(before);
  return joinLines(head, was, ...(shown.members ?? []).map(renderMember), shown.hasMoreMembers === true && '…');
}

const renderNoNames = (): string =>
  `${escapeMarkdown(t('The build does not say where this variable is.'))} ${createCommandLink(
    t('Build Debug Information'),
    hoverCommands.buildDebugInformation,
    [],
    t('Build once more for names of variables'),
  )}`;

const MAX_HINT_VALUES = 2;
/** VS Code cuts longer hints itself. */
const MAX_HINT_LENGTH = 42;

/** `= 1,234`, in a few words; what differs between deployments beside each other. `null` for nothing to show. `sign`: before it. */
export function formatValueHint(values: readonly SourceValue[], sign = '='): string | null {
  const texts = [...new Set(values.flatMap(({ value }) => value ?? []))].map(text =>
    text.replace(/\b0x[0-9a-f]{40,}\b/g, digits => shortenHex(digits)),
  );
  const more = texts.length > MAX_HINT_VALUES ? ' | …' : '';
  if (texts.length === 0) return null;
  return sanitizeText(`${sign} ${texts.slice(0, MAX_HINT_VALUES).join(' | ')}${more}`, MAX_HINT_LENGTH);
}

/** `null` for nothing to show. Chain text is in code spans only. `different`: their code is of no build of the workspace. */
export function renderSourceValues(
  values: readonly SourceValue[],
  unasked: readonly UnaskedValue[],
  different: readonly UnaskedValue[] = [],
): string | null {
  if (values.length === 0 && unasked.length === 0 && different.length === 0) return null;
  const named = values.filter(({ failure }) => failure?.kind !== 'noNames');
  const hidden = named.length + unasked.length + different.length - MAX_SHOWN;
  const lines = [
    ...(named.length < values.length ? [renderNoNames()] : []),
    ...named.map(renderValue),
    ...different.map(each => {
      const why = t('its code differs from your build, so that its values are not known');
      return `${renderPlace(each)} · ${escapeMarkdown(why)}`;
    }),
    ...unasked.map(
      each =>
        `${renderPlace(each)} · ${createLookUpLink({ kind: 'address', address: each.address }, each.chain, each.address)}`,
    ),
  ].slice(0, MAX_SHOWN);
  return joinLines(...lines, hidden > 0 && escapeMarkdown(t('{0} more', formatInteger(hidden))));
}
