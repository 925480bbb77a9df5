// `ensAddress`: the address behind an ENS name, from the registry and the name's resolver (EIP-137, ENSIP-10); two batches.

import type { EnsAddress } from '../../api/lookups.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import { getLiveFreshness } from '../evm/evmNode.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

/** The same on every chain that has ENS. */
export const ENS_REGISTRY = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e';
/** `resolver(bytes32)`, `addr(bytes32)`, `supportsInterface(bytes4)`, `resolve(bytes,bytes)`. */
const RESOLVER = '0x0178b8bf';
const ADDR = '0x3b3b57de';
const SUPPORTS = '0x01ffc9a7';
const RESOLVE = '0x9061b923';
/** ERC-3668: `OffchainLookup(address,string[],bytes,bytes4,bytes)`. */
const OFFCHAIN = '0x556f1830';

const ethCall = (to: string, data: string): RpcCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] });
const digits = (hex: Hex): string => hex.slice(2);
const word = (value: number): string => value.toString(16).padStart(64, '0');
const bytesArgument = (hex: Hex): string =>
  word(digits(hex).length / 2) + digits(hex).padEnd(Math.ceil(digits(hex).length / 64) * 64, '0');

function resolveCall(dns: Hex, inner: Hex): Hex {
  const name = bytesArgument(dns);
  return `${RESOLVE}${word(64)}${word(64 + name.length / 2)}${name}${bytesArgument(inner)}` as Hex; // starts with 0x
}

/** The address in a word; `null` for zero and for what is no address. */
function addressIn(data: unknown): Hex | null {
  if (!isHex(data) || !/^0x0{24}[0-9a-f]{40}$/i.test(data) || /^0x0+$/.test(data)) return null;
  return `0x${data.slice(26).toLowerCase()}`;
}

/** The word inside the `bytes` that `resolve` answers. */
function unwrapped(data: unknown): unknown {
  if (!isHex(data) || data.length < 2 + 3 * 64 || BigInt(`0x${data.slice(2, 66)}`) !== 32n) return null;
  return BigInt(`0x${data.slice(66, 130)}`) === 32n ? `0x${data.slice(130, 194)}` : null;
}

/** Nodes put the data of a revert here or one level deeper. */
function isOffchain(answer: RpcResponse | undefined): boolean {
  const data = answer?.refusal?.data;
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return typeof inner === 'string' && inner.toLowerCase().includes(digits(OFFCHAIN));
}

export const ensAddress: Lookup<'ensAddress'> = async (input, { nodes }, signal) => {
  const { ensName: parseEnsName } = await import('./ensName.ts');
  const { name, nameHashes: hashes, dnsName: dns } = parseEnsName(input.name);
  const node = await nodes.find(input.chain, signal);
  const registryCalls = hashes.map(hash => ethCall(ENS_REGISTRY, RESOLVER + digits(hash)));
  const { state, responses: answers } = await node.sendWithState(registryCalls, signal);
  const freshness = getLiveFreshness(node, state);
  const done = (outcome: EnsAddress['outcome'], address: Hex | null = null) => ({
    value: { kind: 'ens', chain: state.chain, name, address, outcome } as const,
    freshness,
  });
  const resolvers = answers.map(answer => node.getResult('eth_call', answer));
  if (resolvers.every(result => result === '0x')) return done('no-registry');
  const nearest = resolvers.findIndex(result => addressIn(result) !== null);
  const resolver = addressIn(resolvers[nearest]);
  if (resolver === null) return done('unregistered');
  const question: Hex = `${ADDR}${digits(hashes[0])}`;
  const [direct, wildcard, resolved] = await node.rpc.sendAll(
    [
      ethCall(resolver, question),
      ethCall(resolver, SUPPORTS + digits(RESOLVE).padEnd(64, '0')),
      ethCall(resolver, resolveCall(dns, question)),
    ],
    signal,
  );
  const extended = isHex(wildcard?.result) && wildcard.result.length >= 66 && BigInt(wildcard.result) === 1n;
  if (extended && isOffchain(resolved)) return done('offchain');
  const own = nearest === 0 ? addressIn(direct?.result) : null;
  const address = extended ? (addressIn(unwrapped(resolved?.result)) ?? own) : own;
  if (address !== null) return done('found', address);
  // A resolver of a name above answers for what is below it only when it says that it can.
  return done(nearest === 0 || extended ? 'no-address' : 'unregistered');
};
