import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { createClient } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { getTargetChain, getTargetRequest, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { toReplyTables } from '../../protocol/replyTables.ts';
import type { ExportPage } from './inspectorPorts.ts';
import { getCoin } from './pageRequests.ts';

/**
 * Fetches all pages of an operation. Rejects with a `HexLensError`; a repeated cursor ends the list, so that a faulty host
 * cannot cause an endless loop.
 */
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
    const { tables, listInfo } = toReplyTables(operation, output, coin);
    const table = tables.find(({ name }) => name === 'rows');
    if (table === undefined) return;
    yield { table, total: listInfo?.total ?? null, isIncomplete: listInfo?.isSyncing ?? false };
    const cursor = listInfo?.cursor ?? null;
    if (cursor === null || cursor === '' || seen.has(cursor)) return;
    seen.add(cursor);
    texts = { ...texts, cursor };
  }
}
