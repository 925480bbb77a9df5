// Links on addresses and hashes: always in terminals, in documents if the setting is on. Also Find Hex in Files.
import { commands, l10n, languages, type TerminalLink, type TerminalLinkProvider, window } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { LinkableLiteral } from '../../view/findLinkableLiterals.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';

export type RegisterLinksDeps = Pick<FeatureDeps, 'worker' | 'settings' | 'records'>;

interface HexLink extends TerminalLink {
  readonly literal: LinkableLiteral;
}

export function registerLinks({ worker, settings, records }: RegisterLinksDeps): Disposable {
  const store = new DisposableStore();
  const load = () => import('./literalLinks.ts');

  const terminal: TerminalLinkProvider<HexLink> = {
    async provideTerminalLinks({ line }) {
      if (!line.includes('0x')) return [];
      const literals = await (await load()).findTerminalLiterals(line, records);
      return literals.map(literal => ({
        startIndex: literal.start,
        length: literal.end - literal.start,
        tooltip: l10n.t('Show in HexLens'),
        literal,
      }));
    },
    handleTerminalLink: async ({ literal }) =>
      (await load()).openLiteral(literal, worker, settings.current().explorers),
  };
  store.add(window.registerTerminalLinkProvider(terminal));

  let links: Disposable | undefined;
  const updateDocumentLinks = () => {
    const { documentLinks } = settings.current();
    if (documentLinks === (links !== undefined)) return;
    links?.dispose();
    links = documentLinks
      ? languages.registerDocumentLinkProvider('*', {
          provideDocumentLinks: async document =>
            (await load()).createDocumentLinks(document, worker, records, settings.current().explorers),
        })
      : undefined;
  };
  updateDocumentLinks();
  store.add(settings.onDidChange(updateDocumentLinks));
  store.add(disposable(() => links?.dispose()));

  store.add(
    commands.registerCommand(commandIds.findOccurrences, async (argument: unknown) => {
      const editor = window.activeTextEditor;
      const text = typeof argument === 'string' ? argument : editor && getHexAtCursor(editor);
      if (!text || !/^0x[0-9a-fA-F]{1,128}$/.test(text)) {
        void showInformationMessage(l10n.t('Put the cursor on an address or hash first.'));
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

function getHexAtCursor({ document, selection }: NonNullable<typeof window.activeTextEditor>): string | undefined {
  const range = document.getWordRangeAtPosition(selection.active, /0x[0-9a-fA-F]+/);
  return range === undefined ? undefined : document.getText(range);
}
