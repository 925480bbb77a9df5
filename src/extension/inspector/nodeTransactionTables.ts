// What a node says of a transaction beside its record, as tables: type, fees per gas, lists that it carries, signature.
import type { NodeTransaction } from '../../api/lookups.ts';
import { getGasPriceUnit } from '../../api/transactionFee.ts';
import { isHex } from '../../base/hex.ts';
import { isObject, type UnknownRecord } from '../../base/isObject.ts';
import { t } from '../../base/localize.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import type { Table, TableCell, TableColumn } from '../../protocol/table.ts';

/** Longer lists are in the raw reply. */
const MAX_ENTRIES = 50;

/** Types of EIP-2718, and those of rollups. */
const TYPES: Readonly<Record<string, string>> = {
  '0x0': 'legacy',
  '0x1': 'EIP-2930',
  '0x2': 'EIP-1559',
  '0x3': 'EIP-4844',
  '0x4': 'EIP-7702',
  '0x64': 'Arbitrum deposit',
  '0x65': 'Arbitrum unsigned',
  '0x66': 'Arbitrum contract',
  '0x68': 'Arbitrum retry',
  '0x69': 'Arbitrum submit retryable',
  '0x6a': 'Arbitrum internal',
  '0x71': 'ZKsync EIP-712',
  '0x7e': 'OP Stack deposit',
  '0xff': 'ZKsync priority',
};

const isQuantity = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value);
const toDecimal = (value: unknown): string | null => (isQuantity(value) ? BigInt(value).toString() : null);
const toHexText = (value: unknown): string | null => (isHex(value) ? value : null);
const toObjects = (value: unknown): readonly UnknownRecord[] =>
  Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isObject) : [];

function toType(value: unknown): string | null {
  if (!isQuantity(value)) return null;
  const number = BigInt(value);
  const name = TYPES[`0x${number.toString(16)}`];
  return name === undefined ? number.toString() : `${number} (${name})`;
}

/** Columns and the only row of the fields that are there. */
class DetailsTable {
  readonly #columns: TableColumn[] = [];
  readonly #row: TableCell[] = [];

  add(key: string, label: string, kind: TableColumn['kind'], cell: TableCell, unit?: Coin): this {
    if (cell === null) return this;
    this.#columns.push({ key, label, kind, ...(unit !== undefined && { decimals: unit.decimals, unit: unit.symbol }) });
    this.#row.push(cell);
    return this;
  }

  toTable(): Table {
    return { name: 'details', columns: this.#columns, rows: this.#columns.length === 0 ? [] : [this.#row] };
  }
}

function createDetails(transaction: UnknownRecord, receipt: UnknownRecord, coin: Coin): Table {
  const gwei = getGasPriceUnit(coin);
  const { blobVersionedHashes: blobs } = transaction;
  const hashes = Array.isArray(blobs) ? blobs.slice(0, MAX_ENTRIES).filter(hash => isHex(hash)) : [];
  const { r, s, v, yParity } = transaction;
  // Some nodes give the price of the block for transactions without blobs too, which do not pay it.
  const blobGas = toDecimal(receipt['blobGasUsed']);
  const blobGasPrice = blobGas === null || blobGas === '0' ? null : toDecimal(receipt['blobGasPrice']);
  return new DetailsTable()
    .add('type', t('Type'), 'text', toType(transaction['type'] ?? receipt['type']))
    .add('effectiveGasPrice', t('Paid per gas'), 'coin', toDecimal(receipt['effectiveGasPrice']), gwei)
    .add('maxFeePerGas', t('Max fee per gas'), 'coin', toDecimal(transaction['maxFeePerGas']), gwei)
    .add(
      'maxPriorityFeePerGas',
      t('Max priority fee per gas'),
      'coin',
      toDecimal(transaction['maxPriorityFeePerGas']),
      gwei,
    )
    .add('maxFeePerBlobGas', t('Max fee per blob gas'), 'coin', toDecimal(transaction['maxFeePerBlobGas']), gwei)
    .add('blobGasPrice', t('Paid per blob gas'), 'coin', blobGasPrice, gwei)
    .add('blobGasUsed', t('Blob gas used'), 'amount', blobGas)
    .add('blobs', t('Blobs'), 'text', hashes.length === 0 ? null : hashes.join('\n'))
    .add('l1Fee', t('L1 fee'), 'coin', toDecimal(receipt['l1Fee']), coin)
    .add('r', t('Signature r'), 'hex', toHexText(r))
    .add('s', t('Signature s'), 'hex', toHexText(s))
    .add('v', t('Signature v'), 'text', toDecimal(v))
    .add('yParity', t('Signature y parity'), 'text', toDecimal(yParity))
    .toTable();
}

function createAccessList({ accessList }: UnknownRecord): Table {
  return {
    name: 'accessList',
    columns: [
      { key: 'address', label: t('Address'), kind: 'address' },
      { key: 'storageKeys', label: t('Storage slots'), kind: 'text' },
    ],
    rows: toObjects(accessList).map(({ address, storageKeys }) => [
      toHexText(address),
      Array.isArray(storageKeys) && storageKeys.length > 0 ? storageKeys.map(String).join('\n').slice(0, 8_000) : null,
    ]),
  };
}

function createAuthorizations({ authorizationList }: UnknownRecord): Table {
  return {
    name: 'authorizations',
    columns: [
      { key: 'address', label: t('Delegates to'), kind: 'address' },
      { key: 'chainId', label: t('Chain ID'), kind: 'text' },
      { key: 'nonce', label: t('Nonce'), kind: 'text' },
      { key: 'r', label: t('Signature r'), kind: 'hex' },
      { key: 's', label: t('Signature s'), kind: 'hex' },
      { key: 'yParity', label: t('Signature y parity'), kind: 'text' },
    ],
    rows: toObjects(authorizationList).map(({ address, chainId, nonce, r, s, yParity }) => [
      ...[toHexText(address), toDecimal(chainId), toDecimal(nonce)],
      ...[toHexText(r), toHexText(s), toDecimal(yParity)],
    ]),
  };
}

/** Tables without rows are left out. */
export function toNodeTransactionTables({ transaction, receipt }: NodeTransaction, coin: Coin): readonly Table[] {
  if (transaction === null) return [];
  const tables = [
    createDetails(transaction, receipt ?? {}, coin),
    createAccessList(transaction),
    createAuthorizations(transaction),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}
