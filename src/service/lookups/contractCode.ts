// `contractCode`: the code at an address, and where a proxy or a delegated account passes calls on.
import { MAX_CODE_BYTES } from '../../api/lookups.ts';
import { isHex, toLowerHex } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import {
  createProxyProbeCalls,
  fetchRunningCode,
  followProxy,
  parseDelegate,
  parseProxyProbe,
} from '../evm/proxyProbe.ts';
import type { RpcCall } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

const METHOD = 'eth_getCode';

export const contractCode: Lookup<'contractCode'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const { state, responses } = await node.sendWithState([{ method: METHOD, params: [address, 'latest'] }], signal);
  const result = node.getResult(METHOD, responses[0]);
  if (!isHex(result) || result.length % 2 !== 0) throw node.rpc.invalidResponse(METHOD, 'it is not hex data');
  const code = toLowerHex(result);
  const delegate = parseDelegate(code);
  const send = (calls: readonly RpcCall[]) => node.rpc.sendAll(calls, signal);
  const running = await fetchRunningCode(code, send);
  const probeCalls = createProxyProbeCalls(address, running);
  const probeResponses = probeCalls.length === 0 ? [] : await send(probeCalls);
  const value = {
    kind: 'code',
    code: getByteLength(code) <= MAX_CODE_BYTES ? code : null,
    delegate,
    proxy: await followProxy(address, parseProxyProbe(running, probeResponses), send),
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};
