// All chains that HexLens knows, by id and by explorer: those of the description, then those of viem's list.
import { CHAIN_DATA } from './chainData.ts';
import { findChainIdByName } from './chainNames.ts';
import { type Chain, type ChainSelector, chains, getChainById, getSelectorChainId, toHexChainId } from './chains.ts';

/** `www.etherscan.io`, the API `api-sepolia.etherscan.io` and the Chinese `cn.etherscan.io` belong to the explorer. */
const normalizeHost = (host: string): string => host.toLowerCase().replace(/^(?:(?:www|api|cn)\.|api-)/, '');

interface ChainRow {
  readonly chain: Chain;
  readonly explorers: readonly string[];
}

function parseRow(line: string): ChainRow {
  const [id = '', title = '', coin = '', decimals = '', explorer = '', others = ''] = line.split('|');
  const chain = {
    name: toHexChainId(Number(id)),
    id: Number(id),
    title,
    coin: coin || 'ETH',
    decimals: decimals === '' ? 18 : Number(decimals),
    explorer: explorer === '' ? null : `https://${explorer}`,
  };
  return { chain, explorers: [explorer, ...others.split(' ')].filter(word => word !== '') };
}

/** Parsed when a chain beyond those of the description, or an explorer, is met. */
class ChainTable {
  readonly rows: ReadonlyMap<number, ChainRow>;
  /** Host, or host and path, of an explorer -> id; `null` where several chains share it. */
  readonly explorers = new Map<string, number | null>();

  constructor() {
    const rows = CHAIN_DATA.trim().split(/[\n;]/).map(parseRow);
    this.rows = new Map(rows.map(row => [row.chain.id, row]));
    for (const { chain, explorers } of rows) for (const explorer of explorers) this.#addExplorer(explorer, chain.id);
    for (const { id, explorer } of chains) if (explorer !== null) this.#addExplorer(explorer.slice(8), id);
  }

  #addExplorer(explorer: string, id: number): void {
    const key = normalizeHost(explorer);
    this.explorers.set(key, (this.explorers.get(key) ?? id) === id ? id : null);
  }
}

let table: ChainTable | undefined;
const getTable = (): ChainTable => {
  table ??= new ChainTable();
  return table;
};

/** The chain with this id: from the description's table, else from the bundled list; `undefined` for unknown ones. */
export const findChain = (id: number): Chain | undefined => getChainById(id) ?? getTable().rows.get(id)?.chain;

/** The chain that a canonical selector names; `undefined` for `local`, whose node tells it. */
export const findChainBySelector = (selector: ChainSelector): Chain | undefined => {
  const id = getSelectorChainId(selector);
  return id === null ? undefined : findChain(id);
};

/** The chain that an explorer shows under a path; `null` when it shows several chains there or is unknown. */
export function findChainIdByExplorer(host: string, path = ''): number | null {
  const { explorers } = getTable();
  const name = normalizeHost(host);
  const segments = path.split(/[/?#]/).filter(segment => segment !== '');
  for (let count = Math.min(segments.length, 3); count >= 0; count--) {
    const id = explorers.get([name, ...segments.slice(0, count)].join('/'));
    if (id !== undefined) return id;
  }
  // Blockscout's own instances have the chain's name: `optimism-sepolia.blockscout.com`.
  const instance = /^([a-z0-9-]+)\.blockscout\.com$/.exec(name)?.[1];
  return instance === undefined ? null : findChainIdByName(instance);
}
