// Chains as people write them: names that `viem/chains` has, and decimal ids, beside the selectors of the description.
import { CHAIN_NAMES } from './chainNameData.ts';
import { type ChainSelector, DEVELOPMENT_CHAIN_IDS, LOCAL_CHAIN, parseChainSelector, toHexChainId } from './chains.ts';
import { DEFAULT_CHAIN } from './decisions.ts';
import type { AnyParameter } from './operations/parameters.ts';
import type { JsonSchema } from './records/jsonSchema.ts';

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
 * takes, a name such as `base`, or a decimal id; `local` for the names and ids of development nodes. `null` when it is none of these.
 */
export function parseWrittenChain(text: string): ChainSelector | null {
  const selector = parseChainSelector(text);
  if (selector !== null || text.length > 60) return selector;
  const id = /^\s*[1-9]\d{0,15}\s*$/.test(text) ? Number(text) : findChainId(text);
  if (id === undefined) return null;
  return DEVELOPMENT_CHAIN_IDS.includes(id) ? LOCAL_CHAIN : parseChainSelector(toHexChainId(id));
}

/** A chain in the input of a tool for agents, which `parseWrittenChain` reads. */
const createChainSchema = (whenAbsent: string): JsonSchema => ({
  type: 'string',
  description: `Chain: a name such as eth, base or local, or a chain id such as 8453 or 0x2105. When absent: ${whenAbsent}.`,
});
const OPERATION_CHAIN_SCHEMA = createChainSchema(`${DEFAULT_CHAIN} if it is configured, else the first configured one`);
/** Of a tool of the MCP server that reads one chain. */
export const AGENT_CHAIN_SCHEMA = createChainSchema(
  'the first one whose node is on this machine, else the first configured one',
);
/** Of a tool of the MCP server that looks on several chains. */
export const AGENT_CHAINS_SCHEMA = createChainSchema(
  'all whose nodes are on this machine, else the first configured one',
);
/** Of the look-up tool for language models in VS Code. */
export const LOOK_UP_CHAIN_SCHEMA = createChainSchema('all local ones, else the first configured one');

/** A parameter of an operation in the input of a tool for agents: chains as they are written, all else as over HTTP. */
export const getToolSchema = ({ kind, doc }: Pick<AnyParameter, 'kind' | 'doc'>): JsonSchema =>
  kind.name === 'chain' ? OPERATION_CHAIN_SCHEMA : { ...kind.schema, description: doc };

/**
 * The entries of an object by chains. Those by decimal ids come last: JavaScript has them first wherever they were written, and
 * the first chain is the default.
 */
export function getEntriesByChain(object: object): readonly (readonly [chain: string, value: unknown])[] {
  const isDecimal = ([chain]: readonly [string, unknown]) => /^\d+$/.test(chain);
  return Object.entries(object).toSorted((a, b) => Number(isDecimal(a)) - Number(isDecimal(b)));
}
