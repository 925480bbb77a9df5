// Commands that lead from a transaction to its lines of Solidity.
import { commands, Position, Range, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { SideBuildDeps } from './buildDebugInformation.ts';
import type { GasViewDeps } from './gasView.ts';
import type { RunDiffDeps } from './runDiffView.ts';
import type { ShowFailureDeps } from './showFailure.ts';
import type { SimulateDeps } from './simulateCommands.ts';

export function registerSource(
  deps: ShowFailureDeps & SideBuildDeps & SimulateDeps & GasViewDeps & RunDiffDeps,
): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const { FailureView } = await import('./showFailure.ts');
    return store.add(new FailureView(deps));
  });
  store.add(commands.registerCommand(commandIds.showFailure, async () => (await load()).show()));
  store.add(commands.registerCommand(commandIds.hideFailure, async () => (await load()).hide()));
  store.add(
    commands.registerCommand(commandIds.buildDebugInformation, async () => {
      const { buildDebugInformation } = await import('./buildDebugInformation.ts');
      await buildDebugInformation(deps);
    }),
  );
  const loadGas = lazy(async () => {
    const { GasView } = await import('./gasView.ts');
    return store.add(new GasView(deps));
  });
  store.add(commands.registerCommand(commandIds.showGas, async (page: unknown) => (await loadGas()).show(page)));
  store.add(commands.registerCommand(commandIds.hideGas, async () => (await loadGas()).hide()));
  store.add(commands.registerCommand(commandIds.showGasMenu, async () => (await loadGas()).showMenu()));
  const loadRunDiff = lazy(async () => {
    const { RunDiffView } = await import('./runDiffView.ts');
    return store.add(new RunDiffView(deps));
  });
  store.add(
    commands.registerCommand(commandIds.whatChanged, async (from: unknown) => (await loadRunDiff()).show(from)),
  );
  store.add(
    commands.registerCommand(
      commandIds.openBuiltSource,
      async (textHash: unknown, line: unknown, character: unknown) => {
        if (typeof textHash !== 'string' || !Number.isSafeInteger(line) || !Number.isSafeInteger(character)) return;
        const uri = (await deps.abis.sources()).toUri({ file: null, textHash });
        if (uri === null) return;
        const position = new Position(Number(line), Number(character));
        await window.showTextDocument(uri, { selection: new Range(position, position), preview: true });
      },
    ),
  );
  const loadSimulate = lazy(async () => {
    const { SimulateCommands } = await import('./simulateCommands.ts');
    return new SimulateCommands(deps);
  });
  store.add(
    commands.registerCommand(commandIds.simulateCall, async (argument?: unknown) =>
      (await loadSimulate()).simulate(argument),
    ),
  );
  store.add(commands.registerCommand(commandIds.debugFailedCall, async () => (await loadSimulate()).debugFailedCall()));
  return store;
}
