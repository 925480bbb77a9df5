// Addresses and hashes as links: in terminals always, in documents when the user asks for it.
import { commands, l10n, languages, type TerminalLink, type TerminalLinkProvider, window } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { LinkableLiteral } from './literalLinks.ts';

export interface RegisterLinksDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
}

interface HexLink extends TerminalLink {
  readonly linked: LinkableLiteral;
}

/** What a person has in mind when the terminal prints 32 bytes: mostly a transaction, so it may be looked up by a click. */
const TERMINAL = { fileName: 'terminal.log', languageId: 'log' };

export function registerLinks({ backend, settings }: RegisterLinksDeps): Disposable {
  const store = new DisposableStore();
  const load = () => import('./literalLinks.ts');

  const terminal: TerminalLinkProvider<HexLink> = {
    async provideTerminalLinks({ line }) {
      if (!line.includes('0x')) return [];
      const { findLinked: findLinkableLiterals } = await load();
      return findLinkableLiterals(line, TERMINAL.fileName, TERMINAL.languageId).map(linked => ({
        startIndex: linked.start,
        length: linked.end - linked.start,
        tooltip: l10n.t('Show in HexLens'),
        linked,
      }));
    },
    async handleTerminalLink({ linked }) {
      const [chain] = backend.chains();
      if (chain === undefined) {
        await commands.executeCommand(commandIds.openNodeSettings);
        return;
      }
      const { selector } = chain;
      await commands.executeCommand(
        commandIds.inspect,
        linked.kind === 'address'
          ? { kind: 'address', chain: selector, address: linked.value }
          : { kind: 'transaction', chain: selector, hash: linked.value },
      );
    },
  };
  store.add(window.registerTerminalLinkProvider(terminal));

  let links: Disposable | undefined;
  const follow = () => {
    const { documentLinks } = settings.current();
    if (documentLinks === (links !== undefined)) return;
    links?.dispose();
    links = documentLinks
      ? languages.registerDocumentLinkProvider('*', {
          provideDocumentLinks: async document => (await load()).createDocumentLinks(document, backend),
        })
      : undefined;
  };
  follow();
  store.add(settings.onDidChange(follow));
  store.add(disposable(() => links?.dispose()));

  store.add(
    commands.registerCommand(commandIds.findOccurrences, async (argument: unknown) => {
      const editor = window.activeTextEditor;
      const text = typeof argument === 'string' ? argument : editor && hexAt(editor);
      if (!text || !/^0x[0-9a-fA-F]{1,128}$/.test(text)) {
        void window.showInformationMessage(l10n.t('Put the cursor on an address or hash first.'));
        return;
      }
      await commands.executeCommand('workbench.action.findInFiles', {
        query: text,
        isRegex: false,
        isCaseSensitive: false,
        matchWholeWord: false,
        triggerSearch: true,
      });
    }),
  );
  return store;
}

function hexAt({ document, selection }: NonNullable<typeof window.activeTextEditor>): string | undefined {
  const range = document.getWordRangeAtPosition(selection.active, /0x[0-9a-fA-F]+/);
  return range === undefined ? undefined : document.getText(range);
}
