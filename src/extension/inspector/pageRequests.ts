// Answers a page's questions: the head of each table and its first rows at once, the rest in runs of bytes.

import { chainOf, LOCAL_CHAIN } from '../../api/chains.ts';
import { type InputTexts, inputOfTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest, type WireReply } from '../../api/wire/request.ts';
import { FILTERED_HEADER, INTERNAL_HEADER, SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { HexLensError } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { createClient } from '../../client/client.ts';
import type { Description } from '../../protocol/decoding.ts';
import { type HostMessage, plainAddress, type Question } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { type ReplyTables, replyTables } from '../../protocol/replyTables.ts';
import { createPacker, toBytes } from '../../protocol/table.ts';
import { chainOfTarget, requestOf, type TargetRequest } from '../../protocol/targetRequest.ts';
import { addressesIn } from './abiDescriber.ts';
import { newestBlocks } from './fetchNewestBlocks.ts';
import type { DataPorts } from './inspectorPorts.ts';
import { createNameGatherer } from './namesOf.ts';
import { sayUnits } from './sayUnits.ts';

/** An answer's messages but for the number of its question, which the session adds. */
export type Say = (message: DistributiveOmit<Extract<HostMessage, { readonly id: number }>, 'id'>) => void;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Rows that come with the head of a table: more than any screen shows. */
export const FIRST_ROWS = 100;
/** Rows per run after that: the page stays responsive while a run is read. */
export const RUN_ROWS = 2_000;
const TEXT_BYTES = 1_000_000;

/** Lets the extension host do others' work between two runs. */
const breathe = () => new Promise<void>(resolve => setImmediate(resolve));

export function coinOf(selector: string | null): Coin {
  const { coin, decimals } = chainOf(selector ?? LOCAL_CHAIN, 0);
  return { symbol: coin, decimals };
}

async function sayTables(
  { tables, envelope }: ReplyTables,
  notes: readonly string[],
  chain: string,
  ports: DataPorts,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const namesIn = createNameGatherer(ports, chain);
  const parts = tables.map(table => ({ table, packer: createPacker(table) }));
  say({
    type: 'tables',
    envelope,
    notes,
    tables: parts.map(({ table, packer }) => ({
      name: table.name,
      columns: table.columns,
      count: table.rows.length,
      first: packer.pack(0, FIRST_ROWS, namesIn(table, 0, FIRST_ROWS)),
    })),
  });
  for (const { table, packer } of parts) {
    for (let start = FIRST_ROWS; start < table.rows.length; start += RUN_ROWS) {
      await breathe();
      signal.throwIfAborted();
      const end = start + RUN_ROWS;
      say({ type: 'rows', table: table.name, bytes: toBytes(packer.pack(start, end, namesIn(table, start, end))) });
    }
  }
}

/** What the service says in headers about an answer that is not all there is. */
function notesIn({ headers }: WireReply): readonly string[] {
  return [INTERNAL_HEADER, SCAN_HEADER, TOTAL_HEADER, FILTERED_HEADER].flatMap(name => {
    const text = headers[name];
    return text === undefined || name === FILTERED_HEADER ? [] : [text.slice(0, 300)];
  });
}

/** With the names of the addresses in it. */
function sayDescription(description: Description, chain: string, { nameOf }: DataPorts, say: Say): void {
  const names: Record<string, string> = {};
  for (const address of addressesIn(description)) {
    const name = nameOf(address, chain);
    if (name !== null) names[address.toLowerCase()] = name;
  }
  say({ type: 'description', description, names });
}

const WITH_INTERNAL: InputTexts = { include: 'internal_transactions' };

function wanted(request: TargetRequest, include: readonly string[] | undefined): InputTexts {
  const traced = request.operation === 'block' || request.operation === 'transaction';
  return traced && include?.includes('internal') ? { ...request.texts, ...WITH_INTERNAL } : request.texts;
}

function requestFor(question: Extract<Question, { readonly target: unknown }>): TargetRequest {
  const request = requestOf(question.target);
  if (request !== null) return request;
  throw new HexLensError('bad-input', t('No single operation answers this.'));
}

/** What a block's record says it is: the session watches that it stays. */
export interface ShownBlock {
  readonly number: number;
  readonly hash: string;
}

/** Says everything but the end and faults, which the session does. */
export async function answer(
  question: Question,
  ports: DataPorts,
  say: Say,
  signal: AbortSignal,
  showsBlock: (block: ShownBlock) => void,
): Promise<void> {
  switch (question.kind) {
    case 'operation': {
      const request = requestFor(question);
      const { operation } = request;
      let notes: readonly string[] = [];
      const client = createClient({
        async send(wire, options) {
          const reply = await ports.transport.send(wire, options);
          notes = notesIn(reply);
          return reply;
        },
      });
      const output = await client.call(operation, inputOfTexts(operation, wanted(request, question.include)), {
        signal,
      });
      if (operation === 'block') {
        const { number, hash } = output as { readonly number: number | null; readonly hash: string | null };
        if (number !== null && hash !== null) showsBlock({ number, hash });
      }
      const chain = chainOfTarget(question.target);
      const reply = replyTables(operation, output, coinOf(chain), ports.describer.mayCall);
      const { include } = question;
      const tables = include === undefined ? reply.tables : reply.tables.filter(({ name }) => include.includes(name));
      return sayTables({ ...reply, tables }, notes, chain ?? LOCAL_CHAIN, ports, say, signal);
    }
    case 'raw': {
      const { operation, texts } = requestFor(question);
      const reply = await ports.transport.send(encodeRequest(operation, inputOfTexts(operation, texts)), { signal });
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body, null, 2);
      const bytes = new TextEncoder().encode(text);
      for (let start = 0; start < bytes.length; start += TEXT_BYTES) {
        say({ type: 'text', bytes: bytes.slice(start, start + TEXT_BYTES).buffer });
        await breathe();
        signal.throwIfAborted();
      }
      return;
    }
    case 'address': {
      const { chain, address } = question;
      const summary = await ports.lookup('addressSummary', { chain, address: address as `0x${string}` }, signal);
      return say({ type: 'address', summary: plainAddress(summary, chain, ports.nameOf(address, chain)) });
    }
    case 'blocks': {
      const table = await newestBlocks(question, ports, coinOf(question.chain), signal);
      return sayTables({ tables: [table], envelope: null }, [], question.chain, ports, say, signal);
    }
    case 'revert': {
      const { chain, hash } = question;
      const { output, error, exact } = await ports.lookup(
        'revertReason',
        { chain, hash: hash as `0x${string}` },
        signal,
      );
      const description = output === null ? [] : await ports.describer.describeRevert(output);
      return say({ type: 'revert', output, error, exact, description });
    }
    case 'picture': {
      const { chain, uri } = question;
      const { picture, problem } = await ports.lookup('mediaPreview', { chain, uri }, signal);
      const source = picture === null ? null : `data:${picture.type};base64,${picture.base64}`;
      return say({ type: 'picture', source, problem });
    }
    case 'log':
      return sayDescription(await ports.describer.describeLog(question.log), question.log.chain, ports, say);
    case 'units':
      await sayUnits(question, ports, say, signal);
      return;
    case 'call':
      return sayDescription(await ports.describer.describeCall(question.call), question.call.chain, ports, say);
  }
}
