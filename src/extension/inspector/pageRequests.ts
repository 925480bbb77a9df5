// Handlers of the page's calls: first rows of each table at once, the rest in chunks of bytes.

import { type Chain, getChainByName, LOCAL_CHAIN, resolveChain } from '../../api/chains.ts';
import type { AddressSummary, BlockSummary } from '../../api/lookups.ts';
import { isInScope } from '../../api/operations/addressScope.ts';
import { type OperationId, type Output, operations } from '../../api/operations/operations.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import { getGasPriceUnit } from '../../api/transactionFee.ts';
import { type InputTexts, parseInputTexts } from '../../api/wire/inputTexts.ts';
import { areCallsPending, getReplyNotes } from '../../api/wire/replyNotes.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { type LocalizableText, localize, t } from '../../base/localize.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { createClient, decodeOutput } from '../../client/client.ts';
import { parseAmountToken } from '../../decode/amountTokens.ts';
import { listTexts } from '../../decode/formatDecodedItem.ts';
import { NATIVE_COIN } from '../../decode/seaportTrade.ts';
import { getSourceNotes } from '../../decode/source/fetchTransactionSource.ts';
import { formatSourceReason } from '../../decode/trace/formatFailure.ts';
import { compareWithKnownCode } from '../../detect/knownCode.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import type { Decoder } from '../../protocol/decoderPort.ts';
import { getFieldLabel } from '../../protocol/fieldLabels.ts';
import type { HexNames } from '../../protocol/hexNames.ts';
import {
  getTargetChain,
  getTargetRequest,
  type InspectorTarget,
  parseJsonTarget,
  type TargetRequest,
} from '../../protocol/inspectorTarget.ts';
import {
  type AddressTab,
  type CallParams,
  type CallPart,
  type CallSources,
  type PageCallHandlers,
  type PlainAddressSummary,
  type RowsPart,
  type TablesPart,
  toPlainAddressSummary,
} from '../../protocol/messages.ts';
import { type Coin, toRow } from '../../protocol/recordColumns.ts';
import { type ReplyTables, toReplyTables } from '../../protocol/replyTables.ts';
import { createRowPacker, encodeJson, type Table, type TableColumn } from '../../protocol/table.ts';
import { createAddressTabs } from '../../protocol/targetView.ts';
import { resolveParameterNames } from '../../view/operations/resolveParameterNames.ts';
import { createUnitSource, describeSwallowedFailures, fetchFailure } from '../abi/describeFailure.ts';
import { resolveLookUp } from '../lookUp/resolveLookUp.ts';
import { addFailures } from './callFailures.ts';
import { createContractReadHandlers } from './contractReadHandlers.ts';
import { fetchContractState, fetchStateMembers } from './contractState.ts';
import { fetchCreationDetails } from './creationDetails.ts';
import { decodeTable, omitRepeatedLabels } from './decodedTables.ts';
import { collectNames } from './decoder.ts';
import { describeMissing } from './describeMissing.ts';
import { fetchGasDetails } from './gasDetails.ts';
import type { DataPorts } from './inspectorPorts.ts';
import { fetchLogEmitters } from './logEmitters.ts';
import { toNodeTransactionTables } from './nodeTransactionTables.ts';
import { describeSimulatedFailure, fetchSimulated, fetchSimulationDetails } from './simulations.ts';
import { fetchStateDetails } from './stateDetails.ts';

/** Keys are fields of `BlockSummary`. */
function createColumns(coin: Coin): readonly (TableColumn & { readonly key: keyof BlockSummary })[] {
  const gwei = getGasPriceUnit(coin);
  return [
    { key: 'number', label: getFieldLabel('blockNumber'), kind: 'block' },
    { key: 'time', label: getFieldLabel('timestamp'), kind: 'time' },
    { key: 'transactions', label: getFieldLabel('transactionCount'), kind: 'number' },
    { key: 'gasUsed', label: getFieldLabel('gasUsed'), kind: 'amount' },
    { key: 'gasLimit', label: getFieldLabel('gasLimit'), kind: 'amount' },
    { key: 'baseFee', label: getFieldLabel('baseFeePerGas'), kind: 'coin', decimals: gwei.decimals, unit: gwei.symbol },
    { key: 'miner', label: getFieldLabel('miner'), kind: 'address' },
    { key: 'hash', label: getFieldLabel('hash'), kind: 'blockHash' },
  ];
}

