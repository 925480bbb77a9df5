// What has arrived of one answer: tables that grow run by run.

import { mergeNames, type Names, noNames } from '../../protocol/hexNames.ts';
import type { Envelope, HostMessage } from '../../protocol/messages.ts';
import { isPackedRows } from '../../protocol/parseExtensionMessage.ts';
import { type Column, createUnpacker, fromBytes, type Row } from '../../protocol/table.ts';

/** `rows` grows in place; `version` says that it did. */
export interface GrownTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows that there will be. */
  readonly count: number;
}

export interface Collected {
  readonly tables: ReadonlyMap<string, GrownTable>;
  readonly names: Names;
  readonly envelope: Envelope | null;
  readonly notes: readonly string[];
}

export const nothingCollected: Collected = { tables: new Map(), names: noNames, envelope: null, notes: [] };

export interface Collector {
  current(): Collected;
  /** True when it changed something. */
  take(message: HostMessage): boolean;
}

export function createCollector(): Collector {
  let collected = nothingCollected;
  const unpackers = new Map<string, ReturnType<typeof createUnpacker>>();
  return {
    current: () => collected,
    take(message) {
      if (message.type === 'tables') {
        const tables = new Map<string, GrownTable>();
        let names = noNames;
        for (const { name, columns, count, first } of message.tables) {
          const unpacker = createUnpacker(columns);
          unpackers.set(name, unpacker);
          tables.set(name, { name, columns, count, rows: unpacker.unpack(first) });
          names = mergeNames(names, first.names);
        }
        collected = { tables, names, envelope: message.envelope, notes: message.notes };
        return true;
      }
      if (message.type !== 'rows') return false;
      const table = collected.tables.get(message.table);
      const run = fromBytes(message.bytes);
      if (table === undefined || !isPackedRows(run)) return false;
      const rows = [...table.rows, ...(unpackers.get(table.name)?.unpack(run) ?? [])];
      collected = {
        ...collected,
        tables: new Map(collected.tables).set(table.name, { ...table, rows }),
        names: mergeNames(collected.names, run.names),
      };
      return true;
    },
  };
}
