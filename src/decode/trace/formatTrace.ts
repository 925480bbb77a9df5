// A trace as text and as JSON: as people read stacks, and as a tree of calls.
import {
  formatFunctionName,
  type InternalCall,
  type SourceLocation,
  type StackFrame,
} from '../../api/transactionStack.ts';
import type { TracedCall, TransactionTrace } from '../../api/transactionTrace.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { type LocalizableText, localizable, localize } from '../../base/localize.ts';
import type { AbiRegistry } from '../abiRegistry.ts';
import { decodeEventLog, decodeFunctionData } from '../decodeAbi.ts';
import { type DecodedItemFormat, formatDecodedItem } from '../formatDecodedItem.ts';
import { type FoundTransactionSource, getSourceNotes } from '../source/fetchTransactionSource.ts';
import { formatCallFailure, formatTraceFailure } from './formatFailure.ts';

/** A trace with its lines of Solidity; `source` is `null` where no build of the project has code that ran. */
export interface SourcedTrace {
  readonly trace: TransactionTrace;
  readonly source: FoundTransactionSource | null;
  /** What would give it lines, where `source` is `null`. */
  readonly hints?: readonly LocalizableText[];
}

const MAX_TEXT_LENGTH = 300;
const clean = (text: string) => sanitizeText(text, MAX_TEXT_LENGTH);
const createFormat = (registry: AbiRegistry): DecodedItemFormat => ({ registry, getName: address => address });

/**
 * `deposit(to: 0x…, amount: 5)`. No ABI has functions of libraries that take references to storage: of these the name in the
 * source, with the selector. The selector alone where the function is unknown.
 */
function formatCall(
  { input, address, kind, precompile, codeHash }: TracedCall,
  format: DecodedItemFormat,
  functionName: string | null = null,
): string {
  if (precompile !== null) return precompile;
  if (kind === 'CREATE' || kind === 'CREATE2') return 'constructor';
  const [decoded] = decodeFunctionData(format.registry, input);
  if (decoded !== undefined) return clean(formatDecodedItem(decoded, format, address));
  if (input === '0x') return codeHash === null ? 'transfer' : 'receive';
  const selector = input.slice(0, 10);
  return functionName === null ? selector : clean(`${functionName} ${selector}`);
}

function formatLog({ address, topics, data }: TracedCall['logs'][number], format: DecodedItemFormat): string {
  const [decoded] = decodeEventLog(format.registry, { topics, data });
  return decoded === undefined ? (topics[0] ?? data) : clean(formatDecodedItem(decoded, format, address));
}

export function formatTrace({ trace, source }: SourcedTrace, registry: AbiRegistry, hasCalls: boolean): string {
  const format = createFormat(registry);
  const failure = formatTraceFailure(trace, format, source?.stack ?? null);
  const steps = trace.steps === 0 ? '' : `${formatInteger(trace.steps)} ${trace.steps === 1 ? 'step' : 'steps'}, `;
  const stack = source?.stack?.frames.toReversed() ?? [];
  return [
    failure === null ? 'Success' : `Failed: ${clean(failure.text)}`,
    ...(failure === null ? [] : stack.length > 0 ? stack.map(formatFrame) : formatPath(trace, format)),
    `${trace.hash ?? 'Simulated'} in block ${trace.blockNumber}: ${steps}${formatInteger(trace.gasUsed)} gas (${describeOrigin(trace)})`,
    ...(hasCalls ? ['', ...formatCalls({ trace, source }, format)] : []),
  ].join('\n');
}

/** How the trace was obtained, and what of it was compared with the receipt. */
function describeOrigin({ by, verified, simulation }: TransactionTrace): string {
  if (simulation !== undefined) return verified ? 'with the result of the node' : 'not confirmed by the node';
  if (!verified) return `${by}, not compared with the chain`;
  return by === 'replay' ? 'replay, as on the chain' : `${by} of the node, with the gas and status of the receipt`;
}

const UNCLEAR = localizable(
  'Nothing was returned: a caller may have caught the failure of a call inside it, and failed by itself. Its source would tell.',
);

