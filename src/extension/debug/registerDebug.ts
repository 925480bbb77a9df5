// The debugger of transactions, loaded with the first session.
import { commands, debug, languages } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { DebugDeps } from './debugTransactions.ts';

const TYPE = 'hexlens';

export function registerDebug(deps: DebugDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const transactions = new (await import('./debugTransactions.ts')).DebugTransactions(deps);
    // Asked for in sessions only.
    store.add(
      languages.registerInlineValuesProvider([{ language: 'solidity' }, { pattern: '**/*.sol' }], {
        provideInlineValues: (...given) =>
          debug.activeDebugSession?.type === TYPE ? transactions.inlineValues.provideInlineValues(...given) : [],
      }),
    );
    return transactions;
  });
  store.add(commands.registerCommand(commandIds.debugTransaction, async argument => (await load()).start(argument)));
  store.add(
    commands.registerCommand(commandIds.debugUnoptimized, async argument => (await load()).startUnoptimized(argument)),
  );
  store.add(
    debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: async session => (await load()).createAdapter(session),
    }),
  );
  store.add(
    debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: async (_folder, configuration, token) =>
        (await load()).resolveConfiguration(configuration, token),
    }),
  );
  return store;
}
