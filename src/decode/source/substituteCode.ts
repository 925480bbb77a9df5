// The code of an unoptimized build in place of code on a chain: with its immutables, linked libraries and arguments.
import type { Hex } from '../../base/hex.ts';
import { isObject, toRecord } from '../../base/isObject.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';

/** `evm.bytecode` or `evm.deployedBytecode` of a compiler's output. */
export type BytecodeOutput = Readonly<Record<string, unknown>>;

interface Reference {
  readonly start: number;
  readonly length: number;
}

/** A library's code begins with its own address: PUSH20 (zeros) ADDRESS EQ. */
const LIBRARY_GUARD = /^73[\da-f]{40}3014/;
/** The key that via-IR has for the same among the immutables. */
const LIBRARY_ADDRESS = 'library_deploy_address';
const ADDRESS_DIGITS = 40;

export const getCode = ({ object }: BytecodeOutput): string =>
  (typeof object === 'string' ? object : '').replace(/^0x/, '').toLowerCase();

const toReferences = (value: unknown): readonly Reference[] =>
  (Array.isArray(value) ? value.filter(isObject) : []).map(({ start, length }) => ({
    start: Number(start),
    length: Number(length),
  }));

/** By `path:Library`. */
function readLinks({ linkReferences }: BytecodeOutput): ReadonlyMap<string, readonly Reference[]> {
  return new Map(
    Object.entries(toRecord(linkReferences)).flatMap(([path, libraries]) =>
      Object.entries(toRecord(libraries)).map(([name, places]) => [`${path}:${name}`, toReferences(places)] as const),
    ),
  );
}

/** By id of the variable, in the order of the source. */
function readImmutables({ immutableReferences }: BytecodeOutput): readonly (readonly [string, readonly Reference[]])[] {
  return Object.entries(toRecord(immutableReferences))
    .filter(([id]) => /^\d+$/.test(id))
    .map(([id, places]) => [id, toReferences(places)] as const)
    .sort(([a], [b]) => Number(a) - Number(b));
}

const digitsAt = (code: string, { start, length }: Reference): string => code.slice(2 * start, 2 * (start + length));
const replaceAt = (code: string, { start, length }: Reference, digits: string): string =>
  code.slice(0, 2 * start) + digits.padStart(2 * length, '0') + code.slice(2 * (start + length));

/** One code of a contract in both builds. */
export interface CodePair {
  /** As it is on the chain. */
  readonly deployed: Hex;
  readonly original: BytecodeOutput;
  readonly substitute: BytecodeOutput;
  /** Both builds are of the same sources: variables have the same ids. */
  readonly hasSameIds: boolean;
}

type Filled = { readonly code: Hex } | { readonly problem: LocalizableText };

function fillLinks(code: string, deployed: string, { original, substitute }: CodePair): string | null {
  const links = readLinks(original);
  let linked = code;
  for (const [name, places] of readLinks(substitute)) {
    const [known] = links.get(name) ?? [];
    if (known === undefined) return null;
    for (const place of places) linked = replaceAt(linked, place, digitsAt(deployed, known));
  }
  return linked;
}

function fillImmutables(code: string, deployed: string, pair: CodePair): string | null {
  const [from, to] = [readImmutables(pair.original), readImmutables(pair.substitute)];
  // Other ids of the same variables are in the same order; that says something only where all of them are in both.
  if (!pair.hasSameIds && from.length !== to.length) return null;
  const known = new Map(from);
  let filled = code;
  for (const [i, [id, places]] of to.entries()) {
    const [first] = (pair.hasSameIds ? known.get(id) : from[i]?.[1]) ?? [];
    if (first === undefined) return null;
    for (const place of places) filled = replaceAt(filled, place, digitsAt(deployed, first));
  }
  return filled;
}

/** A library compares its own address in functions that write; where the deployed code has none, no function does. */
function fillAddress(code: string, deployed: string, original: BytecodeOutput): string {
  if (!LIBRARY_GUARD.test(code)) return code;
  const [place] = toReferences(toRecord(original['immutableReferences'])[LIBRARY_ADDRESS]);
  const ofGuard = LIBRARY_GUARD.test(deployed) ? deployed.slice(2, 2 + ADDRESS_DIGITS) : null;
  const own = place === undefined ? ofGuard : digitsAt(deployed, place).slice(-ADDRESS_DIGITS);
  return own === null ? code : code.slice(0, 2) + own + code.slice(2 + ADDRESS_DIGITS);
}

/** The runtime code of the substitute for deployed code. */
export function fillRuntimeCode(pair: CodePair): Filled {
  const deployed = pair.deployed.slice(2);
  const linked = fillLinks(getCode(pair.substitute), deployed, pair);
  if (linked === null) return { problem: localizable('the address of a library that it uses is not known') };
  const filled = fillImmutables(linked, deployed, pair);
  if (filled === null) return { problem: localizable('the value of an immutable is not in the code of the chain') };
  return { code: `0x${fillAddress(filled, deployed, pair.original)}` };
}

/** The code of the substitute that creates the contract, with the same arguments. */
export function fillCreationCode(pair: CodePair): Filled {
  const deployed = pair.deployed.slice(2);
  const linked = fillLinks(getCode(pair.substitute), deployed, pair);
  if (linked === null) return { problem: localizable('the address of a library that it uses is not known') };
  return { code: `0x${linked}${deployed.slice(getCode(pair.original).length)}` };
}
