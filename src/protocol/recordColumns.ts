// Columns and cells of any record of the API, by the kind and the name of each field.

import type { AnyField, AnyRecord } from '../api/records/record.ts';
import { getGasPriceUnit } from '../api/transactionFee.ts';
import { toDisplayAddress } from '../base/displayAddress.ts';
import { getFieldLabel } from './fieldLabels.ts';
import type { CellKind, TableCell, TableColumn, TableRow } from './table.ts';

export interface Coin {
  readonly symbol: string;
  readonly decimals: number;
}

const HASH_KINDS: Readonly<Record<string, CellKind>> = {
  hash: 'transaction',
  transactionHash: 'transaction',
  blockHash: 'blockHash',
  parentHash: 'blockHash',
  topic0: 'topic',
  topic1: 'word',
  topic2: 'word',
  topic3: 'word',
};

/** Fields that only a row's details show: long, or repeated by another column. */
const DETAIL_FIELDS = new Set([
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
  'media',
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

/** Amounts of the native coin, where the record is not one of `TOKEN_RECORDS`. */
const COIN_FIELDS = new Set(['value', 'price', 'balance', 'totalBalance']);
/** Records whose amount is that of the token in the same record. */
const TOKEN_RECORDS: readonly string[] = ['Erc20Mint', 'Erc20Transfer', 'Erc20Balance'];

/** Prices per gas, shown in gwei. */
const GAS_PRICE_FIELDS = new Set(['gasPrice', 'baseFeePerGas']);

function getCellKind(property: string, { kind }: AnyField, record: string): CellKind {
  // An identifier in digits, not a quantity.
  if (property === 'chainId') return 'text';
  switch (kind.name) {
    case 'address':
    case 'checksummed':
      return 'address';
    case 'hash':
      return HASH_KINDS[property] ?? 'hex';
    case 'hex':
      return 'hex';
    case 'number':
    case 'count':
      if (property === 'blockNumber' || property === 'blockNumberMinted') return 'block';
      return property === 'receiptStatus' ? 'status' : 'number';
    case 'amount':
      if (TOKEN_RECORDS.includes(record)) return 'tokenAmount';
      return COIN_FIELDS.has(property) || GAS_PRICE_FIELDS.has(property) ? 'coin' : 'amount';
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

/** `omitted`: fields with lists of records, which are tables of their own. */
export function toColumns(record: AnyRecord, coin: Coin, omitted: readonly string[] = []): readonly TableColumn[] {
  return record.wires
    .filter(([property]) => !omitted.includes(property))
    .map(([property, , field]) => {
      const kind = getCellKind(property, field, record.name);
      const { decimals, symbol } = GAS_PRICE_FIELDS.has(property) ? getGasPriceUnit(coin) : coin;
      return {
        key: property,
        label: getFieldLabel(property),
        kind,
        ...(kind === 'coin' && { decimals, unit: symbol }),
        ...(DETAIL_FIELDS.has(property) && { detailOnly: true as const }),
      };
    });
}

/** Puts the `shown` columns first, in that order; all others are shown in a row's details only. */
export function arrangeColumns(columns: readonly TableColumn[], shown: readonly string[]): readonly TableColumn[] {
  const byKey = new Map(columns.map(column => [column.key, column]));
  const first = shown.flatMap(key => {
    const column = byKey.get(key);
    if (column === undefined) return [];
    const { detailOnly: _detailOnly, ...rest } = column;
    return [rest];
  });
  const others = columns.filter(({ key }) => !shown.includes(key));
  return [...first, ...others.map(column => ({ ...column, detailOnly: true as const }))];
}

export function toCell(value: unknown): TableCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.map(String).join(', ');
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
}

export function toRow(columns: readonly TableColumn[], values: object): TableRow {
  const source = values as Readonly<Record<string, unknown>>;
  return columns.map(({ key, kind }) => {
    const value = source[key];
    return kind === 'address' && typeof value === 'string' ? toDisplayAddress(value) : toCell(value);
  });
}
