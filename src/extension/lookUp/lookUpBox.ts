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
import { type Hex, isHash } from '../../base/hex.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { commandIds } from '../../manifest/commands.ts';
import { getRunningBuild } from '../../view/contractBuild.ts';
import type { ProjectContract } from '../../view/lookUp/findProjectNames.ts';
import {
  isSameItem,
  keepPlaces,
  type LookUpItem,
  type LookUpSource,
  type LookUpTarget,
} from '../../view/lookUp/lookUpItem.ts';
import { describeHash, findHashKinds, getItemIcon, getLookUpItems } from '../../view/lookUp/lookUpItems.ts';
import { warmUpLookUp } from '../../view/lookUp/parseLookUp.ts';
import { learnBuildNames } from '../abi/buildNames.ts';
import { findFailurePlace } from '../abi/findFailurePlace.ts';
import { findSource } from '../abi/findSource.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import { detectLiteralAtCursor, detectSelectedLiterals } from '../editor/detectLiteral.ts';
import { createReadOnlyDocuments, type ReadOnlyDocuments } from '../editor/readOnlyDocuments.ts';
import { readTerminalSelection } from '../editor/readTerminalSelection.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import { disableSorting, getAcceptedItem, setItems } from '../prompts/quickPickStep.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/showMessage.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { LookUpPreviews } from './lookUpPreviews.ts';
import { createLookUpSources, type LookUpSources, type LookUpSourcesDeps } from './lookUpSources.ts';
import { FETCHED_TARGETS, type LookUpPreview, toInspectorTarget } from './resolveLookUp.ts';
import { createSingleAction } from './singleAction.ts';

interface LookUpRow extends QuickPickItem {
  readonly item?: LookUpItem;
}

type Action = 'inspect' | 'debug' | 'copy' | 'save' | 'remove';
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
  token: () => l10n.t('Tokens'),
  account: () => l10n.t('Development accounts'),
  project: () => l10n.t('This workspace'),
  history: () => l10n.t('Recent'),
  hint: () => '',
} as const;

function toRow(
  item: LookUpItem,
  preview: LookUpPreview | undefined,
  { icon, description }: Pick<LookUpItem, 'icon' | 'description'>,
): LookUpRow {
  const buttons = [
    ...(item.target !== null && item.section !== 'history' && item.target.kind !== 'copy'
      ? [createButton('inspect', 'inspect', l10n.t('Inspect'))]
      : []),
    ...(getTransaction(item, preview) === null
      ? []
      : [createButton('debug', 'debug-alt', l10n.t('Debug Transaction'))]),
    ...(item.copyText === null ? [] : [createButton('copy', 'copy', l10n.t('Copy'))]),
    ...(item.addressToSave === null ? [] : [createButton('save', 'bookmark', l10n.t('Save to Address Book'))]),
    ...(item.historyKey === null ? [] : [createButton('remove', 'close', l10n.t('Remove from History'))]),
  ];
  const detail = preview?.line ?? item.detail;
  return {
    label: item.label,
    description,
    ...(detail !== '' && { detail }),
    iconPath: new ThemeIcon(icon),
    alwaysShow: true,
    buttons,
    item,
  };
}

/** `null` until a chain is known to have it. */
function getTransaction({ target }: LookUpItem, preview: LookUpPreview | undefined) {
  const isMined = preview?.kind === 'summary' && preview.summary.kind === 'transaction';
  const transaction = toTransaction(target);
  return isMined && transaction?.chain !== undefined ? transaction : null;
}

function toTransaction(target: LookUpItem['target']): { readonly chain?: string; readonly hash: string } | null {
  if (target?.kind !== 'hash' && target?.kind !== 'rawTransaction') return null;
  return { hash: target.hash, ...(target.chain !== null && { chain: target.chain }) };
}

