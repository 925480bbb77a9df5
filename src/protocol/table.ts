// Tables as they cross from the extension to the page: typed columns, plain cells, each hex text sent once.
import type { SourceLocation } from '../api/transactionStack.ts';
import type { HexNames } from './hexNames.ts';

/**
 * What a cell means, which decides how it is shown, sorted and linked.
 *
 * - `amount`, `coin`, `tokenId`: a whole number as decimal text
 * - `tokenAmount`: the same, in the smallest unit of the token whose decimals and symbol are in the row, or whose contract is
 *   in the row's `address` column
 * - `time`: milliseconds since the Unix epoch
 * - `method`: a selector; `''` without one, `create` for a creation, `0x00000000…` (with the ellipsis) where the bytes
 *   after the selector are not the arguments of a known function
 * - `word`: 32 bytes of unknown type
 * - `status`: 1, 0, or `null` while pending
 * - `linkedText`: one line in which addresses are marked (`linkedText.ts`)
 * - `json`: JSON text
 * - `aptos`: an account or object of Aptos
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
  'linkedText',
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
  /** Shown in the row's details only. */
  readonly detailOnly?: true;
  /** Made by decoding the log, which the row's details decode again in full: shown in the grid only. */
  readonly isDecoded?: true;
  /** Shown after the other columns where the table is narrow. */
  readonly isSecondary?: true;
  /** Where its texts are in a source: all texts of such a row open that line. */
  readonly locations?: Readonly<Record<string, SourceLocation>>;
}

/** The key of the column that shows the values of a decoded log in one line. */
export const VALUES_COLUMN = 'values';

export interface Table {
  /** `transactions`, `logs`, `internal`, `rows`, `record`, `wallets`: the page knows what to do with each. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

/** Kinds with long texts that repeat from row to row. */
const PACKED_KINDS: ReadonlySet<CellKind> = new Set([
  'address',
  'transaction',
  'blockHash',
  'topic',
  'word',
  'hex',
  'aptos',
]);

/**
 * A chunk of rows. Cells of `PACKED_KINDS` are indexes into the strings of this chunk and all chunks before it, so that
 * an address or a topic crosses once however often it occurs.
 */
export interface PackedRows {
  readonly strings: readonly string[];
  readonly rows: readonly TableRow[];
  /** Names that earlier chunks did not bring. */
  readonly names: HexNames;
}

export function createRowPacker({ columns, rows }: Table) {
  const indexes = new Map<string, number>();
  const isPacked = columns.map(({ kind }) => PACKED_KINDS.has(kind));
  return {
    /** Rows from `start` up to `end`, exclusive. */
    pack(start: number, end: number, names: HexNames): PackedRows {
      const strings: string[] = [];
      const indexOf = (text: string) => {
        const existing = indexes.get(text);
        if (existing !== undefined) return existing;
        const next = indexes.size;
        indexes.set(text, next);
        strings.push(text);
        return next;
      };
      const chunk = rows
        .slice(start, end)
        .map(row => row.map((cell, index) => (isPacked[index] && typeof cell === 'string' ? indexOf(cell) : cell)));
      return { strings, rows: chunk, names };
    },
  };
}

export function createRowUnpacker(columns: readonly TableColumn[]) {
  const allStrings: string[] = [];
  const isPacked = columns.map(({ kind }) => PACKED_KINDS.has(kind));
  return {
    /** The rows of the next chunk, with their strings. */
    unpack({ strings, rows }: PackedRows): readonly TableRow[] {
      allStrings.push(...strings);
      return rows.map(row =>
        row.map((cell, index) => (isPacked[index] && typeof cell === 'number' ? (allStrings[cell] ?? null) : cell)),
      );
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON as bytes, which cross to a page without being cloned value by value. */
export function encodeJson(value: unknown): ArrayBuffer {
  return encoder.encode(JSON.stringify(value)).buffer as ArrayBuffer; // newly allocated, never shared
}

/** @throws SyntaxError when the bytes are no JSON. */
export function decodeJson(bytes: ArrayBuffer): unknown {
  return JSON.parse(decoder.decode(bytes));
}
