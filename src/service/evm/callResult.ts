// What `eth_call` returned: data, the failure of the contract, or a fault of a node that could not execute the call.
import { type Hex, isHex } from '../../base/hex.ts';
import type { EvmNode } from './evmNode.ts';
import type { RpcCall, RpcError, RpcResponse } from './rpcMessage.ts';

/** A node behind a gateway may lack the head for a moment ("header not found"): such calls are repeated. */
const MAX_ATTEMPTS = 3;

/** Why the EVM ends a call, in the words of Geth, Reth, Nethermind and Besu. */
const CONTRACT_FAILURE =
  /revert|(invalid|bad|undefined|unknown)[ _]?(opcode|instruction|operation|jump)|invalid code: |out ?of ?gas|stack[ _]?(under|over)flow|stack (limit|items)|(vm|evm) (execution )?(exception|error)|execution (failed|halted)|write protection|static ?call ?violation|access ?violation|return data (out of bounds|buffer)|gas uint64 overflow|call depth|exceptional halt/i;

/** Whether the error says that the contract failed, and not the node. */
export const isContractFailure = ({ code, message }: RpcError): boolean => code === 3 || CONTRACT_FAILURE.test(message);

/** The data that the call returned; `null` when the contract failed. Throws the faults of the node. */
export function getCallResult(node: EvmNode, response: RpcResponse | undefined): Hex | null {
  if (response?.error !== undefined && isContractFailure(response.error)) return null;
  const result = node.getResult('eth_call', response);
  if (!isHex(result)) throw node.rpc.invalidResponse('eth_call', 'it is not hex');
  return result;
}

/**
 * The data that each of these `eth_call`s returned, `0x` where the contract failed. Rejects with the faults of the node,
 * so that no fault of it is taken for an answer of the contract.
 */
export async function fetchCallResults(
  node: EvmNode,
  calls: readonly RpcCall[],
  signal?: AbortSignal,
): Promise<readonly Hex[]> {
  const results: Hex[] = new Array(calls.length).fill('0x');
  let open = calls.map((_, index) => index);
  for (let attempt = 1; open.length > 0; attempt++) {
    const responses = await node.rpc.sendAll(
      open.map(index => calls[index] as RpcCall),
      signal,
    );
    const refused: number[] = [];
    for (const [position, index] of open.entries()) {
      const response = responses[position];
      const isRefused = response?.error !== undefined && !isContractFailure(response.error);
      if (isRefused && attempt < MAX_ATTEMPTS) refused.push(index);
      else results[index] = getCallResult(node, response) ?? '0x';
    }
    open = refused;
  }
  return results;
}
