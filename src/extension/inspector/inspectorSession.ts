// One panel's conversation with its page: where it is, what it asked, what the chain says meanwhile. Knows no editor.

import { LOCAL_CHAIN } from '../../api/chains.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, getFaultCode, isFault, toPlainFault } from '../../base/errors.ts';
import { getTargetChain, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { PageMessage, Question, SavedPanel } from '../../protocol/messages.ts';
import { parsePageMessage } from '../../protocol/parsePageMessage.ts';
import { getTargetTitle } from '../../protocol/targetTitle.ts';
import { findTrackedTask, isTaskComplete, noTrackedTasks, updateTrackedTasks } from '../../protocol/trackedTasks.ts';
import { getPercent } from '../../view/progress.ts';
import { createChainPoller } from './chainFollower.ts';
import { parseExportedTable } from './exportedTable.ts';
import { fetchAllPages } from './fetchAllPages.ts';
import type { DataPorts, EditorPorts, IncompleteIndex } from './inspectorPorts.ts';
import { createPageForm } from './pageForm.ts';
import { type DisplayedBlock, getCoin, handlePageRequest, type PostResponse } from './pageRequests.ts';
import { createPanelHistory } from './panelHistory.ts';
import { resolveTarget } from './resolveTarget.ts';
import { formatCastCommand, formatCurlCommand } from './terminalCommands.ts';

export interface InspectorSession extends Disposable {
  /** What the page said, unchecked. */
  receive(message: unknown): void;
  open(target: InspectorTarget): void;
  target(): InspectorTarget;
  isPinned(): boolean;
  /** A panel that nobody sees asks no node anything. */
  setVisible(visible: boolean): void;
  /** The settings may name other chains now. */
  refresh(): void;
}

export interface InspectorSessionDeps {
  readonly data: DataPorts;
  readonly editor: EditorPorts;
  readonly target: InspectorTarget;
  /** What a page of an earlier window had kept. */
  readonly saved?: SavedPanel | null;
}

const UNREACHABLE = ['node-unreachable', 'no-node', 'node-timeout', 'backend-stopped'] as const;

export function createInspectorSession({ data, editor, target: first, saved }: InspectorSessionDeps): InspectorSession {
  const store = new DisposableStore();
  const history = createPanelHistory(first, saved ?? undefined);
  let pinned = saved?.pinned ?? false;
  let visible = true;
  let greeted = false;
  /** The block that the page shows, and whether a node it asked was lost. */
  let shown: DisplayedBlock | null = null;
  let lost = false;
  /** What was heard of long work: how far the index behind a list is. */
  let works = noTrackedTasks;
  const asked = new Map<number, AbortController>();
  const follower = createChainPoller(data, news => {
    if (news.head !== null) lost = false;
    editor.post(news);
  });
  store.add(disposable(() => follower.follow(null)));

  store.add(
    data.onProgress(work => {
      works = updateTrackedTasks(works, work);
      if (greeted && visible) editor.post({ type: 'work', work });
    }),
  );

  const current = () => history.current().target;
  const nameOf = (address: string, chain: string) => data.getName(address, chain);

  const growingOf = (target: InspectorTarget): IncompleteIndex => {
    const work = findTrackedTask(works, target, getTargetChain(target) ?? LOCAL_CHAIN);
    return { percent: work === null || isTaskComplete(work) ? null : getPercent(work) };
  };

  function follow(): void {
    const target = current();
    const chain = getTargetChain(target);
    const known = data.chains().find(({ selector }) => selector === chain);
    const head = target.kind === 'block' && target.block === 'latest';
    // Logs may be followed live: the page adds those of each new block.
    const logs = target.kind === 'operation' && target.operation === 'contractLogs';
    const shows = target.kind === 'block' || target.kind === 'address';
    const watching = head || lost || logs || (shows && known?.local === true);
    const quiet = !visible || !greeted || chain === null || !watching;
    follower.follow(quiet ? null : { chain, local: known?.local ?? false, displayedBlock: shown });
  }

  function cancelAll(): void {
    for (const controller of asked.values()) controller.abort();
    asked.clear();
  }
  store.add(disposable(cancelAll));

  function show(): void {
    const target = current();
    editor.setTitle(target, getTargetTitle(target, nameOf));
    if (!greeted) return;
    editor.post({
      type: 'show',
      stops: history.stops.map(stop => ({ ...stop, title: getTargetTitle(stop.target, nameOf) })),
      at: history.at,
      pinned,
      chains: data.chains().map(({ selector }) => {
        const { symbol: coin, decimals } = getCoin(selector);
        return { selector, title: selector, coin, decimals };
      }),
      form: createPageForm(target),
      texts: editor.texts,
    });
    follow();
  }

  /** Another stop: what the page had asked for the one before is of no use. */
  function leave(): void {
    cancelAll();
    shown = null;
    lost = false;
    // Watched anew: a page that begins must hear that its node is lost, though the one before heard it.
    follower.follow(null);
    show();
  }

  async function work(id: number, run: (say: PostResponse, signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    asked.get(id)?.abort();
    asked.set(id, controller);
    const { signal } = controller;
    try {
      await run(message => {
        if (!signal.aborted) editor.post({ ...message, id });
      }, signal);
      if (!signal.aborted) editor.post({ type: 'done', id });
    } catch (error) {
      if (signal.aborted) return;
      if (isFault(error, ...UNREACHABLE)) {
        lost = true;
        follow();
        follower.resetLastEvent();
      }
      if (getFaultCode(error) === 'internal') data.log.error(`Inspector: ${formatFault(error)}`);
      editor.post({ type: 'fault', id, fault: toPlainFault(error) });
    } finally {
      if (asked.get(id) === controller) asked.delete(id);
    }
  }

  const ask = (id: number, question: Question) =>
    work(id, (say, signal) =>
      handlePageRequest(question, data, say, signal, block => {
        shown = block;
        follow();
      }),
    );

  function copyCommand({ form, target }: Extract<PageMessage, { type: 'copyCommand' }>): void {
    const text =
      form === 'link'
        ? editor.createLink(target)
        : form === 'cast'
          ? formatCastCommand(target, editor)
          : formatCurlCommand(target, editor);
    if (text !== null) editor.copy(text);
  }

  function greet(): void {
    greeted = true;
    cancelAll();
    follower.follow(null);
    show();
  }

  function handle(message: PageMessage): void {
    switch (message.type) {
      case 'hello':
        greet();
        break;
      case 'ask':
        void ask(message.id, message.question);
        break;
      case 'cancel':
        asked.get(message.id)?.abort();
        asked.delete(message.id);
        break;
      case 'navigate':
        if (message.where === 'side') editor.openBeside(message.target);
        else open(message.target);
        break;
      case 'go':
        if (history.go(message.to)) leave();
        break;
      case 'pin':
        pinned = message.pinned;
        editor.pinned(pinned);
        show();
        break;
      case 'find':
        void work(message.id, async (_, signal) => {
          const found = await resolveTarget(message.text, message.chain || LOCAL_CHAIN, data, signal);
          signal.throwIfAborted();
          editor.post({ type: 'done', id: message.id });
          open(found);
        });
        break;
      case 'copy':
        editor.copy(message.text);
        break;
      case 'copyCommand':
        copyCommand(message);
        break;
      case 'export': {
        const table = parseExportedTable(message.table);
        const growing = message.growing === null ? null : growingOf(message.growing);
        if (table !== null) editor.save({ name: message.name, format: message.format, table, growing });
        break;
      }
      case 'exportAll': {
        const { name, format, target } = message;
        const pages = (signal: AbortSignal) => fetchAllPages(target, data.transport, signal);
        editor.saveAll({ name, format, pages, growing: () => growingOf(target) });
        break;
      }
      case 'pause':
        data.pause(message.task);
        break;
      case 'act':
        editor.runAction(message.action);
        break;
    }
  }

  function open(target: InspectorTarget): void {
    history.open(target);
    leave();
  }

  return {
    receive(value) {
      const message = parsePageMessage(value);
      if (message === null) return data.log.warn('Inspector: a message of the page was refused.');
      handle(message);
    },
    open,
    target: current,
    isPinned: () => pinned,
    setVisible(next) {
      visible = next;
      if (!next) cancelAll();
      follow();
    },
    refresh: show,
    dispose: () => store.dispose(),
  };
}