/** Newest first. Rejects with the problem of the chain's status when its head is unknown. */
async function fetchNewestBlocks(
  { chain, before, count }: CallParams<'blocks'>,
  ports: Pick<DataPorts, 'lookup'>,
  signal: AbortSignal,
): Promise<Table> {
  const { lookup } = ports;
  const coin = fetchCoin(chain, ports, signal);
  let top = before === null ? null : before - 1;
  if (top === null) {
    const status = await lookup('chainStatus', { chain }, signal);
    if (status.head === null) {
      throw new HexLensError('node-unreachable', status.problem ?? t('The head of this chain is not known.'), {
        fix: status.problem === null ? t('Enter a block number.') : undefined,
      });
    }
    top = status.head;
  }
  const numbers = Array.from({ length: Math.min(count, top + 1) }, (_, index) => top - index);
  const found = await Promise.all(numbers.map(block => lookup('blockSummary', { chain, block }, signal)));
  const columns = createColumns(await coin);
  const rows = found.flatMap(block => (block.kind === 'nothing' ? [] : [toRow(columns, block)]));
  return { name: 'blocks', columns, rows };
}

/** Rows that come with the head of a table: more than any screen shows. */
const FIRST_ROWS = 100;
/** Rows per chunk after that: the page stays responsive while it reads one. */
const ROWS_PER_CHUNK = 2_000;
const BYTES_PER_CHUNK = 1_000_000;

const toCoin = ({ coin, decimals }: Chain): Coin => ({ symbol: coin, decimals });

/** The coin of the chain that the node reports, where the selector does not name the chain: `local`, or a hex id. */
export async function fetchCoin(
  selector: string | null,
  { lookup }: Pick<DataPorts, 'lookup'>,
  signal: AbortSignal,
): Promise<Coin> {
  const chain = selector ?? LOCAL_CHAIN;
  const named = getChainByName(chain);
  if (named !== undefined) return toCoin(named);
  const status = await lookup('chainStatus', { chain }, signal).catch(() => null);
  return toCoin(status?.chain ?? resolveChain(chain, Number(chain) || 0));
}

/** Names for rows `start` up to `end` of a table, without those that it returned before. */
type NameCollector = (table: Table, start: number, end: number) => HexNames;

function createNameCollector({ getName, decoder }: DataPorts, chain: string): NameCollector {
  const seen = new Set<string>();
  return ({ columns, rows }, start, end) => {
    const addresses: Record<string, string> = {};
    const events: Record<string, readonly string[]> = {};
    const methods: Record<string, readonly string[]> = {};
    const named = columns.flatMap(({ kind }, index) =>
      kind === 'address' || kind === 'aptos' || kind === 'topic' || kind === 'method' || kind === 'word'
        ? [{ kind, index }]
        : [],
    );
    for (const row of rows.slice(start, end)) {
      for (const { kind, index } of named) {
        const cell = row[index];
        if (typeof cell !== 'string' || cell === '' || seen.has(cell)) continue;
        seen.add(cell);
        if (kind === 'topic') {
          const signatures = decoder.getEventSignatures(cell);
          if (signatures.length > 0) events[cell] = signatures;
        } else if (kind === 'method') {
          const signatures = decoder.getFunctionSignatures(cell);
          if (signatures.length > 0) methods[cell] = signatures;
        } else {
          const address = kind === 'word' ? `0x${cell.slice(26)}` : cell;
          const name = getName(address, chain);
          if (name !== null) addresses[address.toLowerCase()] = name;
        }
      }
    }
    return { addresses, events, methods };
  };
}

/** What the columns of addresses hold. */
function* listAddresses(tables: readonly Table[]): Iterable<string> {
  for (const { columns, rows } of tables)
    for (const [index, { kind }] of columns.entries())
      if (kind === 'address')
        for (const row of rows) {
          const cell = row[index];
          if (typeof cell === 'string') yield cell;
        }
}

async function sendTables(
  { tables, listInfo }: ReplyTables,
  notes: readonly string[],
  chain: string,
  ports: DataPorts,
  sendPart: (part: TablesPart | RowsPart) => void,
  signal: AbortSignal,
): Promise<void> {
  const collectNames = createNameCollector(ports, chain);
  const packed = tables.map(table => ({ table, packer: createRowPacker(table) }));
  sendPart({
    kind: 'tables',
    listInfo,
    notes,
    tables: packed.map(({ table, packer }) => ({
      name: table.name,
      columns: table.columns,
      rowCount: table.rows.length,
      firstRows: packer.pack(0, FIRST_ROWS, collectNames(table, 0, FIRST_ROWS)),
    })),
  });
  for (const { table, packer } of packed) {
    for (let start = FIRST_ROWS; start < table.rows.length; start += ROWS_PER_CHUNK) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      const end = start + ROWS_PER_CHUNK;
      const rows = packer.pack(start, end, collectNames(table, start, end));
      sendPart({ kind: 'rows', table: table.name, bytes: encodeJson(rows) });
    }
  }
}

