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

export class PagedList {
  readonly #deps: PagedListDeps;
  #state = empty;
  /** Pages that are shown. */
  #pageCount = 0;
  /** The request that is running. */
  #running: { readonly controller: AbortController; readonly promise: Promise<void> } | undefined;
  /** A refresh was requested during another request. */
  #needsRefresh = false;

  constructor(deps: PagedListDeps) {
    this.#deps = deps;
  }

  state(): PagedListState {
    return this.#state;
  }

  /** Loads the first page once. Never rejects; see `error`. */
  load(): Promise<void> {
    if (this.#state.loaded || this.#state.error !== null) return Promise.resolve();
    return this.#running?.promise ?? this.#loadFirst();
  }

  async loadMore(): Promise<void> {
    const { cursor, busy } = this.#state;
    if (cursor === null || busy === 'more') return this.#running?.promise;
    // It ends a refresh, which is repeated then.
    if (busy === 'refresh') this.#needsRefresh = true;
    await this.#start('more', async signal => {
      const page = await this.#deps.fetchPage(cursor, signal);
      this.#pageCount++;
      return {
        ...page,
        rows: appendRows(this.#state.rows, page.rows),
        total: page.total ?? this.#state.total,
        notes: addPageNotes(this.#state.notes, page.notes),
      };
    });
  }

  /** Reloads as many pages as are shown; the rows stay until all are loaded. */
  refresh(): Promise<void> {
    if (this.#state.error !== null && !this.#state.loaded) {
      this.#state = empty;
      return this.#loadFirst();
    }
    return this.#refresh();
  }

  /** Cancels the current request; the rows stay. */
  cancel(): void {
    this.#needsRefresh = false;
    if (this.#running === undefined) return;
    this.#running.controller.abort();
    this.#running = undefined;
    this.#set({ busy: null });
  }

  #set(change: Partial<PagedListState>): void {
    this.#state = { ...this.#state, ...change };
    this.#deps.onDidChange();
  }

  #start(
    busy: NonNullable<PagedListState['busy']>,
    request: (signal: AbortSignal) => Promise<Partial<PagedListState>>,
  ): Promise<void> {
    this.#running?.controller.abort();
    const controller = new AbortController();
    const run = async () => {
      try {
        const change = await request(controller.signal);
        if (controller.signal.aborted) return;
        this.#running = undefined;
        this.#set({ ...change, busy: null, loaded: true, error: null, readAt: this.#deps.clock.now() });
      } catch (error) {
        if (controller.signal.aborted) return;
        this.#running = undefined;
        this.#set({ busy: null, error: isFault(error, 'cancelled') ? null : error });
      }
      if (!this.#needsRefresh) return;
      this.#needsRefresh = false;
      await this.#refresh();
    };
    // A refresh in progress is not shown, so it is no change.
    if (busy === 'refresh') this.#state = { ...this.#state, busy };
    else this.#set({ busy });
    this.#running = { controller, promise: run() };
    return this.#running.promise;
  }

  #loadFirst(): Promise<void> {
    return this.#start('first', async signal => {
      const page = await this.#deps.fetchPage(null, signal);
      this.#pageCount = 1;
      return { ...page, rows: appendRows([], page.rows) };
    });
  }

  #refresh(): Promise<void> {
    if (!this.#state.loaded) return this.#running?.promise ?? this.#loadFirst();
    if (this.#running !== undefined) {
      this.#needsRefresh = true;
      return this.#running.promise;
    }
    return this.#start('refresh', async signal => {
      let cursor: string | null = null;
      let rows: readonly TreeRow[] = [];
      let page: SectionPage | undefined;
      let notes: ReplyNotes = {};
      let count = 0;
      do {
        page = await this.#deps.fetchPage(cursor, signal);
        rows = appendRows(rows, page.rows);
        notes = addPageNotes(notes, page.notes);
        cursor = page.cursor;
        count++;
      } while (cursor !== null && count < this.#pageCount);
      this.#pageCount = count;
      return { ...page, rows, notes };
    });
  }
}
