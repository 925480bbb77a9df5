// `knownTokens`: the tokens that the index of a chain of this machine has met, to find them by name.
import type { Lookup } from './lookup.ts';

/** What a list to choose from can be searched for at every keystroke. */
const MAX_TOKENS = 2_000;

export const knownTokens: Lookup<'knownTokens'> = async ({ chain }, { nodes, indexes }, signal) => {
  const node = await nodes.find(chain, signal);
  if (!(await indexes.isIndexedWhole(node, signal))) return { value: { kind: 'knownTokens', tokens: [] } };
  const { store } = await indexes.current(node, { kind: 'chain' }, signal);
  const rows = await store.readNamedTokens(MAX_TOKENS);
  const tokens = rows.map(({ tokenAddress: address, standard, name, symbol }) => ({ address, standard, name, symbol }));
  return { value: { kind: 'knownTokens', tokens } };
};
