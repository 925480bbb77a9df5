// What has arrived of one answer: tables that grow run by run.

import { type HexNames, mergeHexNames, noHexNames } from '../../protocol/hexNames.ts';
import type { ExtensionMessage, ListInfo } from '../../protocol/messages.ts';
import { isPackedRows } from '../../protocol/parseExtensionMessage.ts';
import { createRowUnpacker, decodeJson, type TableColumn, type TableRow } from '../../protocol/table.ts';

/** `rows` grows in place; `version` says that it did. */
export interface LoadedTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Rows that there will be. */
  readonly rowCount: number;
}

export interface CollectedReply {
  readonly tables: ReadonlyMap<string, LoadedTable>;
  readonly names: HexNames;
  readonly listInfo: ListInfo | null;
  readonly notes: readonly string[];
}

export const emptyReply: CollectedReply = { tables: new Map(), names: noHexNames, listInfo: null, notes: [] };

export interface ReplyCollector {
  current(): CollectedReply;
  /** True when it changed something. */
  take(message: ExtensionMessage): boolean;
}

export function createReplyCollector(): ReplyCollector {
  let collected = emptyReply;
  const unpackers = new Map<string, ReturnType<typeof createRowUnpacker>>();
  return {
    current: () => collected,
    take(message) {
      if (message.type === 'tables') {
        const tables = new Map<string, LoadedTable>();
        let names = noHexNames;
        for (const { name, columns, rowCount: count, firstRows: first } of message.tables) {
          const unpacker = createRowUnpacker(columns);
          unpackers.set(name, unpacker);
          tables.set(name, { name, columns, rowCount: count, rows: unpacker.unpack(first) });
          names = mergeHexNames(names, first.names);
        }
        collected = { tables, names, listInfo: message.envelope, notes: message.notes };
        return true;
      }
      if (message.type !== 'rows') return false;
      const table = collected.tables.get(message.table);
      const run = decodeJson(message.bytes);
      if (table === undefined || !isPackedRows(run)) return false;
      const rows = [...table.rows, ...(unpackers.get(table.name)?.unpack(run) ?? [])];
      collected = {
        ...collected,
        tables: new Map(collected.tables).set(table.name, { ...table, rows }),
        names: mergeHexNames(collected.names, run.names),
      };
      return true;
    },
  };
}
