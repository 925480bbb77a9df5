// Processes a transaction: its activities, token datas and ownerships, and the state updates for later transactions.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress } from '../jsonFields.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import type { TransactionInBlock } from '../restTransaction.ts';
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
  /** In whole seconds. */
  readonly timestamp: Date;
  /** Sorted by event index; the gas fee (-1) is first. */
  readonly coinActivities: readonly CoinActivity[];
  readonly tokenActivities: readonly TokenActivity[];
  readonly tokenDatas: readonly TokenData[];
  readonly ownerships: readonly OwnershipChange[];
  /** Tokens that were burned or deleted. */
  readonly burnedObjects: readonly Hex[];
  readonly stateUpdates: StateUpdates;
  /** Rows that could not be parsed, with the reasons for the log. */
  readonly skipped: readonly string[];
}

const EMPTY_RESULT: ProcessedTransaction = {
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

const NO_OBJECTS: Pick<StateUpdates, 'fungibleStores' | 'collections' | 'tokens'> = EMPTY_RESULT.stateUpdates;

/**
 * Never throws, whatever the node sent: what cannot be parsed is skipped and reported. Without a prior state, the
 * transaction is processed on its own.
 */
export function processTransaction(
  transaction: TransactionInBlock,
  priorState: PriorState = emptyPriorState,
): ProcessedTransaction {
  const skipped: string[] = [];
  const context = createTransactionContext(transaction, priorState, reason => skipped.push(reason));
  if (context === null) return { ...EMPTY_RESULT, skipped: ['a transaction without version or time'] };
  const objects = collectObjectEvents(context);
  return {
    version: context.position.transactionVersion,
    timestamp: context.position.transactionTimestamp,
    coinActivities: processCoinActivities(context),
    tokenActivities: processTokenActivities(context, objects),
    tokenDatas: processTokenDatas(context).filter(
      row => row.tokenStandard === 'v1' || !objects.burned.has(`0x${row.tokenDataIdHash}`),
    ),
    ownerships: processTokenOwnerships(context, objects),
    burnedObjects: [...objects.burned.keys()],
    stateUpdates: collectStateUpdates(context),
    skipped,
  };
}

function processTokenActivities(context: TransactionContext, objects: ObjectEvents): readonly TokenActivity[] {
  const rows: TokenActivity[] = [];
  for (const event of context.events) {
    const rowV1 = processTokenV1Event(event, context);
    const row = rowV1 === undefined ? processTokenV2Event(event, context, objects) : rowV1;
    if (row === null) context.reportSkipped(`${event.type} that could not be parsed`);
    else if (row !== undefined) rows.push(row);
  }
  return rows;
}

function collectStateUpdates({ changes, priorState }: TransactionContext): StateUpdates {
  const { tokenTables, coinTypes } = changes;
  if (changes.objects.size === 0) return { ...NO_OBJECTS, tokenTables, coinTypes };
  const fungibleStores = new Map<Hex, FungibleStore>();
  const collections = new Map<Hex, ObjectCollection>();
  const tokens = new Map<Hex, ObjectTokenName>();
  for (const [address, resources] of changes.objects) {
    if (resources.fungibleStore !== null)
      fungibleStores.set(address, {
        owner: asAddress(resources.core?.['owner']),
        metadata: asObjectAddress(resources.fungibleStore['metadata']),
      });
    const collection = resources.collection === null ? null : getObjectCollection(address, changes, priorState);
    if (collection !== null) collections.set(address, collection);
    const token = parseObjectToken(resources);
    if (token !== null) tokens.set(address, { collection: token.collection, name: token.name });
  }
  return { tokenTables, fungibleStores, coinTypes, collections, tokens };
}
