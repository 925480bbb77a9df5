// All rows of one transaction, and what it leaves to know for those that follow.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress, getField } from '../jsonFields.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import type { TransactionInBlock } from '../transaction.ts';
import { processCoinActivities } from './coinActivityProcessor.ts';
import { getObjectCollection, parseObjectToken } from './objectTokens.ts';
import {
  emptyPriorState,
  type FungibleStore,
  type ObjectCollection,
  type ObjectTokenName,
  type PriorState,
  type StateUpdates,
} from './priorState.ts';
import { processTokenDatas } from './tokenDataProcessor.ts';
import { type OwnershipChange, processTokenOwnerships } from './tokenOwnershipProcessor.ts';
import { processTokenV1Event } from './tokenV1ActivityProcessor.ts';
import { collectObjectEvents, type ObjectEvents, processTokenV2Event } from './tokenV2ActivityProcessor.ts';
import { createTransactionContext, type TransactionContext } from './transactionContext.ts';

export interface ProcessedTransaction {
  readonly version: bigint;
  /** Whole seconds. */
  readonly timestamp: Date;
  /** By event index, the gas row (-1) first. */
  readonly coinActivities: readonly CoinActivity[];
  readonly tokenActivities: readonly TokenActivity[];
  readonly tokenDatas: readonly TokenData[];
  readonly ownerships: readonly OwnershipChange[];
  /** Objects that are tokens no more. */
  readonly burnedObjects: readonly Hex[];
  readonly stateUpdates: StateUpdates;
  /** What should have been a row and could not be read: one sentence each, at most a few, for the log. */
  readonly skipped: readonly string[];
}

const NOTHING: ProcessedTransaction = {
  version: 0n,
  timestamp: new Date(0),
  coinActivities: [],
  tokenActivities: [],
  tokenDatas: [],
  ownerships: [],
  burnedObjects: [],
  stateUpdates: {
    tokenTables: new Map(),
    fungibleStores: new Map(),
    coinTypes: new Set(),
    collections: new Map(),
    tokens: new Map(),
  },
  skipped: [],
};

/**
 * Never throws, whatever the node sent: what can not be read is left out and named. `memory` is what the transactions
 * before it said; without it, a transaction is read by itself.
 */
export function processTransaction(
  placed: TransactionInBlock,
  memory: PriorState = emptyPriorState,
): ProcessedTransaction {
  const leftOut: string[] = [];
  const scene = createTransactionContext(placed, memory, reason => leftOut.push(reason));
  if (scene === null) return { ...NOTHING, skipped: ['a transaction without version or time'] };
  const objects = collectObjectEvents(scene);
  return {
    version: scene.position.transactionVersion,
    timestamp: scene.position.transactionTimestamp,
    coinActivities: processCoinActivities(scene),
    tokenActivities: tokenActivities(scene, objects),
    tokenDatas: processTokenDatas(scene).filter(
      row => row.tokenStandard === 'v1' || !objects.burned.has(`0x${row.tokenDataIdHash}`),
    ),
    ownerships: processTokenOwnerships(scene, objects),
    burnedObjects: [...objects.burned.keys()],
    stateUpdates: learntFrom(scene),
    skipped: leftOut,
  };
}

function tokenActivities(scene: TransactionContext, objects: ObjectEvents): readonly TokenActivity[] {
  const rows: TokenActivity[] = [];
  for (const event of scene.events) {
    const first = processTokenV1Event(event, scene);
    const row = first === undefined ? processTokenV2Event(event, scene, objects) : first;
    if (row === null) scene.reportSkipped(`${event.type} that can not be read`);
    else if (row !== undefined) rows.push(row);
  }
  return rows;
}

function learntFrom({ changes, priorState }: TransactionContext): StateUpdates {
  const stores = new Map<Hex, FungibleStore>();
  const collections = new Map<Hex, ObjectCollection>();
  const tokens = new Map<Hex, ObjectTokenName>();
  for (const [address, state] of changes.objects) {
    if (state.fungibleStore !== null)
      stores.set(address, {
        owner: asAddress(getField(state.core, 'owner')),
        metadata: asObjectAddress(getField(state.fungibleStore, 'metadata')),
      });
    const collection = state.collection === null ? null : getObjectCollection(address, changes, priorState);
    if (collection !== null) collections.set(address, collection);
    const token = parseObjectToken(state);
    if (token !== null) tokens.set(address, { collection: token.collection, name: token.name });
  }
  return {
    tokenTables: changes.tokenTables,
    fungibleStores: stores,
    coinTypes: changes.coinTypes,
    collections,
    tokens,
  };
}
