// All rows of one transaction, and what it leaves to know for those that follow.
import type { Hex } from '../../../base/hex.ts';
import { addressOf, at, referenceOf } from '../jsonFields.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import type { PlacedTransaction } from '../transaction.ts';
import { coinActivities } from './coinActivityProcessor.ts';
import { collectionAt, objectTokenOf } from './objectTokens.ts';
import {
  type KnownCollection,
  type KnownStore,
  type KnownToken,
  type Learnt,
  type Memory,
  noMemory,
} from './priorState.ts';
import { tokenDatas } from './tokenDataProcessor.ts';
import { type OwnershipChange, ownershipChanges } from './tokenOwnershipProcessor.ts';
import { tokenV1Activity } from './tokenV1ActivityProcessor.ts';
import { type ObjectEvents, objectEvents, tokenV2Activity } from './tokenV2ActivityProcessor.ts';
import { type Scene, sceneOf } from './transactionContext.ts';

export interface TransactionRows {
  readonly version: bigint;
  /** Whole seconds. */
  readonly timestamp: Date;
  /** By event index, the gas row (-1) first. */
  readonly coinActivities: readonly CoinActivity[];
  readonly tokenActivities: readonly TokenActivity[];
  readonly tokenDatas: readonly TokenData[];
  readonly ownerships: readonly OwnershipChange[];
  /** Objects that are tokens no more. */
  readonly burned: readonly Hex[];
  readonly learnt: Learnt;
  /** What should have been a row and could not be read: one sentence each, at most a few, for the log. */
  readonly leftOut: readonly string[];
}

const NOTHING: TransactionRows = {
  version: 0n,
  timestamp: new Date(0),
  coinActivities: [],
  tokenActivities: [],
  tokenDatas: [],
  ownerships: [],
  burned: [],
  learnt: { tables: new Map(), stores: new Map(), coinTypes: new Set(), collections: new Map(), tokens: new Map() },
  leftOut: [],
};

/**
 * Never throws, whatever the node sent: what can not be read is left out and named. `memory` is what the transactions
 * before it said; without it, a transaction is read by itself.
 */
export function transactionRows(placed: PlacedTransaction, memory: Memory = noMemory): TransactionRows {
  const leftOut: string[] = [];
  const scene = sceneOf(placed, memory, reason => leftOut.push(reason));
  if (scene === null) return { ...NOTHING, leftOut: ['a transaction without version or time'] };
  const objects = objectEvents(scene);
  return {
    version: scene.placed.transactionVersion,
    timestamp: scene.placed.transactionTimestamp,
    coinActivities: coinActivities(scene),
    tokenActivities: tokenActivities(scene, objects),
    tokenDatas: tokenDatas(scene).filter(
      row => row.tokenStandard === 'v1' || !objects.burned.has(`0x${row.tokenDataIdHash}`),
    ),
    ownerships: ownershipChanges(scene, objects),
    burned: [...objects.burned.keys()],
    learnt: learntFrom(scene),
    leftOut,
  };
}

function tokenActivities(scene: Scene, objects: ObjectEvents): readonly TokenActivity[] {
  const rows: TokenActivity[] = [];
  for (const event of scene.events) {
    const first = tokenV1Activity(event, scene);
    const row = first === undefined ? tokenV2Activity(event, scene, objects) : first;
    if (row === null) scene.leaveOut(`${event.type} that can not be read`);
    else if (row !== undefined) rows.push(row);
  }
  return rows;
}

function learntFrom({ changes, memory }: Scene): Learnt {
  const stores = new Map<Hex, KnownStore>();
  const collections = new Map<Hex, KnownCollection>();
  const tokens = new Map<Hex, KnownToken>();
  for (const [address, state] of changes.objects) {
    if (state.assetStore !== null)
      stores.set(address, {
        owner: addressOf(at(state.core, 'owner')),
        metadata: referenceOf(at(state.assetStore, 'metadata')),
      });
    const collection = state.collection === null ? null : collectionAt(address, changes, memory);
    if (collection !== null) collections.set(address, collection);
    const token = objectTokenOf(state);
    if (token !== null) tokens.set(address, { collection: token.collection, name: token.name });
  }
  return { tables: changes.tables, stores, coinTypes: changes.coinTypes, collections, tokens };
}
