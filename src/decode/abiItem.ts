// Events, functions and errors of a JSON ABI, with their topic0 or selector.

import { getOrInsert } from '../base/getOrInsert.ts';
import { hashSignature } from '../base/hashSignature.ts';
import type { Hex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import { type AbiField, type AbiParameter, formatFieldType, parseAbiParameters } from './abiType.ts';

export interface AbiItem {
  readonly kind: 'event' | 'function' | 'error';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** Of a function; absent where its declaration does not say. */
  readonly outputs?: readonly AbiParameter[];
  /** A function that changes nothing: `view` or `pure`. */
  readonly isReadOnly?: true;
  /** An event without topic0. */
  readonly isAnonymous: boolean;
  /** `transfer(address,uint256)`: the text that is hashed. */
  readonly canonical: string;
  /** keccak-256 of `canonical`: an event's topic0; the first 4 bytes are a function's or error's selector. */
  readonly hash: Hex;
  /** Name of the contract (workspace) or of the standard (bundled) that declares it. */
  readonly source: string;
}

/** Solidity allows `$` in names. Longer names are rejected: they are not written by hand. */
const NAME = /^[A-Za-z_$][\w$]{0,127}$/;
/** Solidity's `internalType` of a tuple, or of an array of them: `struct Vault.Position[]`. */
const STRUCT = /^struct (?:[\w$]{1,128}\.)*([A-Za-z_$][\w$]{0,127})(?:\[\d*\])*$/;
/** Likewise of an enum: `enum Vault.Status`. */
const ENUM = /^enum ((?:[\w$]{1,128}\.){0,2}[A-Za-z_$][\w$]{0,127})(?:\[\d*\])*$/;
const MAX_DEPTH = 16;
/** Of one artifact; the largest contracts have some hundreds. */
const MAX_ITEMS = 5_000;

function readParameter(value: unknown, depth: number): AbiParameter | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const { name, type, indexed, components, internalType } = value;
  if (typeof type !== 'string' || type.length > 64) return null;
  const [, struct] = typeof internalType === 'string' ? (STRUCT.exec(internalType) ?? []) : [];
  const [, enumName] = typeof internalType === 'string' ? (ENUM.exec(internalType) ?? []) : [];
  const inner = Array.isArray(components) ? readParameters(components, depth + 1) : undefined;
  if (inner === null) return null;
  return {
    name: typeof name === 'string' && NAME.test(name) ? name : '',
    type,
    ...(indexed === true && { indexed: true }),
    ...(inner !== undefined && { components: inner }),
    ...(inner !== undefined && struct !== undefined && { struct }),
    ...(enumName !== undefined && { enumName }),
  };
}

function readParameters(values: readonly unknown[], depth = 0): readonly AbiParameter[] | null {
  const parameters: AbiParameter[] = [];
  for (const value of values) {
    const parameter = readParameter(value, depth);
    if (parameter === null) return null;
    parameters.push(parameter);
  }
  return parameters;
}

/** `null` for constructors, fallbacks and invalid entries. */
export function parseAbiItem(value: unknown, source: string): AbiItem | null {
  if (!isObject(value)) return null;
  const { type, name, inputs, outputs, stateMutability, anonymous } = value;
  if (type !== 'event' && type !== 'function' && type !== 'error') return null;
  if (typeof name !== 'string' || !NAME.test(name)) return null;
  const parameters = inputs === undefined ? [] : Array.isArray(inputs) ? readParameters(inputs) : null;
  const fields = parameters === null ? null : parseAbiParameters(parameters);
  if (parameters === null || fields === null) return null;
  const results = type === 'function' && Array.isArray(outputs) ? readParameters(outputs) : null;
  const isReadOnly = type === 'function' && (stateMutability === 'view' || stateMutability === 'pure');
  const canonical = `${name}(${fields.map(({ canonicalType }) => canonicalType).join(',')})`;
  return {
    kind: type,
    name,
    inputs: parameters,
    ...(results !== null && parseAbiParameters(results) !== null && { outputs: results }),
    ...(isReadOnly && { isReadOnly }),
    isAnonymous: type === 'event' && anonymous === true,
    canonical,
    hash: hashSignature(canonical),
    source,
  };
}

/** All items of a JSON ABI; invalid entries are ignored. */
export function readAbi(abi: unknown, source: string): readonly AbiItem[] {
  if (!Array.isArray(abi)) return [];
  return abi.slice(0, MAX_ITEMS).flatMap(entry => parseAbiItem(entry, source) ?? []);
}

const fieldsCache = new WeakMap<AbiItem, readonly AbiField[]>();

/** The inputs as types, parsed once. */
export function getAbiFields(item: AbiItem): readonly AbiField[] {
  // Its inputs were validated when the item was created.
  return getOrInsert(fieldsCache, item, () => parseAbiParameters(item.inputs) ?? []);
}

function formatItem(item: AbiItem, formatType: (field: AbiField) => string): string {
  const parts = getAbiFields(item).map((field, index) =>
    [formatType(field), item.inputs[index]?.indexed ? 'indexed' : '', field.name].filter(word => word !== '').join(' '),
  );
  return `${item.name}(${parts.join(', ')})`;
}

/** Human-readable signature: `Transfer(address indexed from, address indexed to, uint256 value)`. */
export const formatAbiItem = (item: AbiItem): string => formatItem(item, ({ canonicalType }) => canonicalType);

/** The same for people, as the source has it: `setStatus(Status status)`. */
export const formatDeclaration = (item: AbiItem): string => formatItem(item, formatFieldType);

/** Declarations with the same signature differ in their encoding only by indexed parameters. */
export const getLayoutKey = (item: AbiItem): string =>
  `${item.kind}:${item.canonical}:${item.inputs.map(({ indexed }) => (indexed ? 1 : 0)).join('')}`;
