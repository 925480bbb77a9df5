// The inspector's panels: one that is reused, and any number of pinned ones.

import {
  commands,
  env,
  l10n,
  Range,
  ThemeIcon,
  Uri,
  ViewColumn,
  version,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { toUrlList } from '../../api/nodeUrls.ts';
import type { SourceLocation } from '../../api/transactionStack.ts';
import { bytesToBase64 } from '../../base/base64.ts';
import { DisposableStore, disposable, Owner } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { commandIds } from '../../manifest/commands.ts';
import {
  formatTargetQuery,
  getTargetHashes,
  type InspectorTarget,
  parseInspectorTarget,
} from '../../protocol/inspectorTarget.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { createBuildNames } from '../abi/buildNames.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showWarningMessage } from '../prompts/showMessage.ts';
import { createDataPorts } from './createDataPorts.ts';
import type { DataPorts, EditorPorts, ExportedPages, ExportedTable, IncompleteIndex } from './inspectorPorts.ts';
import { InspectorSession } from './inspectorSession.ts';
import { parseSavedPanel, type SavedPanel } from './panelHistory.ts';
import { createExportWriter } from './tableExport.ts';

interface PanelResources {
  readonly cspSource: string;
  readonly script: string;
  readonly icons: string;
  readonly nonce: string;
  readonly language: string;
}