/** Adds a separator above the first row of each section. */
function toLookUpRows(items: readonly LookUpItem[], previews: LookUpPreviews): LookUpRow[] {
  const rows: LookUpRow[] = [];
  const getSummary = (item: LookUpItem) => {
    const preview = previews.get(item);
    return preview?.kind === 'summary' ? preview.summary : null;
  };
  const kinds = findHashKinds(items, getSummary);
  let section = '';
  for (const item of items) {
    const title = SECTION_TITLES[item.section]();
    if (title !== section && title !== '') rows.push({ label: title, kind: QuickPickItemKind.Separator });
    section = title;
    const found = getSummary(item);
    const icon = getItemIcon(item, kinds, found);
    rows.push(toRow(item, previews.get(item), { icon, description: describeHash(item, kinds, found) }));
  }
  return rows;
}

export interface LookUpBoxDeps extends LookUpSourcesDeps {
  readonly settings: SettingsSource;
  operations(): Promise<OperationCommands>;
}

/** The box while it is open. */
class OpenLookUpBox {
  readonly #deps: LookUpBoxDeps;
  readonly #store = new DisposableStore();
  readonly #picker = this.#store.add(window.createQuickPick<LookUpRow>());
  /** The saved names, ABIs and history that the rows come from. */
  readonly #sources: LookUpSources;
  /** Where results are shown that are texts. */
  readonly #documents: ReadOnlyDocuments;
  /** Where the text was selected with which the box was opened. */
  readonly #source: LookUpSource | null;
  /** The chain on which ENS names are looked up. */
  readonly #ensChain: string | null;
  /** Aborts what was requested, when the box closes. */
  readonly #closing = new AbortController();
  /** A row is opened only once, and not when other text was typed meanwhile. */
  readonly #opening = createSingleAction();
  /** What the chains know of the rows. */
  readonly #previews: LookUpPreviews;
  /** What the rows of the text are made of. */
  #items: readonly LookUpItem[] = [];
  /** What is seen of the rows: they are not set again for an answer that adds nothing, as that makes a row active. */
  #seen = '';

