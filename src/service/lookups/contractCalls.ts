// `contractCalls`: what several `eth_call`s of one contract returned, or what it reverted with. Never a transaction.
import type { ContractCallResult } from '../../api/lookups.ts';
import { type Hex, isHex, toLowerHex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { isRevert, type RpcError, type RpcResponse, toPrintable } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

export const contractCalls: Lookup<'contractCalls'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { address, data, block } = input;
  const at = block === undefined ? 'latest' : toQuantity(block);
  const calls = data.map(callData => ({ method: 'eth_call', params: [{ to: address, data: callData }, at] }));
  const { state, responses } = await node.sendWithState(calls, signal);
  const results = calls.map((_, index) => parseResult(node, responses[index]));
  // When no call at all was run, such as at a block whose state the node no longer has, its own error says most.
  if (results.every(({ outcome }) => outcome === 'failed')) node.getResult('eth_call', responses[0]);
  const freshness = block === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block);
  return { value: { kind: 'calls', results }, freshness };
};

function parseResult(node: EvmNode, response: RpcResponse | undefined): ContractCallResult {
  const error = response?.error;
  if (error === undefined) {
    const result = node.getResult('eth_call', response);
    if (!isHex(result)) throw node.rpc.invalidResponse('eth_call', 'it is not hex data');
    return { outcome: 'returned', output: toLowerHex(result) };
  }
  const message = toPrintable(error.message);
  return isRevert(error) ? { outcome: 'reverted', data: toRevertData(error), message } : { outcome: 'failed', message };
}

/** Hardhat wraps the bytes in an object. */
export function toRevertData({ data }: RpcError): Hex | null {
  const bytes = data !== null && typeof data === 'object' ? (data as { readonly data?: unknown }).data : data;
  return isHex(bytes) && bytes.length > 2 ? toLowerHex(bytes) : null;
}
