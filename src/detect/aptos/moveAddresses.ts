// Aptos addresses as texts write them: AIP-40, names of the framework's, named addresses of a Move.toml.

import { padAptosAddress, toShortAptosAddress } from '../../base/aptosAddress.ts';
import type { Hex } from '../../base/hex.ts';

/** AIP-40: `0x0` to `0xf` are short, all others long. `address` is in the long form. */
export function formatAip40(address: Hex): Hex {
  return isSpecialAddress(address) ? `0x${address.slice(-1)}` : address;
}

export function isSpecialAddress(address: Hex): boolean {
  return address.startsWith(`0x${'0'.repeat(63)}`);
}

/** Addresses that `system_addresses` of the framework counts as its own; nothing is published there. */
const RESERVED = 'Reserved for the Aptos framework';

const NAMES: Readonly<Record<string, string>> = {
  '0x0': 'Reserved for the virtual machine',
  '0x1': 'Aptos framework (std, aptos_std, aptos_framework)',
  '0x2': RESERVED,
  '0x3': 'Aptos token framework (aptos_token)',
  '0x4': 'Aptos token objects framework (aptos_token_objects)',
  '0x5': 'Aptos trading framework (aptos_trading)',
  '0x6': RESERVED,
  '0x7': 'Aptos experimental framework (aptos_experimental)',
  '0x8': RESERVED,
  '0x9': RESERVED,
  '0xa': 'APT, as a fungible asset (its metadata)',
  '0xa550c18': 'Core resources account',
};

/** Well-known name of the address; `null` for ordinary ones. */
export function getFrameworkName(address: Hex): string | null {
  const short = toShortAptosAddress(address);
  return Object.hasOwn(NAMES, short) ? (NAMES[short] ?? null) : null;
}

/** Named addresses that mean the same in every package. */
const FRAMEWORK_NAMES: Readonly<Record<string, string>> = {
  std: '0x1',
  aptos_std: '0x1',
  aptos_framework: '0x1',
  vm_reserved: '0x0',
  aptos_token: '0x3',
  aptos_token_objects: '0x4',
  aptos_trading: '0x5',
  aptos_experimental: '0x7',
  aptos_fungible_asset: '0xa',
  core_resources: '0xa550c18',
};

/** The framework's address with that name; `null` when there is none. */
export function getFrameworkAddress(name: string): Hex | null {
  return Object.hasOwn(FRAMEWORK_NAMES, name) ? padAptosAddress(FRAMEWORK_NAMES[name] ?? '') : null;
}

const TABLE = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/;
const ENTRY = /^\s*["']?([A-Za-z_][\w-]{0,63})["']?\s*=\s*["'](_|(?:0[xX])?[0-9a-fA-F]{1,64})["']\s*(?:#.*)?$/;
const MAX_NAMES = 500;

/**
 * Named addresses of a Move.toml: `[addresses]`, and `[dev-addresses]` for those that are left open (`_`); `null` for names
 * without an address.
 */
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
    const address = value === '_' ? null : padAptosAddress(value);
    if (table === 'addresses') names.set(name, address);
    else if (address !== null) forTests.set(name, address);
  }
  for (const [name, address] of forTests) if ((names.get(name) ?? null) === null) names.set(name, address);
  return names;
}
