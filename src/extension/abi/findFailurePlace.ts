// Where in the workspace's source a transaction failed, for rows that are good without it.
import type { Hex } from '../../base/hex.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export interface FailurePlaceDeps {
  readonly worker: Pick<FeatureDeps['worker'], 'lookup'>;
  readonly abis: Pick<FeatureDeps['abis'], 'sources'>;
}

/** `null` also where the artifacts of the workspace cannot be read. Never rejects. */
export async function findFailurePlace(
  chain: string,
  hash: Hex,
  { worker, abis }: FailurePlaceDeps,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await (await abis.sources()).findFailurePlace(chain, hash, worker, signal);
  } catch {
    return null;
  }
}
