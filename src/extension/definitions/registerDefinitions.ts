// From an address in code to its entry and its source: Go to Definition, Go to Symbol, completion of saved names.
import { commands, languages } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { DefinitionsDeps } from './definitions.ts';

/** Looked for first: most positions have neither, and VS Code asks while the user types. */
const HEX = /\b0x[0-9a-fA-F]{1,128}/;
const NAME = /@[\w.-]*/;

export function registerDefinitions(deps: DefinitionsDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const [{ Definitions }] = await Promise.all([import('./definitions.ts'), deps.book.ready()]);
    return store.add(new Definitions(deps));
  });
  store.add(
    commands.registerCommand(commandIds.openSource, async (chain, address) =>
      (await load()).openSource(chain, address),
    ),
  );
  store.add(
    languages.registerDefinitionProvider('*', {
      provideDefinition: async (document, position, token) =>
        document.getWordRangeAtPosition(position, HEX) === undefined
          ? []
          : (await load()).provideDefinition(document, position, token),
    }),
  );
  store.add(
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async query => (await load()).provideSymbols(query),
      resolveWorkspaceSymbol: async symbol => (await load()).resolveSymbol(symbol),
    }),
  );
  store.add(
    languages.registerCompletionItemProvider(
      '*',
      {
        provideCompletionItems: async (document, position) =>
          document.getWordRangeAtPosition(position, NAME) === undefined
            ? []
            : (await load()).provideNames(document, position),
      },
      '@',
    ),
  );
  return store;
}
