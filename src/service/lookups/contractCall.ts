// `contractCall`: what one `eth_call` returned, or what the contract reverted with. Never a transaction.
import { type Hex, isHex, toQuantity } from '../../base/hex.ts';
import { getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import { isRevert, type RpcError, toPrintable } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

const METHOD = 'eth_call';

export const contractCall: Lookup<'contractCall'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { address, data, block } = input;
  const call = {
    method: METHOD,
    params: [{ to: address, data }, block === undefined ? 'latest' : toQuantity(block)],
  };
  const { state, responses } = await node.sendWithState([call], signal);
  const freshness = block === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block);
  const error = responses[0]?.error;
  if (error !== undefined && isRevert(error)) {
    const value = {
      kind: 'call',
      output: null,
      revert: toRevertData(error),
      error: toPrintable(error.message),
    } as const;
    return { value, freshness };
  }
  const result = node.getResult(METHOD, responses[0]);
  if (!isHex(result)) throw node.rpc.invalidResponse(METHOD, 'it is not hex data');
  return { value: { kind: 'call', output: result.toLowerCase() as Hex, revert: null, error: null }, freshness };
};

/** Hardhat wraps the bytes in an object. */
export function toRevertData({ data }: RpcError): Hex | null {
  const bytes = data !== null && typeof data === 'object' ? (data as { readonly data?: unknown }).data : data;
  return isHex(bytes) && bytes.length > 2 ? (bytes.toLowerCase() as Hex) : null;
}
