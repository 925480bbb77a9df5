// Compares the code of a contract with a compiler's artifact: immutables, library links and metadata hashes do not count.

import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex, hexToBytes } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import { getContractName } from './parseArtifact.ts';

/** Bytes of the code that are set when the contract is deployed: first byte and number of bytes. */
export type CodeMask = readonly (readonly [start: number, length: number])[];

/** What identifies the runtime code of one artifact. */
export interface CodeFingerprint {
  readonly mask: CodeMask;
  /** Bytes without the metadata at the end. */
  readonly size: number;
  /** Of the code without the metadata at the end. */
  readonly hash: Hex;
  /** Of the code with its metadata: it tells apart contracts that differ in nothing else. */
  readonly exactHash: Hex;
}

export interface BuiltContract {
  readonly name: string;
  /** Path of its source below the project's folder, as the compiler wrote it; `null` when the artifact does not say. */
  readonly source: string | null;
  /** Hex digits, with zeros where the mask is. */
  readonly code: string;
  readonly mask: CodeMask;
}

/** Placeholders of libraries that are not linked: `__$<34 digits of a hash>$__`, in old versions `__File.sol:Library___`. */
const LINK = /__.{36}__|__.{38}/g;
/** A library compares its own address with the code's: PUSH20 (zeros) ADDRESS EQ. */
const LIBRARY_GUARD = /^730{40}3014/;
/** solc writes zeros with PUSH32 only where an immutable is set later. */
const UNSET_IMMUTABLE = /7f0{64}/g;
/** The key `ipfs` and its value of 34 bytes in metadata, also in that of contracts that the code creates. */
const METADATA_HASH = /(64697066735822)[0-9a-f]{68}/g;
/** Metadata of solc: a CBOR map of up to four entries, of which the first is `ipfs`, `bzzr0`, `bzzr1` or `solc`. */
const METADATA = /^a[1-4](?:6469706673|65627a7a72|64736f6c63|6c6578706572696d656e74616c)/;

/** Code is a project's, not a chain's: its contracts may be larger than a chain allows. */
const MAX_CODE_DIGITS = 2 * 1024 * 1024;
const MAX_MASKS = 10_000;

/** Positions in `immutableReferences`: lists of `{ start, length }` by the id of a variable. */
function readReferences(value: unknown): CodeMask {
  if (!isObject(value)) return [];
  return Object.values(value)
    .flatMap(list => (Array.isArray(list) ? list : []))
    .filter(isObject)
    .map(({ start, length }) => [Number(start), Number(length)] as const)
    .filter(([start, length]) => Number.isSafeInteger(start) && start >= 0 && length >= 0 && length <= 32)
    .slice(0, MAX_MASKS);
}

const findMatches = (code: string, pattern: RegExp, skip: number, length: number): CodeMask =>
  [...code.matchAll(pattern)]
    .filter(({ index }) => index % 2 === 0)
    .map(({ index }) => [index / 2 + skip, length] as const);

