// Chains as people write them: any name of the table, and decimal ids, beside the selectors of the description.
import { CHAIN_NAMES } from './chainNameData.ts';
import {
  type ChainSelector,
  DEVELOPMENT_CHAIN_IDS,
  getChainByName,
  LOCAL_CHAIN,
  parseChainSelector,
  toHexChainId,
} from './chains.ts';
import { DEFAULT_CHAIN } from './decisions.ts';
import type { JsonSchema } from './records/jsonSchema.ts';

/** `Base Sepolia`, `base-sepolia` and `baseSepolia` are one name; `Polygon Mainnet` is `polygon`. */
const normalize = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/(?<=.)mainnet$/, '');

/** Names of each chain: those of viem, then short names of EIP-3770 and names that hosted services use. */
const readRows = (): readonly (readonly [id: number, names: readonly string[]])[] =>
  CHAIN_NAMES.trim()
    .replaceAll('*', 'Testnet')
    .replaceAll('+', 'Sepolia')
    .split(/[\n,]/)
    .map(row => {
      const [id = '', ...names] = row.split(' ');
      return [Number.parseInt(id, 36), names];
    });

/** Names of the chain of a development node beside those of `parseChainSelector`: the node tells its id, which is 31337 or any other. */
const DEVELOPMENT_NAMES: readonly string[] = ['foundry', 'localhost'];

/** Names to choose from, as viem writes them (`baseSepolia`), and short ones. */
export const listChainNames = (): readonly string[] => [
  ...readRows().flatMap(([, names]) => names),
  ...DEVELOPMENT_NAMES,
];

/** Read when a name is met that is none of the description. */
let ids: ReadonlyMap<string, number> | undefined;

/** EIP-155 id of a chain by any of its names in any spelling: the description's, viem's, its short name of EIP-3770. */
export function findChainIdByName(name: string): number | null {
  if (name.length > 60) return null;
  ids ??= new Map(readRows().flatMap(([id, names]) => names.map((known): [string, number] => [normalize(known), id])));
  const wanted = normalize(name);
  return getChainByName(wanted)?.id ?? ids.get(wanted) ?? null;
}

/** Names of chains that are names of people, functions or contracts too: beside a value they name no chain. */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  'area bob core energy exp form geth go got hp human lens loop meta mint new one q real root shape six stable step story tel that treasure unique vision'.split(
    ' ',
  ),
);

/** The chain that a word of a text names: the prefix of `gno:0x…`, a part of a path. */
export const findChainIdByWord = (word: string): number | null =>
  ORDINARY_WORDS.has(word.toLowerCase()) ? null : findChainIdByName(word);

/**
 * The canonical selector of a chain that a user names in a request, a setting, a file or on the command line: what
 * `parseChainSelector` takes, a name such as `base` or `arb1`, a decimal id, or `eip155:8453` (CAIP-2); `local` for the id 31337
 * and for names of development chains. `null` when it is none of these.
 */
export function parseWrittenChain(text: string): ChainSelector | null {
  const selector = parseChainSelector(text);
  if (selector !== null || text.length > 60) return selector;
  const decimal = /^\s*(?:eip155:)?([1-9]\d{0,15})\s*$/i.exec(text)?.[1];
  const isLocal =
    decimal === undefined ? DEVELOPMENT_NAMES.includes(normalize(text)) : Number(decimal) === DEVELOPMENT_CHAIN_IDS[0];
  if (isLocal) return LOCAL_CHAIN;
  const id = decimal === undefined ? findChainIdByName(text.trim()) : Number(decimal);
  return id === null ? null : parseChainSelector(toHexChainId(id));
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

interface ToolParameter {
  readonly kind: { readonly name: string; readonly schema: JsonSchema };
  readonly doc: string;
}

/** A parameter of an operation in the input of a tool for agents: chains as they are written, all else as over HTTP. */
export const getToolSchema = ({ kind, doc }: ToolParameter): JsonSchema =>
  kind.name === 'chain' ? OPERATION_CHAIN_SCHEMA : { ...kind.schema, description: doc };

/**
 * The entries of an object by chains. Those by decimal ids come last: JavaScript has them first wherever they were written, and
 * the first chain is the default.
 */
export function getEntriesByChain(object: object): readonly (readonly [chain: string, value: unknown])[] {
  const isDecimal = ([chain]: readonly [string, unknown]) => /^\d+$/.test(chain);
  return Object.entries(object).toSorted((a, b) => Number(isDecimal(a)) - Number(isDecimal(b)));
}
