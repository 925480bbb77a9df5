// Whether a contract passes its calls on to others, and to which, by its code, its storage and what it returns.
import type { ContractProxy } from '../../api/lookups.ts';
import { type Hex, hexToBytes, isHex, toLowerHex } from '../../base/hex.ts';
import { decodeAddressAt, decodeArrayAt, parseAddressWord } from './abiWords.ts';
import { getReturnData, type RpcCall, type RpcResponse, toEthCall } from './rpcMessage.ts';

/** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
export const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** ERC-1967: keccak256("eip1967.proxy.beacon") - 1. */
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** ERC-1822: keccak256("PROXIABLE"). */
const PROXIABLE_SLOT = '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7';
/** keccak256("org.zeppelinos.proxy.implementation"). */
const OPEN_ZEPPELIN_SLOT = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3';
/** Where a Safe has the address of its singleton. */
const SAFE_SLOT = '0x0';

/** The selector of `masterCopy()`, which Safe proxies answer themselves. */
const MASTER_COPY = /a619486e/i;
/** Selectors: `facetAddresses()` of ERC-2535, `implementation()` of beacons. */
const FACET_ADDRESSES_SELECTOR = '0x52ef6b2c';
const BEACON_IMPLEMENTATION_SELECTOR = '0x5c60da1b';

const DELEGATECALL = 0xf4;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** More facets than any known diamond has. */
const MAX_FACETS = 64;
/** A Safe proxy has 170 bytes or less, without its metadata. */
const MAX_SAFE_BYTES = 512;

type SendCalls = (calls: readonly RpcCall[]) => Promise<readonly RpcResponse[]>;

/** EIP-7702: prefix and size of the code of an account that delegates to a contract. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/i;

/** The contract that an account delegates to (EIP-7702). */
export function parseDelegate(code: unknown): Hex | null {
  const digits = typeof code === 'string' ? DELEGATION.exec(code)?.[1] : undefined;
  return digits === undefined ? null : `0x${digits.toLowerCase()}`;
}

const toCode = (response: RpcResponse | undefined): Hex => (isHex(response?.result) ? response.result : '0x');

/** The code that runs at an address: its own, or that of the contract to which an account delegates, over the account's storage. */
async function fetchRunningCode(code: Hex, send: SendCalls): Promise<Hex> {
  const delegate = parseDelegate(code);
  if (delegate === null) return code;
  const [response] = await send([createCodeCall(delegate)]);
  const running = toCode(response);
  return parseDelegate(running) === null ? running : '0x'; // it is followed once only
}

/** Without it, no call is passed on. Data of PUSH instructions does not count. */
function hasDelegateCall(code: Hex): boolean {
  const bytes = hexToBytes(code);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === DELEGATECALL) return true;
    if (byte >= PUSH1 && byte <= PUSH32) i += byte - PUSH1 + 1;
  }
  return false;
}

/**
 * The target in the code of a minimal proxy. All known forms (ERC-1167, ERC-7511, Vyper's, Solady's, 0xSplits', those with
 * arguments at the end) push the address, then run GAS DELEGATECALL within the first 128 bytes.
 */
const MINIMAL_PROXY = /^0x(?:[0-9a-f]{2}){4,100}?73([0-9a-f]{40})5af4/i;
/** The same for vanity addresses: PUSH19 and shorter, with the zeros at their start left out. */
const SHORT_MINIMAL_PROXY =
  /^0x363d3d373d3d3d363d(6[0-9a-f]|7[0-2])([0-9a-f]{2,38})5af43d82803e903d91602[0-9a-f]57fd5bf3$/i;

function parseMinimalProxy(code: Hex): Hex | null {
  const target = MINIMAL_PROXY.exec(code.slice(0, 300))?.[1];
  if (target !== undefined) return `0x${target.toLowerCase()}`;
  const [, push = '', short = ''] = SHORT_MINIMAL_PROXY.exec(code) ?? [];
  const size = Number.parseInt(push, 16) - PUSH1 + 1;
  return short.length === 2 * size ? `0x${short.toLowerCase().padStart(40, '0')}` : null;
}

const createStorageCall = (address: Hex, slot: string): RpcCall => ({
  method: 'eth_getStorageAt',
  params: [address, slot, 'latest'],
});
const createCodeCall = (address: Hex): RpcCall => ({ method: 'eth_getCode', params: [address, 'latest'] });

