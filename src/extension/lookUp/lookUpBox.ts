// The look-up box: one input that takes anything, says at once what it may be, and opens, copies or saves it.
import { commands, env, l10n, type Memento, type QuickPick, type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isFault, readable } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { createRanking } from '../../view/lookUp/entryRanking.ts';
import { chainKey, entriesOf, readHistory, withEntry, withoutEntry } from '../../view/lookUp/lookUpHistory.ts';
import { type LookUpItem, type LookUpState, lookUpItems } from '../../view/lookUp/lookUpItems.ts';
import { warmLookUp } from '../../view/lookUp/parseLookUp.ts';
import type { Book } from '../addressBook/addressBook.ts';
import { subjectAtCursor } from '../commands/cursor.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import { keepOrder, rowAtEnter } from '../prompts/quickPickStep.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { createPreviews, type Preview } from './lookUpPreviews.ts';
import { type Button, type Row, rowsOf } from './lookUpRows.ts';
import { openHere } from './openExplorerAtCursor.ts';

export interface LookUpDeps {
  readonly backend: BackendHost;
  readonly settings: SettingsSource;
  readonly book: Book;
  /** Of this workspace: what was looked up in one project is nobody's business in another. */
  readonly memory: Memento;
  operations(): Promise<OperationCommands>;
}

export interface LookUp {
  /** Opens the box with `text` in it. */
  show(text?: string): Promise<void>;
  /** With what is selected in the editor, else with the literal under its cursor. */
  showSelection(): Promise<void>;
  /** Opens the page of an explorer for what the cursor stands on. */
  openHere(): Promise<void>;
  clearHistory(): Promise<void>;
}

const HISTORY_KEY = 'hexlens.lookUpHistory';
const ENS_CHAIN = 'eth';
const APTOS_PAGE = '25';

export function createLookUp({ backend, settings, book, memory, operations }: LookUpDeps): LookUp {
  const read = () => readHistory(memory.get(HISTORY_KEY));

  async function remember(key: string | null, value: string, label: string): Promise<void> {
    if (key !== null) await memory.update(HISTORY_KEY, withEntry(read(), key, { value, label }));
  }

  /** What the inspector is to show; `null` where a hash turned out to be nothing on that chain. */
  async function targetOf(item: LookUpItem, preview: Preview | undefined): Promise<InspectorTarget | null> {
    const { goal } = item;
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
    const picker = store.add(window.createQuickPick<Row>());
    keepOrder(picker as QuickPick<QuickPickItem>); // rows are items
    picker.title = l10n.t('HexLens: Look Up');
    picker.placeholder = l10n.t('Address, hash, block, saved name, ENS name, explorer link, selector');
    picker.value = text;
    const ending = new AbortController();
    const genesis = new Map<string, string>();
    const chains = backend.chains();
    const ensChain = chains.some(({ selector }) => selector === ENS_CHAIN) ? ENS_CHAIN : null;
    const previews = createPreviews({
      ...{ backend, ensChain, chains: () => chains, changed: () => fill(false) },
      onClickOnly: () => settings.current().privacy.lookUp === 'onClick',
    });
    const keyOf = (selector: string): string | null => {
      const chain = chains.find(one => one.selector === selector);
      return chain === undefined ? null : chainKey(chain, genesis.get(selector) ?? null);
    };
    let ranking = createRanking(book.entries());
    const state = (): LookUpState => {
      const history = read();
      return {
        ...{ chains, ranking, ensChain, nameOf: (address, chain) => book.nameOf(address, chain) },
        history: chains.flatMap(({ selector }) => {
          const key = keyOf(selector);
          return key === null ? [] : [{ key, chain: selector, entries: entriesOf(history, key) }];
        }),
      };
    };

    function fill(ask = true): void {
      if (store.disposed) return;
      const items = lookUpItems(picker.value, state());
      const rows = rowsOf(items, previews);
      const [active] = picker.activeItems;
      const at =
        active?.item === undefined ? -1 : rows.findIndex(row => row.item !== undefined && same(row.item, active.item));
      picker.items = rows;
      // A preview that arrives must not move the choice.
      const kept = rows[at];
      if (!ask && kept !== undefined) picker.activeItems = [kept];
      if (ask) previews.ask(items);
    }

    async function open(item: LookUpItem): Promise<void> {
      const { goal } = item;
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
      let preview = previews.of(item);
      if (goal.kind === 'hash' || goal.kind === 'ens') {
        picker.busy = true;
        try {
          preview = await previews.askNow(item, ending.signal);
        } catch (error) {
          if (!isFault(error, 'cancelled')) void window.showErrorMessage(readable(error));
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
      await (await operations()).open(target);
    }

    store.add(picker.onDidChangeValue(() => fill()));
    store.add(
      picker.onDidAccept(() => {
        const item = rowAtEnter(picker)?.item;
        if (item !== undefined) void open(item);
      }),
    );
    store.add(
      picker.onDidTriggerItemButton(async ({ item: { item }, button: pressed }) => {
        const { action } = pressed as Button; // the only buttons there are
        if (item === undefined) return;
        if (action === 'inspect') await open(item);
        if (action === 'copy' && item.copy !== null) await copy(item.copy);
        if (action === 'save' && item.save !== null) await commands.executeCommand(commandIds.saveAddress, item.save);
        if (action === 'forget' && item.historyOf !== null) {
          await memory.update(HISTORY_KEY, withoutEntry(read(), item.historyOf, item.copy ?? ''));
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
        ranking = createRanking(book.entries());
        fill(false);
      }),
    );
    fill();
    picker.show();
    void book.ready();
    setImmediate(warmLookUp);
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
    await show(selected === '' ? (subjectAtCursor()?.text ?? '') : selected);
  }

  return {
    show,
    showSelection,
    openHere: () => openHere(backend),
    async clearHistory() {
      await memory.update(HISTORY_KEY, undefined);
      window.setStatusBarMessage(`$(check) ${l10n.t('The look-up history is cleared')}`, 3_000);
    },
  };
}

const same = (a: LookUpItem | undefined, b: LookUpItem | undefined): boolean =>
  a?.label === b?.label && a?.description === b?.description && a?.section === b?.section;

/** What to type to find it again. */
function textOf({ goal, copy }: LookUpItem): string {
  if (goal?.kind === 'address') return goal.address;
  if (goal?.kind === 'hash') return goal.hash;
  return goal?.kind === 'block' ? goal.block : (copy ?? '');
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(`$(check) ${l10n.t('Copied')}`, 2_000);
}