/** Whether only the calls tell in which of them the transaction failed first: there are neither steps nor a source. */
const isUnclear = ({ trace: { failure, steps }, source }: SourcedTrace): boolean =>
  failure !== null && steps === 0 && failure.call !== 0 && failure.data === '0x' && (source?.stack ?? null) === null;

/** What a reader should know of the trace and its lines. */
export const getNotes = ({ trace, source, hints = [] }: SourcedTrace): readonly LocalizableText[] => [
  ...trace.notes,
  ...hints,
  ...(isUnclear({ trace, source }) ? [UNCLEAR] : []),
  ...(source === null ? [] : getSourceNotes(source)),
];

const getFile = ({ file, source }: SourceLocation): string => file ?? source;

const formatLocation = (location: SourceLocation): string =>
  `${getFile(location)}:${location.start.line + 1}:${location.start.character + 1}`;

function formatFrame(frame: StackFrame): string {
  const { address, location, isInferred } = frame;
  const name = formatFunctionName(frame);
  const unknown = name === '' ? `no build of this code, ${address}` : 'line unknown';
  const place = location === null ? unknown : formatLocation(location);
  return `    at ${name === '' ? address : clean(name)} (${clean(place)})${isInferred ? ' [inferred]' : ''}`;
}

/** The calls around the one that failed first, innermost first: where no source is known. */
function formatPath({ calls, failure }: TransactionTrace, format: DecodedItemFormat): readonly string[] {
  const lines: string[] = [];
  let call = failure === null ? undefined : calls[failure.call];
  while (call !== undefined) {
    lines.push(`    at ${formatCall(call, format)} of ${call.codeAddress ?? 'a contract that was not created'}`);
    call = calls[call.parent];
  }
  return lines;
}

/** `Ledger._credit (src/Ledger.sol:181:33)`: where it was called. */
function formatInternalCall(call: InternalCall): string {
  const name = clean(formatFunctionName(call));
  return call.callSite === null ? name : `${name} (${clean(formatLocation(call.callSite))})`;
}

/** What happened in a call, in the order of execution. */
interface CallEvent {
  readonly step: number;
  /** A function that it entered, in which the events before `endStep` happened. */
  readonly internal?: InternalCall;
  add(level: number): void;
}

/** The events of one call, one level below it, or below the function inside it in which they happened. */
function addEvents(events: readonly CallEvent[], level: number): void {
  const running: InternalCall[] = [];
  for (const { step, internal, add } of events.toSorted((a, b) => a.step - b.step)) {
    while ((running.at(-1)?.endStep ?? Number.POSITIVE_INFINITY) <= step) running.pop();
    add(level + (internal?.depth ?? (running.at(-1)?.depth ?? 0) + 1));
    if (internal !== undefined) running.push(internal);
  }
}

/** Calls, logs and storage writes in the order of execution, indented by depth, marked where they were undone. */
function formatCalls({ trace, source }: SourcedTrace, format: DecodedItemFormat): readonly string[] {
  const lines: string[] = [];
  const addLine = (level: number, text: string) => lines.push(`${'  '.repeat(level)}${text}`);
  const children = Map.groupBy(trace.calls, ({ parent }) => parent);
  const sources = new Map(source?.calls.map(each => [each.call, each]));
  const internal = Map.groupBy(source?.internalCalls ?? [], ({ call }) => call);
  const visit = (call: TracedCall, level: number) => {
    const value = call.value === 0n ? '' : ` value ${call.value}`;
    const failure = formatCallFailure(call, format);
    const { calledContract = null, functionName, callSite = null } = sources.get(call.index) ?? {};
    const parts = [
      `${call.kind} ${call.codeAddress ?? '(not created)'} `,
      `${calledContract === null ? '' : `${clean(calledContract)}.`}${formatCall(call, format, functionName)}${value}`,
      ` [${formatInteger(call.gasUsed)} gas]`,
      callSite === null ? '' : ` (${clean(formatLocation(callSite))})`,
      failure === null ? '' : ` failed: ${clean(failure.text)}`,
    ];
    const undone = call.isUndone ? ' [undone]' : '';
    addLine(level, `${parts.join('')}${failure === null ? undone : ''}`);
    const toEvent = (step: number, text: string): CallEvent => ({ step, add: at => addLine(at, `${text}${undone}`) });
    const events: readonly CallEvent[] = [
      ...call.logs.map(log => toEvent(log.step, `log ${formatLog(log, format)}`)),
      ...call.writes.map(({ step, isTransient, slot, oldValue, newValue }) =>
        toEvent(step, `${isTransient ? 'transient ' : ''}storage ${slot}: ${oldValue} -> ${newValue}`),
      ),
      ...call.selfDestructs.map(({ step, beneficiary }) => toEvent(step, `selfdestruct to ${beneficiary}`)),
      ...(internal.get(call.index) ?? []).map(each => ({
        step: each.step,
        internal: each,
        add: (at: number) => addLine(at, `internal ${formatInternalCall(each)}`),
      })),
      ...(children.get(call.index) ?? []).map(child => ({
        step: child.step,
        add: (at: number) => visit(child, at),
      })),
    ];
    addEvents(events, level);
  };
  const [root] = trace.calls;
  if (root !== undefined) visit(root, 0);
  if (trace.omittedCalls > 0)
    lines.push(`and ${formatInteger(trace.omittedCalls)} more ${trace.omittedCalls === 1 ? 'call' : 'calls'}`);
  return lines;
}

