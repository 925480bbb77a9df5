// The chains of the description, and the parser of chain selectors.

export interface Chain {
  /** The selector's name (`eth`), or the hex id where the description has no name for it. */
  readonly name: string;
  /** EIP-155 chain id. */
  readonly id: number;
  /** Display name. */
  readonly title: string;
  /** Symbol and decimals of the native coin. */
  readonly coin: string;
  readonly decimals: number;
  /** Block explorer, opened on the user's click only; `null` where there is none. */
  readonly explorer: string | null;
}

const chain = (name: string, id: number, title: string, coin: string, explorer: string | null): Chain => ({
  name,
  id,
  title,
  coin,
  decimals: 18,
  explorer,
});

/** "Chain selector values" of the description, in its order. Other chains have their hex id, see `parseChainSelector`. */
export const chains: readonly Chain[] = [
  chain('eth', 0x1, 'Ethereum', 'ETH', 'https://etherscan.io'),
  chain('goerli', 0x5, 'Goerli', 'ETH', null),
  chain('sepolia', 0xaa36a7, 'Sepolia', 'ETH', 'https://sepolia.etherscan.io'),
  chain('polygon', 0x89, 'Polygon', 'POL', 'https://polygonscan.com'),
  chain('mumbai', 0x13881, 'Mumbai', 'MATIC', null),
  chain('bsc', 0x38, 'BNB Smart Chain', 'BNB', 'https://bscscan.com'),
  chain('bsc testnet', 0x61, 'BNB Smart Chain Testnet', 'tBNB', 'https://testnet.bscscan.com'),
  chain('avalanche', 0xa86a, 'Avalanche C-Chain', 'AVAX', 'https://snowtrace.io'),
  chain('fantom', 0xfa, 'Fantom', 'FTM', 'https://explorer.fantom.network'),
  chain('palm', 0x2a15c308d, 'Palm', 'PALM', null),
  chain('cronos', 0x19, 'Cronos', 'CRO', 'https://cronoscan.com'),
  chain('arbitrum', 0xa4b1, 'Arbitrum One', 'ETH', 'https://arbiscan.io'),
];

/** Chains without a name in the description: their selector is the hex id. */
const unnamedChains: readonly Chain[] = [
  chain('0xa', 0xa, 'OP Mainnet', 'ETH', 'https://optimistic.etherscan.io'),
  chain('0x2105', 0x2105, 'Base', 'ETH', 'https://basescan.org'),
];

/** Test networks that have been shut down. */
export const RETIRED_CHAINS: readonly string[] = ['goerli', 'mumbai'];

/** The chain of the node that is configured under this name, whatever its id is. */
export const LOCAL_CHAIN = 'local';

/**
 * Names of the user's own nodes beside `local`, so that several development chains have a selector each, whatever their ids
 * are: `anvil`, `hardhat2`, `fork-mainnet`.
 */
const OWN_NODE = /^(?:anvil|dev|fork|ganache|hardhat|local)(?:[-_]?\d{1,4}|[-_][a-z0-9_-]{1,24})?$/;

/** Whether a canonical selector is a name of the user's, whose node tells which chain it is. */
export const isOwnNode = (selector: ChainSelector): boolean => OWN_NODE.test(selector);

/** Ids of Anvil, Hardhat, Ganache and Geth's development mode, which are no chain's own: users mean `local` by them. */
export const DEVELOPMENT_CHAIN_IDS: readonly number[] = [31337, 1337];

/** A name of the table, `local` or another name of an own node, or an EIP-155 id in hex. */
export type ChainSelector = string;

const knownChains = [...chains, ...unnamedChains];
const byName = new Map(knownChains.map(entry => [entry.name, entry]));
const byId = new Map(knownChains.map(entry => [entry.id, entry]));

export function getChainByName(name: string): Chain | undefined {
  return byName.get(name);
}

export function getChainById(id: number): Chain | undefined {
  return byId.get(id);
}

/**
 * Parses a chain selector into its canonical form: the table's name for a name or a hex id in any case, `local`, or a lower-case hex id
 * that the table does not have (a new chain is data, not a release). `null` when it is none of these.
 */
export function parseChainSelector(text: string): ChainSelector | null {
  const wanted = text.trim().toLowerCase();
  if (isOwnNode(wanted) || byName.has(wanted)) return wanted;
  if (!/^0x0*[1-9a-f][0-9a-f]*$/.test(wanted)) return null;
  const id = Number(wanted);
  if (!Number.isSafeInteger(id)) return null;
  return byId.get(id)?.name ?? `0x${id.toString(16)}`;
}

/** The chain id that a canonical selector names; `null` for own nodes such as `local`, which tell it. */
export const getSelectorChainId = (selector: ChainSelector): number | null =>
  byName.get(selector)?.id ?? (/^0x[0-9a-f]+$/.test(selector) ? Number(selector) : null);

/** The selector of a chain that a text names by its id; `null` for ids of development chains, which are no chain's own. */
export const getNamedSelector = (id: number | null): ChainSelector | null =>
  id === null || DEVELOPMENT_CHAIN_IDS.includes(id) ? null : parseChainSelector(toHexChainId(id));

const getIdTitle = (id: number): string => `Chain ${id}`;

/**
 * The chain of a selector whose node reports this id; a generic entry for unknown ones. `found` is what `findChain`
 * knows of the id.
 */
export function resolveChain(selector: ChainSelector, id: number, found?: Chain): Chain {
  const listed = byName.get(selector) ?? byId.get(id) ?? found;
  if (isOwnNode(selector)) {
    const network = DEVELOPMENT_CHAIN_IDS.includes(id) ? null : (listed?.title ?? `chain ${id}`);
    const title =
      selector === LOCAL_CHAIN
        ? network === null
          ? 'Local dev chain'
          : `Local node (${network})`
        : network === null
          ? selector
          : `${selector} (${network})`;
    return {
      name: selector,
      id,
      title,
      coin: listed?.coin ?? 'ETH',
      decimals: listed?.decimals ?? 18,
      explorer: listed?.explorer ?? null,
    };
  }
  return listed ?? { name: selector, id, title: getIdTitle(id), coin: 'ETH', decimals: 18, explorer: null };
}

/** A chain that only this machine knows, whatever network has its id: that network's explorers know nothing of it. */
export const toLocalChain = (chain: Chain): Chain => ({
  ...chain,
  title: isOwnNode(chain.name) || chain.title === getIdTitle(chain.id) ? chain.title : `Local node (${chain.title})`,
  explorer: null,
});

export function toHexChainId(id: number): string {
  return `0x${id.toString(16)}`;
}
