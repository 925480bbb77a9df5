// `Connect Node…` and `Switch Chain…`; what they do is loaded with the first of them.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { NodeCommands, NodeCommandsDeps } from './nodeCommands.ts';

export function registerNodeCommands(deps: NodeCommandsDeps): Disposable {
  const store = new DisposableStore();
  let loading: Promise<NodeCommands> | undefined;
  const load = () => {
    loading ??= import('./nodeCommands.ts').then(({ createNodeCommands }) => createNodeCommands(deps));
    return loading;
  };
  store.add(commands.registerCommand(commandIds.connectNode, async (url?: unknown) => (await load()).connect(url)));
  store.add(commands.registerCommand(commandIds.switchChain, async () => (await load()).switchChain()));
  return store;
}
