// `tokenUnit`: token standard, symbol and decimals of a contract, in one batch.
import type { TokenUnit } from '../../api/lookups.ts';
import { type Hex, toLowerHex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getLiveFreshness, getPermanentFreshness } from '../evm/finality.ts';
import { getReturnData, toEthCall } from '../evm/rpcMessage.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

/** `asset()` of vaults (ERC-4626), `token()` of what holds one token. */
const TOKEN_GETTERS = ['0x38d52e0f', '0xfc0c546a'] as const;

/** The ERC-20 whose amounts a contract counts in, by what its getters returned. */
async function fetchUnderlying(
  node: EvmNode,
  returned: readonly string[],
  signal: AbortSignal | undefined,
): Promise<TokenUnit['underlying']> {
  const [address] = returned.flatMap(word =>
    /^0x0{24}[0-9a-f]{40}$/.test(word) ? [`0x${word.slice(26)}` as Hex] : [],
  );
  if (address === undefined || address === ZERO_ADDRESS) return undefined;
  const token = parseTokenProbe(await node.rpc.sendAll(createTokenProbeCalls(address), signal));
  return token?.standard === 'ERC20' ? { symbol: token.symbol, decimals: token.decimals } : undefined;
}

export const tokenUnit: Lookup<'tokenUnit'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const probe = createTokenProbeCalls(address);
  const getters = TOKEN_GETTERS.map(data => toEthCall(address, data));
  const { state, responses } = await node.sendWithState([...probe, ...getters], signal);
  const { standard = null, symbol = null, decimals = null } = parseTokenProbe(responses.slice(0, probe.length)) ?? {};
  // A vault (ERC-4626) is a token itself.
  const mayCountInOther = standard === null || standard === 'ERC20';
  const returned = mayCountInOther ? responses.slice(probe.length).map(getReturnData) : [];
  const underlying = await fetchUnderlying(node, returned, signal);
  const value = { kind: 'token', standard, symbol, decimals, ...(underlying && { underlying }) } as const;
  // Decimals of a token do not change. An address without a token may get one.
  const isPermanent = standard !== null && !state.isDevelopment;
  return { value, freshness: (isPermanent ? getPermanentFreshness : getLiveFreshness)(node, state) };
};
