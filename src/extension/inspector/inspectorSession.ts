// One panel: its history, its channel to the page, and the chain that it follows. Knows no editor.

import { LOCAL_CHAIN } from '../../api/chains.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, getFaultCode, isFault } from '../../base/errors.ts';
import { createExtensionChannel } from '../../protocol/extensionChannel.ts';
import { getTargetChain, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { NotificationHandlers, PageNotifications } from '../../protocol/messages.ts';
import { createAddressTabs, createPageForm, getOperationView, getTargetTitle } from '../../protocol/targetView.ts';
import { findTrackedTask, isTaskComplete, noTrackedTasks, updateTrackedTasks } from '../../protocol/trackedTasks.ts';
import { getPercent } from '../../view/progress.ts';
import { createChainPoller } from './chainPoller.ts';
import { ExportedTables } from './exportedTables.ts';
import type { DataPorts, EditorPorts, IncompleteIndex } from './inspectorPorts.ts';
import { createCallHandlers, type DisplayedBlock } from './pageRequests.ts';
import { createPanelHistory, type SavedPanel } from './panelHistory.ts';
import { fetchAllPages, parseExportedTable } from './tableExport.ts';
import { formatCastCommand, formatCurlCommand } from './terminalCommands.ts';

export interface InspectorSession extends Disposable {
  /** Takes a message of the page, unchecked. */
  receive(message: unknown): void;
  open(target: InspectorTarget): void;
  target(): InspectorTarget;
  isPinned(): boolean;
  /** A hidden panel sends no request to any node. */
  setVisible(isVisible: boolean): void;
  /** Shows the panel's state again: the settings may name other chains. */
  refresh(): void;
  /** Which contract of the workspace an address is may have changed. */
  handleArtifactsChange(): void;
}

export interface InspectorSessionDeps {
  readonly data: DataPorts;
  readonly editor: EditorPorts;
  readonly target: InspectorTarget;
  /** What the page of an earlier window persisted. */
  readonly saved?: SavedPanel | null;
}

/** The page shows an address with its checksum before anything is read of it. */
const toDisplayTarget = (target: InspectorTarget): InspectorTarget =>
  target.kind === 'address' ? { ...target, address: toDisplayAddress(target.address) } : target;

const UNREACHABLE = ['node-unreachable', 'no-node', 'node-timeout', 'backend-stopped'] as const;

export function createInspectorSession({ data, editor, target: first, saved }: InspectorSessionDeps): InspectorSession {
  const store = new DisposableStore();
  const history = createPanelHistory(first, saved ?? undefined);
  let isPinned = saved?.isPinned ?? false;
  let isVisible = true;
  /** The page has loaded. */
  let isReady = false;
  let displayedBlock: DisplayedBlock | null = null;
  /** A call of the page has lost the node: the chain is polled until it answers again. */
  let isNodeLost = false;
  let tasks = noTrackedTasks;

  const poller = createChainPoller(data, event => {
    channel.notify('chainEvent', event);
    if (event.head === null || !isNodeLost) return;
    isNodeLost = false;
    followChain(); // less often again, or not at all
  });
  store.add(
    disposable(() => {
      isVisible = false; // a call that ends later must not follow the chain again
      poller.follow(null);
    }),
  );

  const currentTarget = () => history.current().target;
  const getName = (address: string, chain: string) => data.getName(address, chain);

  const getIncompleteIndex = (target: InspectorTarget): IncompleteIndex => {
    const kind = target.kind === 'operation' ? getOperationView(target.operation).taskKind : null;
    const task = findTrackedTask(tasks, kind, target, getTargetChain(target) ?? LOCAL_CHAIN);
    return { percent: task === null || isTaskComplete(task) ? null : getPercent(task) };
  };

  /** `null` for what cannot be written as that command. */
  function formatCommand({ form, target }: PageNotifications['copyCommand']): string | null {
    if (form === 'link') return editor.createLink(target);
    try {
      return form === 'cast' ? formatCastCommand(target, editor) : formatCurlCommand(target, editor);
    } catch {
      return null; // its parameters are invalid, as the page says
    }
  }

  function followChain(): void {
    const target = currentTarget();
    const chain = getTargetChain(target);
    const isLocal = data.chains().find(({ selector }) => selector === chain)?.isOnLoopback === true;
    const followsHead = target.kind === 'block' && target.block === 'latest';
    // The page adds the records of each new block.
    const isLive = target.kind === 'operation' && getOperationView(target.operation).isLive;
    const isIdle = !followsHead && !isNodeLost && !isLive;
    // Of other pages only a reset of a development chain is news.
    const hasNews = isLocal || target.kind === 'address' || target.kind === 'operation';
    if (isVisible && isReady && chain !== null && (hasNews || !isIdle))
      poller.follow({ chain, isLocal, isIdle, displayedBlock });
    else poller.follow(null);
  }

  function sendState(): void {
    const target = currentTarget();
    editor.setTitle(target, getTargetTitle(target, getName));
    if (!isReady) return;
    channel.notify('state', {
      history: history.entries.map(({ id, target }) => ({
        ...{ id, target: toDisplayTarget(target) },
        title: getTargetTitle(target, getName),
      })),
      historyIndex: history.index,
      isPinned,
      chain: getTargetChain(target),
      chains: data.chains().map(({ selector, isOnLoopback }) => ({ selector, title: selector, isOnLoopback })),
      form: createPageForm(target),
      operationView: target.kind === 'operation' ? getOperationView(target.operation) : null,
      addressTabs: target.kind === 'address' ? createAddressTabs(target.address, target.chain) : [],
      commands: (['cast', 'curl'] as const).filter(form => formatCommand({ form, target }) !== null),
      translations: editor.translations,
    });
    followChain();
  }

  /** The history has moved: calls for the entry before are of no use. */
  function showEntry(): void {
    channel.cancelAll();
    displayedBlock = null;
    isNodeLost = false;
    // Follows from the start: the new entry's page has not learnt of a lost node yet.
    poller.follow(null);
    sendState();
  }

  function open(target: InspectorTarget): void {
    if (history.open(target)) showEntry();
  }

  const notifications: NotificationHandlers<PageNotifications> = {
    ready() {
      isReady = true;
      channel.cancelAll();
      poller.follow(null);
      sendState();
    },
    navigate({ target, where }) {
      if (where === 'side') editor.openBeside(target);
      else open(target);
    },
    goToEntry({ index }) {
      if (history.go(index)) showEntry();
    },
    pin(next) {
      isPinned = next.isPinned;
      sendState();
    },
    copy: ({ text }) => editor.copy(text),
    copyCommand(command) {
      const text = formatCommand(command);
      if (text !== null) editor.copy(text);
    },
    exportRows({ name, format, table: bytes, incompleteTarget }) {
      const table = parseExportedTable(bytes);
      const incompleteIndex = incompleteTarget === null ? null : getIncompleteIndex(incompleteTarget);
      if (table === null) return;
      const chain = getTargetChain(currentTarget()) ?? LOCAL_CHAIN;
      const exported = new ExportedTables(chain, data, true).convert(table, true);
      editor.save({ name, format, table: exported, incompleteIndex });
    },
    exportAllPages({ name, format, target }) {
      const pages = (signal: AbortSignal) => fetchAllPages(target, data, signal);
      editor.saveAll({ name, format, fetchPages: pages, getIncompleteIndex: () => getIncompleteIndex(target) });
    },
    pauseTask: ({ task }) => data.pauseTask(task),
    openSource: ({ chain, address }) => editor.openSource(chain, address),
    openLocation: ({ location }) => editor.openLocation(location),
    watch: editor.watch,
    open: ({ what }) => editor.open(what),
  };

  const channel = createExtensionChannel({
    post: message => editor.post(message),
    calls: createCallHandlers(data, block => {
      displayedBlock = block;
      followChain();
    }),
    notifications,
    onFault(error) {
      if (isFault(error, ...UNREACHABLE)) {
        isNodeLost = true;
        followChain();
        poller.resetLastEvent();
      }
      if (getFaultCode(error) === 'internal') data.log.error(`Inspector: ${formatFault(error)}`);
    },
    onInvalidMessage: () => data.log.warn('Inspector: rejected an invalid message of the page.'),
  });
  store.add(disposable(() => channel.cancelAll()));

  store.add(
    data.onProgress(progress => {
      tasks = updateTrackedTasks(tasks, progress);
      if (isReady && isVisible) channel.notify('progress', progress);
    }),
  );

  return {
    receive: message => channel.receive(message),
    open,
    target: currentTarget,
    isPinned: () => isPinned,
    setVisible(next) {
      isVisible = next;
      if (!next) channel.cancelAll();
      followChain();
    },
    refresh() {
      poller.follow(null); // its node may be another one: the chain is polled at once
      sendState();
    },
    handleArtifactsChange() {
      if (isReady && currentTarget().kind === 'address') channel.notify('artifactsChanged', {});
    },
    dispose: () => store.dispose(),
  };
}
