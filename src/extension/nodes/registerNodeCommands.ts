// The commands Connect Node and Switch Chain.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { NodeCommandsDeps } from './pickNode.ts';

export function registerNodeCommands(deps: NodeCommandsDeps): Disposable {
  const store = new DisposableStore();
  const getNodeCommands = lazy(async () => new (await import('./nodeCommands.ts')).NodeCommands(deps));
  store.add(
    commands.registerCommand(commandIds.connectNode, async (url?: unknown) => (await getNodeCommands()).connect(url)),
  );
  store.add(commands.registerCommand(commandIds.switchChain, async () => (await getNodeCommands()).switchChain()));
  return store;
}
