// Adds to tables of logs and internal transactions what their rows say: arguments of events, calls and their results.
import { getOrInsert } from '../../base/getOrInsert.ts';
import { t } from '../../base/localize.ts';
import type { DecodedArgument, DecodedCandidate, Decoder, RawLog, ReturnedCall } from '../../protocol/decoderPort.ts';
import {
  type CellKind,
  type Table,
  type TableCell,
  type TableColumn,
  type TableRow,
  VALUES_COLUMN,
} from '../../protocol/table.ts';

/** More arguments than a reader compares in columns are shown in one line. */
const MAX_ARGUMENT_COLUMNS = 6;

/** Columns whose values the decoded ones show; the row's details keep them. */
const ENCODED_COLUMNS = new Set(['topic1', 'topic2', 'topic3', 'data']);

const toDetail = (column: TableColumn): TableColumn => ({ ...column, detailOnly: true });

/** In a narrow table the values come first, then what all rows have in common or what few readers need. */
const toSecondary = (column: TableColumn): TableColumn => ({ ...column, isSecondary: true });

type ReadCell = (row: TableRow, key: string) => string | null;

export const createCellReader = (columns: readonly TableColumn[]): ReadCell => {
  const indexes = new Map(columns.map(({ key }, index) => [key, index]));
  return (row, key) => {
    const cell = row[indexes.get(key) ?? -1] ?? null;
    return cell === null ? null : String(cell);
  };
};

function getKind({ type, unit, isHash }: DecodedArgument, contract: string): CellKind {
  if (isHash) return 'hex';
  if (type === 'address') return 'address';
  if (type === 'bool') return 'flag';
  if (/^u?int\d+$/.test(type)) return unit === contract.toLowerCase() ? 'tokenAmount' : 'amount';
  return /^bytes\d*$/.test(type) ? 'hex' : 'text';
}

const getArguments = ({ args }: DecodedCandidate) => args.filter(({ depth }) => depth === 0);

const hasMeaning = (decoded: DecodedCandidate | undefined, index: number): boolean =>
  decoded !== undefined && getArguments(decoded)[index]?.meaning !== undefined;

/** One column per argument, when all rows are the same event with values that fit into cells; `null` otherwise. */
function createArgumentColumns(
  decodings: readonly (DecodedCandidate | undefined)[],
  contracts: readonly string[],
  existing: ReadonlySet<string>,
): readonly TableColumn[] | null {
  const [first] = decodings;
  if (first === undefined || decodings.some(decoded => decoded?.signature !== first.signature)) return null;
  const args = getArguments(first);
  const hasNested = first.args.some(({ depth }) => depth > 0) || args.some(({ type }) => /[)\]]$/.test(type));
  if (args.length > MAX_ARGUMENT_COLUMNS || hasNested) return null;
  const keys = new Set(existing);
  return args.map((argument, index) => {
    const name = argument.name === '' ? `argument${index}` : argument.name;
    // Each column has a key of its own: an event may have two arguments of one name.
    const key = [name, `event_${name}`, `event_${name}${index}`].find(one => !keys.has(one)) ?? `event ${index}`;
    keys.add(key);
    return {
      key,
      label: argument.name === '' ? t('Argument {0}', index + 1) : argument.name,
      // An error or a call in `bytes`, and the text that a hash is of, say more than the digits, which are in the data.
      kind: decodings.some(decoded => hasMeaning(decoded, index)) ? 'text' : getKind(argument, contracts[0] ?? ''),
      isDecoded: true,
    };
  });
}

function toArgumentCell({ value, meaning }: DecodedArgument, kind: CellKind): TableCell {
  if (kind === 'text' && meaning !== undefined) return meaning;
  return kind === 'flag' ? value === 'true' : value;
}

async function decodeLogTable(table: Table, chain: string, decoder: Decoder, texts: readonly string[]): Promise<Table> {
  const { columns, rows } = table;
  const read = createCellReader(columns);
  const contracts = rows.map(row => read(row, 'address') ?? '');
  const toLog = (row: TableRow, index: number): RawLog => ({
    chain,
    address: contracts[index] ?? '',
    topics: ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => read(row, key) ?? []),
    data: read(row, 'data') ?? '0x',
  });
  const decodings = await decoder.decodeLogs(rows.map(toLog), texts);
  const keys = new Set(columns.map(({ key }) => key));
  const argumentColumns = createArgumentColumns(decodings, contracts, keys);
  if (argumentColumns === null && decodings.every(decoded => decoded === undefined)) return table;
  // Further pages of a list may have other events: then one line of values replaces the columns.
  const hasLine = argumentColumns === null || table.name === 'rows';
  const line: TableColumn = { key: VALUES_COLUMN, label: t('Values'), kind: 'linkedText', isDecoded: true };
  const added = [...(argumentColumns ?? []), ...(hasLine ? [argumentColumns === null ? line : toDetail(line)] : [])];
  const isComplete = decodings.every(decoded => decoded !== undefined);
  const position = columns.findIndex(({ key }) => key === 'topic0') + 1;
  const others = columns.map(column => {
    if (column.key === 'amount') return { ...(isComplete ? toDetail(column) : column), isDecoded: true as const };
    if (isComplete && ENCODED_COLUMNS.has(column.key)) return toDetail(column);
    return column.key === 'topic0' && argumentColumns === null ? column : toSecondary(column);
  });
  return {
    ...table,
    columns: [...others.slice(0, position), ...added, ...others.slice(position)],
    rows: rows.map((row, index) => {
      const decoded = decodings[index];
      const args = decoded === undefined ? [] : getArguments(decoded);
      const cells = argumentColumns?.map(({ kind }, at): TableCell => {
        const argument = args[at];
        return argument === undefined ? null : toArgumentCell(argument, kind);
      });
      const values = hasLine ? [decoded?.linkedValues ?? decoded?.values ?? null] : [];
      return [...row.slice(0, position), ...(cells ?? []), ...values, ...row.slice(position)];
    }),
  };
}

