// The inspector's panels: one that is reused, as many pinned ones as the user wants. Loaded when the first is opened.
import { randomBytes } from 'node:crypto';
import { commands, env, l10n, ThemeIcon, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isAddress } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { commandIds } from '../../manifest/commands.ts';
import { formatTargetQuery, type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { SavedPanel } from '../../protocol/messages.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createDecoder } from './abiDescriber.ts';
import { formatExport } from './exportedTable.ts';
import type { DataPorts, EditorPorts, ExportedPages, ExportedTable, IncompleteIndex } from './inspectorPorts.ts';
import { createInspectorSession, type InspectorSession } from './inspectorSession.ts';
import { parseSavedPanel } from './panelHistory.ts';
import { renderPanelHtml } from './panelHtml.ts';
import { saveAllPages } from './saveAllPages.ts';

export const PANEL_TYPE = 'hexlens.inspector';

export interface InspectorDeps {
  readonly extensionUri: Uri;
  readonly extensionId: string;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly abis: AbiProvider;
  readonly book: AddressBook;
  readonly log: Log;
}

export interface Inspector extends Disposable {
  /** A command's argument, which may be anything. */
  inspect(argument: unknown, where: 'here' | 'side'): void;
  /** A panel of an earlier window, with what its page had kept. */
  restore(panel: WebviewPanel, kept: unknown): void;
}

interface OpenPanel {
  readonly panel: WebviewPanel;
  readonly session: InspectorSession;
}

const ICONS: Readonly<Record<InspectorTarget['kind'], string>> = {
  block: 'package',
  transaction: 'arrow-swap',
  address: 'account',
  operation: 'table',
};

function wellKnown(address: string): string | null {
  const account = isAddress(address) ? findDevelopmentAccount(address) : null;
  return account === null ? null : l10n.t('Dev account #{0}', account.index);
}

/** Where an export is to go; `undefined` when the user leaves. */
function askPlace({ name, format }: Pick<ExportedTable, 'name' | 'format'>, title: string): Thenable<Uri | undefined> {
  const file = `${
    name
      .replace(/[^\w.-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'hexlens'
  }.${format}`;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: Uri.joinPath(folder, file) }),
    filters: { [format.toUpperCase()]: [format] },
    title,
  });
}

/** An export that is not all there is must not look like one that is: that stays until it is read. */
function told(count: number, growing: IncompleteIndex | null): void {
  const values = { count: formatInteger(count), percent: growing?.percent ?? 0 };
  if (growing === null) {
    window.setStatusBarMessage(l10n.t('$(check) Exported {count} rows', values), 3_000);
    return;
  }
  void window.showWarningMessage(
    growing.percent === null
      ? l10n.t('Exported {count} rows; more may follow: index not complete', values)
      : l10n.t('Exported {count} rows; more may follow: index at {percent} %', values),
  );
}

async function save({ name, format, table, growing }: ExportedTable): Promise<void> {
  const count = table.rows.length;
  const target = await askPlace({ name, format }, l10n.t('Export {count} Rows', { count: formatInteger(count) }));
  if (target === undefined) return;
  const text = [...formatExport(format, table)].join('');
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  told(count, growing);
}

async function saveAll({ name, format, pages, growing }: ExportedPages): Promise<void> {
  const target = await askPlace({ name, format }, l10n.t('Export All Pages'));
  if (target === undefined) return;
  const saved = await saveAllPages(target, format, pages);
  if (saved !== null) told(saved.rows, saved.growing ? growing() : null);
}

const exportFailed = (error: unknown) =>
  void window.showErrorMessage(l10n.t('The export could not be written: {reason}', { reason: formatFault(error) }));

