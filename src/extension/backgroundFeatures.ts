// What works without being asked: the status bar, and checks of settings and committed files.
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { DeploymentOffer } from './addressBook/deploymentOffer.ts';
import { readCommittedFiles } from './addressBook/readCommittedFiles.ts';
import { followStoredKeys } from './apiKeys/followStoredKeys.ts';
import { registerUrlSecrets } from './apiKeys/registerUrlSecrets.ts';
import type { FeatureDeps } from './featureDeps.ts';
import { registerSettingProblems } from './settings/registerSettingProblems.ts';
import { StatusBar } from './status/statusBar.ts';

export type BackgroundFeaturesDeps = Pick<
  FeatureDeps,
  'worker' | 'settings' | 'keys' | 'secrets' | 'book' | 'workspaceState' | 'log'
>;

/** With the commands of these features. */
export interface BackgroundFeatures extends Disposable {
  showStatus(): Promise<void>;
  storeUrlSecret(...args: readonly unknown[]): Promise<void>;
}

export function createBackgroundFeatures({
  worker,
  settings,
  keys,
  secrets,
  book,
  workspaceState,
  log,
}: BackgroundFeaturesDeps): BackgroundFeatures {
  const store = new DisposableStore();
  store.add(readCommittedFiles({ book, log }));
  store.add(followStoredKeys({ keys, secrets }));
  store.add(registerSettingProblems({ settings, log }));
  const { storeUrlSecret } = store.add(registerUrlSecrets({ settings, secrets, log }));
  const offer = store.add(new DeploymentOffer({ worker, book, workspaceState, log }));
  const statusBar = store.add(new StatusBar(worker));
  store.add(statusBar.onDidRefresh(() => void offer.search()));
  return { showStatus: () => statusBar.showStatus(), storeUrlSecret, dispose: () => store.dispose() };
}
