// Checks messages of the page before the extension acts on them: a page shows hostile data and is not trusted.

import { MAX_NFTS_PER_LOOKUP, type NftKeyInput } from '../api/lookups.ts';
import { parseSimulationJson } from '../api/parseSimulationJson.ts';
import type { TraceTarget } from '../api/traceTarget.ts';
import type { SourceLocation, SourcePosition } from '../api/transactionStack.ts';
import type { ChannelMessage } from '../base/callChannel.ts';
import { type Hex, isHash } from '../base/hex.ts';
import { isObject, type UnknownRecord } from '../base/isObject.ts';
import { parseWatch } from '../view/activity/watch.ts';
import type { StatePlace } from '../view/source/contractStateRows.ts';
import { isAmountToken, MAX_UNITS_PER_PAGE } from './amountUnits.ts';
import { MAX_CALLS_PER_READ, MAX_DECLARED_FUNCTIONS, MAX_SIGNATURE_LENGTH } from './contractReads.ts';
import type { DecodedSource, RawCall, RawLog } from './decoderPort.ts';
import { type InspectorTarget, isFunctionCall, parseInspectorTarget } from './inspectorTarget.ts';
import { type CallMethod, type CallParams, MAX_BLOCKS_PER_CALL, type PageNotifications } from './messages.ts';
import {
  hasProperties,
  isArrayBuffer,
  isArrayOf,
  isBoolean,
  isNonNegativeInteger,
  isNullOr,
  isOneOf,
  isOptional,
  isString,
  isStringUpTo,
  type TypeGuard,
} from './typeGuards.ts';

const isPosition = hasProperties<SourcePosition>({ line: isNonNegativeInteger, character: isNonNegativeInteger });

const isSourceLocation = hasProperties<SourceLocation>({
  source: isString,
  file: isNullOr(isString),
  isChanged: isBoolean,
  textHash: isOptional(isStringUpTo(64)) as TypeGuard<string>,
  start: isPosition,
  end: isPosition,
});

/** A transaction's input of up to 128 KiB in hex, and some more. */
const MAX_HEX_LENGTH = 600_000;
const MAX_COPIED_LENGTH = 8_000_000;

const isSelector = isStringUpTo(32);
const isHexText = isStringUpTo(MAX_HEX_LENGTH);
const isFormat = isOneOf('csv', 'json');
const isExportName = isStringUpTo(200);
const isContract: TypeGuard<string> = (value): value is string => typeof value === 'string' && isAmountToken(value);

const isLog = hasProperties<RawLog>({
  chain: isSelector,
  address: isStringUpTo(66),
  topics: isArrayOf(isStringUpTo(66), 4),
  data: isHexText,
});
const isCall = hasProperties<RawCall>({ chain: isSelector, to: isNullOr(isStringUpTo(66)), input: isHexText });

const isTokenId: TypeGuard<string> = (value): value is string => typeof value === 'string' && /^\d{1,78}$/.test(value);
const isStandard = isOneOf('ERC721', 'ERC1155');
const isNftKey = hasProperties<NftKeyInput>({
  contract: isContract as TypeGuard<Hex>,
  tokenId: isTokenId,
  standard: isOptional(isStandard) as TypeGuard<'ERC721'>,
});

const isSignature = isStringUpTo(MAX_SIGNATURE_LENGTH);

// Targets are rebuilt by `parseInspectorTarget`: nothing else that the page sent with them is passed on.
const parseAddressTarget = (params: UnknownRecord) => {
  const target = parseInspectorTarget({ ...params, kind: 'address' });
  return target?.kind === 'address' ? { chain: target.chain, address: target.address } : null;
};
const parseTransactionTarget = (params: UnknownRecord) => {
  const target = parseInspectorTarget({ ...params, kind: 'transaction' });
  return target?.kind === 'transaction' ? { chain: target.chain, hash: target.hash } : null;
};
const parseTraceTarget = (params: UnknownRecord): TraceTarget | null =>
  parseSimulationTarget(params) ?? (parseTransactionTarget(params) as TraceTarget | null); // a hash is hex
const parseSimulationTarget = (params: UnknownRecord) => {
  const target = parseInspectorTarget({ ...params, kind: 'simulation' });
  return target?.kind === 'simulation' ? { chain: target.chain, simulation: target.simulation } : null;
};
const parseChain = (chain: unknown): string | null => {
  const target = parseInspectorTarget({ kind: 'block', chain, block: 'latest' });
  return target?.kind === 'block' ? target.chain : null;
};

