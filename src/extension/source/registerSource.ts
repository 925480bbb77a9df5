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
  const add = (id: string, run: (...args: readonly unknown[]) => unknown) =>
    store.add(commands.registerCommand(id, run));

  const loadFailure = lazy(async () => {
    const { FailureView } = await import('./showFailure.ts');
    return store.add(new FailureView(deps));
  });
  add(commandIds.showFailure, async () => (await loadFailure()).show());
  add(commandIds.hideFailure, async () => (await loadFailure()).hide());
  add(commandIds.buildDebugInformation, async () => {
    const { buildDebugInformation } = await import('./buildDebugInformation.ts');
    await buildDebugInformation(deps);
  });

  const loadGas = lazy(async () => {
    const { GasView } = await import('./gasView.ts');
    return store.add(new GasView(deps));
  });
  add(commandIds.showGas, async page => (await loadGas()).show(page));
  add(commandIds.hideGas, async () => (await loadGas()).hide());
  add(commandIds.showGasMenu, async () => (await loadGas()).showMenu());

  const loadRunDiff = lazy(async () => {
    const { RunDiffView } = await import('./runDiffView.ts');
    return store.add(new RunDiffView(deps));
  });
  add(commandIds.whatChanged, async from => (await loadRunDiff()).show(from));

  add(commandIds.openBuiltSource, async (textHash, line, character) => {
    if (typeof textHash !== 'string' || !Number.isSafeInteger(line) || !Number.isSafeInteger(character)) return;
    const uri = (await deps.abis.sources()).toUri({ file: null, textHash });
    if (uri === null) return;
    const position = new Position(Number(line), Number(character));
    await window.showTextDocument(uri, { selection: new Range(position, position), preview: true });
  });

  const loadSimulate = lazy(async () => {
    const { SimulateCommands } = await import('./simulateCommands.ts');
    return new SimulateCommands(deps);
  });
  add(commandIds.simulateCall, async argument => (await loadSimulate()).simulate(argument));
  add(commandIds.debugFailedCall, async () => (await loadSimulate()).debugFailedCall());
  return store;
}
