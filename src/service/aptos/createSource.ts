// Which source a network has: its indexer with its node, or our own index of the node alone.
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createIndexerSource } from './indexerSource.ts';
import type { SourceEnds } from './networks.ts';
import type { AptosSource } from './source.ts';

export interface SourceDeps {
  readonly clock: Clock;
  readonly log: Log;
}

export function createSource({ name, indexer, node }: SourceEnds, { clock }: SourceDeps): AptosSource {
  if (indexer !== null) return createIndexerSource({ indexer, node, clock });
  throw new HexLensError(
    'not-implemented',
    `Aptos ${name} has no indexer: ${node?.host ?? 'nothing'} alone is not read yet.`,
  );
}
