// Offers once in a workspace the names of contracts that its tools have deployed on a chain of this machine.

import { commands, l10n, workspace } from 'vscode';
import { importPatterns } from '../../addressBook/importFile.ts';
import { Owner } from '../../base/disposable.ts';
import { getFaultCode } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import type { DeployedContracts } from './findDeployedContracts.ts';

export type DeploymentOfferDeps = Pick<FeatureDeps, 'book' | 'worker' | 'workspaceState' | 'log'>;

const OFFERED_KEY = 'hexlens.deploymentsOffered';

const folders = { foundry: 'broadcast', ignition: 'ignition/deployments', 'hardhat-deploy': 'deployments' } as const;

export class DeploymentOffer extends Owner {
  readonly #deps: DeploymentOfferDeps;
  /** Chains that were searched since the files or nodes last changed. */
  readonly #searched = new Set<string>();
  /** One search at a time. */
  #isSearching = false;

  constructor(deps: DeploymentOfferDeps) {
    super();
    this.#deps = deps;
    if (this.#isOffered()) return;
    const searchAgain = () => this.#searched.clear();
    this.store.add(deps.worker.onDidChangeConnections(searchAgain));
    for (const source of ['foundry', 'ignition', 'hardhat-deploy'] as const) {
      const watcher = this.store.add(workspace.createFileSystemWatcher(importPatterns[source], false, false, true));
      this.store.add(watcher.onDidCreate(searchAgain));
      this.store.add(watcher.onDidChange(searchAgain));
    }
  }

  /** Searches chains of this machine that were not searched yet, in a workspace that is trusted. Never rejects. */
  async search(): Promise<void> {
    if (!workspace.isTrusted || this.#isSearching || this.store.disposed || this.#isOffered()) return;
    this.#isSearching = true;
    const { worker, log } = this.#deps;
    try {
      for (const { selector, isLocal } of worker.chains()) {
        if (!isLocal || this.#searched.has(selector)) continue;
        const { findDeployedContracts } = await import('./findDeployedContracts.ts');
        const found = await findDeployedContracts(selector, this.#deps);
        this.#searched.add(selector);
        if (found.count === 0 || this.store.disposed) continue;
        await this.#offer(selector, found);
        return;
      }
    } catch (error) {
      log.debug(`Names of deployments: ${getFaultCode(error)}`);
    } finally {
      this.#isSearching = false;
    }
  }

  #isOffered(): boolean {
    return this.#deps.workspaceState.get(OFFERED_KEY) === true;
  }

  async #offer(selector: string, { count, files, sources }: DeployedContracts): Promise<void> {
    await this.#deps.workspaceState.update(OFFERED_KEY, true);
    this.dispose(); // nothing is searched any more
    const title = findConfiguredTitle(this.#deps.worker.chains(), selector);
    const where = [...sources].map(source => folders[source]).join(', ');
    const text =
      count === 1
        ? l10n.t('1 contract of {0} is in {1}. Use its name in HexLens?', title, where)
        : l10n.t('{0} contracts of {1} are in {2}. Use their names in HexLens?', count, title, where);
    const use = l10n.t('Use Names');
    if ((await showInformationMessage(text, use)) !== use) return;
    await commands.executeCommand(commandIds.importAddresses, files);
  }
}
