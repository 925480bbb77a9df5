// The look-up box: one input that takes anything, says at once what it may be, and opens, copies or saves it.
import { commands, env, l10n, type Memento, type QuickPick, type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { createEntryRanking } from '../../view/lookUp/entryRanking.ts';
import {
  addHistoryEntry,
  getHistoryEntries,
  getHistoryKey,
  parseHistory,
  removeHistoryEntry,
} from '../../view/lookUp/lookUpHistory.ts';
import { getLookUpItems, type LookUpItem, type LookUpState } from '../../view/lookUp/lookUpItems.ts';
import { warmUpLookUp } from '../../view/lookUp/parseLookUp.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { detectLiteralAtCursor } from '../editor/detectLiteral.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import { disableSorting, getAcceptedItem } from '../prompts/quickPickStep.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createLookUpPreviews, type LookUpPreview } from './lookUpPreviews.ts';
import { type LookUpRow, type LookUpRowButton, toLookUpRows } from './lookUpRows.ts';
import { openExplorerAtCursor } from './openExplorerAtCursor.ts';

export interface LookUpBoxDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  /** Of this workspace: what was looked up in one project is nobody's business in another. */
  readonly memory: Memento;
  operations(): Promise<OperationCommands>;
}

export interface LookUpBox {
  /** Opens the box with `text` in it. */
  show(text?: string): Promise<void>;
  /** With what is selected in the editor, else with the literal under its cursor. */
  showSelection(): Promise<void>;
  /** Opens the page of an explorer for what the cursor stands on. */
  openExplorerAtCursor(): Promise<void>;
  clearHistory(): Promise<void>;
}

const HISTORY_KEY = 'hexlens.lookUpHistory';
const ENS_CHAIN = 'eth';
const APTOS_PAGE = '25';

