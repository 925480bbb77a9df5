// One panel: its history, its channel to the page, and the chain that it follows. Knows no editor.

import { LOCAL_CHAIN } from '../../api/chains.ts';
import { CallChannel, type NotificationHandlers } from '../../base/callChannel.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { disposable, Owner } from '../../base/disposable.ts';
import { formatFault, getFaultCode, HexLensError, isFault, toPlainFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { getTargetChain, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { ExtensionInterface, PageInterface, PageNotifications } from '../../protocol/messages.ts';
import { getCallId, parsePageMessage } from '../../protocol/parsePageMessage.ts';
import { createAddressTabs, createPageForm, getOperationView, getTargetTitle } from '../../protocol/targetView.ts';
import { findTrackedTask, isTaskComplete, noTrackedTasks, updateTrackedTasks } from '../../protocol/trackedTasks.ts';
import { getAddressIcon, kindIcons } from '../../view/addressIcons.ts';
import { getConfiguredTitle } from '../../view/chainTitle.ts';
import { getPercent } from '../../view/progress.ts';
import { type ChainPoller, createChainPoller } from './chainPoller.ts';
import { ExportedTables } from './exportedTables.ts';
import type { DataPorts, EditorPorts, IncompleteIndex } from './inspectorPorts.ts';
import { createCallHandlers, type DisplayedBlock } from './pageRequests.ts';
import { createPanelHistory, type PanelHistory, type SavedPanel } from './panelHistory.ts';
import { fetchAllPages, parseExportedTable } from './tableExport.ts';
import { formatCastCommand, formatCurlCommand } from './terminalCommands.ts';

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

const ICONS: Readonly<Record<InspectorTarget['kind'], string>> = {
  block: 'package',
  transaction: 'arrow-swap',
  simulation: 'beaker',
  address: kindIcons.wallet,
  operation: 'table',
};

const UNREACHABLE = ['node-unreachable', 'no-node', 'node-timeout', 'backend-stopped'] as const;

export class InspectorSession extends Owner {
  readonly #deps: InspectorSessionDeps;
  /** What the panel has shown. */
  readonly #history: PanelHistory;
  /** The messages to and from the page. */
  readonly #channel: CallChannel<ExtensionInterface, PageInterface>;
  /** Follows the chain of what is shown. */
  readonly #poller: ChainPoller;
  /** Whether other targets are opened in another panel. */
  #isPinned: boolean;
  /** Whether the panel is on screen. */
  #isVisible = true;
  /** The page has loaded. */
  #isReady = false;
  /** The block that the page shows, which its chain may replace. */
  #displayedBlock: DisplayedBlock | null = null;
  /** By what the address of the page is; `null` until its chain has responded. */
  #addressIcon: string | null = null;
  /** A call of the page has lost the node: the chain is polled until it answers again. */
  #isNodeLost = false;
  /** Progress of the indexes. */
  #tasks = noTrackedTasks;

  constructor(deps: InspectorSessionDeps) {
    super();
    this.#deps = deps;
    const { data, editor } = deps;
    this.#history = createPanelHistory(deps.target, deps.saved ?? undefined);
    this.#isPinned = deps.saved?.isPinned ?? false;
    this.#poller = createChainPoller(data, event => {
      this.#channel.notify('chainEvent', event);
      if (event.head === null || !this.#isNodeLost) return;
      this.#isNodeLost = false;
      this.#followChain(); // less often again, or not at all
    });
    this.store.add(
      disposable(() => {
        this.#isVisible = false; // a call that ends later must not follow the chain again
        this.#poller.follow(null);
      }),
    );
    this.#channel = new CallChannel({
      post: message => editor.post(message),
      calls: createCallHandlers(data, {
        onBlock: block => {
          this.#displayedBlock = block;
          this.#followChain();
        },
        onAddress: summary => {
          const target = this.target();
          // A part of the page before may still arrive.
          if (target.kind !== 'address' || toDisplayAddress(target.address) !== summary.address) return;
          this.#addressIcon = getAddressIcon(summary);
          this.#sendTitle();
        },
      }),
      notifications: this.#createNotificationHandlers(),
      onCallFailed: error => this.#handleFault(error),
    });
    this.store.add(disposable(() => this.#channel.abortIncoming()));
    this.store.add(
      data.onProgress(progress => {
        this.#tasks = updateTrackedTasks(this.#tasks, progress);
        if (this.#isReady && this.#isVisible) this.#channel.notify('progress', progress);
      }),
    );
  }

  /** Takes a message of the page, unchecked. */
  receive(message: unknown): void {
    const parsed = parsePageMessage(message);
    if (parsed !== null) {
      this.#channel.receive(parsed);
      return;
    }
    const { data, editor } = this.#deps;
    data.log.warn('Inspector: rejected an invalid message of the page.');
    const id = getCallId(message);
    const fault = new HexLensError('bad-input', t('This input is invalid or too long.'));
    if (id !== null) editor.post({ type: 'fault', id, fault: toPlainFault(fault) });
  }

  open(target: InspectorTarget): void {
    if (this.#history.open(target)) this.#showEntry();
  }

  target(): InspectorTarget {
    return this.#history.current().target;
  }

  isPinned(): boolean {
    return this.#isPinned;
  }

  /** A hidden panel sends no request to any node. */
  setVisible(next: boolean): void {
    this.#isVisible = next;
    if (!next) this.#channel.abortIncoming();
    this.#followChain();
  }

  /** Shows the panel's state again: the settings may name other chains. */
  refresh(): void {
    this.#poller.follow(null); // its node may be another one: the chain is polled at once
    this.#sendState();
  }

  /** Nodes have reported their chains, which the toolbar and titles name. */
  handleChainTitles(): void {
    this.#sendState();
  }

  /** Which contract of the workspace an address is may have changed. */
  handleArtifactsChange(): void {
    const { kind } = this.target();
    if (this.#isReady && (kind === 'address' || kind === 'transaction')) this.#channel.notify('artifactsChanged', {});
  }

  /** The page was sent before names of its chain were known. */
  handleLateNames(chain: string): void {
    if (this.#isReady && this.#isVisible && (getTargetChain(this.target()) ?? LOCAL_CHAIN) === chain)
      this.#channel.notify('namesLearned', {});
  }

  #createNotificationHandlers(): NotificationHandlers<ExtensionInterface> {
    const { data, editor } = this.#deps;
    return {
      ready: () => {
        this.#isReady = true;
        this.#channel.abortIncoming();
        this.#poller.follow(null);
        this.#sendState();
      },
      navigate: ({ target, where }) => (where === 'side' ? editor.openBeside(target) : this.open(target)),
      goToEntry: ({ index }) => void (this.#history.go(index) && this.#showEntry()),
      pin: ({ isPinned }) => {
        this.#isPinned = isPinned;
        this.#sendState();
      },
      debug: transaction => editor.debug(transaction),
      copy: ({ text }) => editor.copy(text),
      copyCommand: command => {
        const text = this.#formatCommand(command);
        if (text !== null) editor.copy(text);
      },
      exportRows: ({ name, format, table: bytes, incompleteTarget }) => {
        const table = parseExportedTable(bytes);
        const incompleteIndex = incompleteTarget === null ? null : this.#getIncompleteIndex(incompleteTarget);
        if (table === null) return;
        const chain = getTargetChain(this.target()) ?? LOCAL_CHAIN;
        const exported = new ExportedTables(chain, data, true).convert(table, true);
        editor.save({ name, format, table: exported, incompleteIndex });
      },
      exportAllPages: ({ name, format, target }) => {
        const fetchPages = (signal: AbortSignal) => fetchAllPages(target, data, signal);
        editor.saveAll({ name, format, fetchPages, getIncompleteIndex: () => this.#getIncompleteIndex(target) });
      },
      pauseTask: ({ task }) => data.pauseTask(task),
      openSource: ({ chain, address }) => editor.openSource(chain, address),
      simulate: ({ target }) => editor.simulate(target),
      buildDebugInformation: () => editor.buildDebugInformation(),
      openLocation: ({ location }) => editor.openLocation(location),
      watch: editor.watch,
      open: ({ what }) => editor.open(what),
    };
  }

  #handleFault(error: unknown): void {
    if (isFault(error, ...UNREACHABLE)) {
      this.#isNodeLost = true;
      this.#followChain();
      this.#poller.resetLastEvent();
    }
    if (getFaultCode(error) === 'internal') this.#deps.data.log.error(`Inspector: ${formatFault(error)}`);
  }

  #getIncompleteIndex(target: InspectorTarget): IncompleteIndex {
    const kind = target.kind === 'operation' ? getOperationView(target.operation).taskKind : null;
    const task = findTrackedTask(this.#tasks, kind, target, getTargetChain(target) ?? LOCAL_CHAIN);
    return { percent: task === null || isTaskComplete(task) ? null : getPercent(task) };
  }

  /** `null` for what cannot be written as that command. */
  #formatCommand({ form, target }: PageNotifications['copyCommand']): string | null {
    const { editor } = this.#deps;
    if (form === 'link') return editor.createLink(target);
    try {
      return form === 'cast' ? formatCastCommand(target, editor) : formatCurlCommand(target, editor);
    } catch {
      return null; // its parameters are invalid, as the page says
    }
  }

  #followChain(): void {
    const target = this.target();
    const chain = getTargetChain(target);
    const isLocal = this.#deps.data.chains().find(({ selector }) => selector === chain)?.isOnLoopback === true;
    const followsHead = target.kind === 'block' && target.block === 'latest';
    // The page adds the records of each new block.
    const isLive = target.kind === 'operation' && getOperationView(target.operation).isLive;
    const isIdle = !followsHead && !this.#isNodeLost && !isLive;
    // Of other pages only a reset of a development chain is news.
    const hasNews = isLocal || target.kind === 'address' || target.kind === 'operation';
    if (this.#isVisible && this.#isReady && chain !== null && (hasNews || !isIdle))
      this.#poller.follow({ chain, isLocal, isIdle, displayedBlock: this.#displayedBlock });
    else this.#poller.follow(null);
  }

  #sendTitle(): void {
    const { editor, data } = this.#deps;
    const target = this.target();
    const icon = target.kind === 'address' ? this.#addressIcon : null;
    editor.setTitle(getTargetTitle(target, data.getName), icon ?? ICONS[target.kind]);
  }

  #sendState(): void {
    const { editor, data } = this.#deps;
    const target = this.target();
    this.#sendTitle();
    if (!this.#isReady) return;
    this.#channel.notify('state', {
      history: this.#history.entries.map(({ id, target: shown }) => ({
        id,
        target: toDisplayTarget(shown),
        title: getTargetTitle(shown, data.getName),
      })),
      historyIndex: this.#history.index,
      isPinned: this.#isPinned,
      chain: getTargetChain(target),
      chains: data.chains().map(chain => ({
        selector: chain.selector,
        title: getConfiguredTitle(chain),
        isOnLoopback: chain.isOnLoopback,
      })),
      form: createPageForm(target),
      operationView: target.kind === 'operation' ? getOperationView(target.operation) : null,
      addressTabs: target.kind === 'address' ? createAddressTabs(target.address, target.chain) : [],
      commands: (['cast', 'curl'] as const).filter(form => this.#formatCommand({ form, target }) !== null),
      translations: editor.translations,
    });
    this.#followChain();
  }

  /** The history has moved: calls for the entry before are of no use. */
  #showEntry(): void {
    this.#channel.abortIncoming();
    this.#displayedBlock = null;
    this.#addressIcon = null;
    this.#isNodeLost = false;
    // Follows from the start: the new entry's page has not learned of a lost node yet.
    this.#poller.follow(null);
    this.#sendState();
  }
}
