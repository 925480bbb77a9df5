// `contractCode`: the code at an address, and where a proxy or a delegated account passes calls on.
import { MAX_CODE_BYTES } from '../../api/lookups.ts';
import { isHex, toLowerHex } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { createBeaconCall, findProxy, parseDelegate } from '../evm/proxyProbe.ts';
import type { Lookup } from './lookup.ts';

export const contractCode: Lookup<'contractCode'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const calls = [{ method: 'eth_getCode', params: [address, 'latest'] }, createBeaconCall(address)];
  const { state, responses } = await node.sendWithState(calls, signal);
  const result = node.getResult('eth_getCode', responses[0]);
  if (!isHex(result) || result.length % 2 !== 0) throw node.rpc.invalidResponse('eth_getCode', 'it is not hex data');
  const code = toLowerHex(result);
  const { proxy } = await findProxy(address, code, calls, responses, further => node.rpc.sendAll(further, signal));
  const value = {
    kind: 'code',
    code: getByteLength(code) <= MAX_CODE_BYTES ? code : null,
    delegate: parseDelegate(code),
    proxy,
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};
