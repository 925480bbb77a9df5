// What the inspector shows, as one small value for a command's argument, a URI and a saved state.
import { parseChainSelector } from '../api/chains.ts';
import { type OperationId, operations } from '../api/operations/operations.ts';
import { listWords, parseSimulationJson } from '../api/parseSimulationJson.ts';
import type { Simulation } from '../api/traceTarget.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import { isHash } from '../base/hex.ts';
import { type FunctionCall, MAX_ARGUMENT_LENGTH, MAX_CALL_ARGUMENTS, MAX_SIGNATURE_LENGTH } from './contractReads.ts';
import { hasProperties, isArrayOf, isOneOf, isStringUpTo } from './typeGuards.ts';

/** Tabs of a transaction that links lead to. */
export type TransactionTab = 'logs' | 'calls' | 'state' | 'gas';
const isTransactionTab = isOneOf('logs', 'calls', 'state', 'gas');

/** Chains are canonical selectors (`parseChainSelector`), Aptos networks included where the operation takes them. */
export type InspectorTarget =
  /** A block number in decimal or a block hash; `latest` follows the head. */
  | { readonly kind: 'block'; readonly chain: string; readonly block: string }
  /** `tab`: the one that is open at first. */
  | { readonly kind: 'transaction'; readonly chain: string; readonly hash: string; readonly tab?: TransactionTab }
  /** A call that is not on the chain: never signed, never sent. */
  | { readonly kind: 'simulation'; readonly chain: string; readonly simulation: Simulation }
  /** An EVM wallet or contract: what it holds and did, page by page. `call` is read in the tab Read and Simulate; one without signature only opens the tab. */
  | { readonly kind: 'address'; readonly chain: string; readonly address: string; readonly call?: FunctionCall }
  /** Any operation with its parameters, `chain` and `network` among them. */
  | { readonly kind: 'operation'; readonly operation: OperationId; readonly parameters: InputTexts };

const matches = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

/** Room for a long message to be signed. */
const MAX_PARAMETER_LENGTH = 16_384;
const MAX_PARAMETER_VALUES = 1_000;

const isParameterText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_PARAMETER_LENGTH;

export type OperationTarget = Extract<InspectorTarget, { readonly kind: 'operation' }>;

function parseParameters(id: OperationId, value: unknown): InputTexts | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const known = operations[id].parameters;
  for (const [name, texts] of Object.entries(value)) {
    if (!Object.hasOwn(known, name)) return null;
    const isValid = Array.isArray(texts)
      ? texts.length <= MAX_PARAMETER_VALUES && texts.every(isParameterText)
      : isParameterText(texts);
    if (!isValid) return null;
  }
  return value as InputTexts; // checked above
}

export const isFunctionCall = hasProperties<FunctionCall>({
  signature: isStringUpTo(MAX_SIGNATURE_LENGTH),
  args: isArrayOf(isStringUpTo(MAX_ARGUMENT_LENGTH), MAX_CALL_ARGUMENTS),
});

/** Parses a value from outside: a command's argument, a saved state, a message. `null` when it is no target. */
export function parseInspectorTarget(value: unknown): InspectorTarget | null {
  if (value === null || typeof value !== 'object') return null;
  const { kind, chain, block, hash, address, call, operation, parameters, simulation, tab } = value as Readonly<
    Record<string, unknown>
  >;
  if (kind === 'operation') {
    if (typeof operation !== 'string' || !Object.hasOwn(operations, operation)) return null;
    const id = operation as OperationId; // its own key of the table
    const texts = parseParameters(id, parameters);
    return texts === null ? null : { kind, operation: id, parameters: texts };
  }
  const selector = typeof chain === 'string' ? parseChainSelector(chain) : null;
  if (selector === null) return null;
  if (kind === 'block' && matches(block, /^(latest|\d{1,16}|0x[0-9a-fA-F]{64})$/))
    return { kind, chain: selector, block: block.toLowerCase() };
  if (kind === 'transaction' && matches(hash, /^0x[0-9a-fA-F]{64}$/))
    return { kind, chain: selector, hash: hash.toLowerCase(), ...(isTransactionTab(tab) && { tab }) };
  if (kind === 'simulation') {
    const parsed = parseSimulationJson(simulation);
    return parsed === null ? null : { kind, chain: selector, simulation: parsed };
  }
  if (kind === 'address' && matches(address, /^0x[0-9a-fA-F]{40}$/)) {
    const target = { kind, chain: selector, address: address.toLowerCase() } as const;
    if (call === undefined) return target;
    return isFunctionCall(call) ? { ...target, call: { signature: call.signature, args: call.args } } : null;
  }
  return null;
}

/** The query of a deep link (`target=...`): JSON, percent-encoded once. */
export const formatTargetQuery = (target: InspectorTarget): string =>
  `target=${encodeURIComponent(JSON.stringify(target))}`;

/** The target of a deep link's query; `null` when it holds none. */
export function parseTargetQuery(query: string): InspectorTarget | null {
  const text = new URLSearchParams(query).get('target');
  return text === null ? null : parseJsonTarget(text);
}

/** `null` for what is no target in JSON. */
export function parseJsonTarget(text: string): InspectorTarget | null {
  try {
    return parseInspectorTarget(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The operation whose reply shows a target, and its parameters as texts. */
export interface TargetRequest {
  readonly operation: OperationId;
  readonly texts: InputTexts;
}

/** `null` for targets that take more or less than one operation: an address, a simulated call, and the list of the newest blocks. */
export function getTargetRequest(target: InspectorTarget): TargetRequest | null {
  switch (target.kind) {
    case 'block':
      return target.block === 'latest'
        ? null
        : { operation: 'block', texts: { block: target.block, chain: target.chain } };
    case 'transaction':
      return { operation: 'transaction', texts: { hash: target.hash, chain: target.chain } };
    case 'operation':
      return { operation: target.operation, texts: target.parameters };
    case 'address':
    case 'simulation':
      return null;
  }
}

/** Values that a target sends to a node or host and that may be 32 bytes: hashes, and arguments of a call. */
export function getTargetHashes(target: InspectorTarget): readonly string[] {
  if (target.kind === 'address') return target.call?.args ?? [];
  if (target.kind === 'simulation') return listWords(target.simulation);
  return Object.values(getTargetRequest(target)?.texts ?? {})
    .flat()
    .filter(isHash);
}

/** The chain selector of a target; `null` where it has none (Aptos, sign-in) or leaves it to the settings. */
export function getTargetChain(target: InspectorTarget): string | null {
  if (target.kind !== 'operation') return target.chain;
  const chain = Object.hasOwn(target.parameters, 'chain') ? target.parameters['chain'] : undefined;
  return typeof chain === 'string' ? chain : null;
}
