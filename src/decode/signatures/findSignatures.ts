// Finds well-known events, functions, errors and interfaces by topic0, selector or interface id: all candidates.
import { hashSignature } from '../../base/hashSignature.ts';
import type { Hex } from '../../base/hex.ts';
import { ERROR_SIGNATURES } from './errorSignatures.ts';
import { EVENT_SIGNATURES } from './eventSignatures.ts';
import { FUNCTION_SIGNATURES } from './functionSignatures.ts';

/**
 * One line of a table: two bytes of its hash, a blank, the signature. Types that occur often are one letter (TYPES);
 * `!` between type and name is `indexed`. The two bytes are only an index: candidates are hashed and compared.
 */
const TYPES: Readonly<Record<string, string>> = {
  a: 'address',
  u: 'uint256',
  i: 'int256',
  b: 'bool',
  s: 'string',
  y: 'bytes',
  h: 'bytes32',
  4: 'bytes4',
};

export interface Signature {
  /** `transfer`. */
  readonly name: string;
  /** Standard or protocol it belongs to: `ERC-20`. */
  readonly standard: string;
  /** `transfer(address to, uint256 amount)`: human-readable ABI without its keyword. */
  readonly text: string;
  /** `transfer(address,uint256)`: the text that is hashed. */
  readonly canonical: string;
  /** keccak-256 of `canonical`, 32 bytes: an event's topic0; its first 4 bytes are a function's or error's selector. */
  readonly hash: Hex;
  /** Number of indexed parameters; 0 for functions and errors. */
  readonly indexedCount: number;
}

/** Parses a line of a table without its index. */
export function parseSignatureLine(line: string, standard: string): Signature {
  const full = line.replace(
    /([(,])([auibsyh4])(?=[[,)! ])/g,
    (_, before: string, type: string) => before + TYPES[type],
  );
  const canonical = full.replace(/[ !]\w+(?=[,)])/g, '');
  return {
    name: full.slice(0, full.indexOf('(')),
    standard,
    text: full.replaceAll('!', ' indexed ').replaceAll(',', ', '),
    canonical,
    hash: hashSignature(canonical),
    indexedCount: line.split('!').length - 1,
  };
}

const MAX_CACHED = 2_000;

/** A text search for two bytes of the hash finds the lines, so that nothing is parsed or hashed at startup. */
function createTable(table: string): (hash: string) => readonly Signature[] {
  const cache = new Map<string, readonly Signature[]>();
  return hash => {
    const prefix = hash.toLowerCase();
    const cached = cache.get(prefix);
    if (cached !== undefined) return cached;
    const found: Signature[] = [];
    const index = `\n${prefix.slice(2, 6)} `;
    for (let at = table.indexOf(index); at >= 0; at = table.indexOf(index, at + 1)) {
      const heading = table.lastIndexOf('\n#', at) + 2;
      const line = table.slice(at + index.length, table.indexOf('\n', at + 1));
      const signature = parseSignatureLine(line, table.slice(heading, table.indexOf('\n', heading)));
      if (signature.hash.startsWith(prefix)) found.push(signature);
    }
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(prefix, found);
    return found;
  };
}

const events = createTable(EVENT_SIGNATURES);
const functions = createTable(FUNCTION_SIGNATURES);
const errors = createTable(ERROR_SIGNATURES);
const NONE: readonly Signature[] = [];

/** Events with this topic0 (`0x` and 64 digits, any case); they differ in indexed parameters (`Transfer` of ERC-20 and ERC-721). */
export function findEventSignatures(topic0: string): readonly Signature[] {
  return topic0.length === 66 ? events(topic0) : NONE;
}

/** All well-known events, in the order of the table. */
export const listEventSignatures = (): readonly Signature[] =>
  [...EVENT_SIGNATURES.matchAll(/^([0-9a-f]{4}) (.+)$/gm)]
    .map(([, , line = '']) => parseSignatureLine(line, ''))
    .flatMap(({ hash }) => events(hash));

/** Functions with this selector (`0x` and 8 digits, any case). */
export function findFunctionSignatures(selector: string): readonly Signature[] {
  return selector.length === 10 ? functions(selector) : NONE;
}

/** Custom errors, `Error(string)` and `Panic(uint256)` with this selector (`0x` and 8 digits, any case). */
export function findErrorSignatures(selector: string): readonly Signature[] {
  return selector.length === 10 ? errors(selector) : NONE;
}

/** ERC-165 interface ids of well-known standards. */
const INTERFACES: Readonly<Record<string, string>> = {
  '01ffc9a7': 'ERC-165',
  '36372b07': 'ERC-20',
  a219a025: 'ERC-20 metadata',
  '80ac58cd': 'ERC-721',
  '5b5e139f': 'ERC-721 metadata',
  '780e9d63': 'ERC-721 enumerable',
  '150b7a02': 'ERC-721 receiver',
  d9b67a26: 'ERC-1155',
  '0e89341c': 'ERC-1155 metadata URI',
  '4e2312e0': 'ERC-1155 receiver',
  '2a55205a': 'ERC-2981 royalties',
  '49064906': 'ERC-4906 metadata update',
  '7f5828d0': 'ERC-173 ownership',
  '7965db0b': 'AccessControl',
  '1626ba7e': 'ERC-1271 signature validation',
  '9d8ff7da': 'ERC-2612 permit',
  '48e2b093': 'ERC-2535 diamond loupe',
  b0202a11: 'ERC-1363',
  '5604e225': 'ERC-4494 permit',
  ad092b5c: 'ERC-4907 rental',
};

/** The standard whose ERC-165 interface id this is, given as `0x` and 8 digits in any case; `null` when unknown. */
export function getInterfaceName(id: string): string | null {
  const digits = id.slice(2).toLowerCase();
  return Object.hasOwn(INTERFACES, digits) ? (INTERFACES[digits] ?? null) : null;
}
