// The ABIs of the workspace's artifacts; reading starts with the first request.
import { type Event, EventEmitter } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { WorkspaceSources } from '../source/workspaceSources.ts';
import type { VerifiedContract } from './verifiedAbis.ts';
import type { WorkspaceAbis, WorkspaceAbisDeps } from './workspaceAbis.ts';
import type { WorkspaceBuilds } from './workspaceBuilds.ts';

export interface AbiProvider extends Disposable {
  /** Resolves when every artifact has been read once; the registry then follows the files, and each use looks for changes. */
  load(): Promise<AbiRegistry>;
  /** The registry as read so far, `null` before reading has begun. Starts reading. */
  current(): AbiRegistry | null;
  /** The builds of the artifacts, when every artifact has been read once. */
  builds(): Promise<Pick<WorkspaceBuilds, 'find' | 'findCreationBlock'>>;
  /** Lines of Solidity by the builds of the artifacts, when every artifact has been read once. */
  sources(): Promise<WorkspaceSources>;
  /** Adds ABIs that hosts of the settings have verified, and stores them for later sessions. */
  addVerified(contracts: readonly VerifiedContract[]): Promise<void>;
  /** Builds have more than before: listeners of `onDidChange` show it. */
  notifySourcesChange(): void;
  /** Artifacts were read, changed or removed. */
  readonly onDidChange: Event<void>;
}

export function createAbiProvider(deps: WorkspaceAbisDeps): AbiProvider {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let abis: WorkspaceAbis | undefined;

  const start = lazy(async (): Promise<WorkspaceAbis> => {
    const workspaceAbis = await import('./workspaceAbis.ts');
    abis = store.add(new workspaceAbis.WorkspaceAbis(deps, () => changed.fire()));
    await abis.ready;
    return abis;
  });

  const follow = () => {
    abis?.checkForChanges();
    return start();
  };
  const load = async () => (await follow()).registry;

  return {
    load,
    builds: async () => (await follow()).builds,
    sources: async () => (await follow()).sources,
    current() {
      load().catch(error => deps.log.error(`The ABIs of the workspace could not be read: ${String(error)}`));
      return abis?.registry ?? null;
    },
    async addVerified(contracts) {
      const { verifiedAbis } = await follow();
      await verifiedAbis.add(contracts);
      changed.fire();
    },
    notifySourcesChange: () => changed.fire(),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
