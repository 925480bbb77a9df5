// Columns and cells of any record of the contract: what a field means follows from its kind and its name.

import type { AnyField, AnyRecord } from '../api/records/record.ts';
import { checksumAddress } from '../base/checksumAddress.ts';
import { isAddress } from '../base/hex.ts';
import { getFieldLabel } from './fieldLabels.ts';
import type { CellKind, TableCell, TableColumn, TableRow } from './table.ts';

// Puts the columns of a table into the order in which people read them; the rest goes to a row's details.
export function arrangeColumns(columns: readonly TableColumn[], shown: readonly string[]): readonly TableColumn[] {
  const byKey = new Map(columns.map(column => [column.key, column]));
  const first = shown.flatMap(key => {
    const column = byKey.get(key);
    if (column === undefined) return [];
    const { detailOnly: _detail, ...rest } = column;
    return [rest];
  });
  const others = columns.filter(({ key }) => !shown.includes(key));
  return [...first, ...others.map(column => ({ ...column, detail: true as const }))];
}

export interface Coin {
  readonly symbol: string;
  readonly decimals: number;
}

const HASHES: Readonly<Record<string, CellKind>> = {
  hash: 'transaction',
  transactionHash: 'transaction',
  blockHash: 'blockHash',
  parentHash: 'blockHash',
  topic0: 'topic',
  topic1: 'word',
  topic2: 'word',
  topic3: 'word',
};

/** Fields that only a row's details show: long, or said by another column. */
const DETAILS = new Set([
  'blockHash',
  'coinType',
  'collectionDataIdHash',
  'data',
  'eventAccountAddress',
  'eventCreationNumber',
  'eventSequenceNumber',
  'fromAddressLabel',
  'input',
  'lastMetadataSync',
  'lastTokenUriSync',
  'logsBloom',
  'metadata',
  'minterAddress',
  'normalizedMetadata',
  'operator',
  'output',
  'propertyVersion',
  'receiptCumulativeGasUsed',
  'tokenDataIdHash',
  'tokenHash',
  'tokenLogo',
  'tokenProperties',
  'tokenUri',
  'toAddressLabel',
  'transactionIndex',
  'verified',
]);

/** Amounts of the native coin. */
const COINS = new Set(['value', 'price', 'balance', 'totalBalance']);

/** Prices per gas, which people read in units of 10^9. */
const GAS_PRICES = new Set(['gasPrice', 'baseFeePerGas']);
const GWEI: Coin = { symbol: 'Gwei', decimals: 9 };

function kindOf(property: string, { kind }: AnyField, record: string): CellKind {
  // A name in digits, not a quantity.
  if (property === 'chainId') return 'text';
  switch (kind.name) {
    case 'address':
    case 'checksummed':
      return 'address';
    case 'hash':
      return HASHES[property] ?? 'hex';
    case 'hex':
      return 'hex';
    case 'number':
    case 'count':
      if (property === 'blockNumber' || property === 'blockNumberMinted') return 'block';
      return property === 'receiptStatus' ? 'status' : 'number';
    case 'amount':
      // An ERC-20's raw value has the decimals of its token, which stand in other fields.
      return (COINS.has(property) && record !== 'Erc20Mint') || GAS_PRICES.has(property) ? 'coin' : 'amount';
    case 'tokenId':
      return 'tokenId';
    case 'time':
      return 'time';
    case 'flag':
    case 'boolean':
    case 'stringFlag':
      return 'flag';
    case 'json':
    case 'jsonText':
      return 'json';
    default:
      if (kind.name.startsWith('list')) return kind.name.startsWith('list of tokenId') ? 'text' : 'json';
      return record.startsWith('Aptos') && property.endsWith('Address') ? 'aptos' : 'text';
  }
}

/** Without the lists of records inside it: those are tables of their own. */
export function toColumns(record: AnyRecord, coin: Coin, leaveOut: readonly string[] = []): readonly TableColumn[] {
  return record.wires
    .filter(([property]) => !leaveOut.includes(property))
    .map(([property, , field]) => {
      const kind = kindOf(property, field, record.name);
      const { decimals, symbol } = GAS_PRICES.has(property) ? GWEI : coin;
      return {
        key: property,
        label: getFieldLabel(property),
        kind,
        ...(kind === 'coin' && { decimals, unit: symbol }),
        ...(DETAILS.has(property) && { detail: true as const }),
      };
    });
}

/** A value of a record as a cell. */
export function toCell(value: unknown): TableCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.map(String).join(', ');
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
}

const MOST_KEPT = 20_000;
const kept = new Map<string, string>();

/** EIP-55, which costs a hash per address: the same few stand in thousands of rows. */
function checksummed(address: string): string {
  const known = kept.get(address);
  if (known !== undefined) return known;
  const text = checksumAddress(address);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(address, text);
  return text;
}

export function toRow(columns: readonly TableColumn[], values: object): TableRow {
  const source = values as Readonly<Record<string, unknown>>;
  return columns.map(({ key, kind }) => {
    const value = source[key];
    return kind === 'address' && isAddress(value) ? checksummed(value) : toCell(value);
  });
}
