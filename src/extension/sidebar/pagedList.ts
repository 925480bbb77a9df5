// The list of a section: loaded page by page, and refreshed without losing the rows that are shown.
import { addPageNotes, type ReplyNotes } from '../../api/wire/replyNotes.ts';
import type { Clock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import { appendRows, type SectionPage } from '../../view/tree/sectionRows.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';

/** The rows of all pages, and what the last page says. */
export interface PagedListState extends SectionPage {
  /** Whether the first page has been loaded. */
  readonly loaded: boolean;
  readonly busy: 'first' | 'more' | 'refresh' | null;
  /** Of the last request; the rows stay. */
  readonly error: unknown;
  /** When the rows were read, in milliseconds since the Unix epoch; `null` before the first page. */
  readonly readAt: number | null;
}

export interface PagedList {
  state(): PagedListState;
  /** Loads the first page once. Never rejects; see `error`. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  /** Reloads as many pages as are shown; the rows stay until all are loaded. */
  refresh(): Promise<void>;
  /** Cancels the current request; the rows stay. */
  cancel(): void;
}

export interface PagedListDeps {
  /** Fetches one page; the first has no cursor. */
  fetchPage(cursor: string | null, signal: AbortSignal): Promise<SectionPage>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called after every change of the state. */
  onDidChange(): void;
}

const empty: PagedListState = {
  rows: [],
  loaded: false,
  busy: null,
  cursor: null,
  total: null,
  isSyncing: false,
  notes: {},
  error: null,
  readAt: null,
};

export function createPagedList({ fetchPage, clock, onDidChange }: PagedListDeps): PagedList {
  let state = empty;
  let pageCount = 0;
  let running: { readonly controller: AbortController; readonly promise: Promise<void> } | undefined;
  /** A refresh was requested during another request. */
  let needsRefresh = false;

  const set = (change: Partial<PagedListState>) => {
    state = { ...state, ...change };
    onDidChange();
  };

  const start = (
    busy: NonNullable<PagedListState['busy']>,
    request: (signal: AbortSignal) => Promise<Partial<PagedListState>>,
  ) => {
    running?.controller.abort();
    const controller = new AbortController();
    const run = async () => {
      try {
        const change = await request(controller.signal);
        if (controller.signal.aborted) return;
        running = undefined;
        set({ ...change, busy: null, loaded: true, error: null, readAt: clock.now() });
      } catch (error) {
        if (controller.signal.aborted) return;
        running = undefined;
        set({ busy: null, error: isFault(error, 'cancelled') ? null : error });
      }
      if (!needsRefresh) return;
      needsRefresh = false;
      await refresh();
    };
    // A refresh in progress is not shown, so it is no change.
    if (busy === 'refresh') state = { ...state, busy };
    else set({ busy });
    running = { controller, promise: run() };
    return running.promise;
  };

  const loadFirst = () =>
    start('first', async signal => {
      const page = await fetchPage(null, signal);
      pageCount = 1;
      return { ...page, rows: appendRows([], page.rows) };
    });

  const refresh = (): Promise<void> => {
    if (!state.loaded) return running?.promise ?? loadFirst();
    if (running !== undefined) {
      needsRefresh = true;
      return running.promise;
    }
    return start('refresh', async signal => {
      let cursor: string | null = null;
      let rows: readonly TreeRow[] = [];
      let page: SectionPage | undefined;
      let notes: ReplyNotes = {};
      let count = 0;
      do {
        page = await fetchPage(cursor, signal);
        rows = appendRows(rows, page.rows);
        notes = addPageNotes(notes, page.notes);
        cursor = page.cursor;
        count++;
      } while (cursor !== null && count < pageCount);
      pageCount = count;
      return { ...page, rows, notes };
    });
  };

  return {
    state: () => state,
    load() {
      if (state.loaded || state.error !== null) return Promise.resolve();
      return running?.promise ?? loadFirst();
    },
    async loadMore() {
      const { cursor } = state;
      if (cursor === null || state.busy === 'more') return running?.promise;
      // It ends a refresh, which is repeated then.
      if (state.busy === 'refresh') needsRefresh = true;
      await start('more', async signal => {
        const page = await fetchPage(cursor, signal);
        pageCount++;
        return {
          ...page,
          rows: appendRows(state.rows, page.rows),
          total: page.total ?? state.total,
          notes: addPageNotes(state.notes, page.notes),
        };
      });
    },
    refresh() {
      if (state.error !== null && !state.loaded) {
        state = empty;
        return loadFirst();
      }
      return refresh();
    },
    cancel() {
      needsRefresh = false;
      if (running === undefined) return;
      running.controller.abort();
      running = undefined;
      set({ busy: null });
    },
  };
}
