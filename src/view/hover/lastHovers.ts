// Texts of hovers, shown again while the node does not respond.
import type { Clock } from '../../base/clock.ts';
import { formatFault, isNodeFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { formatRelativeTime } from '../formatTime.ts';
import { escapeMarkdown } from './markdown.ts';

/** The Markdown at a time: it says how long ago things were. */
export type RenderHover = (now: number) => string;

export type LastHovers = ReturnType<typeof createLastHovers>;

const MAX_HOVERS = 500;

export function createLastHovers(clock: Pick<Clock, 'now'>) {
  const hovers = new Map<string, { readonly render: RenderHover; readonly readAt: number }>();
  return {
    set(key: string, render: RenderHover) {
      hovers.delete(key);
      hovers.set(key, { render, readAt: clock.now() });
      if (hovers.size > MAX_HOVERS) for (const oldest of hovers.keys()) return void hovers.delete(oldest);
    },
    /** The last text with its age, the fault and the link; `null` when there is none or the fault concerns the text itself. */
    render(key: string, fault: unknown, retryLink: string): string | null {
      const last = isNodeFault(fault) ? hovers.get(key) : undefined;
      if (last === undefined) return null;
      const age = formatRelativeTime(new Date(last.readAt), clock.now());
      const note = escapeMarkdown(t('Read {0}. {1}', age, formatFault(fault)));
      return `${last.render(clock.now())}\n\n$(history) ${note} · ${retryLink}`;
    },
    /** Such as after a change of the nodes. */
    clear: () => hovers.clear(),
  };
}
