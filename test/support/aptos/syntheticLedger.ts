// A synthetic Aptos ledger: transactions in REST format, and the rows of an official indexer for them.
import { createHash } from 'node:crypto';
import type { Hex } from '../../../src/base/hex.ts';

export type Fields = Record<string, unknown>;

export interface LedgerBlock {
  readonly height: bigint;
  readonly first: bigint;
  readonly last: bigint;
  readonly micros: bigint;
}

/** The fields of an event that are not in the indexer's tables. */
export interface EventFact {
  readonly version: bigint;
  readonly eventIndex: number;
  readonly account: Hex;
  readonly creation: bigint;
  readonly sequence: bigint;
}

export interface SyntheticLedger {
  readonly chainId: number;
  readonly transactions: readonly Fields[];
  readonly blocks: readonly LedgerBlock[];
  /** Rows of the indexer by table; bigints are JSON numbers in responses. */
  readonly tables: Readonly<Record<string, readonly Fields[]>>;
  readonly eventFacts: readonly EventFact[];
  /** The resource after `version`; the newest one when absent. */
  resource(address: string, type: string, version?: bigint): Fields | null;
  item(handle: string, key: unknown): Fields | null;
  sequenceNumber(address: string): bigint | null;
}

export const toLong = (short: string): Hex => `0x${short.replace(/^0x/, '').padStart(64, '0')}`;
/** The short form, in which fullnodes print addresses. */
export const toShort = (address: string): string => `0x${address.slice(2).replace(/^0+(?=.)/, '')}`;
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

const START_MICROS = 1_700_000_000_000_000n;
const STEP_MICROS = 10_000_000n;

/** A user transaction that is being built. */
export interface TransactionDraft {
  readonly version: bigint;
  readonly sender: Hex;
  /** `YYYY-MM-DDTHH:MM:SS`, as in the columns of the indexer. */
  readonly time: string;
  event(type: string, data: Fields, guid?: { readonly account: Hex; readonly creation: bigint }): number;
  write(address: Hex, type: string, data: Fields): void;
  writeItem(handle: Hex, key: Fields, keyType: string, value: Fields, valueType: string): void;
  deleteItem(handle: Hex, key: Fields, keyType: string): void;
  row(table: string, fields: Fields): void;
  /** Deletes the rows for which `isOld` is true. */
  drop(table: string, isOld: (row: Fields) => boolean): void;
  recordFact(eventIndex: number, account: Hex, creation: bigint, sequence: bigint): void;
}

export interface LedgerBuilder extends SyntheticLedger {
  /** Adds a block of user transactions and returns its height. */
  block(...transactions: readonly ((ledger: LedgerBuilder) => void)[]): bigint;
  user(
    sender: Hex,
    entryFunction: string,
    write: (draft: TransactionDraft) => void,
    options?: { readonly failed?: boolean },
  ): bigint;
}

