// Finds nodes in foundry.toml and hardhat.config.*, which are read as text and never executed.
import { DEVELOPMENT_CHAIN_IDS, getChainById, parseChainSelector, toHexChainId } from '../../api/chains.ts';

export interface ProjectNode {
  /** Its name in the project: `mainnet`, `sepolia`. */
  readonly name: string;
  /** `null` when it depends on a variable. */
  readonly url: string | null;
  /** The variable that the URL depends on; `null` for complete URLs. */
  readonly variable: string | null;
}

/** Longer files are not configuration. */
const MAX_FILE_LENGTH = 200_000;

const VARIABLE =
  /\$\{\s*(?:process\.env\.|vars\.get\(\s*["'])?([A-Za-z_]\w*)|process\.env(?:\.|\[\s*["'])([A-Za-z_]\w*)|(?:vars\.get|configVariable)\(\s*["']([A-Za-z_]\w*)|^\$([A-Za-z_]\w*)$/;

function toProjectNode(name: string, written: string): ProjectNode | null {
  const text = written.trim();
  const variable = VARIABLE.exec(text.replace(/^["']|["']$/g, ''));
  if (variable !== null) return { name, url: null, variable: variable.slice(1).find(part => part !== undefined) ?? '' };
  const url = text.replace(/^["'`]|["'`]$/g, '');
  return /^https?:\/\/[^\s"'`]+$/.test(url) && URL.canParse(url) ? { name, url, variable: null } : null;
}

/** `[rpc_endpoints]` and `eth_rpc_url` of every profile. */
function findFoundryNodes(text: string): ProjectNode[] {
  const nodes: ProjectNode[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[+\s*([\w.-]+)\s*\]+/.exec(line)?.[1];
    if (head !== undefined) {
      section = head;
      continue;
    }
    const pair = /^\s*["']?([\w-]+)["']?\s*=\s*(\S.{0,1999})$/.exec(line.replace(/(?<!["'\w/:])#.*/s, ''));
    const [, key = '', value = ''] = pair ?? [];
    const isEndpoint = section === 'rpc_endpoints' || section.endsWith('.rpc_endpoints') || key === 'eth_rpc_url';
    if (!isEndpoint || pair === null) continue;
    const table = /\b(?:endpoint|url)\s*=\s*("[^"]*"|'[^']*')/.exec(value)?.[1];
    const node = toProjectNode(key === 'eth_rpc_url' ? 'foundry' : key, (table ?? value).trim().replace(/,$/, ''));
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** One pass: a comment without an end is read as code. */
function removeBlockComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf('/*'); start >= 0; start = text.indexOf('/*', at)) {
    const end = text.indexOf('*/', start + 2);
    if (end < 0) break;
    parts.push(text.slice(at, start));
    at = end + 2;
  }
  return [...parts, text.slice(at)].join('');
}

/** `name: { url: … }` anywhere in the code. */
function findHardhatNodes(text: string): ProjectNode[] {
  const nodes: ProjectNode[] = [];
  const code = removeBlockComments(text).replace(/^[ \t]*\/\/.*/gm, '');
  for (const match of code.matchAll(
    /\burl\s*:\s*("[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[\w.]+(?:\[[^\]\n]{0,200}\]|\([^)\n]{0,200}\))?)/g,
  )) {
    const before = code.slice(Math.max(0, match.index - 400), match.index);
    const name = /(?:^|[\s,{])["']?([\w-]+)["']?\s*:\s*\{[^{}]*$/.exec(before)?.[1];
    const node = toProjectNode(name ?? 'hardhat', match[1] ?? '');
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** All nodes in the file, without duplicates. */
export function findProjectNodes(fileName: string, text: string): readonly ProjectNode[] {
  const short = text.slice(0, MAX_FILE_LENGTH);
  const nodes = fileName.endsWith('.toml') ? findFoundryNodes(short) : findHardhatNodes(short);
  const seen = new Set<string>();
  return nodes.filter(({ name, url, variable }) => {
    const key = `${name} ${url ?? variable}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A free name for one more node of the user's, after its client: `anvil`, `hardhat2`, else `fork` or `dev`. */
export function suggestNodeName(client: string | null, chainId: number, taken: readonly string[]): string {
  const known = /^(anvil|hardhat|ganache)/i.exec(client ?? '')?.[1]?.toLowerCase();
  const name = known ?? (DEVELOPMENT_CHAIN_IDS.includes(chainId) ? 'dev' : 'fork');
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** Selectors under which the settings can have a node, the likeliest first. */
export function getSelectorChoices(chainId: number, loopback: boolean): readonly string[] {
  const chainName = getChainById(chainId)?.name;
  const selector = chainName ?? parseChainSelector(toHexChainId(chainId));
  const isDevelopment = DEVELOPMENT_CHAIN_IDS.includes(chainId);
  if (loopback) return chainName === undefined || isDevelopment ? ['local'] : ['local', chainName];
  return selector === null ? [] : [selector];
}
