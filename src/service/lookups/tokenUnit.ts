// `tokenUnit`: whether a contract is an ERC-20, its symbol and decimals. One batch; on a public chain asked once.
import type { Hex } from '../../base/hex.ts';
import { getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

export const tokenUnit: Lookup<'tokenUnit'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { state, responses: answers } = await node.sendWithState(
    createTokenProbeCalls(input.address.toLowerCase() as Hex),
    signal,
  );
  const { standard = null, symbol = null, decimals = null } = parseTokenProbe(answers) ?? {};
  const value = { kind: 'token', standard, symbol, decimals } as const;
  // Decimals of a token that is there do not change; what is none yet may become one.
  const lasting = standard !== null && !state.isDevelopment;
  const freshness = lasting
    ? { ...getFreshness(node, state, null), class: 'final' as const }
    : getLiveFreshness(node, state);
  return { value, freshness };
};