export function createSyntheticLedger(chainId = 4): LedgerBuilder {
  const transactions: Fields[] = [];
  const blocks: LedgerBlock[] = [];
  const tables: Record<string, Fields[]> = {
    fungible_asset_activities: [],
    token_activities_v2: [],
    current_token_datas_v2: [],
    current_token_ownerships_v2: [],
    block_metadata_transactions: [],
  };
  const truths: EventFact[] = [];
  const resources = new Map<string, { readonly version: bigint; readonly data: Fields }[]>();
  const items = new Map<string, Fields>();
  const sequences = new Map<string, bigint>();
  const counters = new Map<string, bigint>();
  let height = -1n;
  let micros = START_MICROS;

  const next = () => BigInt(transactions.length);
  const common = (type: string): Fields => ({
    type,
    version: String(next()),
    hash: `0x${sha256Hex(`${chainId} ${next()}`)}`,
    state_change_hash: `0x${sha256Hex('state')}`,
    event_root_hash: `0x${sha256Hex('events')}`,
    state_checkpoint_hash: null,
    gas_used: '0',
    success: true,
    vm_status: 'Executed successfully',
    accumulator_root_hash: `0x${sha256Hex('root')}`,
    changes: [],
    timestamp: String(micros),
  });
  transactions.push({ ...common('genesis_transaction'), timestamp: undefined, events: [], payload: {} });
  blocks.push({ height: 0n, first: 0n, last: 0n, micros: 0n });
  height = 0n;

  const self: LedgerBuilder = {
    chainId,
    transactions,
    blocks,
    tables,
    eventFacts: truths,
    resource(address, type, version = next()) {
      const history = resources.get(`${toLong(address)} ${type}`) ?? [];
      return history.findLast(entry => entry.version <= version)?.data ?? null;
    },
    item: (handle, key) => items.get(`${toLong(handle)} ${JSON.stringify(key)}`) ?? null,
    sequenceNumber: address => sequences.get(toLong(address)) ?? null,
    block(...writers) {
      height += 1n;
      micros += STEP_MICROS;
      const first = next();
      tables['block_metadata_transactions']?.push({ block_height: height, version: first });
      transactions.push({ ...common('block_metadata_transaction'), events: [], proposer: '0x0' });
      for (const write of writers) write(self);
      transactions.push(common('state_checkpoint_transaction'));
      blocks.push({ height, first, last: next() - 1n, micros });
      return height;
    },
    user(sender, entryFunction, write, { failed = false } = {}) {
      const version = next();
      const sequence = sequences.get(sender) ?? 0n;
      sequences.set(sender, sequence + 1n);
      const time = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
      const events: Fields[] = [];
      const changes: Fields[] = [];
      const place = { transaction_version: version, transaction_timestamp: time };
      const coinRow = (fields: Fields) =>
        tables['fungible_asset_activities']?.push({
          ...place,
          block_height: height,
          entry_function_id_str: entryFunction,
          is_gas_fee: false,
          is_transaction_success: true,
          token_standard: 'v1',
          ...fields,
        });
      const touch = (address: Hex, type: string, data: Fields) => {
        const key = `${address} ${type}`;
        resources.set(key, [...(resources.get(key) ?? []), { version, data }]);
      };
      coinRow({
        event_index: -1n,
        amount: 1000n,
        asset_type: '0x1::aptos_coin::AptosCoin',
        owner_address: sender,
        type: '0x1::aptos_coin::GasFeeEvent',
        is_gas_fee: true,
        is_transaction_success: !failed,
      });
      truths.push({ version, eventIndex: -1, account: sender, creation: -1n, sequence });
      const draft: TransactionDraft = {
        version,
        sender,
        time,
        event(type, data, guid) {
          const { account, creation } = guid ?? { account: toLong('0x0'), creation: 0n };
          const key = `${account} ${creation}`;
          const number = guid === undefined ? 0n : (counters.get(key) ?? 0n);
          counters.set(key, number + 1n);
          events.push({
            guid: { creation_number: String(creation), account_address: toShort(account) },
            sequence_number: String(number),
            type,
            data,
          });
          if (guid !== undefined) draft.recordFact(events.length - 1, account, creation, number);
          return events.length - 1;
        },
        write(address, type, data) {
          changes.push({
            type: 'write_resource',
            address: toShort(address),
            state_key_hash: `0x${sha256Hex(type)}`,
            data: { type, data },
          });
          touch(address, type, data);
        },
        writeItem(handle, key, keyType, value, valueType) {
          items.set(`${handle} ${JSON.stringify(key)}`, value);
          changes.push({
            type: 'write_table_item',
            state_key_hash: `0x${sha256Hex(handle)}`,
            handle: toShort(handle),
            key: '0x00',
            value: '0x00',
            data: { key, key_type: keyType, value, value_type: valueType },
          });
        },
        deleteItem(handle, key, keyType) {
          items.delete(`${handle} ${JSON.stringify(key)}`);
          changes.push({
            type: 'delete_table_item',
            state_key_hash: `0x${sha256Hex(handle)}`,
            handle: toShort(handle),
            key: '0x00',
            data: { key, key_type: keyType },
          });
        },
        row(table, fields) {
          if (table === 'fungible_asset_activities') coinRow(fields);
          else if (table === 'token_activities_v2')
            tables[table]?.push({ ...place, entry_function_id_str: entryFunction, ...fields });
          else tables[table]?.push({ last_transaction_version: version, last_transaction_timestamp: time, ...fields });
        },
        drop(table, isOld) {
          tables[table] = (tables[table] ?? []).filter(row => !isOld(row));
        },
        recordFact: (eventIndex, account, creation, sequenceNumber) =>
          void truths.push({ version, eventIndex, account, creation, sequence: sequenceNumber }),
      };
      if (!failed) write(draft);
      transactions.push({
        ...common('user_transaction'),
        gas_used: '10',
        success: !failed,
        vm_status: failed
          ? 'Move abort in 0x1::coin: EINSUFFICIENT_BALANCE(0x10006): Not enough coins'
          : 'Executed successfully',
        changes,
        sender: toShort(sender),
        sequence_number: String(sequence),
        max_gas_amount: '2000',
        gas_unit_price: '100',
        expiration_timestamp_secs: '1900000000',
        payload: { type: 'entry_function_payload', function: entryFunction, type_arguments: [], arguments: [] },
        signature: { type: 'ed25519_signature', public_key: '0x00', signature: '0x00' },
        events,
      });
      return version;
    },
  };
  return self;
}
