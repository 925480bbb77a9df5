// What exports have in place of the texts of the page: all decoded values in full, and amounts with decimals too.
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import { getAmountTokens } from '../../decode/amountTokens.ts';
import type { DecodedItem } from '../../decode/decodeAbi.ts';
import type { DecodedValue } from '../../decode/decodeValues.ts';
import { toChecksummed, toPlainValues } from '../../decode/plainValues.ts';
import type { AmountUnits } from '../../protocol/amountUnits.ts';
import { getContractsWithAmounts, getRowUnit, RAW_UNIT } from '../../protocol/rowUnits.ts';
import type { CellKind, Table, TableCell, TableColumn, TableRow } from '../../protocol/table.ts';
import { addNameColumns, createCellReader } from './decodedTables.ts';
import type { DataPorts } from './inspectorPorts.ts';

export type Rows = Pick<Table, 'columns' | 'rows'>;

/** Decoded values of calls. */
const CALL_COLUMNS = ['call', 'result'] as const;
/** Columns of one line of text, which the tree of calls shows. */
const CALL_TEXT_COLUMNS: ReadonlySet<string> = new Set([...CALL_COLUMNS, 'place']);

const selectColumns = ({ columns, rows }: Rows, isExported: (column: TableColumn) => boolean): Rows => ({
  columns: columns.filter(isExported),
  rows: rows.map(row => row.filter((_, index) => columns[index] !== undefined && isExported(columns[index]))),
});

const toJson = (values: readonly DecodedValue[]): string => JSON.stringify(toPlainValues(values.map(toChecksummed)));

function getKind({ type, value, hashed }: DecodedValue, isAmount: boolean): CellKind {
  if (typeof value !== 'string') return 'json';
  if (hashed === true || /^bytes\d*$/.test(type)) return 'hex';
  if (type === 'address') return 'address';
  if (type === 'bool') return 'flag';
  return isAmount ? 'tokenAmount' : /^u?int\d*$/.test(type) ? 'amount' : 'text';
}

function toCell(decoded: DecodedValue): TableCell {
  const { type, value, hashed } = decoded;
  if (typeof value !== 'string') return toJson(value);
  if (hashed === true) return value;
  if (type === 'bool') return value === 'true';
  return type === 'address' ? toDisplayAddress(value) : value;
}

/** One column per argument, with keys that no other column has. */
function createArgumentColumns(
  item: DecodedItem,
  contract: string,
  existing: Iterable<string>,
): readonly TableColumn[] {
  const keys = new Set(existing);
  const units = getAmountTokens(item, contract);
  return item.values.map((value, index) => {
    const name = value.name === '' ? `argument${index}` : value.name;
    const key = [name, `event_${name}`, `event_${name}${index}`].find(one => !keys.has(one)) ?? `event ${index}`;
    keys.add(key);
    return { key, label: key, kind: getKind(value, units.get(value) === contract.toLowerCase()), isDecoded: true };
  });
}

const insertColumns = ({ columns, rows }: Rows, at: number, added: Rows): Rows => ({
  columns: columns.toSpliced(at, 0, ...added.columns),
  rows: rows.map((row, index) => row.toSpliced(at, 0, ...(added.rows[index] ?? []))),
});

/** The amount in units of the coin or token, and the symbol of that; `null` where they are unknown. */
function toDecimal(column: TableColumn, cell: TableCell, table: Rows, row: TableRow, units: AmountUnits): TableRow {
  const token = column.kind === 'coin' ? null : getRowUnit(table.columns, row, units);
  const [decimals, symbol] = column.kind === 'coin' ? [column.decimals, column.unit] : [token?.decimals, token?.symbol];
  if (decimals === undefined || token === RAW_UNIT || !/^-?\d+$/.test(String(cell))) return [null, null];
  return [formatUnits(BigInt(String(cell)), decimals), symbol ?? null];
}

/** Adds the decimal form of each amount and its unit in columns of their own, unless the service has them. */
function addDecimals(table: Rows, units: AmountUnits): Rows {
  const keys = new Set(table.columns.map(({ key }) => key));
  const amounts = table.columns.flatMap((column, index) => {
    const isAmount = column.kind === 'coin' || column.kind === 'tokenAmount';
    return isAmount && !keys.has(`${column.key}Decimal`) ? [{ column, index }] : [];
  });
  // From the last one, so that the indexes before it stay.
  return amounts.toReversed().reduce((result: Rows, { column, index }) => {
    const added = [`${column.key}Decimal`, `${column.key}Unit`].map(
      key => ({ key, label: key, kind: 'text' }) as const,
    );
    const cells = table.rows.map(row => toDecimal(column, row[index] ?? null, table, row, units));
    return insertColumns(result, index + 1, { columns: added, rows: cells });
  }, table);
}

/** JSON has no two values of one name. */
function withUniqueKeys({ columns, rows }: Rows): Rows {
  const keys = new Set(columns.map(({ key }) => key));
  if (keys.size === columns.length) return { columns, rows };
  const taken = new Set<string>();
  const toUnique = (key: string) => {
    let unique = key;
    for (let number = 2; taken.has(unique) || (unique !== key && keys.has(unique)); number++)
      unique = `${key}${number}`;
    taken.add(unique);
    return unique;
  };
  return { columns: columns.map(column => ({ ...column, key: toUnique(column.key) })), rows };
}

