// Nodes that a project names in foundry.toml or hardhat.config.*: read as text, never run; what only its tools know is told.
import { getChainById, parseChainSelector } from '../../api/chains.ts';

export interface ProjectNode {
  /** What the project calls it: `mainnet`, `sepolia`. */
  readonly name: string;
  /** `null` where a part of it is only known to the project's tools. */
  readonly url: string | null;
  /** The variable that holds what is missing; `null` for whole URLs. */
  readonly variable: string | null;
}

/** Configuration is short; what is longer is something else. */
const MAX_FILE_LENGTH = 200_000;

const VARIABLE =
  /\$\{\s*(?:process\.env\.|vars\.get\(\s*["'])?([A-Za-z_]\w*)|process\.env(?:\.|\[\s*["'])([A-Za-z_]\w*)|(?:vars\.get|configVariable)\(\s*["']([A-Za-z_]\w*)|^\$([A-Za-z_]\w*)$/;

function nodeOf(name: string, written: string): ProjectNode | null {
  const text = written.trim();
  const variable = VARIABLE.exec(text.replace(/^["']|["']$/g, ''));
  if (variable !== null) return { name, url: null, variable: variable.slice(1).find(part => part !== undefined) ?? '' };
  const url = text.replace(/^["'`]|["'`]$/g, '');
  return /^https?:\/\/[^\s"'`]+$/.test(url) && URL.canParse(url) ? { name, url, variable: null } : null;
}

/** `[rpc_endpoints]` and `eth_rpc_url` of every profile. */
function ofFoundry(text: string): ProjectNode[] {
  const nodes: ProjectNode[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[+\s*([\w.-]+)\s*\]+/.exec(line)?.[1];
    if (head !== undefined) {
      section = head;
      continue;
    }
    const pair = /^\s*["']?([\w-]+)["']?\s*=\s*(.{1,2000})$/.exec(line.replace(/(?<!["'\w/:])#.*$/, ''));
    const [, key = '', value = ''] = pair ?? [];
    const wanted = section === 'rpc_endpoints' || section.endsWith('.rpc_endpoints') || key === 'eth_rpc_url';
    if (!wanted || pair === null) continue;
    const table = /\b(?:endpoint|url)\s*=\s*("[^"]*"|'[^']*')/.exec(value)?.[1];
    const node = nodeOf(key === 'eth_rpc_url' ? 'foundry' : key, (table ?? value).trim().replace(/,$/, ''));
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** `name: { url: … }` wherever it stands; code around it is not understood, and need not be. */
function ofHardhat(text: string): ProjectNode[] {
  const nodes: ProjectNode[] = [];
  const plain = text.replace(/\/\*[\s\S]{0,20000}?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  for (const match of plain.matchAll(
    /\burl\s*:\s*("[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[\w.]+(?:\[[^\]\n]*\]|\([^)\n]*\))?)/g,
  )) {
    const before = plain.slice(Math.max(0, match.index - 400), match.index);
    const name = /(?:^|[\s,{])["']?([\w-]+)["']?\s*:\s*\{[^{}]*$/.exec(before)?.[1];
    const node = nodeOf(name ?? 'hardhat', match[1] ?? '');
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** Every node that the file names, each name and URL once. */
export function findProjectNodes(fileName: string, text: string): readonly ProjectNode[] {
  const short = text.slice(0, MAX_FILE_LENGTH);
  const nodes = fileName.endsWith('.toml') ? ofFoundry(short) : ofHardhat(short);
  const seen = new Set<string>();
  return nodes.filter(({ name, url, variable }) => {
    const key = `${name} ${url ?? variable}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Under which selectors a node may be written into the settings, the likeliest first. */
export function getSelectorChoices(chainId: number, loopback: boolean): readonly string[] {
  const known = getChainById(chainId)?.name;
  const own = known ?? parseChainSelector(`0x${chainId.toString(16)}`);
  const development = chainId === 31337 || chainId === 1337;
  if (loopback) return known === undefined || development ? ['local'] : ['local', known];
  return own === null ? [] : [own];
}
