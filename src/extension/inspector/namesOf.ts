// Gathers the names that rows need: each address, event and method once per answer.
import type { HexNames } from '../../protocol/hexNames.ts';
import type { Table } from '../../protocol/table.ts';
import type { DataPorts } from './inspectorPorts.ts';

/** Names in rows `start` up to `end` of a table that were not given before. */
export type NameCollector = (table: Table, start: number, end: number) => HexNames;

export function createNameCollector({ getName: nameOf, describer }: DataPorts, chain: string): NameCollector {
  const seen = new Set<string>();
  return ({ columns, rows }, start, end) => {
    const addresses: Record<string, string> = {};
    const events: Record<string, readonly string[]> = {};
    const methods: Record<string, readonly string[]> = {};
    const wanted = columns.flatMap(({ kind }, at) =>
      kind === 'address' || kind === 'aptos' || kind === 'topic' || kind === 'method' || kind === 'word'
        ? [{ kind, at }]
        : [],
    );
    for (let index = start; index < Math.min(end, rows.length); index++) {
      const row = rows[index] ?? [];
      for (const { kind, at } of wanted) {
        const cell = row[at];
        if (typeof cell !== 'string' || cell === '' || seen.has(cell)) continue;
        seen.add(cell);
        if (kind === 'topic') {
          const found = describer.getEventSignatures(cell);
          if (found.length > 0) events[cell] = found;
        } else if (kind === 'method') {
          const found = describer.getFunctionSignatures(cell);
          if (found.length > 0) methods[cell] = found;
        } else {
          const address = kind === 'word' ? `0x${cell.slice(26)}` : cell;
          const name = nameOf(address, chain);
          if (name !== null) addresses[address.toLowerCase()] = name;
        }
      }
    }
    return { addresses, events, methods };
  };
}