function parseDecodedSource({ kind, log, call }: UnknownRecord): DecodedSource | null {
  if (kind === 'log' && isLog(log)) return { kind, log };
  return kind === 'call' && isCall(call) ? { kind, call } : null;
}

const isBlock = (value: unknown): value is string => isStringUpTo(16)(value) && /^(?:latest|\d+)$/.test(value);
const parseStateBlocks = (blocks: unknown): readonly string[] | null =>
  isArrayOf(isBlock, 2)(blocks) && blocks.length > 0 ? blocks : null;
const isPlace = hasProperties<StatePlace>({
  type: isNonNegativeInteger,
  slot: (value): value is Hex => isStringUpTo(66)(value) && /^0x[0-9a-f]{1,64}$/.test(value),
  offset: isNonNegativeInteger,
  path: isStringUpTo(2_000),
});

const callParsers: { readonly [M in CallMethod]: (params: UnknownRecord) => CallParams<M> | null } = {
  operation({ target: value, include }) {
    const target = parseInspectorTarget(value);
    if (target === null || include === undefined) return target && { target };
    return isArrayOf(isStringUpTo(32), 8)(include) ? { target, include } : null;
  },
  raw({ target: value, source }) {
    const target = parseInspectorTarget(value);
    return target && { target, ...(source === 'node' && { source }) };
  },
  nodeTransaction: parseTransactionTarget,
  nftMetadata({ chain: value, tokens, isRemoteAllowed }) {
    const chain = parseChain(value);
    if (chain === null || !isArrayOf(isNftKey, MAX_NFTS_PER_LOOKUP)(tokens)) return null;
    return { chain, tokens, ...(isRemoteAllowed === true && { isRemoteAllowed }) };
  },
  address: parseAddressTarget,
  blocks({ chain: value, before, count }) {
    const chain = parseChain(value);
    const isCount = isNonNegativeInteger(count) && count >= 1 && count <= MAX_BLOCKS_PER_CALL;
    return chain !== null && isNullOr(isNonNegativeInteger)(before) && isCount ? { chain, before, count } : null;
  },
  image: ({ chain, uri }) => (isSelector(chain) && isStringUpTo(4_000)(uri) ? { chain, uri } : null),
  revertReason: parseTraceTarget,
  innerFailures: parseTraceTarget,
  stack: parseTraceTarget,
  stateChanges: parseTraceTarget,
  transactionGas: parseTraceTarget,
  contractState({ chain, address, blocks: given }) {
    const [target, blocks] = [parseAddressTarget({ chain, address }), parseStateBlocks(given)];
    return target === null || blocks === null ? null : { ...target, blocks };
  },
  stateMembers({ chain, address, blocks: given, layout: ofCode, place, from, key }) {
    const [target, blocks] = [parseAddressTarget({ chain, address }), parseStateBlocks(given)];
    const layout = parseAddressTarget({ chain, address: ofCode });
    if (target === null || blocks === null || layout === null || !isPlace(place)) return null;
    const { type, slot, offset, path } = place;
    return isStringUpTo(78)(from) && /^\d+$/.test(from) && isNullOr(isStringUpTo(1_000))(key)
      ? { ...target, blocks, layout: layout.address, place: { type, slot, offset, path }, from, key }
      : null;
  },
  simulationResult: parseSimulationTarget,
  simulateCall({ chain, address, block, call, from, value }) {
    const target = parseAddressTarget({ chain, address });
    if (target === null || !isBlock(block) || !isFunctionCall(call)) return null;
    if (!isStringUpTo(200)(from) || !isStringUpTo(100)(value)) return null;
    return { ...target, block, call: { signature: call.signature, args: call.args }, from, value };
  },
  callSources: parseTraceTarget,
  logEmitters: parseTraceTarget,
  internalCalls: parseTraceTarget,
  contractCreation: parseAddressTarget,
  loadVerifiedAbi: parseAddressTarget,
  contractFunctions({ chain, address, declared }) {
    const target = parseAddressTarget({ chain, address });
    return target !== null && isArrayOf(isSignature, MAX_DECLARED_FUNCTIONS)(declared) ? { ...target, declared } : null;
  },
  readContract({ chain, address, block, calls }) {
    const target = parseAddressTarget({ chain, address });
    return target !== null && isBlock(block) && isArrayOf(isFunctionCall, MAX_CALLS_PER_READ)(calls)
      ? { ...target, block, calls: calls.map(({ signature, args }) => ({ signature, args })) }
      : null;
  },
  decode: parseDecodedSource,
  amountUnits: ({ chain, contracts }) =>
    isSelector(chain) && isArrayOf(isContract, MAX_UNITS_PER_PAGE)(contracts) ? { chain, contracts } : null,
  resolveNames({ target: value }) {
    const target = parseInspectorTarget(value);
    return target?.kind === 'operation' ? { target } : null;
  },
  // Calldata may be pasted too.
  lookUp: ({ chain, text }) => (isSelector(chain) && isHexText(text) ? { chain, text } : null),
};

