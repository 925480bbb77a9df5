// Answers a page's questions: the head of each table and its first rows at once, the rest in runs of bytes.

import { LOCAL_CHAIN, resolveChain } from '../../api/chains.ts';
import type { TokenUnit } from '../../api/lookups.ts';
import { type InputTexts, parseInputTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest, type WireReply } from '../../api/wire/request.ts';
import { FILTERED_HEADER, INTERNAL_HEADER, SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { createClient } from '../../client/client.ts';
import { type AmountUnit, MAX_UNIT_DECIMALS } from '../../protocol/amountUnits.ts';
import type { Decoding } from '../../protocol/decoding.ts';
import type { HexNames } from '../../protocol/hexNames.ts';
import { getTargetChain, getTargetRequest, type TargetRequest } from '../../protocol/inspectorTarget.ts';
import { type ExtensionMessage, type Question, toPlainAddressSummary } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { type ReplyTables, toReplyTables } from '../../protocol/replyTables.ts';
import { createRowPacker, encodeJson, type Table } from '../../protocol/table.ts';
import { collectAddresses } from './abiDescriber.ts';
import { fetchNewestBlocks } from './fetchNewestBlocks.ts';
import type { DataPorts } from './inspectorPorts.ts';

// Gathers the names that rows need: each address, event and method once per answer.
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

// What tokens count their amounts in: each one is told as soon as its chain has answered, and none holds up another.
/** As long as symbols are; longer ones are text of somebody else's. */
const LONGEST_SYMBOL = 24;

/** Without a letter or a sign of its own it would read as more digits of the amount before it, as would `000 USD`. */
const reads = (symbol: string): boolean => /[\p{L}\p{So}\p{Sc}]/u.test(symbol) && !/^[\p{N}\p{P}\s]+\s/u.test(symbol);

/** Amounts of an ERC-20 alone have decimals: an ERC-721 with a `decimals()` still has ids. */
export function toUnit({ standard, symbol, decimals }: TokenUnit): AmountUnit | null {
  if (standard !== 'ERC20' || decimals === null || decimals > MAX_UNIT_DECIMALS) return null;
  const plain = sanitizeText(symbol ?? '', LONGEST_SYMBOL);
  return { symbol: reads(plain) ? plain : null, decimals };
}

/** A contract that does not answer has no unit: its amounts stay the numbers that they are. */
export async function postUnits(
  { chain, contracts }: Extract<Question, { readonly kind: 'units' }>,
  { lookup }: Pick<DataPorts, 'lookup'>,
  say: PostResponse,
  signal: AbortSignal,
): Promise<void> {
  const one = async (contract: string) => {
    const found = await lookup('tokenUnit', { chain, address: contract as Hex }, signal).catch(() => null);
    say({ type: 'units', units: { [contract]: found === null ? null : toUnit(found) } });
  };
  await Promise.all(contracts.map(one));
}

/** An answer's messages but for the number of its question, which the session adds. */
export type PostResponse = (
  message: DistributiveOmit<Extract<ExtensionMessage, { readonly id: number }>, 'id'>,
) => void;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Rows that come with the head of a table: more than any screen shows. */
export const FIRST_ROWS = 100;
/** Rows per run after that: the page stays responsive while a run is read. */
export const ROWS_PER_CHUNK = 2_000;
const TEXT_BYTES = 1_000_000;

/** Lets the extension host do others' work between two runs. */
const breathe = () => new Promise<void>(resolve => setImmediate(resolve));

export function getCoin(selector: string | null): Coin {
  const { coin, decimals } = resolveChain(selector ?? LOCAL_CHAIN, 0);
  return { symbol: coin, decimals };
}

async function sayTables(
  { tables, listInfo: envelope }: ReplyTables,
  notes: readonly string[],
  chain: string,
  ports: DataPorts,
  say: PostResponse,
  signal: AbortSignal,
): Promise<void> {
  const namesIn = createNameCollector(ports, chain);
  const parts = tables.map(table => ({ table, packer: createRowPacker(table) }));
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
    for (let start = FIRST_ROWS; start < table.rows.length; start += ROWS_PER_CHUNK) {
      await breathe();
      signal.throwIfAborted();
      const end = start + ROWS_PER_CHUNK;
      say({ type: 'rows', table: table.name, bytes: encodeJson(packer.pack(start, end, namesIn(table, start, end))) });
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
function sayDescription(description: Decoding, chain: string, { getName: nameOf }: DataPorts, say: PostResponse): void {
  const names: Record<string, string> = {};
  for (const address of collectAddresses(description)) {
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
  const request = getTargetRequest(question.target);
  if (request !== null) return request;
  throw new HexLensError('bad-input', t('No single operation answers this.'));
}

/** What a block's record says it is: the session watches that it stays. */
export interface DisplayedBlock {
  readonly number: number;
  readonly hash: string;
}

/** Says everything but the end and faults, which the session does. */
export async function handlePageRequest(
  question: Question,
  ports: DataPorts,
  say: PostResponse,
  signal: AbortSignal,
  showsBlock: (block: DisplayedBlock) => void,
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
      const output = await client.call(operation, parseInputTexts(operation, wanted(request, question.include)), {
        signal,
      });
      if (operation === 'block') {
        const { number, hash } = output as { readonly number: number | null; readonly hash: string | null };
        if (number !== null && hash !== null) showsBlock({ number, hash });
      }
      const chain = getTargetChain(question.target);
      const reply = toReplyTables(operation, output, getCoin(chain), ports.describer.isPossibleCall);
      const { include } = question;
      const tables = include === undefined ? reply.tables : reply.tables.filter(({ name }) => include.includes(name));
      return sayTables({ ...reply, tables }, notes, chain ?? LOCAL_CHAIN, ports, say, signal);
    }
    case 'raw': {
      const { operation, texts } = requestFor(question);
      const reply = await ports.transport.send(encodeRequest(operation, parseInputTexts(operation, texts)), { signal });
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
      return say({ type: 'address', summary: toPlainAddressSummary(summary, chain, ports.getName(address, chain)) });
    }
    case 'blocks': {
      const table = await fetchNewestBlocks(question, ports, getCoin(question.chain), signal);
      return sayTables({ tables: [table], listInfo: null }, [], question.chain, ports, say, signal);
    }
    case 'revert': {
      const { chain, hash } = question;
      const { output, error, exact } = await ports.lookup(
        'revertReason',
        { chain, hash: hash as `0x${string}` },
        signal,
      );
      const description = output === null ? [] : await ports.describer.decodeRevert(output);
      return say({ type: 'revert', output, error, exact, description });
    }
    case 'picture': {
      const { chain, uri } = question;
      const { image: picture, problem } = await ports.lookup('mediaPreview', { chain, uri }, signal);
      const source = picture === null ? null : `data:${picture.type};base64,${picture.base64}`;
      return say({ type: 'picture', source, problem });
    }
    case 'log':
      return sayDescription(await ports.describer.decodeLog(question.log), question.log.chain, ports, say);
    case 'units':
      await postUnits(question, ports, say, signal);
      return;
    case 'call':
      return sayDescription(await ports.describer.decodeCall(question.call), question.call.chain, ports, say);
  }
}