export function createLookUpBox({ backend, settings, book, memory, operations }: LookUpBoxDeps): LookUpBox {
  const read = () => parseHistory(memory.get(HISTORY_KEY));

  async function remember(key: string | null, value: string, label: string): Promise<void> {
    if (key !== null) await memory.update(HISTORY_KEY, addHistoryEntry(read(), key, { value, label }));
  }

  /** What the inspector is to show; `null` where a hash turned out to be nothing on that chain. */
  async function targetOf(item: LookUpItem, preview: LookUpPreview | undefined): Promise<InspectorTarget | null> {
    const { target: goal } = item;
    switch (goal?.kind) {
      case 'address':
      case 'block':
        return goal;
      case 'hash': {
        const found = preview?.kind === 'summary' ? preview.summary : null;
        if (found?.kind === 'block') return { kind: 'block', chain: goal.chain, block: goal.hash };
        return found?.kind === 'transaction' ? { kind: 'transaction', chain: goal.chain, hash: goal.hash } : null;
      }
      case 'aptosAccount':
        return {
          ...{ kind: 'operation', operation: 'aptosWalletNfts' },
          parameters: { ownerAddresses: [goal.address], limit: APTOS_PAGE },
        };
      case 'coinType':
        return {
          ...{ kind: 'operation', operation: 'aptosCoinTransfers' },
          parameters: { coinType: goal.coinType, limit: APTOS_PAGE },
        };
      default:
        return null;
    }
  }

  async function show(text = ''): Promise<void> {
    const store = new DisposableStore();
    const picker = store.add(window.createQuickPick<LookUpRow>());
    disableSorting(picker as QuickPick<QuickPickItem>); // rows are items
    picker.title = l10n.t('HexLens: Look Up');
    picker.placeholder = l10n.t('Address, hash, block, saved name, ENS name, explorer link, selector');
    picker.value = text;
    const ending = new AbortController();
    const genesis = new Map<string, string>();
    const chains = backend.chains();
    const ensChain = chains.some(({ selector }) => selector === ENS_CHAIN) ? ENS_CHAIN : null;
    const previews = createLookUpPreviews({
      ...{ backend, ensChain, chains: () => chains, changed: () => fill(false) },
      onClickOnly: () => settings.current().privacy.lookUp === 'onClick',
    });
    const keyOf = (selector: string): string | null => {
      const chain = chains.find(one => one.selector === selector);
      return chain === undefined ? null : getHistoryKey(chain, genesis.get(selector) ?? null);
    };
    let ranking = createEntryRanking(book.entries());
    const state = (): LookUpState => {
      const history = read();
      return {
        ...{ chains, ranking, ensChain, getName: (address, chain) => book.getName(address, chain) },
        history: chains.flatMap(({ selector }) => {
          const key = keyOf(selector);
          return key === null ? [] : [{ key, chain: selector, entries: getHistoryEntries(history, key) }];
        }),
      };
    };

    function fill(ask = true): void {
      if (store.disposed) return;
      const items = getLookUpItems(picker.value, state());
      const rows = toLookUpRows(items, previews);
      const [active] = picker.activeItems;
      const at =
        active?.item === undefined ? -1 : rows.findIndex(row => row.item !== undefined && same(row.item, active.item));
      picker.items = rows;
      // A preview that arrives must not move the choice.
      const kept = rows[at];
      if (!ask && kept !== undefined) picker.activeItems = [kept];
      if (ask) previews.request(items);
    }

    async function open(item: LookUpItem): Promise<void> {
      const { target: goal } = item;
      if (goal === null) return;
      if (goal.kind === 'type') {
        picker.value = goal.text;
        return fill();
      }
      if (goal.kind === 'copy') {
        picker.hide();
        return copy(goal.text);
      }
      if (goal.kind === 'connect') {
        picker.hide();
        return void commands.executeCommand(commandIds.connectNode);
      }
      let preview = previews.get(item);
      if (goal.kind === 'hash' || goal.kind === 'ens') {
        picker.busy = true;
        try {
          preview = await previews.fetchNow(item, ending.signal);
        } catch (error) {
          if (!isFault(error, 'cancelled')) void window.showErrorMessage(formatFault(error));
          return;
        } finally {
          picker.busy = false;
        }
        fill(false);
      }
      if (preview?.kind === 'ens') {
        if (preview.address === null || ensChain === null) return;
        await remember(keyOf(ensChain), goal.kind === 'ens' ? goal.name : preview.address, preview.line);
        picker.value = preview.address;
        return fill();
      }
      const target = await targetOf(item, preview);
      if (target === null) return; // the row says that nothing was found
      if ('chain' in goal) {
        const words = preview?.kind === 'summary' ? `${item.label} · ${preview.line}` : item.label;
        await remember(keyOf(goal.chain), textOf(item), goal.kind === 'block' ? item.label : words);
      }
      picker.hide();
      await (await operations()).openTarget(target);
    }

    store.add(picker.onDidChangeValue(() => fill()));
    store.add(
      picker.onDidAccept(() => {
        const item = getAcceptedItem(picker)?.item;
        if (item !== undefined) void open(item);
      }),
    );
    store.add(
      picker.onDidTriggerItemButton(async ({ item: { item }, button: pressed }) => {
        const { action } = pressed as LookUpRowButton; // the only buttons there are
        if (item === undefined) return;
        if (action === 'inspect') await open(item);
        if (action === 'copy' && item.copyText !== null) await copy(item.copyText);
        if (action === 'save' && item.addressToSave !== null)
          await commands.executeCommand(commandIds.saveAddress, item.addressToSave);
        if (action === 'forget' && item.historyKey !== null) {
          await memory.update(HISTORY_KEY, removeHistoryEntry(read(), item.historyKey, item.copyText ?? ''));
          fill(false);
        }
      }),
    );
    store.add(
      picker.onDidHide(() => {
        ending.abort();
        previews.stop();
        store.dispose();
      }),
    );
    store.add(
      book.onDidChange(() => {
        ranking = createEntryRanking(book.entries());
        fill(false);
      }),
    );
    fill();
    picker.show();
    void book.ready();
    setImmediate(warmUpLookUp);
    // Which history is this chain's? Only a node on this machine is asked: public chains do not start anew.
    for (const { selector, local } of chains)
      if (local)
        backend.lookup('chainStatus', { chain: selector }, ending.signal).then(
          status => {
            if (status.genesisHash === undefined) return;
            genesis.set(selector, status.genesisHash);
            fill(false);
          },
          () => {}, // without a node there is no history of its chain to show
        );
  }

  async function showSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection).trim() ?? '';
    await show(selected === '' ? (detectLiteralAtCursor()?.text ?? '') : selected);
  }

  return {
    show,
    showSelection,
    openExplorerAtCursor: () => openExplorerAtCursor(backend),
    async clearHistory() {
      await memory.update(HISTORY_KEY, undefined);
      window.setStatusBarMessage(`$(check) ${l10n.t('The look-up history is cleared')}`, 3_000);
    },
  };
}

const same = (a: LookUpItem | undefined, b: LookUpItem | undefined): boolean =>
  a?.label === b?.label && a?.description === b?.description && a?.section === b?.section;

/** What to type to find it again. */
function textOf({ target: goal, copyText: copy }: LookUpItem): string {
  if (goal?.kind === 'address') return goal.address;
  if (goal?.kind === 'hash') return goal.hash;
  return goal?.kind === 'block' ? goal.block : (copy ?? '');
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(`$(check) ${l10n.t('Copied')}`, 2_000);
}