/** Path of a source in the project: never absolute, never above the project's folder. */
function toSourcePath(path: unknown): string | null {
  if (typeof path !== 'string' || path.length > 500 || !/^[^\\:*?"<>|]+\.(?:sol|vy)$/.test(path)) return null;
  const parts = path.split('/');
  return parts.every(part => part !== '' && part !== '.' && part !== '..') ? path : null;
}

/** The entry of `settings.compilationTarget` in metadata: the source's path and the contract's name. */
function readTarget({ metadata }: Readonly<Record<string, unknown>>): readonly [path: unknown, name: unknown] {
  const settings = isObject(metadata) ? metadata['settings'] : undefined;
  const target = isObject(settings) ? settings['compilationTarget'] : undefined;
  return isObject(target) ? (Object.entries(target)[0] ?? [null, null]) : [null, null];
}

function readSourcePath(artifact: Readonly<Record<string, unknown>>): string | null {
  const { sourceName, inputSourceName, ast } = artifact;
  return (
    toSourcePath(readTarget(artifact)[0]) ??
    // Hardhat 3 writes the path of the project's own files as `project/…` only for the compiler.
    toSourcePath(sourceName) ??
    toSourcePath(inputSourceName) ??
    toSourcePath(isObject(ast) ? ast['absolutePath'] : undefined)
  );
}

const isContractName = (name: unknown): name is string => typeof name === 'string' && /^[\w$]{1,128}$/.test(name);

/** The contract of a Foundry, Hardhat or hardhat-deploy artifact; `null` when it is none, or has no code (an interface). */
export function readBuiltContract(artifact: unknown, path: string): BuiltContract | null {
  if (!isObject(artifact)) return null;
  const { deployedBytecode, contractName } = artifact;
  const name = [contractName, readTarget(artifact)[1]].find(isContractName) ?? getContractName(path);
  const object = isObject(deployedBytecode) ? deployedBytecode['object'] : deployedBytecode;
  if (typeof object !== 'string' || object.length > MAX_CODE_DIGITS) return null;
  const linked = object.replace(/^0x/, '');
  const code = linked.replace(LINK, '0'.repeat(40)).toLowerCase();
  if (code === '' || code.length % 2 !== 0 || !/^[0-9a-f]+$/.test(code)) return null;
  const references = isObject(deployedBytecode) ? deployedBytecode['immutableReferences'] : undefined;
  const immutables = references ?? artifact['immutableReferences'];
  return {
    name,
    source: readSourcePath(artifact),
    code,
    mask: [
      ...findMatches(linked, LINK, 0, 20),
      ...(LIBRARY_GUARD.test(code) ? [[1, 20] as const] : []),
      ...(isObject(immutables) ? readReferences(immutables) : findMatches(code, UNSET_IMMUTABLE, 1, 32)),
    ],
  };
}

/** Hex digits with zeros in place of what is set at deployment, and of metadata hashes. */
function maskCode(code: string, mask: CodeMask): string {
  let at = 0;
  let masked = '';
  for (const [start, length] of [...mask].sort(([a], [b]) => a - b)) {
    const [from, to] = [Math.max(at, 2 * start), Math.min(code.length, 2 * (start + length))];
    if (from >= to) continue;
    masked += code.slice(at, from) + '0'.repeat(to - from);
    at = to;
  }
  return masked + code.slice(at);
}

const withoutHashes = (code: string): string => code.replace(METADATA_HASH, (_, key: string) => key + '0'.repeat(68));

/** The code without the metadata that solc appends, whose length is in the last two bytes. */
export function withoutMetadata(code: string): string {
  const length = 2 * Number.parseInt(code.slice(-4), 16);
  const start = code.length - 4 - length;
  return start >= 0 && METADATA.test(code.slice(start, start + 32)) ? code.slice(0, start) : code;
}

/** What is compared: without everything that may differ between two deployments of one build. */
const normalizeCode = (code: string, mask: CodeMask): string => withoutHashes(withoutMetadata(maskCode(code, mask)));

export const hashDigits = (digits: string): Hex => bytesToHex(keccak256(hexToBytes(`0x${digits}`), { as: 'Bytes' }));

export function createFingerprint({ code, mask }: Pick<BuiltContract, 'code' | 'mask'>): CodeFingerprint {
  const normalized = normalizeCode(code, mask);
  return {
    mask,
    size: normalized.length / 2,
    hash: hashDigits(normalized),
    exactHash: hashDigits(maskCode(code, mask)),
  };
}

export type CodeMatch = 'exact' | 'same' | null;

/** Whether the code on a chain (hex digits) is of that build: `exact` with its metadata, `same` without. */
export function matchCode(code: string, fingerprint: CodeFingerprint): CodeMatch {
  const { mask, size, hash, exactHash } = fingerprint;
  if (withoutMetadata(code).length !== 2 * size) return null;
  if (hashDigits(normalizeCode(code, mask)) !== hash) return null;
  return hashDigits(maskCode(code, mask)) === exactHash ? 'exact' : 'same';
}

/** Bytes in which two codes of the same size differ; `null` when their sizes differ. */
export function countDifferentBytes(code: string, built: Pick<BuiltContract, 'code' | 'mask'>): number | null {
  const [a, b] = [normalizeCode(code, built.mask), normalizeCode(built.code, built.mask)];
  if (a.length !== b.length) return null;
  let count = 0;
  for (let i = 0; i < a.length; i += 2) if (a[i] !== b[i] || a[i + 1] !== b[i + 1]) count++;
  return count;
}