/** `undefined` for parameters that are refused: `ready` has none, which is `null`. */
const notificationParsers: {
  readonly [M in keyof PageNotifications]: (params: UnknownRecord) => PageNotifications[M] | undefined;
} = {
  ready: () => null,
  navigate({ target: value, where }) {
    const target = parseInspectorTarget(value);
    return target !== null && isOneOf('here', 'side')(where) ? { target, where } : undefined;
  },
  goToEntry: ({ index }) => (isNonNegativeInteger(index) ? { index } : undefined),
  pin: ({ isPinned }) => (isBoolean(isPinned) ? { isPinned } : undefined),
  buildDebugInformation: () => null,
  simulate({ target: value }) {
    const target = parseInspectorTarget(value);
    return target === null ? undefined : { target };
  },
  openLocation: ({ location }) => (isSourceLocation(location) ? { location } : undefined),
  debug({ chain, hash, simulation: written, frame }) {
    if (!isStringUpTo(200)(chain) || !(frame === null || isNonNegativeInteger(frame))) return undefined;
    const simulation = written === undefined ? null : parseSimulationJson(written);
    if (simulation !== null) return { chain, simulation, frame };
    return isHash(hash) ? { chain, hash, frame } : undefined;
  },
  copy: ({ text }) => (isStringUpTo(MAX_COPIED_LENGTH)(text) ? { text } : undefined),
  copyCommand({ form, target: value }) {
    const target = parseInspectorTarget(value);
    return target !== null && isOneOf('cast', 'curl', 'link')(form) ? { form, target } : undefined;
  },
  exportRows({ format, name, table, incompleteTarget }) {
    if (!isFormat(format) || !isExportName(name) || !isArrayBuffer(table)) return undefined;
    return { format, name, table, incompleteTarget: parseInspectorTarget(incompleteTarget) };
  },
  exportAllPages({ format, name, target: value }) {
    const target: InspectorTarget | null = parseInspectorTarget(value);
    return isFormat(format) && isExportName(name) && target?.kind === 'operation'
      ? { format, name, target }
      : undefined;
  },
  pauseTask: ({ task }) => (isStringUpTo(200)(task) ? { task } : undefined),
  openSource: params => parseAddressTarget(params) ?? undefined,
  watch: params => parseWatch(params) ?? undefined,
  open: ({ what }) => (isOneOf('nodes', 'log')(what) ? { what } : undefined),
};

const isMethodOf = <T extends object>(parsers: T, method: unknown): method is keyof T =>
  typeof method === 'string' && Object.hasOwn(parsers, method);

/** The message with nothing but what the protocol names, or `null` when it is not one of the protocol. */
export function parsePageMessage(value: unknown): ChannelMessage | null {
  if (!isObject(value)) return null;
  const { type, id, method } = value;
  const given = isObject(value['params']) ? value['params'] : {};
  if (type === 'cancel') return isNonNegativeInteger(id) ? { type, id } : null;
  if (type === 'call' && isNonNegativeInteger(id) && isMethodOf(callParsers, method)) {
    const params = callParsers[method](given);
    return params === null ? null : { type, id, method, params };
  }
  if (type === 'notify' && isMethodOf(notificationParsers, method)) {
    const params = notificationParsers[method](given);
    return params === undefined ? null : { type, method, params };
  }
  return null;
}

/** Of a call whose parameters are invalid, so that the page does not wait for ever; `null` for anything else. */
export function getCallId(value: unknown): number | null {
  const { type, id } = isObject(value) ? value : {};
  return type === 'call' && isNonNegativeInteger(id) ? id : null;
}