/** Rows are only counted. */
const NO_COIN: Coin = { symbol: '', decimals: 0 };

const WITH_INTERNAL: InputTexts = { include: 'internal_transactions' };

function getRequestTexts({ operation, texts }: TargetRequest, include: readonly string[] | undefined): InputTexts {
  const canTrace = Object.hasOwn(operations[operation].parameters, 'include');
  return canTrace && include?.includes('internal') ? { ...texts, ...WITH_INTERNAL } : texts;
}

function requireRequest(target: InspectorTarget): TargetRequest {
  const request = getTargetRequest(target);
  if (request !== null) return request;
  throw new HexLensError('bad-input', t('No single operation returns this.'));
}

/** A block that the page shows: the session watches whether the chain replaces it. */
export interface DisplayedBlock {
  readonly number: number;
  readonly hash: string;
}

/** What follows after the summary of an address is shown: at once when the page reads it again, as at each new block. */
type LateFacts = Pick<PlainAddressSummary, 'ensName' | 'emptyTabs'>;
const MAX_LATE_FACTS = 100;

/** Tabs of a contract that are shown only with rows: on a development chain, where the index is whole and requests are free. */
function getOptionalTabs(summary: AddressSummary, chain: string, isLocal: boolean): readonly AddressTab[] {
  if (!isLocal || (summary.codeSize ?? 0) === 0 || summary.delegate !== null) return [];
  return createAddressTabs(summary.address, chain).filter(
    ({ addresses }) => addresses === 'holder' && isInScope(addresses, summary),
  );
}

/** Their ids. A list that cannot be read, or whose index is incomplete, is not empty. */
async function findEmptyTabs(
  tabs: readonly AddressTab[],
  { transport }: Pick<DataPorts, 'transport'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const client = createClient(transport);
  const isEmpty = async ({ operation, parameters }: AddressTab) => {
    const output = await client.call(operation, parseInputTexts(operation, parameters), { signal });
    const { tables, listInfo } = toReplyTables(operation, output, NO_COIN);
    return tables.every(({ rows }) => rows.length === 0) && listInfo?.isSyncing !== true;
  };
  const results = await Promise.all(tabs.map(tab => isEmpty(tab).catch(() => false)));
  return tabs.flatMap(({ id }, index) => (results[index] === true ? id : []));
}