async function decodeCallTable(table: Table, chain: string, decoder: Decoder): Promise<Table> {
  const read = createCellReader(table.columns);
  const toCall = (row: TableRow): ReturnedCall => {
    const type = read(row, 'type') ?? '';
    return {
      chain,
      to: /^create/i.test(type) ? null : read(row, 'to'),
      account: /^(?:delegatecall|callcode)$/i.test(type) ? read(row, 'from') : null,
      input: read(row, 'input') ?? '0x',
      output: read(row, 'output'),
      hasFailed: read(row, 'error') !== null,
    };
  };
  const described = await decoder.describeCalls(table.rows.map(toCall));
  const rows = table.rows.map((row, index) => {
    const { call = null, result = null } = described[index] ?? {};
    return [...row, call, result];
  });
  const columns: readonly TableColumn[] = [
    ...table.columns,
    { key: 'call', label: t('Call'), kind: 'text' },
    { key: 'result', label: t('Result'), kind: 'text' },
  ];
  return { ...table, columns, rows };
}

/**
 * Adds what the rows say, as texts for the page; exports have the values (`exportedTables.ts`). `texts` are those that hashes in
 * logs may be of.
 */
export function decodeTable(
  table: Table,
  chain: string,
  decoder: Decoder,
  texts: readonly string[] = [],
): Promise<Table> {
  const keys = new Set(table.columns.map(({ key }) => key));
  if (keys.has('topic0') && keys.has('data')) return decodeLogTable(table, chain, decoder, texts);
  return table.name === 'internal' ? decodeCallTable(table, chain, decoder) : Promise.resolve(table);
}

/** The service names addresses by the same address book as the page: a column of labels that repeats those names is omitted. */
export function omitRepeatedLabels(
  table: Table,
  chain: string,
  getName: (address: string, chain: string) => string | null,
): Table {
  const { columns, rows } = table;
  const isRepeated = columns.map(({ key }, index) => {
    const address = columns.findIndex(other => key === `${other.key}Label`);
    return (
      address >= 0 &&
      rows.every(row => {
        const label = row[index] ?? null;
        return label === null || label === getName(String(row[address]), chain);
      })
    );
  });
  if (!isRepeated.includes(true)) return table;
  const keep = <T>(_: T, index: number) => isRepeated[index] !== true;
  return { ...table, columns: columns.filter(keep), rows: rows.map(row => row.filter(keep)) };
}

/**
 * Adds the names that the page shows instead of addresses, selectors and topics, each in a column of its own. Names of the
 * service, such as "From (name)", get those that it lacks.
 */
export function addNameColumns(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  chain: string,
  decoder: Decoder,
  getName: (address: string, chain: string) => string | null,
  omitsEmpty: boolean,
): Pick<Table, 'columns' | 'rows'> {
  const names: Partial<Record<CellKind, (text: string) => string | null>> = {
    address: text => getName(text, chain),
    aptos: text => getName(text, chain),
    topic: text => decoder.getEventSignatures(text)[0] ?? null,
    method: text => decoder.getFunctionSignatures(text)[0] ?? null,
  };
  const cache = new Map<string, string | null>();
  const labels = new Map<number, readonly (string | null)[]>();
  const added = columns.flatMap(({ key, label, kind }, index) => {
    const toName = names[kind];
    if (toName === undefined) return [];
    const labelIndex = columns.findIndex(column => column.key === `${key}Label`);
    const cells = rows.map((row): string | null => {
      const cell = row[index];
      if (typeof cell !== 'string' || cell === '') return null;
      return getOrInsert(cache, `${kind} ${cell}`, () => toName(cell));
    });
    if (labelIndex >= 0) {
      labels.set(labelIndex, cells);
      return [];
    }
    if (omitsEmpty && cells.every(cell => cell === null)) return [];
    const column: TableColumn = { key: `${key}Name`, label: t('{0} (name)', label), kind: 'text' };
    return [{ column, cells }];
  });
  return {
    columns: [...columns, ...added.map(({ column }) => column)],
    rows: rows.map((row, index) => [
      ...row.map((cell, at) => cell ?? labels.get(at)?.[index] ?? null),
      ...added.map(({ cells }) => cells[index] ?? null),
    ]),
  };
}
