// A trace as `hexlens trace` prints it: as people read stacks, as a tree of calls, and as JSON.
import type { TracedCall, TransactionTrace } from '../api/transactionTrace.ts';
import { sanitizeText } from '../base/displayText.ts';
import { formatInteger } from '../base/formatUnits.ts';
import type { Hex } from '../base/hex.ts';
import { localize } from '../base/localize.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import { decodeEventLog, decodeFunctionData } from '../decode/decodeAbi.ts';
import { type DecodedItemFormat, formatDecodedItem } from '../decode/formatDecodedItem.ts';
import { formatCallFailure, formatTraceFailure } from '../decode/trace/formatFailure.ts';

/** A frame of the stack of Solidity. */
export interface StackEntry {
  readonly contract: string | null;
  readonly address: Hex;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Concluded, not followed: an optimizer removed the jump. */
  readonly inferred: boolean;
}

const MAX_TEXT_LENGTH = 300;
const clean = (text: string) => sanitizeText(text, MAX_TEXT_LENGTH);
const createFormat = (registry: AbiRegistry): DecodedItemFormat => ({ registry, getName: address => address });

/** `deposit(to: 0x…, amount: 5)`; the selector where the function is unknown. */
function formatCall({ input, address, kind, precompile, codeHash }: TracedCall, format: DecodedItemFormat): string {
  if (precompile !== null) return precompile;
  if (kind === 'CREATE' || kind === 'CREATE2') return 'constructor';
  const [decoded] = decodeFunctionData(format.registry, input);
  if (decoded !== undefined) return clean(formatDecodedItem(decoded, format, address));
  if (input === '0x') return codeHash === null ? 'transfer' : 'receive';
  return input.slice(0, 10);
}

function formatLog({ address, topics, data }: TracedCall['logs'][number], format: DecodedItemFormat): string {
  const [decoded] = decodeEventLog(format.registry, { topics, data });
  return decoded === undefined ? (topics[0] ?? data) : clean(formatDecodedItem(decoded, format, address));
}

export function formatTrace(
  trace: TransactionTrace,
  stack: readonly StackEntry[],
  registry: AbiRegistry,
  hasCalls: boolean,
): string {
  const format = createFormat(registry);
  const failure = formatTraceFailure(trace, format);
  const verified = trace.verified ? 'as on the chain' : 'not compared with the chain';
  const steps = trace.steps === 0 ? '' : `${formatInteger(trace.steps)} steps, `;
  return [
    failure === null ? 'Success' : `Failed: ${clean(failure.text)}`,
    ...(failure === null ? [] : stack.length > 0 ? stack.map(formatStackEntry) : formatPath(trace, format)),
    `${trace.hash} in block ${trace.blockNumber}: ${steps}${formatInteger(trace.gasUsed)} gas (${trace.by}, ${verified})`,
    ...(hasCalls ? ['', ...formatCalls(trace, format)] : []),
  ].join('\n');
}

function formatStackEntry({ contract, address, function: name, file, line, column, inferred }: StackEntry): string {
  const place = file === null ? `no source, ${address}` : [file, line, column].filter(part => part !== null).join(':');
  const what = [contract, name].filter(part => part !== null).join('.');
  return `    at ${what === '' ? address : clean(what)} (${clean(place)})${inferred ? ' [inferred]' : ''}`;
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

/** Calls, logs and storage writes in the order of execution, indented by depth. */
function formatCalls(trace: TransactionTrace, format: DecodedItemFormat): readonly string[] {
  const lines: string[] = [];
  const indent = (depth: number) => '  '.repeat(depth);
  const children = Map.groupBy(trace.calls, ({ parent }) => parent);
  const visit = (call: TracedCall) => {
    const value = call.value === 0n ? '' : ` value ${call.value}`;
    const failure = formatCallFailure(call, format);
    lines.push(
      `${indent(call.depth)}${call.kind} ${call.codeAddress ?? '(not created)'} ${formatCall(call, format)}${value} [${formatInteger(call.gasUsed)} gas]${failure === null ? '' : ` failed: ${clean(failure.text)}`}`,
    );
    const inner = indent(call.depth + 1);
    const events: { readonly step: number; add(): void }[] = [
      ...call.logs.map(log => ({ step: log.step, add: () => lines.push(`${inner}log ${formatLog(log, format)}`) })),
      ...call.writes.map(write => ({
        step: write.step,
        add: () =>
          lines.push(
            `${inner}${write.isTransient ? 'transient ' : ''}storage ${write.slot}: ${write.oldValue} -> ${write.newValue}`,
          ),
      })),
      ...call.selfDestructs.map(({ step, beneficiary }) => ({
        step,
        add: () => lines.push(`${inner}selfdestruct to ${beneficiary}`),
      })),
      ...(children.get(call.index) ?? []).map(child => ({ step: child.step, add: () => visit(child) })),
    ];
    for (const event of events.sort((a, b) => a.step - b.step)) event.add();
  };
  const [root] = trace.calls;
  if (root !== undefined) visit(root);
  if (trace.omittedCalls > 0) lines.push(`and ${formatInteger(trace.omittedCalls)} more calls`);
  return lines;
}

/** The shape that programs read: integers beyond 2^53 and amounts are decimal text. */
export function toTraceJson(trace: TransactionTrace, stack: readonly StackEntry[], registry: AbiRegistry): object {
  const format = createFormat(registry);
  const failure = formatTraceFailure(trace, format);
  const children = Map.groupBy(trace.calls, ({ parent }) => parent);
  const toNode = (call: TracedCall): object => {
    const { index, parent: _parent, depth: _depth, value, logs, selfDestructs, ...rest } = call;
    const [decoded] = decodeFunctionData(registry, call.input);
    return {
      ...rest,
      value: String(value),
      function: call.kind.startsWith('CREATE') ? 'constructor' : (decoded?.item.canonical ?? null),
      call: formatCall(call, format),
      error: formatCallFailure(call, format),
      logs: logs.map(log => ({ ...log, event: formatLog(log, format) })),
      selfDestructs: selfDestructs.map(entry => ({ ...entry, value: String(entry.value) })),
      calls: (children.get(index) ?? []).map(toNode),
    };
  };
  return {
    transaction: trace.hash,
    chain: trace.chain.id,
    block: trace.blockNumber,
    status: trace.status,
    gasUsed: String(trace.gasUsed),
    error: failure === null ? null : { ...failure, data: trace.failure?.data ?? '0x' },
    stack,
    calls: (children.get(-1) ?? []).map(toNode),
    steps: trace.steps,
    by: trace.by,
    verified: trace.verified,
    notes: trace.notes.map(localize),
  };
}
