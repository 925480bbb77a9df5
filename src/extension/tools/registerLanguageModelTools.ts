// The tools that language models may use, `hexlens_lookup` and `hexlens_call`; loaded when the first of them is used.
import { lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageModelTools, LanguageModelToolsDeps } from './languageModelTools.ts';

export function registerLanguageModelTools(deps: LanguageModelToolsDeps): Disposable {
  const store = new DisposableStore();
  let loading: Promise<LanguageModelTools> | undefined;
  const load = () => {
    loading ??= import('./languageModelTools.ts').then(({ createTools: createLanguageModelTools }) =>
      createLanguageModelTools(deps),
    );
    return loading;
  };
  for (const name of ['hexlens_lookup', 'hexlens_call'] as const)
    store.add(
      lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await load())[name].prepare(input),
        invoke: async ({ input }, token) => (await load())[name].invoke(input, token),
      }),
    );
  return store;
}
