// `contractCode`: the code at an address, and where a proxy or a delegated account passes calls on.
import { MAX_CODE_BYTES } from '../../api/lookups.ts';
import { type Hex, isHex, toLowerHex, toQuantity } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { createBeaconCall, createImplementationCall, findProxy, parseDelegate } from '../evm/proxyProbe.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

const isSent = (code: Hex) => getByteLength(code) <= MAX_CODE_BYTES;

function parseCode(node: EvmNode, response: RpcResponse | undefined): Hex {
  const result = node.getResult('eth_getCode', response);
  if (!isHex(result) || result.length % 2 !== 0) throw node.rpc.invalidResponse('eth_getCode', 'it is not hex data');
  return toLowerHex(result);
}

export const contractCode: Lookup<'contractCode'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  if (input.block !== undefined) {
    const call = { method: 'eth_getCode', params: [address, toQuantity(input.block)] };
    const { state, responses } = await node.sendWithState([call], signal);
    const code = parseCode(node, responses[0]);
    const value = { kind: 'code', code: isSent(code) ? code : null, delegate: parseDelegate(code) } as const;
    return { value: { ...value, proxy: null, targetCodes: {} }, freshness: getFreshness(node, state, input.block) };
  }
  const calls = [
    { method: 'eth_getCode', params: [address, 'latest'] },
    createImplementationCall(address),
    createBeaconCall(address),
  ];
  const { state, responses } = await node.sendWithState(calls, signal);
  const code = parseCode(node, responses[0]);
  const send = (further: readonly RpcCall[]) => node.rpc.sendAll(further, signal);
  const { proxy, targetCodes } = await findProxy(address, code, calls, responses, send);
  const value = {
    kind: 'code',
    code: isSent(code) ? code : null,
    delegate: parseDelegate(code),
    proxy,
    targetCodes: Object.fromEntries(Object.entries(targetCodes).filter(([, one]) => isSent(one))),
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};