/** The reply's body, or a transaction and its receipt as the node has them. */
async function fetchRawText(
  target: InspectorTarget,
  isFromNode: boolean,
  { transport, lookup }: Pick<DataPorts, 'transport' | 'lookup'>,
  signal: AbortSignal,
): Promise<string> {
  if (isFromNode && target.kind === 'transaction') {
    const { transaction, receipt } = await lookup(
      'nodeTransaction',
      { chain: target.chain, hash: target.hash as Hex },
      signal,
    );
    return JSON.stringify({ transaction, receipt }, null, 2);
  }
  const { operation, texts } = requireRequest(target);
  const { body } = await transport.send(encodeRequest(operation, parseInputTexts(operation, texts)), { signal });
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

async function sendRawText(
  { target, source }: CallParams<'raw'>,
  ports: DataPorts,
  sendPart: (part: CallPart<'raw'>) => void,
  signal: AbortSignal,
): Promise<void> {
  const bytes = new TextEncoder().encode(await fetchRawText(target, source === 'node', ports, signal));
  for (let start = 0; start < bytes.length; start += BYTES_PER_CHUNK) {
    sendPart({ bytes: bytes.slice(start, start + BYTES_PER_CHUNK).buffer });
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
}

/** Why a failed transaction has no lines, where the project has builds but its node cannot trace; else nothing. */
async function explainNoSource(
  target: TraceTarget,
  { lookup, loadAbis }: DataPorts,
  signal: AbortSignal,
): Promise<readonly LocalizableText[]> {
  if ((await loadAbis()).size === 0) return [];
  const trace = await lookup('transactionTrace', target, signal);
  return trace.kind === 'noTrace' ? [trace.reason] : [];
}

/** The functions that the calls of a transaction entered, by the builds of the workspace. */
async function fetchCallSources(
  target: TraceTarget,
  { fetchSource, lookup }: DataPorts,
  signal: AbortSignal,
): Promise<CallSources> {
  const source = await fetchSource(target, signal);
  const trace = source === null ? null : await lookup('transactionTrace', target, signal);
  if (source === null || trace?.kind !== 'trace') return { calls: [], count: 0, precompiles: [] };
  const precompiles = trace.calls.flatMap(({ index, precompile }) => (precompile === null ? [] : [index]));
  return { calls: source.calls, count: trace.calls.length + trace.omittedCalls, precompiles };
}

interface PageOutput {
  readonly operation: OperationId;
  readonly output: Output<OperationId>;
  readonly notes: readonly string[];
  readonly isReading: boolean;
  /** The newest block when it was read; `undefined` where the service does not tell. */
  readonly readAt?: number | undefined;
}

/** What a page shows: the reply of an operation, or a simulated call as the operation `transaction` would have it. */
async function fetchOutput(
  target: InspectorTarget,
  include: readonly string[] | undefined,
  { transport, lookup, chains }: DataPorts,
  signal: AbortSignal,
): Promise<PageOutput> {
  if (target.kind === 'simulation') {
    const { transaction, notes, isConfirmed } = await fetchSimulated(target, lookup, signal);
    const confirmed = isConfirmed ? [t('The node’s own eth_call gives the same result.')] : [];
    return {
      operation: 'transaction',
      output: transaction,
      notes: [...confirmed, ...notes.map(localize)],
      isReading: false,
    };
  }
  const request = requireRequest(target);
  const { operation } = request;
  const input = parseInputTexts(operation, getRequestTexts(request, include));
  const wireReply = await transport.send(encodeRequest(operation, input), { signal });
  // A request costs nothing on this machine only.
  const isOnLoopback = chains().some(one => one.selector === getTargetChain(target) && one.isOnLoopback);
  const isReading = isOnLoopback && areCallsPending(wireReply);
  const notes = Object.values(getReplyNotes(wireReply, isReading));
  const readAt = wireReply.freshness?.state.headNumber;
  return { operation, output: decodeOutput(operation, wireReply), notes, isReading, readAt };
}

/** The texts that a transaction passed: hashes in its logs may be of them. */
async function readCallTexts(
  { toAddress, input }: Output<'transaction'>,
  chain: string,
  decoder: Decoder,
): Promise<readonly string[]> {
  const { call } = await decoder.readCall({
    chain,
    to: toAddress,
    input: input ?? '0x',
    output: null,
    hasFailed: false,
  });
  return call === null ? [] : listTexts(call.values);
}

async function sendOperation(
  { target, include }: CallParams<'operation'>,
  ports: DataPorts,
  onBlockDisplayed: (block: DisplayedBlock) => void,
  sendPart: (part: TablesPart | RowsPart) => void,
  signal: AbortSignal,
): Promise<void> {
  const { decoder } = ports;
  const chain = getTargetChain(target);
  const [{ operation, output, notes, isReading, readAt }, coin] = await Promise.all([
    fetchOutput(target, include, ports, signal),
    fetchCoin(chain, ports, signal),
  ]);
  if (operation === 'block') {
    const { number, hash } = output as { readonly number: number | null; readonly hash: string | null };
    if (number !== null && hash !== null) onBlockDisplayed({ number, hash });
  }
  const reply = toReplyTables(operation, output, coin, decoder.isPossibleCall);
  const included = include === undefined ? reply.tables : reply.tables.filter(({ name }) => include.includes(name));
  const selector = chain ?? LOCAL_CHAIN;
  await ports.learnNames(selector, listAddresses(included), signal);
  const describing = createDescribing(ports, signal);
  const texts =
    operation === 'transaction' ? await readCallTexts(output as Output<'transaction'>, selector, decoder) : [];
  const tables = await Promise.all(
    included.map(async table => {
      const complete = await addFailures(table, selector, describing, signal);
      return decodeTable(omitRepeatedLabels(complete, selector, ports.getName), selector, decoder, texts);
    }),
  );
  signal.throwIfAborted();
  const listInfo = reply.listInfo && { ...reply.listInfo, isReading };
  const sendRead = (part: TablesPart | RowsPart) => sendPart(part.kind === 'tables' ? { ...part, readAt } : part);
  await sendTables({ tables, listInfo }, notes, selector, ports, sendRead, signal);
}

async function sendAddress(
  { chain, address }: CallParams<'address'>,
  ports: DataPorts,
  lateFacts: Map<string, LateFacts>,
  sendPart: (part: PlainAddressSummary) => void,
  signal: AbortSignal,
): Promise<void> {
  const isOnLoopback = ports.chains().some(one => one.selector === chain && one.isOnLoopback);
  const identifying = ports.identify(chain, address as Hex, signal);
  identifying.catch(() => {}); // where the summary is rejected, nothing waits for it
  const [summary, status] = await Promise.all([
    ports.lookup('addressSummary', { chain, address: address as Hex }, signal),
    isOnLoopback ? ports.lookup('chainStatus', { chain }, signal).catch(() => null) : null,
  ]);
  const contract = summary.codeSize === 0 ? null : await identifying;
  const optionalTabs = getOptionalTabs(summary, chain, status?.isLocal === true);
  const knownCode = compareWithKnownCode(summary.address, summary.codeHash);
  const key = `${chain} ${address}`;
  let late = lateFacts.get(key) ?? { ensName: null, emptyTabs: optionalTabs.map(({ id }) => id) };
  const send = (change: Partial<LateFacts> = {}) => {
    late = { ...late, ...change };
    if (lateFacts.size >= MAX_LATE_FACTS) lateFacts.clear();
    lateFacts.set(key, late);
    const name = ports.getName(address, chain);
    const isCodeMissing = summary.codeSize === 0 && ports.isSavedContract(summary.address, chain);
    sendPart(toPlainAddressSummary(summary, chain, name, contract, knownCode, { ...late, isCodeMissing }));
  };
  send();
  await Promise.all([
    optionalTabs.length === 0 || findEmptyTabs(optionalTabs, ports, signal).then(emptyTabs => send({ emptyTabs })),
    ports.fetchEnsName(summary, chain, signal).then(ensName => ensName !== late.ensName && send({ ensName })),
  ]);
}

/** What failures are described with: contracts have the plain names of their sources, as in the stack. */
const createDescribing = (ports: DataPorts, signal: AbortSignal) => ({
  ...ports,
  getName: ports.getSavedName,
  fetchUnit: createUnitSource(ports.lookup, signal),
  async learnBuildNames(chain: string, addresses: Iterable<string>) {
    await ports.learnNames(chain, addresses, signal);
    return (address: string) => ports.getName(address, chain);
  },
});

/** What the page of a transaction, or of a simulation, asks for. */
function createTransactionHandlers(ports: DataPorts) {
  const { transport, lookup } = ports;
  const describing = (signal: AbortSignal) => createDescribing(ports, signal);
  return {
    async revertReason(target, { sendPart, signal }) {
      if ('simulation' in target)
        return sendPart(await describeSimulatedFailure(target, { ...ports, ...describing(signal) }, signal));
      const { chain, hash } = target;
      const { output, exact, failure } = await fetchFailure(hash as Hex, chain, ports, describing(signal), signal);
      sendPart({ output, exact, failure });
    },
    async innerFailures(target, { sendPart, signal }) {
      const { chain } = target;
      const fetchOwn = (hash: Hex) =>
        createClient(transport).call('transaction', { hash, chain, include: 'internal_transactions' }, { signal });
      const transaction =
        'simulation' in target
          ? (await fetchSimulated(target, lookup, signal)).transaction
          : await fetchOwn(target.hash);
      sendPart({ failures: await describeSwallowedFailures(transaction, chain, describing(signal)) });
    },
    async callSources(target, { sendPart, signal }) {
      sendPart(await fetchCallSources(target, ports, signal));
    },
    async logEmitters(target, { sendPart, signal }) {
      sendPart({ functions: await fetchLogEmitters(target, { ...ports, ...describing(signal) }, signal) });
    },
    async internalCalls(target, { sendPart, signal }) {
      const source = await ports.fetchSource(target, signal, { hasInternalCalls: true });
      sendPart({ calls: source?.internalCalls ?? [] });
    },
    async stack(target, { sendPart, signal }) {
      const source = await ports.fetchSource(target, signal);
      const notes = source === null ? await explainNoSource(target, ports, signal) : getSourceNotes(source);
      const stack = source?.stack ?? null;
      const reason = stack === null ? null : formatSourceReason(stack.reason);
      sendPart({ frames: stack?.frames ?? [], reason, notes: notes.map(localize) });
    },
    async stateChanges(target, { sendPart, signal }) {
      const coin = await fetchCoin(target.chain, ports, signal);
      sendPart(await fetchStateDetails(target, coin, ports, signal));
    },
    async transactionGas(target, { sendPart, signal }) {
      const { details, tables } = await fetchGasDetails(target, ports, signal);
      sendPart(details);
      await sendTables({ tables, listInfo: null }, [], target.chain, ports, sendPart, signal);
    },
    async simulationResult(target, { sendPart, signal }) {
      sendPart(await fetchSimulationDetails(target, ports, signal));
    },
  } satisfies Partial<PageCallHandlers>;
}

/** What a page shows, as far as its panel needs to know. */
interface DisplayHandlers {
  onBlock(block: DisplayedBlock): void;
  onAddress(summary: PlainAddressSummary): void;
}

export function createCallHandlers(ports: DataPorts, { onBlock, onAddress }: DisplayHandlers): PageCallHandlers {
  const { lookup, decoder } = ports;
  const lateFacts = new Map<string, LateFacts>();
  return {
    ...createContractReadHandlers(ports),
    ...createTransactionHandlers(ports),
    async operation(params, { sendPart, signal }) {
      try {
        await sendOperation(params, ports, onBlock, sendPart, signal);
      } catch (error) {
        throw await describeMissing(error, params.target, ports, signal);
      }
    },
    raw: (params, { sendPart, signal }) => sendRawText(params, ports, sendPart, signal),
    async nftMetadata(params, { sendPart, signal }) {
      const { tokens } = await lookup('nftMetadata', params, signal);
      sendPart({ tokens });
    },
    async nodeTransaction({ chain, hash }, { sendPart, signal }) {
      const [found, coin] = await Promise.all([
        lookup('nodeTransaction', { chain, hash: hash as Hex }, signal),
        fetchCoin(chain, ports, signal),
      ]);
      const tables = toNodeTransactionTables(found, coin);
      await sendTables({ tables, listInfo: null }, [], chain, ports, sendPart, signal);
    },
    address(params, { sendPart, signal }) {
      const send = (part: PlainAddressSummary) => {
        onAddress(part);
        sendPart(part);
      };
      return sendAddress(params, ports, lateFacts, send, signal);
    },
    async blocks(params, { sendPart, signal }) {
      const table = await fetchNewestBlocks(params, ports, signal);
      await sendTables({ tables: [table], listInfo: null }, [], params.chain, ports, sendPart, signal);
    },
    async image(params, { sendPart, signal }) {
      const { image, problem } = await lookup('mediaPreview', params, signal);
      sendPart({ source: image === null ? null : `data:${image.type};base64,${image.base64}`, problem });
    },
    async contractCreation({ chain, address }, { sendPart, signal }) {
      sendPart({ creation: await fetchCreationDetails(chain, address as Hex, ports, signal) });
    },
    async contractState(params, { sendPart, signal }) {
      const coin = await fetchCoin(params.chain, ports, signal);
      sendPart(await fetchContractState(params, coin, ports, signal));
    },
    async stateMembers(params, { sendPart, signal }) {
      const coin = await fetchCoin(params.chain, ports, signal);
      sendPart(await fetchStateMembers(params, coin, ports, signal));
    },
    async decode(source, { sendPart }) {
      const isLog = source.kind === 'log';
      const decoding = await (isLog ? decoder.decodeLog(source.log) : decoder.decodeCall(source.call));
      const { chain } = isLog ? source.log : source.call;
      sendPart({ decoding, names: collectNames(decoding, chain, ports.getName) });
    },
    async amountUnits({ chain, contracts }, { sendPart, signal }) {
      // A contract that fails has no unit: its amounts stay raw numbers.
      const sendUnit = async (contract: string) => {
        const unit =
          contract === NATIVE_COIN
            ? await fetchCoin(chain, ports, signal)
            : await lookup('tokenUnit', { chain, address: parseAmountToken(contract).contract as Hex }, signal).then(
                found => toAmountUnit(found, contract),
                () => null,
              );
        sendPart({ [contract]: unit });
      };
      await Promise.all(contracts.map(sendUnit));
    },
    async lookUp({ chain, text }, { sendPart, signal }) {
      const link = text.trim().startsWith('{') ? parseJsonTarget(text) : null;
      sendPart(link ?? (await resolveLookUp(text, chain || LOCAL_CHAIN, ports.lookUpSources, ports, signal)));
    },
    async resolveNames({ target }, { sendPart }) {
      const { operation, parameters } = target;
      sendPart({ ...target, parameters: resolveParameterNames(operation, parameters, await ports.getNameSources()) });
    },
  };
}
