// Which source a network has: its indexer with its node, or our own index of a node alone while the chain is short enough.
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Fullnode } from './fullnode.ts';
import type { Indexer } from './indexer.ts';
import { createIndexerSource } from './indexerSource.ts';
import type { SourceEnds } from './networks.ts';
import { createNodeSource } from './nodeSource.ts';
import type { AptosSource } from './source.ts';
import type { OpenAptosStore } from './store/store.ts';

export interface SourceDeps {
  readonly open: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reading more from someone else's node would take days: a public network has billions of transactions. */
export const MOST_WHOLE = 2_000_000n;

export function createSource({ name, indexer, node }: SourceEnds, deps: SourceDeps): AptosSource {
  const { clock } = deps;
  if (indexer !== null) return createIndexerSource({ indexer, node, clock });
  if (node === null)
    throw new HexLensError('no-node', `Aptos ${name} has neither a node nor an indexer.`, {
      fix: 'Add one to the setting hexlens.aptos.networks.',
    });
  const whole = createNodeSource({ name, rest: node, ...deps });
  return node.loopback ? whole : wholeOrParts(name, node, whole, clock);
}

/** A short chain is read whole; of a long one, what its node can be asked for. */
function wholeOrParts(name: string, node: Fullnode, whole: AptosSource, clock: Clock): AptosSource {
  const parts = createIndexerSource({ indexer: noIndexer(name), node, clock });
  let chosen: Promise<AptosSource> | null = null;
  // Without the signal of whoever asks first: the answer is for all.
  const choose = (): Promise<AptosSource> => {
    chosen ??= node.ledger().then(
      ({ ledgerVersion, oldestLedgerVersion }) => (ledgerVersion - oldestLedgerVersion > MOST_WHOLE ? parts : whole),
      error => {
        chosen = null;
        throw error;
      },
    );
    return chosen;
  };
  return {
    coinTransfers: async (query, slice, signal) => (await choose()).coinTransfers(query, slice, signal),
    walletCoinTransfers: async (query, slice, signal) => (await choose()).walletCoinTransfers(query, slice, signal),
    blockCoinTransfers: async (query, slice, signal) => (await choose()).blockCoinTransfers(query, slice, signal),
    walletTokenTransfers: async (query, slice, signal) => (await choose()).walletTokenTransfers(query, slice, signal),
    tokensByCreators: async (query, slice, signal) => (await choose()).tokensByCreators(query, slice, signal),
    collectionOwners: async (query, slice, signal) => (await choose()).collectionOwners(query, slice, signal),
    walletTokens: async (query, slice, signal) => (await choose()).walletTokens(query, slice, signal),
    async stop() {
      await Promise.all([whole.stop(), parts.stop()]);
    },
  };
}

function noIndexer(name: string): Indexer {
  return {
    host: 'no indexer',
    loopback: false,
    async rows() {
      throw new HexLensError(
        'not-implemented',
        `Aptos ${name} has no indexer, and is too long to be read from its node.`,
        {
          fix: 'Add its indexer to the setting hexlens.aptos.networks, or with --aptos-indexer NAME=URL.',
        },
      );
    },
  };
}
