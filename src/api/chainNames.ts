// Chains as people write them: names that `viem/chains` has, and decimal ids, beside the selectors of the description.
import { CHAIN_NAMES } from './chainNameData.ts';
import { type ChainSelector, parseChainSelector, toHexChainId } from './chains.ts';

/** `Base Sepolia`, `base-sepolia` and `baseSepolia` are one name. */
const normalize = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

const readPairs = (): readonly (readonly [name: string, id: number])[] =>
  CHAIN_NAMES.trim()
    .replaceAll('*', 'Testnet')
    .replaceAll('+', 'Sepolia')
    .split(/[\n,]/)
    .map(pair => {
      const [name = '', id = ''] = pair.split(' ');
      return [name, Number.parseInt(id, 36)];
    });

/** Names to choose from, as viem writes them: `baseSepolia`. */
export const listChainNames = (): readonly string[] => readPairs().map(([name]) => name);

/** Read when a name is met that is none of the description. */
let ids: ReadonlyMap<string, number> | undefined;

function findChainId(name: string): number | undefined {
  ids ??= new Map(readPairs().map(([known, id]) => [normalize(known), id]));
  return ids.get(normalize(name));
}

/**
 * The canonical selector of a chain that a user names in a setting, a file or on the command line: what `parseChainSelector`
 * takes, a name such as `base`, or a decimal id. `null` when it is none of these.
 */
export function parseWrittenChain(text: string): ChainSelector | null {
  const selector = parseChainSelector(text);
  if (selector !== null || text.length > 60) return selector;
  const id = /^\s*[1-9]\d{0,15}\s*$/.test(text) ? Number(text) : findChainId(text);
  return id === undefined ? null : parseChainSelector(toHexChainId(id));
}
