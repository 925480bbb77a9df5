// One list behind a section: asked page by page, refreshed without losing what is shown, cancelled when nobody looks.
import { isFault } from '../../base/errors.ts';
import { appendRows, type SectionPage } from '../../view/tree/sectionRows.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';

export interface PagedListState {
  readonly rows: readonly TreeRow[];
  /** Whether a first page was ever there. */
  readonly loaded: boolean;
  readonly busy: 'first' | 'more' | 'refresh' | null;
  /** Where the next page starts; `null` at the end. */
  readonly cursor: string | null;
  readonly total: number | null;
  readonly syncing: boolean;
  /** Of the last attempt; what is shown stays. */
  readonly error: unknown;
}

export interface PagedList {
  state(): PagedListState;
  /** The first page, once: joined while it is under way. Never rejects; see `error`. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  /** As many pages again as are shown; what is shown stays until they are there. */
  refresh(): Promise<void>;
  /** Ends what is under way; what was loaded stays. */
  cancel(): void;
}

export interface PagedListDeps {
  /** One page; the first without a cursor. */
  fetchPage(cursor: string | null, signal: AbortSignal): Promise<SectionPage>;
  /** After every change of the state. */
  onDidChange(): void;
}

const empty: PagedListState = {
  rows: [],
  loaded: false,
  busy: null,
  cursor: null,
  total: null,
  syncing: false,
  error: null,
};

export function createPagedList({ fetchPage: ask, onDidChange: changed }: PagedListDeps): PagedList {
  let state = empty;
  let pages = 0;
  let running: { readonly controller: AbortController; readonly promise: Promise<void> } | undefined;
  /** A refresh that was asked for while something else was under way. */
  let stale = false;

  const set = (change: Partial<PagedListState>) => {
    state = { ...state, ...change };
    changed();
  };

  const start = (
    busy: NonNullable<PagedListState['busy']>,
    work: (signal: AbortSignal) => Promise<Partial<PagedListState>>,
  ) => {
    running?.controller.abort();
    const controller = new AbortController();
    const run = async () => {
      try {
        const change = await work(controller.signal);
        if (controller.signal.aborted) return;
        running = undefined;
        set({ ...change, busy: null, loaded: true, error: null });
      } catch (error) {
        if (controller.signal.aborted) return;
        running = undefined;
        set({ busy: null, error: isFault(error, 'cancelled') ? null : error });
      }
      if (!stale) return;
      stale = false;
      await refresh();
    };
    // A refresh is not seen while it goes on: the rows stay as they are.
    if (busy === 'refresh') state = { ...state, busy };
    else set({ busy });
    running = { controller, promise: run() };
    return running.promise;
  };

  const first = () =>
    start('first', async signal => {
      const answer = await ask(null, signal);
      pages = 1;
      return { ...answer, rows: appendRows([], answer.rows) };
    });

  const refresh = (): Promise<void> => {
    if (!state.loaded) return running?.promise ?? first();
    if (running !== undefined) {
      stale = true;
      return running.promise;
    }
    return start('refresh', async signal => {
      let cursor: string | null = null;
      let rows: readonly TreeRow[] = [];
      let answer: SectionPage | undefined;
      let count = 0;
      do {
        answer = await ask(cursor, signal);
        rows = appendRows(rows, answer.rows);
        cursor = answer.cursor;
        count++;
      } while (cursor !== null && count < pages);
      pages = count;
      return { ...answer, rows };
    });
  };

  return {
    state: () => state,
    load() {
      if (state.loaded || state.error !== null) return Promise.resolve();
      return running?.promise ?? first();
    },
    async loadMore() {
      const { cursor } = state;
      if (cursor === null || state.busy === 'more') return running?.promise;
      await start('more', async signal => {
        const answer = await ask(cursor, signal);
        pages++;
        return { ...answer, rows: appendRows(state.rows, answer.rows), total: answer.total ?? state.total };
      });
    },
    refresh() {
      if (state.error !== null && !state.loaded) {
        state = empty;
        return first();
      }
      return refresh();
    },
    cancel() {
      stale = false;
      if (running === undefined) return;
      running.controller.abort();
      running = undefined;
      set({ busy: null });
    },
  };
}
