// The language model tools `hexlens_lookup` and `hexlens_call`.
import { lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { LanguageModelToolsDeps } from './languageModelTools.ts';

export function registerLanguageModelTools(deps: LanguageModelToolsDeps): Disposable {
  const store = new DisposableStore();
  const getTools = lazy(async () => (await import('./languageModelTools.ts')).createLanguageModelTools(deps));
  for (const name of ['hexlens_lookup', 'hexlens_call'] as const)
    store.add(
      lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await getTools())[name].prepare(input),
        invoke: async ({ input }, token) => (await getTools())[name].invoke(input, token),
      }),
    );
  return store;
}
