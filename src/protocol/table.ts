// Tables as they cross between host and page: typed columns, rows of plain cells, hex texts sent once.
import type { HexNames } from './hexNames.ts';

/**
 * What a cell means, which decides how it is shown, sorted and linked. `amount`, `coin` and `tokenId` are decimal text
 * (bigint), `tokenAmount` too, counted in the unit of the contract in the row's `address`, `time` is milliseconds since the Unix epoch, `method` is a selector, `''` for none or `create`, `0x00000000…` where the bytes after it are no arguments of a known function, `json` is
 * JSON text, `word` 32 bytes whose type is not known, `status` is 1, 0 or `null` while pending. `aptos` is an account or object of Aptos.
 */
export const cellKinds = [
  'address',
  'transaction',
  'blockHash',
  'block',
  'topic',
  'method',
  'word',
  'hex',
  'amount',
  'coin',
  'tokenAmount',
  'number',
  'time',
  'tokenId',
  'text',
  'flag',
  'status',
  'json',
  'aptos',
] as const;
export type CellKind = (typeof cellKinds)[number];

export type TableCell = string | number | boolean | null;
export type TableRow = readonly TableCell[];

export interface TableColumn {
  readonly key: string;
  readonly label: string;
  readonly kind: CellKind;
  /** Decimals and symbol of a `coin`. */
  readonly decimals?: number;
  readonly unit?: string;
  /** Shown with the row's details only. */
  readonly detailOnly?: true;
}

export interface Table {
  /** `transactions`, `logs`, `internal`, `rows`, `record`, `wallets`: the page knows what to do with each. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

/** Kinds whose texts repeat from row to row and are long. */
const PACKED: ReadonlySet<CellKind> = new Set(['address', 'transaction', 'blockHash', 'topic', 'word', 'hex', 'aptos']);

/**
 * A run of rows. Cells of long hex kinds are indexes into the texts of this run and all runs before it, so an address or
 * a topic crosses once however often it occurs.
 */
export interface PackedRows {
  readonly strings: readonly string[];
  readonly rows: readonly TableRow[];
  /** Names that the runs before did not bring. */
  readonly names: HexNames;
}

export interface RowPacker {
  /** Rows from `start` up to `end`, exclusive. */
  pack(start: number, end: number, names: HexNames): PackedRows;
}

export function createRowPacker({ columns, rows }: Table): RowPacker {
  const indexes = new Map<string, number>();
  const packed = columns.map(({ kind }) => PACKED.has(kind));
  return {
    pack(start, end, names) {
      const strings: string[] = [];
      const indexOf = (text: string) => {
        const known = indexes.get(text);
        if (known !== undefined) return known;
        const index = indexes.size;
        indexes.set(text, index);
        strings.push(text);
        return index;
      };
      const run = rows
        .slice(start, end)
        .map(row => row.map((cell, at) => (packed[at] && typeof cell === 'string' ? indexOf(cell) : cell)));
      return { strings, rows: run, names };
    },
  };
}

export interface RowUnpacker {
  /** The rows of the next run, with their texts. */
  unpack(run: PackedRows): readonly TableRow[];
}

export function createRowUnpacker(columns: readonly TableColumn[]): RowUnpacker {
  const texts: string[] = [];
  const packed = columns.map(({ kind }) => PACKED.has(kind));
  return {
    unpack({ strings, rows }) {
      texts.push(...strings);
      return rows.map(row =>
        row.map((cell, at) => (packed[at] && typeof cell === 'number' ? (texts[cell] ?? null) : cell)),
      );
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON as bytes: crosses to a page without being parsed on the way. */
export function encodeJson(value: unknown): ArrayBuffer {
  return encoder.encode(JSON.stringify(value)).buffer as ArrayBuffer; // a fresh one, never shared
}

/** Throws a SyntaxError when it is no JSON. */
export function decodeJson(bytes: ArrayBuffer): unknown {
  return JSON.parse(decoder.decode(bytes));
}
