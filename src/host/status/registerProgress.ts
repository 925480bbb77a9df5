// Long indexing as people see it: beside the chain in the status bar, and as a notification that can be cancelled.
import { l10n, ProgressLocation, StatusBarAlignment, window } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Progress } from '../../contract/port.ts';
import type { BackendHost } from '../backend/backendHost.ts';

export interface ProgressDeps {
  readonly backend: Pick<BackendHost, 'onEvent' | 'pause'>;
}

/** Milliseconds that work lasts before a notification is worth it. */
export const LONG_MS = 4_000;

interface Work {
  latest: Progress;
  /** Called with each step once the notification is there. */
  tell: ((progress: Progress) => void) | undefined;
  end(): void;
}

/** Whole percent; `null` while the end is not known. */
export const percentOf = ({ done, total }: Progress): number | null =>
  total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));

const titleOf = ({ chain, subject }: Progress): string =>
  subject === null
    ? l10n.t('HexLens indexes {0}', chain ?? '')
    : l10n.t('HexLens indexes {0} of {1}', `${subject.slice(0, 8)}…${subject.slice(-4)}`, chain ?? '');

const lineOf = ({ done, total }: Progress): string =>
  total === null ? l10n.t('{0} blocks', done) : l10n.t('{0} of {1} blocks', done, total);

export function registerProgress({ backend }: ProgressDeps): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.progress', StatusBarAlignment.Left, 9));
  item.name = 'HexLens';
  const works = new Map<string, Work>();

  const render = () => {
    const [first] = works.values();
    if (first === undefined) return item.hide();
    const { latest } = first;
    const percent = percentOf(latest);
    const more = works.size > 1 ? ` +${works.size - 1}` : '';
    item.text = `$(sync~spin) ${latest.chain ?? ''}${percent === null ? '' : ` ${percent}%`}${more}`;
    item.tooltip = [...works.values()].map(work => `${titleOf(work.latest)}: ${lineOf(work.latest)}`).join('\n');
    item.accessibilityInformation = { label: `${titleOf(latest)}: ${lineOf(latest)}` };
    item.show();
  };

  /** Until the work ends; cancelling pauses it, and the next request goes on from there. */
  const notify = (task: string, work: Work, ended: Promise<void>) => {
    const options = { location: ProgressLocation.Notification, title: titleOf(work.latest), cancellable: true };
    void window.withProgress(options, async (progress, token) => {
      let shown = 0;
      work.tell = step => {
        const percent = percentOf(step) ?? shown;
        progress.report({ message: lineOf(step), increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      };
      work.tell(work.latest);
      const cancelled = token.onCancellationRequested(() => backend.pause(task));
      await ended;
      cancelled.dispose();
    });
  };

  const begin = (progress: Progress): Work => {
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(() => notify(progress.task, work, ended.promise), LONG_MS);
    const work: Work = {
      latest: progress,
      tell: undefined,
      end() {
        clearTimeout(timer);
        ended.resolve();
      },
    };
    works.set(progress.task, work);
    return work;
  };

  store.add(
    backend.onEvent(event => {
      if (event.type !== 'progress') return;
      const { progress } = event;
      const known = works.get(progress.task);
      if (!progress.running) {
        known?.end();
        works.delete(progress.task);
      } else {
        const work = known ?? begin(progress);
        work.latest = progress;
        work.tell?.(progress);
      }
      render();
    }),
  );
  store.add(
    disposable(() => {
      for (const work of works.values()) work.end();
      works.clear();
    }),
  );
  return store;
}
