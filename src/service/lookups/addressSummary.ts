// `addressSummary`: balance, nonce and code; for a contract also its token and proxy, in a second batch.
import { keccak256 } from 'ox/Hash';
import { type Hex, hexToBytes, isHex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { createProxyProbeCalls, fetchBeaconTarget, parseDelegate, parseProxyProbe } from '../evm/proxyProbe.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

export const addressSummary: Lookup<'addressSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = input.address.toLowerCase() as Hex;
  const { state, responses } = await node.sendWithState(
    [
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_blockNumber', params: [] },
    ],
    signal,
  );
  const [balanceResponse, nonceResponse, codeResponse, blockNumberResponse] = responses;
  const balance = parseQuantity(node.getResult('eth_getBalance', balanceResponse));
  if (balance === null) throw node.rpc.invalidResponse('eth_getBalance', 'it is not a quantity');
  const code = codeResponse?.result;
  const codeSize = isHex(code) ? getByteLength(code) : null;
  const delegate = parseDelegate(code);
  const isContract = codeSize !== null && codeSize > 0 && delegate === null;
  const proxyCalls = isContract && isHex(code) ? createProxyProbeCalls(address, code) : [];
  const probeResponses = isContract
    ? await node.rpc.sendAll([...proxyCalls, ...createTokenProbeCalls(address)], signal)
    : [];
  const proxy = isHex(code) ? parseProxyProbe(code, probeResponses.slice(0, proxyCalls.length)) : null;
  const value = {
    kind: 'address',
    chain: state.chain,
    address,
    balance,
    nonce: parseSafeQuantity(nonceResponse?.result),
    codeSize,
    codeHash: isContract && isHex(code) && code.length % 2 === 0 ? keccak256(hexToBytes(code), { as: 'Hex' }) : null,
    delegate,
    proxy: await fetchBeaconTarget(proxy, calls => node.rpc.sendAll(calls, signal)),
    token: isContract ? parseTokenProbe(probeResponses.slice(proxyCalls.length)) : null,
    blockNumber: parseSafeQuantity(blockNumberResponse?.result) ?? state.headNumber,
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};