type ExportDeps = Pick<DataPorts, 'decoder' | 'getName'>;

/** Converts the pages of one export, which all have the columns of the first one. */
export class ExportedTables {
  readonly #chain: string;
  readonly #deps: ExportDeps;
  /** Every row is a log of the same event, on further pages too. */
  readonly #isOneEvent: boolean;
  /** The event whose arguments have columns; `undefined` before the first page. */
  #event: { readonly signature: string; readonly columns: readonly TableColumn[] } | null | undefined;

  constructor(chain: string, deps: ExportDeps, isOneEvent: boolean) {
    this.#chain = chain;
    this.#deps = deps;
    this.#isOneEvent = isOneEvent;
  }

  /** `isWhole`: no other page precedes or follows, so that columns without a value are omitted. */
  async convert(table: Rows, isWhole: boolean): Promise<Rows> {
    const keys = new Set(table.columns.map(({ key }) => key));
    const isLogs = keys.has('topic0') && keys.has('data');
    const decoded = isLogs
      ? await this.#decodeLogs(table, isWhole)
      : keys.has('isRoot')
        ? await this.#decodeCalls(table)
        : table;
    const { decoder, getName } = this.#deps;
    const contracts = getContractsWithAmounts(decoded.columns, decoded.rows);
    const units = contracts.size === 0 ? {} : await decoder.fetchUnits(contracts, this.#chain);
    return withUniqueKeys(addNameColumns(addDecimals(decoded, units), this.#chain, decoder, getName, isWhole));
  }

  async #decodeLogs(shown: Rows, isWhole: boolean): Promise<Rows> {
    // The service's amount is one of the columns that the page marks: it stays.
    const table = selectColumns(shown, ({ key, isDecoded }) => isDecoded !== true || key === 'amount');
    const read = createCellReader(table.columns);
    const items: (DecodedItem | null)[] = [];
    for (const row of table.rows) {
      const topics = ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => read(row, key) ?? []);
      const log = { chain: this.#chain, address: read(row, 'address') ?? '', topics, data: read(row, 'data') ?? '0x' };
      items.push(await this.#deps.decoder.readLog(log));
    }
    if (isWhole && items.every(item => item === null)) return table;
    const event = this.#findEvent(table, items, isWhole);
    const json: TableColumn = { key: 'arguments', label: 'arguments', kind: 'json', isDecoded: true };
    const hasJson = !isWhole || event === null;
    return insertColumns(table, table.columns.findIndex(({ key }) => key === 'topic0') + 1, {
      columns: [...(event?.columns ?? []), ...(hasJson ? [json] : [])],
      rows: items.map(item => {
        const isOfEvent = item !== null && formatAbiItem(item.item) === event?.signature;
        const cells = (event?.columns ?? []).map((_, index) => {
          const value = isOfEvent ? item.values[index] : undefined;
          return value === undefined ? null : toCell(value);
        });
        return [...cells, ...(hasJson ? [item === null ? null : toJson(item.values)] : [])];
      }),
    });
  }

  /** The event that the arguments have columns of. */
  #findEvent({ columns, rows }: Rows, items: readonly (DecodedItem | null)[], isWhole: boolean) {
    if (this.#event !== undefined) return this.#event;
    const [first = null] = items;
    const signature = first === null ? '' : formatAbiItem(first.item);
    const isSame = (item: DecodedItem | null) => item !== null && formatAbiItem(item.item) === signature;
    const contract = createCellReader(columns)(rows[0] ?? [], 'address') ?? '';
    const existing = ['arguments', ...columns.map(({ key }) => key)];
    this.#event =
      first !== null && (isWhole || this.#isOneEvent) && items.every(isSame)
        ? { signature, columns: createArgumentColumns(first, contract, existing) }
        : null;
    return this.#event;
  }

  async #decodeCalls(shown: Rows): Promise<Rows> {
    const table = selectColumns(shown, ({ key }) => !CALL_TEXT_COLUMNS.has(key));
    const read = createCellReader(table.columns);
    const toItem = ({ item, values }: DecodedItem) => ({
      signature: formatAbiItem(item),
      arguments: toPlainValues(values.map(toChecksummed)),
    });
    const rows: TableRow[] = [];
    for (const row of table.rows) {
      const { call, returned, error } = await this.#deps.decoder.readCall({
        chain: this.#chain,
        to: /^create/i.test(read(row, 'type') ?? '') ? null : read(row, 'to'),
        input: read(row, 'input') ?? '0x',
        output: read(row, 'output'),
        hasFailed: read(row, 'error') !== null,
      });
      const result = error === null ? (returned === null ? null : toJson(returned)) : JSON.stringify(toItem(error));
      rows.push([...row, call === null ? null : JSON.stringify(toItem(call)), result]);
    }
    const added = CALL_COLUMNS.map(key => ({ key, label: key, kind: 'json', isDecoded: true }) as const);
    return { columns: [...table.columns, ...added], rows };
  }
}
