// The lines of Solidity under a failed transaction in a hover.
import {
  formatFunctionName,
  type SourceLocation,
  type StackFrame,
  type TransactionSource,
} from '../../api/transactionStack.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { t } from '../../base/localize.ts';
import { formatSourceReason } from '../../decode/trace/formatFailure.ts';
import { escapeMarkdown, joinLines, toCodeSpan } from '../hover/markdown.ts';

const MAX_FRAMES = 5;

/** `Vault.withdraw`; `null` where neither is known. */
export const getFrameName = (frame: Pick<StackFrame, 'contract' | 'functionName'>): string | null =>
  formatFunctionName(frame) || null;

/** A call that ran code without a build; `inner` is the frame that it called, which a proxy lends its account. */
export function getUnknownFrameName({ address }: StackFrame, inner: StackFrame | undefined): string {
  const short = toShortDisplayAddress(address);
  return inner?.address === address ? t('proxy {0}', short) : short;
}

/** `src/Vault.sol:41`, lines from 1. Hardhat 3 begins the path of a project's own file with `project/`. */
export const formatLocation = ({ source, start }: Pick<SourceLocation, 'source' | 'start'>): string =>
  `${source.replace(/^project\//, '')}:${start.line + 1}`;

/** What a reader must know of a frame's place; empty where it is certain and current. */
export function getFrameMarks({
  isInferred,
  location,
}: Pick<StackFrame, 'isInferred' | 'location'>): readonly string[] {
  return [
    ...(isInferred ? [t('inferred')] : []),
    ...(location?.isChanged === true ? [t('edited since the build')] : []),
  ];
}

/** Of the innermost function, as text; `null` where its line is unknown. */
export function formatFailurePlace({ stack }: Pick<TransactionSource, 'stack'>): string | null {
  const frame = stack?.frames.at(-1);
  if (frame === undefined || frame.location === null) return null;
  const place = formatLocation(frame.location);
  const marks = getFrameMarks(frame);
  return marks.length === 0 ? place : `${place} (${marks.join(', ')})`;
}

/** Why it failed, where it returned nothing that tells; then the innermost function first. `toLink`: where the place opens; `null`: nowhere, it is not in the workspace. */
export function renderStackHover(
  { stack }: Pick<TransactionSource, 'stack'>,
  toLink: (location: SourceLocation) => string | null,
): string | null {
  if (stack === null) return null;
  const why = formatSourceReason(stack.reason);
  const reason = why !== null && `$(info) ${escapeMarkdown(why)}`;
  const frames = stack.frames.toReversed();
  if (!frames.some(({ location }) => location !== null)) return reason || null;
  const renderFrame = (frame: StackFrame, index: number) => {
    const { location } = frame;
    const name = toCodeSpan(getFrameName(frame) ?? getUnknownFrameName(frame, frames[index - 1]));
    const link = location === null ? null : toLink(location);
    const text = location === null ? t('line unknown') : escapeMarkdown(formatLocation(location));
    const place = link === null ? text : `[${text}](${link})`;
    const marks = getFrameMarks(frame);
    const line = index === 0 ? `$(error) ${name}, ${place}` : `$(arrow-small-right) ${name}, ${place}`;
    return marks.length === 0 ? line : `${line} *(${escapeMarkdown(marks.join(', '))})*`;
  };
  const more = frames.length - MAX_FRAMES;
  return joinLines(
    reason,
    ...frames.slice(0, MAX_FRAMES).map(renderFrame),
    more > 0 && escapeMarkdown(t('and {0} more', String(more))),
  );
}
