// Recorded Aptos transactions and the rows of the official processors for them, from `../shared`, outside of this repository.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/service/aptos/jsonFields.ts';
import type { TransactionInBlock } from '../../src/service/aptos/restTransaction.ts';

const ROOT = new URL('../../../shared/vectors/aptos/', import.meta.url);

export const haveVectors = existsSync(new URL('expected-db-rows/_test_map.json', ROOT));
if (!haveVectors) console.warn('SKIPPED: ../shared/vectors/aptos is not there; no Aptos recording is compared.');

// biome-ignore lint/suspicious/noExplicitAny: recordings of other people's formats.
type Recorded = any;

const load = (path: string): Recorded => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));

const parsed = (text: unknown) => (typeof text === 'string' ? JSON.parse(text) : null);

function toRestChange(change: Recorded): JsonObject {
  const { writeResource, deleteResource, writeTableItem, deleteTableItem } = change;
  if (writeResource)
    return {
      type: 'write_resource',
      address: writeResource.address,
      data: { type: writeResource.typeStr, data: parsed(writeResource.data) },
    };
  if (deleteResource)
    return { type: 'delete_resource', address: deleteResource.address, resource: deleteResource.typeStr };
  const item = writeTableItem ?? deleteTableItem;
  if (!item) return { type: 'write_module' };
  const data = item.data && {
    key: parsed(item.data.key),
    key_type: item.data.keyType,
    ...(writeTableItem && { value: parsed(item.data.value), value_type: item.data.valueType }),
  };
  return {
    type: writeTableItem ? 'write_table_item' : 'delete_table_item',
    handle: item.handle,
    key: item.key,
    data: data ?? null,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  TRANSACTION_TYPE_USER: 'user_transaction',
  TRANSACTION_TYPE_GENESIS: 'genesis_transaction',
  TRANSACTION_TYPE_BLOCK_METADATA: 'block_metadata_transaction',
  TRANSACTION_TYPE_STATE_CHECKPOINT: 'state_checkpoint_transaction',
  TRANSACTION_TYPE_VALIDATOR: 'validator_transaction',
};

function toRestPayload(payload: Recorded): JsonObject {
  if (payload.entryFunctionPayload)
    return { type: 'entry_function_payload', function: payload.entryFunctionPayload.entryFunctionIdStr };
  const inner = payload.multisigPayload?.transactionPayload?.entryFunctionPayload;
  if (payload.multisigPayload)
    return { type: 'multisig_payload', transaction_payload: inner && { function: inner.entryFunctionIdStr } };
  return { type: 'script_payload' };
}

/** Converts a transaction of the Transaction Stream to its REST format, with the zeros that the stream omits. */
export function toRestTransaction(proto: Recorded): TransactionInBlock {
  const { seconds = '0', nanos = 0 } = proto.timestamp ?? {};
  const type = TYPES[proto.type];
  if (type === undefined) throw new Error(`${proto.type} has no REST format yet.`);
  const inner = proto.user ?? proto.genesis ?? proto.blockMetadata ?? proto.validator ?? {};
  const request = proto.user?.request;
  return {
    blockHeight: BigInt(proto.blockHeight ?? 0),
    transaction: {
      type,
      version: proto.version ?? '0',
      timestamp: String(BigInt(seconds) * 1_000_000n + BigInt(nanos) / 1000n),
      success: proto.info.success ?? false,
      gas_used: proto.info.gasUsed ?? '0',
      changes: (proto.info.changes ?? []).map(toRestChange),
      events: (inner.events ?? []).map((event: Recorded) => ({
        guid: {
          account_address: event.key?.accountAddress ?? '0x0',
          creation_number: event.key?.creationNumber ?? '0',
        },
        sequence_number: event.sequenceNumber ?? '0',
        type: event.typeStr,
        data: parsed(event.data),
      })),
      ...(request && {
        sender: request.sender,
        sequence_number: request.sequenceNumber ?? '0',
        gas_unit_price: request.gasUnitPrice ?? '0',
        payload: toRestPayload(request.payload),
      }),
    },
  };
}

export interface OfficialCase {
  readonly name: string;
  readonly processor: string;
  readonly transactions: readonly TransactionInBlock[];
  /** Rows of an expected table; `null` when the processor's test has none. */
  rows(table: string): readonly Recorded[] | null;
}

/** All tests of the official processors whose transactions and rows are available. */
export function officialCases(): readonly OfficialCase[] {
  if (!haveVectors) return [];
  const cases: OfficialCase[] = [];
  for (const entry of load('expected-db-rows/_test_map.json')) {
    const { transactions } = entry as { transactions: readonly string[] };
    if (!transactions.every(path => existsSync(new URL(path, ROOT)))) continue;
    for (const folder of (entry as { expected_dirs: readonly string[] }).expected_dirs) {
      if (!existsSync(new URL(folder, ROOT))) continue;
      cases.push({
        name: folder.replace('expected-db-rows/', ''),
        processor: (entry as { processor: string }).processor,
        transactions: transactions.map(path => toRestTransaction(load(path))),
        rows: table => (existsSync(new URL(`${folder}/${table}.json`, ROOT)) ? load(`${folder}/${table}.json`) : null),
      });
    }
  }
  return cases;
}

/** All transactions in Transaction Stream format. */
export function streamTransactions(): readonly TransactionInBlock[] {
  if (!haveVectors) return [];
  const root = new URL('indexer-proto-json/', ROOT);
  return readdirSync(root).flatMap(folder =>
    readdirSync(new URL(`${folder}/`, root)).map(file =>
      toRestTransaction(load(`indexer-proto-json/${folder}/${file}`)),
    ),
  );
}

/** All complete transactions in REST format, from public networks and test nodes; some occur more than once. */
export function restTransactions(): readonly { readonly file: string; readonly placed: TransactionInBlock }[] {
  if (!haveVectors) return [];
  const found: { file: string; placed: TransactionInBlock }[] = [];
  const root = new URL('fullnode-rest/', ROOT);
  const collect = (file: string, value: Recorded, height: bigint | null) => {
    if (Array.isArray(value)) for (const item of value) collect(file, item, height);
    else if (value !== null && typeof value === 'object') {
      if (typeof value.type === 'string' && value.type.endsWith('_transaction') && Array.isArray(value.changes))
        found.push({ file, placed: { transaction: value, blockHeight: height } });
      else
        for (const inner of Object.values(value))
          collect(file, inner, typeof value.block_height === 'string' ? BigInt(value.block_height) : height);
    }
  };
  for (const folder of readdirSync(root))
    for (const file of readdirSync(new URL(`${folder}/`, root)))
      if (file.endsWith('.json')) collect(`${folder}/${file}`, load(`fullnode-rest/${folder}/${file}`), null);
  for (const file of ['block_499540.json', 'transactions.json'])
    collect(`original/${file}`, load(`original-service-recorded/${file}`), null);
  return found;
}

/** The pairs of coins and metadata that the official processors ship with. */
export function knownPairs(): readonly (readonly [coin: string, metadata: string])[] {
  if (!haveVectors) return [];
  const pairs: readonly { coin_type: string; fungible_asset_metadata_address: string }[] = load(
    'expected-db-rows/fa_to_coin_mapping_mainnet.json',
  );
  return pairs.map(pair => [pair.coin_type, pair.fungible_asset_metadata_address]);
}
