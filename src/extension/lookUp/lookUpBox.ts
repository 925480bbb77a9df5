// The look-up box: a quick pick that shows what a typed text may be, and opens, copies or saves it.

import {
  commands,
  env,
  l10n,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  window,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { commandIds } from '../../manifest/commands.ts';
import { getRunningBuild } from '../../view/contractBuild.ts';
import type { ProjectContract } from '../../view/lookUp/findProjectNames.ts';
import {
  describeFoundHash,
  getLookUpItems,
  type LookUpItem,
  type LookUpSource,
} from '../../view/lookUp/lookUpItems.ts';
import { warmUpLookUp } from '../../view/lookUp/parseLookUp.ts';
import { findSource } from '../abi/findSource.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import { detectLiteralAtCursor, detectSelectedLiterals } from '../editor/detectLiteral.ts';
import { createReadOnlyDocuments } from '../editor/readOnlyDocuments.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/messages.ts';
import { disableSorting, getAcceptedItem, setItems } from '../prompts/quickPickStep.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { createLookUpPreviews, type LookUpPreviews } from './lookUpPreviews.ts';
import { createLookUpSources, type LookUpSourcesDeps } from './lookUpSources.ts';
import { FETCHED_TARGETS, type LookUpPreview, toInspectorTarget } from './resolveLookUp.ts';
import { createSingleAction } from './singleAction.ts';

interface LookUpRow extends QuickPickItem {
  readonly item?: LookUpItem;
}

type Action = 'inspect' | 'copy' | 'save' | 'remove';
interface LookUpRowButton extends QuickInputButton {
  readonly action: Action;
}

const createButton = (action: Action, icon: string, tooltip: string): LookUpRowButton => ({
  action,
  iconPath: new ThemeIcon(icon),
  tooltip,
});

const SECTION_TITLES = {
  meaning: () => l10n.t('Result'),
  saved: () => l10n.t('Saved'),
  project: () => l10n.t('This workspace'),
  history: () => l10n.t('Recent'),
  hint: () => '',
} as const;

function toRow(item: LookUpItem, preview: LookUpPreview | undefined): LookUpRow {
  const buttons = [
    ...(item.target !== null && item.section !== 'history' && item.target.kind !== 'copy'
      ? [createButton('inspect', 'inspect', l10n.t('Inspect'))]
      : []),
    ...(item.copyText === null ? [] : [createButton('copy', 'copy', l10n.t('Copy'))]),
    ...(item.addressToSave === null ? [] : [createButton('save', 'bookmark', l10n.t('Save to Address Book'))]),
    ...(item.historyKey === null ? [] : [createButton('remove', 'close', l10n.t('Remove from History'))]),
  ];
  const detail = preview?.line ?? item.detail;
  return {
    label: item.label,
    description: describeFoundHash(item, preview?.kind === 'summary' ? preview.summary.kind : null),
    ...(detail !== '' && { detail }),
    iconPath: new ThemeIcon(item.icon),
    alwaysShow: true,
    buttons,
    item,
  };
}

/** Adds a separator above the first row of each section. */
function toLookUpRows(items: readonly LookUpItem[], previews: LookUpPreviews): LookUpRow[] {
  const rows: LookUpRow[] = [];
  let section = '';
  for (const item of items) {
    const title = SECTION_TITLES[item.section]();
    if (title !== section && title !== '') rows.push({ label: title, kind: QuickPickItemKind.Separator });
    section = title;
    rows.push(toRow(item, previews.get(item)));
  }
  return rows;
}

export interface LookUpBoxDeps extends LookUpSourcesDeps {
  readonly settings: SettingsSource;
  operations(): Promise<OperationCommands>;
}

export interface LookUpBox extends Disposable {
  /** Opens the box with `text` in it. */
  show(text?: string): Promise<void>;
  /** Opens the box with the editor's selection, else with the literal at its cursor. */
  showSelection(): Promise<void>;
  /** Opens the box with the terminal's selection. */
  showTerminalSelection(): Promise<void>;
  clearHistory(): Promise<void>;
}

export function createLookUpBox(deps: LookUpBoxDeps): LookUpBox {
  const { worker, settings, book, operations } = deps;
  const sources = createLookUpSources(deps);
  const documents = createReadOnlyDocuments({
    authority: 'decoded',
    expiredText: l10n.t('This text is shown only until the window is closed.'),
  });
  async function show(text = '', source: LookUpSource | null = null): Promise<void> {
    const store = new DisposableStore();
    const picker = store.add(window.createQuickPick<LookUpRow>());
    disableSorting(picker as QuickPick<QuickPickItem>); // every row is an item
    picker.title = l10n.t('HexLens: Look Up');
    picker.placeholder = l10n.t('Address, hash, block, name, ENS name, selector, explorer link, signed transaction');
    picker.value = text;
    const closing = new AbortController();
    const opening = createSingleAction();
    const ensChain = sources.getEnsChain();
    const previews = createLookUpPreviews({
      worker,
      ensChain,
      getName: book.getName,
      async findBuild(chain, address, signal) {
        const contract = await identifyContract(chain, address, deps, signal);
        return contract === null ? null : getRunningBuild(contract);
      },
      onDidChange: () => updateItems(),
      isOnClickOnly: () => settings.current().privacy.lookUp === 'onClick',
    });
    /** The active row stays, unless other text was typed. */
    function updateItems({ isOtherText = false, requestsPreviews = false } = {}): void {
      if (store.disposed) return;
      const items = getLookUpItems(picker.value, sources.createState({ source }));
      const rows = toLookUpRows(items, previews);
      const activeItem = picker.activeItems[0]?.item;
      const activeRow = rows.find(
        ({ item }) => item !== undefined && activeItem !== undefined && isSameItem(item, activeItem),
      );
      setItems(picker, rows);
      if (!isOtherText && activeRow !== undefined) picker.activeItems = [activeRow];
      if (isOtherText || requestsPreviews) previews.request(items);
    }

    function setText(text: string): void {
      picker.value = text;
      updateItems({ isOtherText: true });
    }

    async function openLines(lines: readonly string[]): Promise<void> {
      picker.hide();
      const document = await documents.open(`${l10n.t('Decoded')}.txt`, `${lines.join('\n')}\n`);
      await window.showTextDocument(document, { preview: true });
    }

    const open = (item: LookUpItem) =>
      opening
        .run(typing => openItem(item, typing))
        .catch(error => {
          if (!isFault(error, 'cancelled')) void showErrorMessage(formatFault(error));
        });

    async function openItem(item: LookUpItem, typing: AbortSignal): Promise<void> {
      const { target } = item;
      if (target === null || previews.isSecret(item)) return; // the row shows the reason
      if (target.kind === 'type') return setText(target.text);
      if (target.kind === 'copy') {
        picker.hide();
        await copy(target.text);
        return void showInformationMessage(l10n.t('Copied: {text}', { text: target.text }));
      }
      if (target.kind === 'document') return openLines(target.lines);
      if (target.kind === 'source') {
        picker.hide();
        return openSource(target.contract);
      }
      if (target.kind === 'connect') {
        picker.hide();
        return void commands.executeCommand(commandIds.connectNode);
      }
      let preview = previews.get(item);
      if (FETCHED_TARGETS.includes(target.kind)) {
        picker.busy = true;
        const signal = AbortSignal.any([closing.signal, typing]);
        try {
          preview = await previews.fetchNow(item, signal);
        } finally {
          picker.busy = false;
        }
        if (typing.aborted) return; // other text was typed meanwhile
        updateItems();
      }
      if (preview?.kind === 'text') {
        if (preview.text === null) return; // the row shows that nothing was found
        if (target.kind === 'ens' && ensChain !== null)
          await sources.saveToHistory(ensChain, target.name, preview.line);
        return setText(preview.text);
      }
      if (preview?.kind === 'lines') return openLines(preview.lines);
      const inspectorTarget = toInspectorTarget(item, preview);
      if (inspectorTarget === null) return; // the row shows that nothing was found
      if ('chain' in target && target.chain !== null) {
        const summary = preview?.kind === 'summary' && target.kind !== 'block' ? ` · ${preview.line}` : '';
        const label = `${item.label}${summary}`;
        await sources.saveToHistory(target.chain, getLookUpText(item), label);
      }
      picker.hide();
      await (await operations()).openTarget(inspectorTarget);
    }

    store.add(
      picker.onDidChangeValue(() => {
        opening.cancel();
        updateItems({ isOtherText: true });
      }),
    );
    store.add(
      picker.onDidAccept(() => {
        const item = getAcceptedItem(picker)?.item;
        if (item !== undefined) void open(item); // reports its faults itself
      }),
    );
    store.add(
      picker.onDidTriggerItemButton(async ({ item: { item }, button: pressed }) => {
        const { action } = pressed as LookUpRowButton; // rows have no other buttons
        if (item === undefined) return;
        if (action === 'inspect') await open(item);
        if (action === 'copy' && item.copyText !== null) await copy(item.copyText);
        if (action === 'save' && item.addressToSave !== null)
          await commands.executeCommand(commandIds.saveAddress, item.addressToSave);
        if (action === 'remove' && item.historyKey !== null) {
          await sources.removeFromHistory(item.historyKey, item.copyText ?? '');
          updateItems();
        }
      }),
    );
    store.add(
      picker.onDidHide(() => {
        closing.abort();
        previews.stop();
        store.dispose();
      }),
    );
    store.add(book.onDidChange(() => updateItems()));
    updateItems({ isOtherText: true });
    picker.show();
    void book.ready();
    void yieldToEventLoop().then(warmUpLookUp);
    void sources.identifyLocalChains(closing.signal).then(() => updateItems({ requestsPreviews: true }));
  }

  async function showSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection).trim() ?? '';
    if (editor === undefined || selected === '') {
      const atCursor = detectLiteralAtCursor();
      if (atCursor === null) return show();
      return show(atCursor.literal.text, { fileName: atCursor.fileName, literals: [atCursor.literal] });
    }
    await show(selected, { fileName: editor.document.uri.path, literals: detectSelectedLiterals(editor) });
  }

  return {
    show,
    showSelection,
    showTerminalSelection: async () => show(await readTerminalSelection()),
    dispose: () => documents.dispose(),
    async clearHistory() {
      await sources.clearHistory();
      window.setStatusBarMessage(`$(check) ${l10n.t('Look-up history cleared')}`, 3_000);
    },
  };
}