  constructor(
    deps: LookUpBoxDeps,
    sources: LookUpSources,
    documents: ReadOnlyDocuments,
    text: string,
    source: LookUpSource | null,
  ) {
    this.#deps = deps;
    this.#sources = sources;
    this.#documents = documents;
    this.#source = source;
    this.#ensChain = sources.getEnsChain();
    const { worker, book, settings } = deps;
    this.#previews = new LookUpPreviews({
      worker,
      ensChain: this.#ensChain,
      getName: book.getName,
      async findBuild(chain, address, signal) {
        const contract = await identifyContract(chain, address, deps, signal);
        return contract === null ? null : getRunningBuild(contract);
      },
      findFailurePlace: (chain, hash, signal) => findFailurePlace(chain, hash, deps, signal),
      learnBuildNames: (chain, addresses, signal, block) => learnBuildNames(chain, addresses, deps, signal, block),
      onDidChange: () => this.#updateItems(),
      isOnClickOnly: () => settings.current().privacy.lookUp === 'onClick',
    });
    const picker = this.#picker;
    disableSorting(picker as QuickPick<QuickPickItem>); // every row is an item
    picker.title = l10n.t('HexLens: Look Up');
    picker.placeholder = l10n.t('Address, hash, block, name, ENS name, selector, explorer link, signed transaction');
    picker.value = text;
    this.#listen();
    this.#updateItems({ isOtherText: true });
    picker.show();
    void book.ready();
    void yieldToEventLoop().then(warmUpLookUp);
    void sources.loadTokens(this.#closing.signal).then(() => this.#updateItems({ requestsPreviews: true }));
    void sources.identifyLocalChains(this.#closing.signal).then(() => this.#updateItems({ requestsPreviews: true }));
  }

  #listen(): void {
    const picker = this.#picker;
    this.#store.add(
      picker.onDidChangeValue(() => {
        this.#opening.cancel();
        this.#updateItems({ isOtherText: true });
      }),
    );
    this.#store.add(
      picker.onDidAccept(() => {
        const item = getAcceptedItem(picker)?.item;
        if (item !== undefined) void this.#open(item); // reports its faults itself
      }),
    );
    this.#store.add(
      picker.onDidTriggerItemButton(({ item: { item }, button }) => {
        const { action } = button as LookUpRowButton; // rows have no other buttons
        if (item !== undefined) void this.#handleButton(action, item);
      }),
    );
    this.#store.add(
      picker.onDidHide(() => {
        this.#closing.abort();
        this.#previews.stop();
        this.#store.dispose();
      }),
    );
    this.#store.add(this.#deps.book.onDidChange(() => this.#updateItems()));
  }

  async #handleButton(action: Action, item: LookUpItem): Promise<void> {
    if (action === 'inspect') await this.#open(item);
    if (action === 'debug') {
      this.#picker.hide();
      // Not by the preview, which may be too old by now.
      await commands.executeCommand(commandIds.debugTransaction, toTransaction(item.target) ?? {});
    }
    if (action === 'copy' && item.copyText !== null) await copy(item.copyText);
    if (action === 'save' && item.addressToSave !== null)
      await commands.executeCommand(commandIds.saveAddress, item.addressToSave);
    if (action === 'remove' && item.historyKey !== null) {
      await this.#sources.removeFromHistory(item.historyKey, item.copyText ?? '');
      this.#updateItems();
    }
  }

  /** The active row stays, and all rows their places, unless other text was typed. */
  #updateItems({ isOtherText = false, requestsPreviews = false } = {}): void {
    if (this.#store.disposed) return;
    const picker = this.#picker;
    const found = getLookUpItems(picker.value, this.#sources.createState({ source: this.#source }));
    const items = isOtherText ? found : keepPlaces(this.#items, found);
    this.#items = items;
    const rows = toLookUpRows(items, this.#previews);
    const seen = JSON.stringify(rows, (key, value: unknown) => (key === 'item' ? undefined : value));
    if (isOtherText || seen !== this.#seen) this.#setRows(rows, isOtherText);
    this.#seen = seen;
    if (isOtherText || requestsPreviews) this.#previews.request(items);
    const hash = items.find(({ target }) => target?.kind === 'hash')?.copyText;
    if (isOtherText && isHash(hash)) void this.#findRecord(hash);
  }

  #setRows(rows: readonly LookUpRow[], isOtherText: boolean): void {
    const picker = this.#picker;
    const activeItem = picker.activeItems[0]?.item;
    const activeRow = rows.find(
      ({ item }) => item !== undefined && activeItem !== undefined && isSameItem(item, activeItem),
    );
    setItems(picker, rows);
    if (!isOtherText && activeRow !== undefined) picker.activeItems = [activeRow];
  }

  /** A hash that a deployment tool has recorded needs no Enter. */
  async #findRecord(hash: Hex): Promise<void> {
    if (await this.#sources.findRecord(hash)) this.#updateItems({ requestsPreviews: true });
  }

  #setText(text: string): void {
    this.#picker.value = text;
    this.#updateItems({ isOtherText: true });
  }

  async #open(item: LookUpItem): Promise<void> {
    try {
      await this.#opening.run(typing => this.#openItem(item, typing));
    } catch (error) {
      if (!isFault(error, 'cancelled')) void showErrorMessage(formatFault(error));
    }
  }

  async #openItem(item: LookUpItem, typing: AbortSignal): Promise<void> {
    const { target } = item;
    if (target === null || this.#previews.isSecret(item)) return; // the row shows the reason
    switch (target.kind) {
      case 'type':
        return this.#setText(target.text);
      case 'copy':
        this.#picker.hide();
        await copy(target.text);
        return void showInformationMessage(l10n.t('Copied: {text}', { text: target.text }));
      case 'document':
        return this.#openLines(target.lines);
      case 'source':
        this.#picker.hide();
        return openSource(target.contract);
      case 'connect':
        this.#picker.hide();
        return void commands.executeCommand(commandIds.connectNode);
      default:
        return this.#openTarget(item, target, typing);
    }
  }

  /** Opens what a chain has; where that must be known first, it is fetched. */
  async #openTarget(item: LookUpItem, target: LookUpTarget, typing: AbortSignal): Promise<void> {
    let preview = this.#previews.get(item);
    if (FETCHED_TARGETS.includes(target.kind)) {
      this.#picker.busy = true;
      try {
        preview = await this.#previews.fetchNow(item, AbortSignal.any([this.#closing.signal, typing]));
      } finally {
        this.#picker.busy = false;
      }
      if (typing.aborted) return; // other text was typed meanwhile
      this.#updateItems();
    }
    if (preview?.kind === 'text') {
      if (preview.text === null) return; // the row shows that nothing was found
      if (target.kind === 'ens' && this.#ensChain !== null)
        await this.#sources.saveToHistory(this.#ensChain, target.name, preview.line);
      return this.#setText(preview.text);
    }
    if (preview?.kind === 'lines') return this.#openLines(preview.lines);
    const inspectorTarget = toInspectorTarget(item, preview);
    if (inspectorTarget === null) return; // the row shows that nothing was found
    if ('chain' in target && target.chain !== null) {
      const summary = preview?.kind === 'summary' && target.kind !== 'block' ? ` · ${preview.lastingLine}` : '';
      await this.#sources.saveToHistory(target.chain, getLookUpText(item), `${item.label}${summary}`);
    }
    this.#picker.hide();
    await (await this.#deps.operations()).openTarget(inspectorTarget);
  }

  async #openLines(lines: readonly string[]): Promise<void> {
    this.#picker.hide();
    const document = await this.#documents.open(`${l10n.t('Decoded')}.txt`, `${lines.join('\n')}\n`);
    await window.showTextDocument(document, { preview: true });
  }
}

