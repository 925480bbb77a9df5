// The chains of `viem/chains` as text, for those that `src/api/chains.ts` does not list.
import * as viemChains from 'viem/chains';
import { DEVELOPMENT_CHAIN_IDS, getChainById, parseChainSelector } from '../src/api/chains.ts';

const CHAINS_PER_LINE = 2;
const NAMES_PER_LINE = 5;

/** Printable, without the separator; names and symbols are shown as they are. */
const clean = (text: string): string => text.replace(/[^\x20-\x7e]|[|;`$\\]/g, '').trim();

function getExplorer(url: string | undefined): string {
  const parsed = URL.parse(url ?? '');
  // An explorer with a query or fragment has no pages at `/address/…`.
  if (parsed?.protocol !== 'https:' || parsed.search !== '' || parsed.hash !== '') return '';
  return (parsed.host + parsed.pathname).replace(/\/+$/, '');
}

/** Networks that have been shut down, and nodes of developers: `lineaGoerli`, `zksyncInMemoryNode`. */
const RETIRED = /goerli|mumbai|ropsten|rinkeby|kovan|holesky|preconf|local|inMemory|devnet|alphanet/i;

/** The names that viem exports its chains by: `base`, `optimism`. */
export function renderChainNames(): string {
  const names = Object.entries(viemChains)
    .filter(([name, { id }]) => !DEVELOPMENT_CHAIN_IDS.includes(id) && /^[a-z]\w*$/i.test(name) && !RETIRED.test(name))
    .filter(([name]) => parseChainSelector(name) === null)
    .map(([name, { id }]) => `${name.replace('Testnet', '*').replace('Sepolia', '+')} ${id.toString(36)}`)
    // Other spellings of the same name are found without an entry.
    .filter((pair, at, all) => all.findIndex(other => other.toLowerCase() === pair.toLowerCase()) === at);
  const further = ['ethereum 1', 'op a', 'bnb 1k', 'xdai 2s', 'matic 3t'];
  const development = ['anvil o6h', 'foundry o6h', 'hardhat o6h', 'localhost 115'];
  const pairs = [...further, ...names, ...development];
  const rows = Array.from({ length: Math.ceil(pairs.length / NAMES_PER_LINE) }, (_, row) =>
    pairs.slice(row * NAMES_PER_LINE, (row + 1) * NAMES_PER_LINE).join(','),
  );
  return `// Generated from viem/chains by \`npm run manifest\`: name (* is Testnet, + is Sepolia) and id in base 36.
export const CHAIN_NAMES = \`
${rows.join('\n')}
\`;
`;
}

export function renderChainData(): string {
  const lines = new Map<number, string>();
  for (const { id, name, nativeCurrency, blockExplorers } of Object.values(viemChains)) {
    if (getChainById(id) !== undefined || DEVELOPMENT_CHAIN_IDS.includes(id) || lines.has(id)) continue;
    const { symbol, decimals } = nativeCurrency;
    const fields = [
      id,
      clean(name),
      clean(symbol),
      decimals === 18 ? '' : decimals,
      getExplorer(blockExplorers?.default.url),
    ];
    lines.set(id, fields.join('|').replace(/\|+$/, ''));
  }
  const sorted = [...lines].sort(([a], [b]) => a - b).map(([, line]) => line);
  const rows = Array.from({ length: Math.ceil(sorted.length / CHAINS_PER_LINE) }, (_, row) =>
    sorted.slice(row * CHAINS_PER_LINE, (row + 1) * CHAINS_PER_LINE).join(';'),
  );
  return `// Generated from viem/chains by \`npm run manifest\`: id, name, coin, decimals (18 if empty), explorer.
export const CHAIN_DATA = \`
${rows.join('\n')}
\`;
`;
}
