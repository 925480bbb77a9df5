// Which chain the text around an address names: a key of the object that has it, or a `chainId` beside it.
import { parseWrittenChain } from '../api/chainNames.ts';
import { getChainByName, LOCAL_CHAIN } from '../api/chains.ts';

/** `local`: a chain of this machine, whatever its id. */
export type NamedChain = number | 'local';

/** Characters before an address in which keys are looked for. */
const MAX_TEXT = 4_000;
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
const KEY = /["'`]?([\w-]{1,40})["'`]?\s*[:=]\s*$/;
const CHAIN_ID = /["']?chain_?id["']?\s*[:=]\s*["']?(0x[0-9a-f]{1,13}|\d{1,15})\b/i;

function toNamedChain(key: string): NamedChain | null {
  if (LOCAL_NAMES.has(key.toLowerCase())) return 'local';
  if (/^\d{1,15}$/.test(key)) return Number(key) > 0 ? Number(key) : null;
  const selector = parseWrittenChain(key);
  if (selector === null) return null;
  return selector === LOCAL_CHAIN ? 'local' : (getChainByName(selector)?.id ?? null);
}

/** `null` where no object around `start` is of a chain. Commas, colons and braces inside of strings are rare in such files. */
export function findNamedChain(text: string, start: number): NamedChain | null {
  const from = Math.max(0, start - MAX_TEXT);
  let depth = 0;
  let end = start;
  for (let at = start - 1; at >= from; at--) {
    const character = text[at];
    if (character === '}') depth++;
    if (character !== '{') continue;
    if (depth-- > 0) continue;
    depth = 0;
    // `chainId` beside the address, or beside the object that has it.
    const beside = CHAIN_ID.exec(text.slice(at, end))?.[1];
    if (beside !== undefined) return Number(beside);
    const key = KEY.exec(text.slice(Math.max(from, at - 80), at))?.[1];
    const named = key === undefined ? null : toNamedChain(key);
    if (named !== null) return named;
    end = at;
  }
  const atTop = CHAIN_ID.exec(text.slice(from, end))?.[1];
  return atTop === undefined ? null : Number(atTop);
}