export class LookUpBox implements Disposable {
  readonly #deps: LookUpBoxDeps;
  readonly #sources: LookUpSources;
  readonly #documents = createReadOnlyDocuments({
    authority: 'decoded',
    expiredText: l10n.t('This text is shown only until the window is closed.'),
  });

  constructor(deps: LookUpBoxDeps) {
    this.#deps = deps;
    this.#sources = createLookUpSources(deps);
  }

  show(text = '', source: LookUpSource | null = null): void {
    new OpenLookUpBox(this.#deps, this.#sources, this.#documents, text, source);
  }

  /** Opens the box with the editor's selection, else with the literal at its cursor. */
  showSelection(): void {
    const editor = window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection).trim() ?? '';
    const atCursor = editor === undefined || selected === '' ? detectLiteralAtCursor() : null;
    if (editor !== undefined && selected !== '')
      this.show(selected, { fileName: editor.document.uri.path, literals: detectSelectedLiterals(editor) });
    else if (atCursor === null) this.show();
    else this.show(atCursor.literal.text, { fileName: atCursor.fileName, literals: [atCursor.literal] });
  }

  /** Opens the box with the terminal's selection. */
  async showTerminalSelection(): Promise<void> {
    this.show(await readTerminalSelection());
  }

  async clearHistory(): Promise<void> {
    await this.#sources.clearHistory();
    window.setStatusBarMessage(`$(check) ${l10n.t('Look-up history cleared')}`, 3_000);
  }

  dispose(): void {
    this.#documents.dispose();
  }
}

async function openSource({ name, ids }: ProjectContract): Promise<void> {
  const source = await findSource({ name, ids, source: null, difference: null, copy: null });
  if (source === null)
    return void showInformationMessage(l10n.t('The source of this contract is not in the workspace.'));
  await window.showTextDocument(source.uri, { selection: source.range });
}

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
