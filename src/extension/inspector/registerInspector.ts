// The command Inspect, and inspector panels restored from an earlier window.
import { commands, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorDeps } from './inspector.ts';

export function registerInspector(deps: InspectorDeps): Disposable {
  const store = new DisposableStore();
  const getInspector = lazy(async () => {
    const { Inspector } = await import('./inspector.ts');
    return store.add(new Inspector(deps));
  });
  store.add(
    commands.registerCommand(commandIds.inspect, async (argument: unknown, where?: unknown) =>
      (await getInspector()).inspect(argument, where === 'side' ? 'side' : 'here'),
    ),
  );
  store.add(
    window.registerWebviewPanelSerializer('hexlens.inspector', {
      deserializeWebviewPanel: async (panel, state) => (await getInspector()).restore(panel, state),
    }),
  );
  return store;
}