export function createInspector({
  extensionUri,
  extensionId,
  backend,
  settings,
  abis,
  book,
  log,
}: InspectorDeps): Inspector {
  const store = new DisposableStore();
  const open = new Set<OpenPanel>();
  const folder = Uri.joinPath(extensionUri, 'dist', 'webview');
  const data: DataPorts = {
    transport: backend.transport,
    lookup: (id, input, signal) => backend.lookup(id, input, signal),
    chains: () => backend.chains(),
    onProgress: listener => backend.onEvent(event => event.type === 'progress' && listener(event.progress)),
    pause: task => backend.pause(task),
    getName: (address, chain) => book.getName(address, chain) ?? wellKnown(address),
    describer: createDecoder(abis),
    log,
    clock: systemClock,
  };

  const editorPorts = (panel: WebviewPanel): EditorPorts => ({
    post: message => void panel.webview.postMessage(message),
    texts: l10n.bundle ?? null,
    openBeside: target => show(target, 'side'),
    setTitle(target, title) {
      panel.title = title;
      panel.iconPath = new ThemeIcon(ICONS[target.kind]);
    },
    pinned: () => {},
    copy: text => void commands.executeCommand(commandIds.copyText, text),
    save: table => void save(table).catch(exportFailed),
    saveAll: list => void saveAll(list).catch(exportFailed),
    runAction: action =>
      void commands.executeCommand(action === 'log' ? commandIds.showOutput : commandIds.openNodeSettings),
    createLink: target => `${env.uriScheme}://${extensionId}/inspect?${formatTargetQuery(target)}`,
    serviceUrl: group => settings.current()[group].baseUrl || '$HEXLENS_URL',
    nodeUrl(chain) {
      const url = settings.current().nodes[chain];
      // A public node's URL may hold a key: cast takes it from its own environment.
      return url !== undefined && isLoopbackUrl(url) ? url : null;
    },
  });

  function adopt(panel: WebviewPanel, target: InspectorTarget, saved?: SavedPanel): void {
    const parts = new DisposableStore();
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [folder] };
    const session = parts.add(
      createInspectorSession({ data, editor: editorPorts(panel), target, ...(saved !== undefined && { saved }) }),
    );
    const entry: OpenPanel = { panel, session };
    open.add(entry);
    parts.add(webview.onDidReceiveMessage(message => session.receive(message)));
    parts.add(panel.onDidChangeViewState(() => session.setVisible(panel.visible)));
    parts.add(disposable(() => open.delete(entry)));
    parts.add(panel.onDidDispose(() => parts.dispose()));
    webview.html = renderPanelHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(folder, 'inspector.js')).toString(),
      icons: webview.asWebviewUri(Uri.joinPath(folder, 'codicon.css')).toString(),
      nonce: randomBytes(18).toString('base64'),
      language: /^[\w-]+$/.test(env.language) ? env.language : 'en',
    });
    session.refresh();
  }

  store.add(
    backend.onDidApplyConfiguration(() => {
      for (const { session } of open) session.refresh();
    }),
  );
  store.add(
    disposable(() => {
      for (const { panel } of [...open]) panel.dispose();
    }),
  );

  function show(target: InspectorTarget | null, where: 'here' | 'side'): void {
    if (target === null) {
      void window.showErrorMessage(l10n.t('The inspector was asked for something that it cannot show.'));
      return;
    }
    // The panel that was opened last, if it is not pinned.
    const reusable = [...open].reverse().find(({ session }) => !session.isPinned());
    if (where === 'here' && reusable !== undefined) {
      reusable.session.open(target);
      reusable.panel.reveal(undefined, false);
      return;
    }
    const column = where === 'side' ? ViewColumn.Beside : ViewColumn.Active;
    adopt(window.createWebviewPanel(PANEL_TYPE, 'HexLens', column, { enableFindWidget: true }), target);
  }

  return {
    inspect: (argument, where) => show(parseInspectorTarget(argument), where),
    restore(panel, kept) {
      const saved = parseSavedPanel(kept);
      const target = saved?.stops[saved.at]?.target;
      if (saved === null || target === undefined) return panel.dispose();
      adopt(panel, target, saved);
    },
    dispose: () => store.dispose(),
  };
}
