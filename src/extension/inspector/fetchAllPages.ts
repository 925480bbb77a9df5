// All rows of an operation, page after page, as far as its cursor leads.

import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { createClient } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { getTargetChain, getTargetRequest, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { toReplyTables } from '../../protocol/replyTables.ts';
import type { Table } from '../../protocol/table.ts';
import { getCoin } from './pageRequests.ts';

export interface ExportPage {
  readonly table: Pick<Table, 'columns' | 'rows'>;
  /** Rows in all, where the service says it. */
  readonly total: number | null;
  /** It comes from an index that is not complete. */
  readonly growing: boolean;
}

/** Rejects with a HexLensError; a cursor that comes again ends it, so that a faulty host can not hold us for ever. */
export async function* fetchAllPages(
  target: InspectorTarget,
  transport: Transport,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const request = getTargetRequest(target);
  if (request === null) return;
  const { operation } = request;
  const client = createClient(transport);
  const coin = getCoin(getTargetChain(target));
  const seen = new Set<string>();
  let { texts } = request;
  for (;;) {
    signal.throwIfAborted();
    const output = await client.call(operation, parseInputTexts(operation, texts), { signal });
    const { tables, listInfo: envelope } = toReplyTables(operation, output, coin);
    const table = tables.find(({ name }) => name === 'rows');
    if (table === undefined) return;
    yield { table, total: envelope?.total ?? null, growing: envelope?.isSyncing ?? false };
    const cursor = envelope?.cursor ?? null;
    if (cursor === null || cursor === '' || seen.has(cursor)) return;
    seen.add(cursor);
    texts = { ...texts, cursor };
  }
}