/**
 * Runs `implementation()` of a beacon, and returns it with the code there, which takes a round trip of its own otherwise: as
 * the code of a contract that is created, so that nodes may refuse what is near the limit of a contract's size.
 */
const createBeaconCodeCall = (beacon: Hex): RpcCall => {
  const selector = BEACON_IMPLEMENTATION_SELECTOR.slice(2);
  const data = [
    `63${selector}60e01b600052`, // MSTORE(0, selector << 224)
    `6020600060046000${`73${beacon.slice(2)}`}5afa50`, // STATICCALL(GAS, beacon, 0, 4, 0, 32)
    '600051803b', // EXTCODESIZE(MLOAD(0))
    '8060006020843c', // EXTCODECOPY(MLOAD(0), 32, 0, size)
    '6020016000f3', // RETURN(0, size + 32)
  ];
  return { method: 'eth_call', params: [{ data: `0x${data.join('')}` }, 'latest'] };
};

function parseBeaconCode(response: RpcResponse | undefined, implementation: Hex): Hex | null {
  const data = getReturnData(response);
  return data.length > 66 && parseAddressWord(data.slice(0, 66)) === implementation ? `0x${data.slice(66)}` : null;
}

/** To be sent with the call for the code of an address, before `findProxy`. */
export const createBeaconCall = (address: Hex): RpcCall => createStorageCall(address, BEACON_SLOT);
/** The same, where the code of the implementation is wanted too. */
export const createImplementationCall = (address: Hex): RpcCall => createStorageCall(address, IMPLEMENTATION_SLOT);

const createSlotCalls = (address: Hex): readonly RpcCall[] => [
  ...[IMPLEMENTATION_SLOT, BEACON_SLOT, PROXIABLE_SLOT, OPEN_ZEPPELIN_SLOT, SAFE_SLOT].map(slot =>
    createStorageCall(address, slot),
  ),
  toEthCall(address, FACET_ADDRESSES_SELECTOR),
];

/** Sends each call once: the same one later gets the same response. */
class CallMemo {
  readonly #send: SendCalls;
  readonly #responses = new Map<string, RpcResponse>();

  constructor(send: SendCalls) {
    this.#send = send;
  }

  add(calls: readonly RpcCall[], responses: readonly RpcResponse[]): void {
    for (const [index, response] of responses.entries()) this.#responses.set(JSON.stringify(calls[index]), response);
  }

  get(call: RpcCall): RpcResponse | undefined {
    return this.#responses.get(JSON.stringify(call));
  }

