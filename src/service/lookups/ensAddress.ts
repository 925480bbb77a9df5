// `ensAddress`: the address of an ENS name, from the registry and the name's resolver (EIP-137, ENSIP-10), in two batches.
import type { EnsAddress } from '../../api/lookups.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import { encodeBytesArgument, encodeWord, parseAddressWord } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { type RpcResponse, toEthCall } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

/** The same on every chain that has ENS. */
export const ENS_REGISTRY = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e';
/** Selectors of `resolver(bytes32)`, `addr(bytes32)`, `supportsInterface(bytes4)`, `resolve(bytes,bytes)`. */
export const RESOLVER_SELECTOR = '0x0178b8bf';
const ADDR_SELECTOR = '0x3b3b57de';
const SUPPORTS_INTERFACE_SELECTOR = '0x01ffc9a7';
const RESOLVE_SELECTOR = '0x9061b923';
/** ERC-3668: selector of the error `OffchainLookup(address,string[],bytes,bytes4,bytes)`. */
const OFFCHAIN_LOOKUP_SELECTOR = '0x556f1830';

const getDigits = (hex: Hex): string => hex.slice(2);

/** `resolve(name, data)` of ENSIP-10. */
function encodeResolve(dnsName: Hex, data: Hex): string {
  const name = encodeBytesArgument(dnsName);
  const nameOffset = encodeWord(64n);
  const dataOffset = encodeWord(BigInt(64 + name.length / 2));
  return `${RESOLVE_SELECTOR}${nameOffset}${dataOffset}${name}${encodeBytesArgument(data)}`;
}

/** The word inside the `bytes` that `resolve` returns. */
function unwrapResolveResult(data: unknown): unknown {
  if (!isHex(data) || data.length < 2 + 3 * 64 || BigInt(`0x${data.slice(2, 66)}`) !== 32n) return null;
  return BigInt(`0x${data.slice(66, 130)}`) === 32n ? `0x${data.slice(130, 194)}` : null;
}

/** Whether the resolver reverted with `OffchainLookup`. Some nodes put the revert data into an object. */
function isOffchainLookup(response: RpcResponse | undefined): boolean {
  const data = response?.error?.data;
  const revertData = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return typeof revertData === 'string' && revertData.toLowerCase().includes(getDigits(OFFCHAIN_LOOKUP_SELECTOR));
}

export const ensAddress: Lookup<'ensAddress'> = async (input, { nodes }, signal) => {
  const { parseEnsName } = await import('./parseEnsName.ts');
  const { name, nameHashes, dnsName } = parseEnsName(input.name);
  const node = await nodes.find(input.chain, signal);
  const registryCalls = nameHashes.map(hash => toEthCall(ENS_REGISTRY, RESOLVER_SELECTOR + getDigits(hash)));
  const { state, responses } = await node.sendWithState(registryCalls, signal);
  const freshness = getLiveFreshness(node, state);
  const toResult = (outcome: EnsAddress['outcome'], address: Hex | null = null) => ({
    value: { kind: 'ens', chain: state.chain, name, address, outcome } as const,
    freshness,
  });
  const resolvers = responses.map(response => node.getResult('eth_call', response));
  if (resolvers.every(result => result === '0x')) return toResult('no-registry');
  const nearestIndex = resolvers.findIndex(result => parseAddressWord(result) !== null);
  const resolver = parseAddressWord(resolvers[nearestIndex]);
  if (resolver === null) return toResult('unregistered');
  const addrCall: Hex = `${ADDR_SELECTOR}${getDigits(nameHashes[0])}`;
  const [addrResponse, supportsResponse, resolveResponse] = await node.rpc.sendAll(
    [
      toEthCall(resolver, addrCall),
      toEthCall(resolver, SUPPORTS_INTERFACE_SELECTOR + getDigits(RESOLVE_SELECTOR).padEnd(64, '0')),
      toEthCall(resolver, encodeResolve(dnsName, addrCall)),
    ],
    signal,
  );
  const supports = supportsResponse?.result;
  const isExtended = isHex(supports) && supports.length >= 66 && BigInt(supports) === 1n;
  if (isExtended && isOffchainLookup(resolveResponse)) return toResult('offchain');
  const directAddress = nearestIndex === 0 ? parseAddressWord(addrResponse?.result) : null;
  const resolvedAddress = isExtended ? parseAddressWord(unwrapResolveResult(resolveResponse?.result)) : null;
  const address = resolvedAddress ?? directAddress;
  if (address !== null) return toResult('found', address);
  // The resolver of a parent name is responsible for this name only if it is an extended one.
  return toResult(nearestIndex === 0 || isExtended ? 'no-address' : 'unregistered');
};
