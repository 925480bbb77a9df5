// The compact notation of the bundled signature tables.
import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex } from '../../base/hex.ts';

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

const encoder = new TextEncoder();

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
    hash: bytesToHex(keccak256(encoder.encode(canonical), { as: 'Bytes' })),
    indexedCount: line.split('!').length - 1,
  };
}
