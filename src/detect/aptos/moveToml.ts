// Reads the named addresses of a Move.toml: `[addresses]`, and `[dev-addresses]` where the first leave one open.
import type { Hex } from '../../base/hex.ts';
import { toLongAddress } from './moveAddresses.ts';

const TABLE = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/;
const ENTRY = /^\s*["']?([A-Za-z_][\w-]{0,63})["']?\s*=\s*["'](_|(?:0[xX])?[0-9a-fA-F]{1,64})["']\s*(?:#.*)?$/;
const MAX_NAMES = 500;

/** `null` for a name that the package leaves open (`_`). Lines that are no addresses are passed over. */
export function parseMoveToml(text: string): ReadonlyMap<string, Hex | null> {
  const names = new Map<string, Hex | null>();
  const forTests = new Map<string, Hex>();
  let table = '';
  for (const line of text.split(/\r?\n/)) {
    const head = TABLE.exec(line)?.[1];
    if (head !== undefined) {
      table = head.trim();
      continue;
    }
    if (table !== 'addresses' && table !== 'dev-addresses') continue;
    const [, name, value] = ENTRY.exec(line) ?? [];
    if (name === undefined || value === undefined || names.size >= MAX_NAMES) continue;
    const address = value === '_' ? null : toLongAddress(value);
    if (table === 'addresses') names.set(name, address);
    else if (address !== null) forTests.set(name, address);
  }
  for (const [name, address] of forTests) if ((names.get(name) ?? null) === null) names.set(name, address);
  return names;
}
