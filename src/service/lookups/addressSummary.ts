// `addressSummary`: balance, nonce and code; for a contract also its token and proxy, in a second round trip.
import { keccak256 } from 'ox/Hash';
import { type Hex, hexToBytes, isHex, parseQuantity, parseSafeQuantity, toLowerHex } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { createBeaconCall, findProxy, parseDelegate } from '../evm/proxyProbe.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

/**
 * Well-known contracts whose code has words that their creation sets, such as the chain's id: their size in bytes, and where
 * these words begin. They are hashed as zeros, so that `detect/wellKnownAddresses.ts` has one hash for all chains.
 */
const CREATION_WORDS: Readonly<Record<number, readonly number[]>> = {
  9152: [6945, 6983], // Permit2
  21738: [5838, 8360, 13538, 13585, 13774, 20577, 21388], // ERC-4337 EntryPoint 0.8
};

function hashCode(code: Hex): Hex {
  const bytes = hexToBytes(code);
  for (const start of CREATION_WORDS[bytes.length] ?? []) bytes.fill(0, start, start + 32);
  return keccak256(bytes, { as: 'Hex' });
}

export const addressSummary: Lookup<'addressSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const calls = [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getCode', params: [address, 'latest'] },
    { method: 'eth_blockNumber', params: [] },
    createBeaconCall(address),
  ];
  const { state, responses } = await node.sendWithState(calls, signal);
  const [balanceResponse, nonceResponse, codeResponse, blockNumberResponse] = responses;
  const balance = parseQuantity(node.getResult('eth_getBalance', balanceResponse));
  if (balance === null) throw node.rpc.invalidResponse('eth_getBalance', 'it is not a quantity');
  const code = codeResponse?.result;
  const codeSize = isHex(code) ? getByteLength(code) : null;
  const delegate = parseDelegate(code);
  const isContract = codeSize !== null && codeSize > 0 && delegate === null;
  const { proxy, responses: tokenResponses } = await findProxy(
    address,
    isHex(code) ? code : '0x',
    calls,
    responses,
    further => node.rpc.sendAll(further, signal),
    isContract ? createTokenProbeCalls(address) : [],
  );
  const value = {
    kind: 'address',
    chain: state.chain,
    address,
    balance,
    nonce: parseSafeQuantity(nonceResponse?.result),
    codeSize,
    codeHash: isContract && isHex(code) && code.length % 2 === 0 ? hashCode(code) : null,
    delegate,
    proxy,
    token: isContract ? parseTokenProbe(tokenResponses) : null,
    blockNumber: parseSafeQuantity(blockNumberResponse?.result) ?? state.headNumber,
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};