/** Lines and columns from 1; `file` is below the project's folder where the source is there, else as the compiler named it. */
const toPlace = (location: SourceLocation | null) => ({
  file: location === null ? null : getFile(location),
  line: location === null ? null : location.start.line + 1,
  column: location === null ? null : location.start.character + 1,
});

/**
 * The shape that programs read: integers beyond 2^53 and amounts are decimal text. `stack`: innermost frame first, as it is
 * printed.
 */
export function toTraceJson(traced: SourcedTrace, registry: AbiRegistry): object {
  const { trace, source } = traced;
  const format = createFormat(registry);
  const failure = formatTraceFailure(trace, format, source?.stack ?? null);
  const children = Map.groupBy(trace.calls, ({ parent }) => parent);
  const sources = new Map(source?.calls.map(each => [each.call, each]));
  const toNode = (call: TracedCall): object => {
    const { index, parent: _parent, depth: _depth, value, logs, selfDestructs, ...rest } = call;
    const [decoded] = decodeFunctionData(registry, call.input);
    const { calledContract = null, functionName, callSite = null } = sources.get(index) ?? {};
    return {
      ...rest,
      value: String(value),
      contract: calledContract,
      callSite: toPlace(callSite),
      function: call.kind.startsWith('CREATE') ? 'constructor' : (decoded?.item.canonical ?? null),
      call: formatCall(call, format, functionName),
      error: formatCallFailure(call, format),
      logs: logs.map(log => ({ ...log, event: formatLog(log, format) })),
      selfDestructs: selfDestructs.map(entry => ({ ...entry, value: String(entry.value) })),
      calls: (children.get(index) ?? []).map(toNode),
    };
  };
  return {
    transaction: trace.hash,
    ...(trace.simulation !== undefined && { simulation: trace.simulation }),
    chain: trace.chain.id,
    block: trace.blockNumber,
    status: trace.status,
    gasUsed: String(trace.gasUsed),
    error: failure === null ? null : { ...failure, data: trace.failure?.data ?? '0x' },
    stack: (source?.stack?.frames ?? [])
      .toReversed()
      .map(({ contract, address, functionName, location, isInferred }) => ({
        contract,
        address,
        function: functionName,
        ...toPlace(location),
        inferred: isInferred,
      })),
    calls: (children.get(-1) ?? []).map(toNode),
    ...(source?.internalCalls !== undefined && {
      internalCalls: source.internalCalls.map(({ call, depth, step, endStep, contract, functionName, callSite }) => ({
        call,
        depth,
        step,
        endStep,
        contract,
        function: functionName,
        callSite: toPlace(callSite),
      })),
    }),
    omittedCalls: trace.omittedCalls,
    steps: trace.steps,
    by: trace.by,
    verified: trace.verified,
    notes: getNotes(traced).map(localize),
  };
}
