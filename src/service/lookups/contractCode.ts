// `contractCode`: the code at an address, and where a proxy or a delegated account passes calls on.
import { MAX_CODE_BYTES } from '../../api/lookups.ts';
import { type Hex, isHex, toLowerHex } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { createBeaconCall, createImplementationCall, findProxy, parseDelegate } from '../evm/proxyProbe.ts';
import type { RpcCall } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

const isSent = (code: Hex) => getByteLength(code) <= MAX_CODE_BYTES;

export const contractCode: Lookup<'contractCode'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const calls = [
    { method: 'eth_getCode', params: [address, 'latest'] },
    createImplementationCall(address),
    createBeaconCall(address),
  ];
  const { state, responses } = await node.sendWithState(calls, signal);
  const result = node.getResult('eth_getCode', responses[0]);
  if (!isHex(result) || result.length % 2 !== 0) throw node.rpc.invalidResponse('eth_getCode', 'it is not hex data');
  const code = toLowerHex(result);
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