/** VS Code gives a terminal's selection only through the clipboard, which is restored afterwards; '' without a selection. */
async function readTerminalSelection(): Promise<string> {
  const before = await env.clipboard.readText();
  try {
    // Without a selection nothing is copied: what the clipboard held before may be a secret.
    await env.clipboard.writeText('');
    await commands.executeCommand('workbench.action.terminal.copySelection');
    return (await env.clipboard.readText()).trim();
  } finally {
    await env.clipboard.writeText(before);
  }
}

async function openSource({ name, ids }: ProjectContract): Promise<void> {
  const source = await findSource({ name, ids, source: null, difference: null, copy: null });
  if (source === null)
    return void showInformationMessage(l10n.t('The source of this contract is not in the workspace.'));
  await window.showTextDocument(source.uri, { selection: source.range });
}

const isSameItem = (a: LookUpItem, b: LookUpItem): boolean =>
  a.label === b.label && a.description === b.description && a.section === b.section;

/** The text that finds the item again. */
function getLookUpText({ target, copyText }: LookUpItem): string {
  if (target?.kind === 'address') return target.address;
  if (target?.kind === 'hash' || target?.kind === 'rawTransaction') return target.hash;
  return target?.kind === 'block' ? target.block : (copyText ?? '');
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(`$(check) ${l10n.t('Copied')}`, 2_000);
}