  readonly send: SendCalls = async calls => {
    const missing = calls.filter(call => this.get(call) === undefined);
    if (missing.length > 0) this.add(missing, await this.#send(missing));
    return calls.map(call => this.get(call) ?? { result: null });
  };
}

/**
 * The calls by which `fetchRunningCode` and `followProxy` find what runs in the end, as far as the
 * code of the address and the slots that are known tell: sent together, they take one round trip.
 */
function predictProxyCalls(address: Hex, code: Hex, known: CallMemo): readonly RpcCall[] {
  const target = parseDelegate(code) ?? parseMinimalProxy(code);
  if (target === null && !hasDelegateCall(code)) return [];
  const beacon = parseAddressWord(known.get(createBeaconCall(address))?.result);
  const implementationSlot = known.get(createImplementationCall(address));
  const implementation = parseAddressWord(implementationSlot?.result);
  return [
    ...[target, implementation].filter(found => found !== null).map(createCodeCall),
    ...createSlotCalls(address),
    ...(beacon === null ? [] : [toEthCall(beacon, BEACON_IMPLEMENTATION_SELECTOR)]),
    ...(beacon === null || implementationSlot === undefined ? [] : [createBeaconCodeCall(beacon)]),
  ];
}

/** Calls that find the implementation of a proxy. None for a minimal proxy, whose code names it, and for code without DELEGATECALL. */
function createProxyProbeCalls(address: Hex, code: Hex): readonly RpcCall[] {
  return parseMinimalProxy(code) !== null || !hasDelegateCall(code) ? [] : createSlotCalls(address);
}

function parseFacets(response: RpcResponse | undefined): readonly Hex[] {
  const data = getReturnData(response);
  const list = decodeArrayAt(data, 0, 32);
  if (list === null || list.length > MAX_FACETS) return [];
  const facets = Array.from({ length: list.length }, (_, index) => decodeAddressAt(data, list.start + 32 * index));
  return facets.every(facet => facet !== null) ? facets : [];
}

const toProxy = (kind: ContractProxy['kind'], implementation: Hex | null): ContractProxy | null =>
  implementation === null ? null : { kind, implementations: [implementation], beacon: null };

/** By the responses to `createProxyProbeCalls`; of a beacon its address only. */
function parseProxyProbe(code: Hex, responses: readonly RpcResponse[]): ContractProxy | null {
  const minimal = parseMinimalProxy(code);
  if (minimal !== null) return toProxy('ERC-1167', minimal);
  if (responses.length === 0) return null;
  const [logic, beacon, proxiable, openZeppelin, safe] = responses.map(response => parseAddressWord(response.result));
  const facets = parseFacets(responses[5]);
  const isSafe = code.length <= 2 + 2 * MAX_SAFE_BYTES && MASTER_COPY.test(code);
  return (
    toProxy('ERC-1967', logic ?? null) ??
    (beacon ? { kind: 'ERC-1967 beacon', implementations: [], beacon } : null) ??
    toProxy('ERC-1822', proxiable ?? null) ??
    toProxy('OpenZeppelin', openZeppelin ?? null) ??
    (isSafe ? toProxy('Safe', safe ?? null) : null) ??
    (facets.length > 0 ? { kind: 'ERC-2535', implementations: facets, beacon: null } : null)
  );
}

/** Minimal proxies of minimal proxies that are followed. */
const MAX_MINIMAL_PROXIES = 4;

/**
 * Where `code`, which runs over the storage of `address`, passes calls on. A minimal proxy is followed to what runs in the end:
 * the code of its target may be a proxy too.
 */
async function followProxy(
  address: Hex,
  code: Hex,
  send: SendCalls,
  maxMinimalProxies = MAX_MINIMAL_PROXIES,
): Promise<ContractProxy | null> {
  const proxy = parseProxyProbe(code, await send(createProxyProbeCalls(address, code)));
  if (proxy === null) return null;
  if (proxy.beacon !== null) {
    const [response] = await send([toEthCall(proxy.beacon, BEACON_IMPLEMENTATION_SELECTOR)]);
    const implementation = parseAddressWord(getReturnData(response));
    return { ...proxy, implementations: implementation === null ? [] : [implementation] };
  }
  const [target] = proxy.implementations;
  if (proxy.kind !== 'ERC-1167' || target === undefined || maxMinimalProxies === 0) return proxy;
  const [response] = await send([createCodeCall(target)]);
  const next = await followProxy(address, toCode(response), send, maxMinimalProxies - 1);
  return next === null || next.implementations.length === 0 ? proxy : next;
}

export interface FoundProxy {
  readonly proxy: ContractProxy | null;
  /** To the other calls. */
  readonly responses: readonly RpcResponse[];
  /** The codes of what the address delegates or passes calls on to, as far as the same round trips had them. */
  readonly targetCodes: Readonly<Record<Hex, Hex>>;
}

/**
 * Where the code of an address passes its calls on, and the responses to `others`, which take no round trip of their own.
 * `calls` were sent already, that of `createBeaconCall` among them.
 */
export async function findProxy(
  address: Hex,
  code: Hex,
  calls: readonly RpcCall[],
  responses: readonly RpcResponse[],
  sendCalls: SendCalls,
  others: readonly RpcCall[] = [],
): Promise<FoundProxy> {
  if (code === '0x' && others.length === 0) return { proxy: null, responses: [], targetCodes: {} };
  const memo = new CallMemo(sendCalls);
  memo.add(calls, responses);
  const sent = await memo.send([...others, ...predictProxyCalls(address, code, memo)]);
  const running = await fetchRunningCode(code, memo.send);
  const proxy = await followProxy(address, running, memo.send);
  const targetCodes: Record<Hex, Hex> = {};
  for (const target of [parseDelegate(code), ...(proxy?.implementations ?? [])]) {
    if (target === null) continue;
    const found =
      memo.get(createCodeCall(target))?.result ??
      (proxy?.beacon ? parseBeaconCode(memo.get(createBeaconCodeCall(proxy.beacon)), target) : null);
    if (isHex(found) && found.length % 2 === 0) targetCodes[target] = toLowerHex(found);
  }
  return { proxy, responses: sent.slice(0, others.length), targetCodes };
}
