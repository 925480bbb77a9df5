// Frames, scopes and values as the client knows them by number, until the position of the session changes.

import { Scope } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugMemory,
  DebugOpened,
  DebugReference,
  DebugStackFrame,
  DebugVariable,
  SendDebugRequest,
} from '../../api/debugSession.ts';
import { formatFunctionName } from '../../api/transactionStack.ts';
import { bytesToBase64 } from '../../base/base64.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { replaceHidden } from '../../base/displayText.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { formatTokenAmount } from '../../base/formatUnits.ts';
import { hexToBytes, isAddress } from '../../base/hex.ts';
import { localizable, localize, t } from '../../base/localize.ts';
import { NATIVE_COIN } from '../../decode/seaportTrade.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { getScopeNames } from './debugCapabilities.ts';
import type { DebugHost, OpenedSession } from './debugHost.ts';
import type { DebugSources } from './debugSources.ts';
import { encodeInstruction } from './instructionReferences.ts';
import { formatPreview, hasPreview } from './valuePreview.ts';

/** More elements are read in parts. */
const PAGE = 100;
const MAX_COMPLETIONS = 200;
/** A name means the first of them that has it. */
const INLINE_SCOPES = ['locals', 'state'] as const;
/** Characters of names, members and indexes. */
const IS_EXPRESSION = /[\w$.[\]"']/;

interface ShownFrame {
  readonly step: number;
  readonly index: number;
}

interface ShownReference extends ShownFrame {
  readonly reference: DebugReference;
  /** The expression of the value. */
  readonly expression: string;
}

export class ShownValues {
  readonly #host: DebugHost;
  readonly #coin: DebugOpened['coin'];
  readonly #send: SendDebugRequest;
  readonly #sources: () => DebugSources;
  /** By their IDs, which begin with 1: a `frameId` or `variablesReference` of 0 is none in the protocol. */
  #frames: ShownFrame[] = [];
  /** Likewise. */
  #references: ShownReference[] = [];

  constructor(host: DebugHost, { opened, send }: OpenedSession, sources: () => DebugSources) {
    this.#host = host;
    this.#coin = opened.coin;
    this.#send = send;
    this.#sources = sources;
  }

  /** The position changed. */
  clear(): void {
    this.#frames = [];
    this.#references = [];
  }

  async stackTrace(
    step: number,
    { startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments,
  ): Promise<DebugProtocol.StackTraceResponse['body']> {
    const { frames } = await this.#send('stack', { step });
    const shown = levels === 0 ? frames.slice(startFrame) : frames.slice(startFrame, startFrame + levels);
    const toFrame = (frame: DebugStackFrame, i: number) => this.#toStackFrame(frame, { step, index: startFrame + i });
    return { stackFrames: await Promise.all(shown.map(toFrame)), totalFrames: frames.length };
  }

  async #toStackFrame(frame: DebugStackFrame, shown: ShownFrame): Promise<DebugProtocol.StackFrame> {
    const { address, place, isInferred, instruction } = frame;
    const id = this.#frames.push(shown);
    const sources = this.#sources();
    const name = formatFunctionName(frame);
    const known =
      name === '' ? t('{0} (no source)', (await this.#host.nameOf(address)) ?? toShortDisplayAddress(address)) : name;
    return {
      id,
      name: isInferred ? t('{0} (inferred)', known) : known,
      line: 0,
      column: 0,
      ...(instruction.code >= 0 && { instructionPointerReference: encodeInstruction(instruction) }),
      ...(place !== null && { source: sources.toSource(place.source), ...sources.toRange(place) }),
      ...((place === null || isInferred) && { presentationHint: 'subtle' as const }),
    };
  }

  async scopes({ frameId }: DebugProtocol.ScopesArguments): Promise<DebugProtocol.ScopesResponse['body']> {
    const frame = this.#frames[frameId - 1];
    if (frame === undefined) return { scopes: [] };
    const { scopes } = await this.#send('scopes', { step: frame.step, frame: frame.index });
    const names = getScopeNames();
    return {
      scopes: scopes.map(scope => {
        const reference = { kind: 'scope', scope } as const;
        const number = this.#references.push({ ...frame, reference, expression: '' });
        const hint = scope === 'locals' || scope === 'arguments' ? { presentationHint: scope } : {};
        return { ...new Scope(names[scope], number, scope === 'machine'), ...hint };
      }),
    };
  }

  async #list(
    { step, index, reference }: Omit<ShownReference, 'expression'>,
    from?: number,
    count?: number,
  ): Promise<readonly DebugVariable[]> {
    const range = { ...(from !== undefined && { from }), ...(count !== undefined && count > 0 && { count }) };
    return (await this.#send('variables', { step, frame: index, reference, ...range })).variables;
  }

  async variables({
    variablesReference,
    start,
    count,
  }: DebugProtocol.VariablesArguments): Promise<DebugProtocol.VariablesResponse['body']> {
    const parent = this.#references[variablesReference - 1];
    if (parent === undefined) return { variables: [] };
    const variables = await this.#list(parent, start, count);
    const toVariable = async (variable: DebugVariable) => {
      const expression = toExpression(variable.name, parent.expression);
      const value = await this.#toValue(variable, parent, expression);
      return { name: variable.name, evaluateName: expression, ...value };
    };
    return { variables: await Promise.all(variables.map(toVariable)) };
  }

  /** As variables and results of expressions have it. */
  async #toValue(variable: DebugVariable, frame: ShownFrame, expression: string) {
    const { type, reference, count, memory } = variable;
    const value = await this.#formatRow(variable, false);
    const number = reference === null ? 0 : this.#references.push({ ...frame, reference, expression });
    return {
      value,
      ...(type !== null && { type }),
      variablesReference: number,
      ...(count !== null && count > PAGE && { indexedVariables: count }),
      ...(memory !== null && { memoryReference: JSON.stringify({ ...memory, step: frame.step, index: frame.index }) }),
    };
  }

  async #formatRow(variable: DebugVariable, isShort: boolean): Promise<string> {
    const preview = await formatPreview(variable, member => this.#format(member, true));
    return preview === null ? this.#format(variable, isShort) : replaceHidden(preview);
  }

  /** `isShort`: behind a line, and in the row of what it is a member of a name, an amount with its unit or the ends of an address are enough. */
  async #format({ value, amountOf }: DebugVariable, isShort: boolean): Promise<string> {
    const text = replaceHidden(localize(value));
    const isAmount = amountOf !== undefined && /^\d+$/.test(text);
    const amount = isAmount ? await this.#formatAmount(BigInt(text), amountOf) : null;
    const name = isAddress(text) ? await this.#host.nameOf(text) : null;
    if (isShort) return name ?? amount ?? (isAddress(text) ? toShortDisplayAddress(text) : text);
    // A name comes first: a narrow sidebar cuts the digits of an address, not those of an amount.
    return name !== null ? `${name} (${text})` : amount !== null ? `${text} (${amount})` : text;
  }

  #formatAmount(amount: bigint, token: string): Promise<string | null> | string | null {
    if (token === NATIVE_COIN) return formatTokenAmount(amount, this.#coin);
    return isAddress(token) ? this.#host.formatAmount(amount, token) : null;
  }

  #frameOf(step: number, frameId: number | undefined): ShownFrame {
    return this.#frames[(frameId ?? 0) - 1] ?? { step, index: 0 };
  }

  async #evaluate(expression: string, { step, index }: ShownFrame, mayCall = false): Promise<DebugVariable> {
    const functions = mayCall ? await this.#host.functionsNamed(new Set(expression.match(/[\w$]+/g))) : [];
    // A call reads the state that its arguments name from the node.
    const secretReason = mayCall && expression.includes('(') ? findSecretReason([expression]) : null;
    if (secretReason !== null) throw new HexLensError('bad-input', secretReason, {});
    const input = { step, frame: index, expression, ...(mayCall && { functions }) };
    return (await this.#send('evaluate', input)).variable;
  }

  async evaluate(
    step: number,
    expression: string,
    frameId: number | undefined,
    mayCall: boolean,
  ): Promise<DebugProtocol.EvaluateResponse['body']> {
    const frame = this.#frameOf(step, frameId);
    const { value, ...rest } = await this.#toValue(await this.#evaluate(expression, frame, mayCall), frame, expression);
    return { result: value, ...rest };
  }

  /** Values of the frame's variables by name, for their places in the source; none of what is not known. */
  async inlineValues(frameId: number): Promise<Readonly<Record<string, string>>> {
    const frame = this.#frames[frameId - 1];
    if (frame === undefined) return {};
    const { scopes } = await this.#send('scopes', { step: frame.step, frame: frame.index });
    const values = new Map<string, string>();
    for (const scope of INLINE_SCOPES.filter(each => scopes.includes(each))) {
      for (const variable of await this.#list({ ...frame, reference: { kind: 'scope', scope } })) {
        const { name, value, reference } = variable;
        // A local hides a state variable of its name also where its own value is not known.
        if (values.has(name)) continue;
        const isKnown = reference === null ? typeof value === 'string' : hasPreview(variable);
        values.set(name, isKnown ? await this.#formatRow(variable, true) : '');
      }
    }
    return Object.fromEntries([...values].filter(([, value]) => value !== ''));
  }

  /** Names that can follow the text before the cursor. */
  async complete(
    step: number,
    { text, column, line = 1, frameId }: DebugProtocol.CompletionsArguments,
    isFromOne: { readonly line: boolean; readonly column: boolean },
  ): Promise<DebugProtocol.CompletionsResponse['body']> {
    const typed = text.split('\n')[line - (isFromOne.line ? 1 : 0)] ?? text;
    const before = typed.slice(0, column - (isFromOne.column ? 1 : 0));
    const { owner, part } = splitAtEnd(before);
    const frame = this.#frameOf(step, frameId);
    const found = await (owner === null ? this.#names(frame) : this.#members(owner, frame));
    const fitting = found.filter(({ name }) => /^[A-Za-z_$][\w$]*$/.test(name) && name.startsWith(part));
    return {
      targets: fitting.slice(0, MAX_COMPLETIONS).map(({ name, reference }) => ({
        label: name,
        start: before.length - part.length + (isFromOne.column ? 1 : 0),
        length: part.length,
        type: reference === null ? ('variable' as const) : ('property' as const),
      })),
    };
  }

  async #names(frame: ShownFrame): Promise<readonly DebugVariable[]> {
    const { scopes } = await this.#send('scopes', { step: frame.step, frame: frame.index });
    const named = scopes.filter(scope => scope !== 'machine' && (scope !== 'arguments' || !scopes.includes('locals')));
    const lists = await Promise.all(named.map(scope => this.#list({ ...frame, reference: { kind: 'scope', scope } })));
    return [...new Map(lists.flat().map(each => [each.name, each])).values()];
  }

  async #members(owner: string, frame: ShownFrame): Promise<readonly DebugVariable[]> {
    try {
      const { reference } = await this.#evaluate(owner, frame);
      return reference === null ? [] : await this.#list({ ...frame, reference });
    } catch (error) {
      if (isFault(error, 'bad-input')) return [];
      throw error;
    }
  }

  async dataBreakpointInfo(
    step: number,
    { variablesReference, name, frameId }: DebugProtocol.DataBreakpointInfoArguments,
  ): Promise<DebugProtocol.DataBreakpointInfoResponse['body']> {
    const parent = this.#references[(variablesReference ?? 0) - 1];
    const variable =
      parent === undefined
        ? await this.#evaluate(name, this.#frameOf(step, frameId))
        : (await this.#list(parent)).find(each => each.name === name);
    const slot = variable?.slot ?? null;
    const description =
      slot === null
        ? t('Only values in storage can be watched for writes: of a struct, an array or a mapping each member.')
        : toExpression(name, parent?.expression ?? '');
    return slot === null
      ? { dataId: null, description }
      : { dataId: JSON.stringify(slot), description, accessTypes: ['write'], canPersist: true };
  }

  async readMemory({
    memoryReference,
    offset = 0,
    count,
  }: DebugProtocol.ReadMemoryArguments): Promise<DebugProtocol.ReadMemoryResponse['body']> {
    const { step, index, area, offset: base } = parseMemory(memoryReference);
    const at = base + offset;
    // What is before the first byte cannot be read.
    const skipped = Math.min(count, Math.max(0, -at));
    const memory = { area, offset: Math.max(0, at) };
    const { data, missing } = await this.#send('memory', { step, frame: index, memory, count: count - skipped });
    const isReadable = skipped === 0;
    return {
      address: `${at}`,
      ...(isReadable && { data: bytesToBase64(hexToBytes(data)) }),
      ...(isReadable ? missing > 0 && { unreadableBytes: missing } : { unreadableBytes: skipped }),
    };
  }
}

/** `parent`: the expression that it is a member of; empty for a variable. */
const toExpression = (name: string, parent: string): string =>
  parent === '' || name.startsWith('[') ? `${parent}${name}` : `${parent}.${name}`;

/** The name, or the part of it, at the end of a text, and what it is a member of. */
function splitAtEnd(text: string): { readonly owner: string | null; readonly part: string } {
  let start = text.length;
  while (start > 0 && IS_EXPRESSION.test(text[start - 1] as string)) start--;
  const expression = text.slice(start);
  const dot = expression.lastIndexOf('.');
  return dot < 0
    ? { owner: null, part: expression }
    : { owner: expression.slice(0, dot), part: expression.slice(dot + 1) };
}

function parseMemory(reference: string): DebugMemory & ShownFrame {
  try {
    return JSON.parse(reference) as DebugMemory & ShownFrame;
  } catch {
    throw new HexLensError('bad-input', localizable('There is no such memory.'));
  }
}