/** The content security policy allows images as data only, and no connections, frames, forms, inline scripts or styles. */
function renderPanelHtml({ cspSource, script, icons, nonce, language }: PanelResources): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    'img-src data: blob:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HexLens</title>
<link id="vscode-codicon-stylesheet" rel="stylesheet" href="${icons}">
<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
<body></body>
</html>
`;
}

const PANEL_TYPE = 'hexlens.inspector';

export interface InspectorDeps
  extends Pick<FeatureDeps, 'worker' | 'settings' | 'abis' | 'book' | 'workspaceState' | 'log' | 'records'> {
  readonly extensionUri: Uri;
  readonly extensionId: string;
}

interface OpenPanel {
  readonly panel: WebviewPanel;
  readonly session: InspectorSession;
}

/** `undefined` when the user cancels. */
function promptFile(
  { name, format }: Pick<ExportedTable, 'name' | 'format'>,
  title: string,
): Thenable<Uri | undefined> {
  const file = `${
    name
      .replace(/[^\w.-]+/g, '-')
      .replace(/^-+|(?<!-)-+$/g, '')
      .slice(0, 80) || 'hexlens'
  }.${format}`;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: Uri.joinPath(folder, file) }),
    filters: { [format.toUpperCase()]: [format] },
    title,
  });
}

/** An incomplete export is reported as a warning, which stays until the user closes it. */
function showExported(count: number, incompleteIndex: IncompleteIndex | null): void {
  const values = { count: formatInteger(count), percent: incompleteIndex?.percent ?? 0 };
  if (incompleteIndex === null) {
    const text = count === 1 ? l10n.t('$(check) Exported 1 row') : l10n.t('$(check) Exported {count} rows', values);
    window.setStatusBarMessage(text, 3_000);
    return;
  }
  void showWarningMessage(
    incompleteIndex.percent === null
      ? l10n.t('Exported {count} rows; more may follow: index not complete', values)
      : l10n.t('Exported {count} rows; more may follow: index at {percent}%', values),
  );
}

async function save({ name, format, table: exported, incompleteIndex }: ExportedTable): Promise<void> {
  const table = await exported;
  const count = table.rows.length;
  const title = count === 1 ? l10n.t('Export 1 Row') : l10n.t('Export {count} Rows', { count: formatInteger(count) });
  const target = await promptFile({ name, format }, title);
  if (target === undefined) return;
  const writer = createExportWriter(format);
  const text = writer.formatPage(table) + writer.formatEnd();
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  showExported(count, incompleteIndex);
}

async function saveAll({ name, format, fetchPages, getIncompleteIndex }: ExportedPages): Promise<void> {
  const { saveAllPages } = await import('./saveAllPages.ts'); // rejects in a browser: before a file is chosen
  const target = await promptFile({ name, format }, l10n.t('Export All Pages'));
  if (target === undefined) return;
  const saved = await saveAllPages(target, createExportWriter(format), fetchPages);
  if (saved !== null) showExported(saved.rowCount, saved.isIncomplete ? getIncompleteIndex() : null);
}

const showExportFault = (error: unknown) =>
  void showErrorMessage(l10n.t('The export could not be written: {reason}', { reason: formatFault(error) }));

/** Panels take a theme icon only since VS Code 1.108. */
const createPanelIcon = (icon: string, extensionUri: Uri): NonNullable<WebviewPanel['iconPath']> =>
  Number(version.split('.')[1]) < 108
    ? Uri.joinPath(extensionUri, 'media', 'icon.png')
    : (new ThemeIcon(icon) as never); // newer than the types

export class Inspector extends Owner {
  readonly #deps: InspectorDeps;
  /** In the order in which they were opened. */
  readonly #openPanels = new Set<OpenPanel>();
  /** What pages may load. */
  readonly #pageFolder: Uri;
  /** What pages read, the same for all panels. */
  readonly #data: DataPorts;

  constructor(deps: InspectorDeps) {
    super();
    this.#deps = deps;
    const { worker, abis, book, extensionUri } = deps;
    this.#pageFolder = Uri.joinPath(extensionUri, 'dist', 'webview');
    const buildNames = createBuildNames(
      { worker, abis, book },
      (chain, address) => this.#refreshTitles(chain, address),
      chain => {
        for (const { session } of this.#openPanels) session.handleLateNames(chain);
      },
    );
    this.#data = createDataPorts(deps, buildNames);
    this.store.add(worker.onDidChangeConnections(() => buildNames.clear()));
    this.store.add(
      worker.onDidChangeChainTitles(() => {
        for (const { session } of this.#openPanels) session.handleChainTitles();
      }),
    );
    this.store.add(
      abis.onDidChange(() => {
        buildNames.clear();
        for (const { session } of this.#openPanels) session.handleArtifactsChange();
      }),
    );
    this.store.add(
      worker.onDidApplyConfiguration(() => {
        for (const { session } of this.#openPanels) session.refresh();
      }),
    );
    this.store.add(
      disposable(() => {
        for (const { panel } of [...this.#openPanels]) panel.dispose();
      }),
    );
  }

  /** Opens a target; `argument` is an unchecked command argument. */
  inspect(argument: unknown, where: 'here' | 'side'): void {
    this.#show(parseInspectorTarget(argument), where);
  }

  /** Restores a panel of an earlier window from the state that its page has persisted. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = parseSavedPanel(state);
    const target = saved?.entries[saved.index]?.target;
    if (saved === null || target === undefined) panel.dispose();
    else this.#attach(panel, target, saved);
  }

  #refreshTitles(chain: string, address: Hex): void {
    for (const { session } of this.#openPanels) {
      const target = session.target();
      if (target.kind === 'address' && target.chain === chain && target.address === address.toLowerCase())
        session.refresh();
    }
  }

  async #openLocation(location: SourceLocation): Promise<void> {
    const uri = (await this.#deps.abis.sources()).toUri(location);
    if (uri === null) return;
    const { start, end } = location;
    const selection = new Range(start.line, start.character, end.line, end.character);
    await window.showTextDocument(uri, { selection, preview: true });
  }

  #createEditorPorts(panel: WebviewPanel): EditorPorts {
    const { extensionId, extensionUri, settings, log } = this.#deps;
    return {
      post: message => void panel.webview.postMessage(message),
      translations: l10n.bundle ?? null,
      openBeside: target => this.#show(target, 'side'),
      setTitle(title, icon) {
        panel.title = title;
        panel.iconPath = createPanelIcon(icon, extensionUri);
      },
      debug: transaction => void commands.executeCommand(commandIds.debugTransaction, transaction),
      copy: text => void commands.executeCommand(commandIds.copyText, text),
      save: table => void save(table).catch(showExportFault),
      saveAll: list => void saveAll(list).catch(showExportFault),
      open: what => void commands.executeCommand(what === 'log' ? commandIds.showOutput : commandIds.openNodeSettings),
      createLink: target => `${env.uriScheme}://${extensionId}/inspect?${formatTargetQuery(target)}`,
      getServiceUrl: group => settings.current()[group].baseUrl || '$HEXLENS_URL',
      // The URL of a public node may contain a key: without it, cast uses its own configuration.
      getNodeUrl: chain => toUrlList(settings.current().nodes[chain]).find(isLoopbackUrl) ?? null,
      openSource: (chain, address) => void commands.executeCommand(commandIds.openSource, chain, address),
      simulate: target => void commands.executeCommand(commandIds.simulateCall, target),
      buildDebugInformation: () => void commands.executeCommand(commandIds.buildDebugInformation),
      openLocation: location => void this.#openLocation(location).catch(error => log.warn(`Source: ${String(error)}`)),
      watch: watch => void commands.executeCommand(commandIds.watch, watch),
    };
  }

  #attach(panel: WebviewPanel, target: InspectorTarget, saved?: SavedPanel): void {
    const panelStore = new DisposableStore();
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.#pageFolder] };
    const editor = this.#createEditorPorts(panel);
    const session = panelStore.add(new InspectorSession({ data: this.#data, editor, target, saved: saved ?? null }));
    const entry: OpenPanel = { panel, session };
    this.#openPanels.add(entry);
    panelStore.add(webview.onDidReceiveMessage(message => session.receive(message)));
    panelStore.add(panel.onDidChangeViewState(() => session.setVisible(panel.visible)));
    panelStore.add(disposable(() => this.#openPanels.delete(entry)));
    panelStore.add(panel.onDidDispose(() => panelStore.dispose()));
    webview.html = renderPanelHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(this.#pageFolder, 'inspector.js')).toString(),
      icons: webview.asWebviewUri(Uri.joinPath(this.#pageFolder, 'codicon.css')).toString(),
      nonce: bytesToBase64(crypto.getRandomValues(new Uint8Array(18))),
      language: /^[\w-]+$/.test(env.language) ? env.language : 'en',
    });
    session.refresh();
  }

  #show(target: InspectorTarget | null, where: 'here' | 'side'): void {
    if (target === null) return void showErrorMessage(l10n.t('The inspector cannot show this.'));
    const secret = findSecretReason(getTargetHashes(target));
    if (secret !== null) return void showErrorMessage(secret);
    // The last opened panel that is not pinned.
    const reusable = [...this.#openPanels].reverse().find(({ session }) => !session.isPinned());
    if (where === 'here' && reusable !== undefined) {
      reusable.session.open(target);
      reusable.panel.reveal(undefined, false);
      return;
    }
    const column = where === 'side' ? ViewColumn.Beside : ViewColumn.Active;
    this.#attach(window.createWebviewPanel(PANEL_TYPE, 'HexLens', column, { enableFindWidget: true }), target);
  }
}
