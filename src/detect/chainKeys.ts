// The chain that a name in a file means: `sepolia`, `31337`, `SEPOLIA_VAULT`.
import { findChainIdByWord, parseWrittenChain } from '../api/chainNames.ts';
import { getChainByName, LOCAL_CHAIN } from '../api/chains.ts';

/** `local`: a chain of this machine, whatever its id. */
export type NamedChain = number | 'local';

const LOCAL_NAMES = new Set([
  'local',
  'localhost',
  'localnet',
  'hardhat',
  'anvil',
  'ganache',
  'foundry',
  'development',
]);
/** Of these, other things are named too: only a whole key of that name is a chain. */
const COMMON_WORDS = new Set(['local', 'development', 'foundry']);

/** By all of it. */
export function toNamedChain(key: string): NamedChain | null {
  if (LOCAL_NAMES.has(key.toLowerCase())) return 'local';
  if (/^\d{1,15}$/.test(key)) return Number(key) > 0 ? Number(key) : null;
  const selector = parseWrittenChain(key);
  if (selector === LOCAL_CHAIN) return 'local';
  return (selector === null ? null : getChainByName(selector)?.id) ?? findChainIdByWord(key);
}

/** By the whole key, else by its words, unless they name several: `SEPOLIA_VAULT`, `vaultOnSepolia`. */
export function toKeyChain(key: string): NamedChain | null {
  const words = key.split(/[_-]|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase());
  const named = (word: string) => (/^\d/.test(word) || COMMON_WORDS.has(word) ? null : toNamedChain(word));
  const [chain = null, ...others] = new Set(words.map(named).filter(each => each !== null));
  return toNamedChain(key) ?? (others.length === 0 ? chain : null);
}
