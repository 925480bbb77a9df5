// The tables of one reply as they arrive, chunk by chunk.

import { type HexNames, mergeHexNames, noHexNames } from '../../protocol/hexNames.ts';
import type { ListInfo, RowsPart, TablesPart } from '../../protocol/messages.ts';
import type { Table } from '../../protocol/table.ts';
import { createRowUnpacker, decodeJson, type PackedRows } from '../../protocol/table.ts';

/** A table of which not all rows may have arrived. */
export interface LoadedTable extends Table {
  readonly rowCount: number;
}

export interface CollectedReply {
  readonly tables: ReadonlyMap<string, LoadedTable>;
  readonly names: HexNames;
  readonly listInfo: ListInfo | null;
  readonly notes: readonly string[];
}

export const emptyReply: CollectedReply = { tables: new Map(), names: noHexNames, listInfo: null, notes: [] };

export type ReplyCollector = ReturnType<typeof createReplyCollector>;

export function createReplyCollector() {
  let reply = emptyReply;
  const unpackers = new Map<string, ReturnType<typeof createRowUnpacker>>();

  function addTables({ tables: heads, listInfo, notes }: TablesPart): void {
    const tables = new Map<string, LoadedTable>();
    let names = noHexNames;
    for (const { name, columns, rowCount, firstRows } of heads) {
      const unpacker = createRowUnpacker(columns);
      unpackers.set(name, unpacker);
      tables.set(name, { name, columns, rowCount, rows: unpacker.unpack(firstRows) });
      names = mergeHexNames(names, firstRows.names);
    }
    reply = { tables, names, listInfo, notes };
  }

  function addRows({ table: name, bytes }: RowsPart): boolean {
    const table = reply.tables.get(name);
    if (table === undefined) return false;
    const chunk = decodeJson(bytes) as PackedRows; // what the extension packed
    const rows = [...table.rows, ...(unpackers.get(name)?.unpack(chunk) ?? [])];
    reply = {
      ...reply,
      tables: new Map(reply.tables).set(name, { ...table, rows }),
      names: mergeHexNames(reply.names, chunk.names),
    };
    return true;
  }

  return {
    current: () => reply,
    /** True when the part has changed the reply. */
    add(part: TablesPart | RowsPart): boolean {
      if (part.kind === 'rows') return addRows(part);
      addTables(part);
      return true;
    },
  };
}
