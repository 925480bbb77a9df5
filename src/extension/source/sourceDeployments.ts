// What the editor shows in Solidity about deployments of its contracts; loaded at first use.
import { Owner } from '../../base/disposable.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { DeployedContracts } from './deployedContracts.ts';
import { DeploymentLenses } from './deploymentLenses.ts';
import { DocumentOutlines } from './documentOutlines.ts';
import { KnownDeployments } from './knownDeployments.ts';
import { SourceValues } from './sourceValues.ts';
import { ValueHints } from './valueHints.ts';

export interface SourceDeploymentsDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'abis'> {
  /** Whether the user has asked for this address on this chain. */
  isAllowed(chain: string, address: string): boolean;
}

export class SourceDeployments extends Owner {
  readonly values: SourceValues;
  readonly lenses: DeploymentLenses;
  readonly hints: ValueHints;

  constructor(deps: SourceDeploymentsDeps) {
    super();
    const deployments = this.store.add(new KnownDeployments(deps.book));
    const contracts = new DeployedContracts({ ...deps, deployments });
    const outlines = new DocumentOutlines();
    this.lenses = this.store.add(new DeploymentLenses({ ...deps, contracts, outlines }));
    this.values = this.store.add(new SourceValues({ ...deps, contracts, outlines }));
    this.hints = this.store.add(new ValueHints({ ...deps, contracts, outlines, values: this.values }));
  }
}
