// `tokenUnit`: token standard, symbol and decimals of a contract, in one batch.
import { toLowerHex } from '../../base/hex.ts';
import { getLiveFreshness, getPermanentFreshness } from '../evm/finality.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

export const tokenUnit: Lookup<'tokenUnit'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { state, responses } = await node.sendWithState(createTokenProbeCalls(toLowerHex(input.address)), signal);
  const { standard = null, symbol = null, decimals = null } = parseTokenProbe(responses) ?? {};
  const value = { kind: 'token', standard, symbol, decimals } as const;
  // Decimals of a token do not change. An address without a token may get one.
  const isPermanent = standard !== null && !state.isDevelopment;
  return { value, freshness: (isPermanent ? getPermanentFreshness : getLiveFreshness)(node, state) };
};
