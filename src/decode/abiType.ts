// Parses types of a JSON ABI (`uint256[2][]`, `tuple`) into a tree for the decoder (Solidity ABI specification).

/** One parameter as a JSON ABI has it. */
export interface AbiParameter {
  readonly name: string;
  /** `address`, `uint256[]`, `tuple[2]`. */
  readonly type: string;
  /** Events only: the value is in a topic. */
  readonly indexed?: boolean;
  /** Fields of a tuple. */
  readonly components?: readonly AbiParameter[];
  /** The name of a tuple's struct, where the compiler wrote it. */
  readonly struct?: string;
  /** Likewise of an enum, with the contract that declares it: `Vault.Status`. */
  readonly enumName?: string;
}

export type AbiType =
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { readonly kind: 'uint' | 'int'; readonly bits: number; readonly enumName?: string }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  /** `length` is `null` for dynamic arrays. */
  | { readonly kind: 'array'; readonly item: AbiType; readonly itemText: string; readonly length: number | null }
  | { readonly kind: 'tuple'; readonly fields: readonly AbiField[]; readonly struct?: string };

export interface AbiField {
  readonly name: string;
  /** In canonical form: tuples as `(address,uint256)`. */
  readonly canonicalType: string;
  readonly type: AbiType;
}

/** Limits that no real contract reaches; they bound the recursion. */
const MAX_DEPTH = 16;
const MAX_FIELDS = 256;
/** A longer fixed array does not fit in a transaction. */
const MAX_LENGTH = 100_000;

interface ParsedType {
  readonly type: AbiType;
  readonly text: string;
}

const simpleTypes = new Map<string, AbiType>([
  ['address', { kind: 'address' }],
  ['bool', { kind: 'bool' }],
  ['bytes', { kind: 'bytes' }],
  ['string', { kind: 'string' }],
  // An address and a selector.
  ['function', { kind: 'fixedBytes', size: 24 }],
]);

function parseElementary(text: string): ParsedType | null {
  const simple = simpleTypes.get(text);
  if (simple !== undefined) return { type: simple, text };
  const [, word, digits = ''] = /^(uint|int|bytes)(\d{0,3})$/.exec(text) ?? [];
  if (word === undefined) return null;
  if (word === 'bytes') {
    const size = Number(digits);
    return size >= 1 && size <= 32 && String(size) === digits ? { type: { kind: 'fixedBytes', size }, text } : null;
  }
  const bits = digits === '' ? 256 : Number(digits);
  if (digits.startsWith('0') || bits < 8 || bits > 256 || bits % 8 !== 0) return null;
  return { type: { kind: word === 'uint' ? 'uint' : 'int', bits }, text: `${word}${bits}` };
}

function parseParameter({ type, components, struct, enumName }: AbiParameter, depth: number): ParsedType | null {
  if (depth > MAX_DEPTH) return null;
  const [, inner, count] = /^(.*)\[(\d{0,6})\]$/.exec(type) ?? [];
  if (inner !== undefined) {
    const element = {
      name: '',
      type: inner,
      ...(components && { components }),
      ...(struct && { struct }),
      ...(enumName && { enumName }),
    };
    const item = parseParameter(element, depth + 1);
    const length = count === '' ? null : Number(count);
    if (item === null || (length !== null && length > MAX_LENGTH)) return null;
    const text = `${item.text}[${length ?? ''}]`;
    return { type: { kind: 'array', item: item.type, itemText: item.text, length }, text };
  }
  if (type !== 'tuple') {
    const parsed = parseElementary(type);
    return parsed?.type.kind === 'uint' && enumName !== undefined
      ? { ...parsed, type: { ...parsed.type, enumName } }
      : parsed;
  }
  const fields = parseFields(components ?? [], depth + 1);
  if (fields === null || fields.length === 0) return null; // Solidity has no empty structs
  return {
    type: { kind: 'tuple', fields, ...(struct && { struct }) },
    text: `(${fields.map(({ canonicalType }) => canonicalType).join(',')})`,
  };
}

function parseFields(parameters: readonly AbiParameter[], depth: number): readonly AbiField[] | null {
  if (parameters.length > MAX_FIELDS) return null;
  const fields: AbiField[] = [];
  for (const parameter of parameters) {
    const parsed = parseParameter(parameter, depth);
    if (parsed === null) return null;
    fields.push({ name: parameter.name, canonicalType: parsed.text, type: parsed.type });
  }
  return fields;
}

/** As the source declares it: `Status` or `Status[2]` for an enum, which is a `uint8` in the canonical form. */
export function formatFieldType({ type, canonicalType }: Pick<AbiField, 'type' | 'canonicalType'>): string {
  if (type.kind === 'array') {
    const item = formatFieldType({ type: type.item, canonicalType: type.itemText });
    return `${item}[${type.length ?? ''}]`;
  }
  const enumName = type.kind === 'uint' ? type.enumName : undefined;
  return enumName === undefined ? canonicalType : enumName.slice(enumName.lastIndexOf('.') + 1);
}

/** The parameters as a tree; `null` when one of them has an unknown type. */
export const parseAbiParameters = (parameters: readonly AbiParameter[]): readonly AbiField[] | null =>
  parseFields(parameters, 0);

/** Whether its head is the offset of its value. */
export function isDynamicType(type: AbiType): boolean {
  switch (type.kind) {
    case 'bytes':
    case 'string':
      return true;
    case 'array':
      return type.length === null || isDynamicType(type.item);
    case 'tuple':
      return type.fields.some(field => isDynamicType(field.type));
    default:
      return false;
  }
}

/** Size of its head in bytes: 32 for an offset, the whole value for a static type. */
export function getHeadSize(type: AbiType): number {
  if (isDynamicType(type)) return 32;
  if (type.kind === 'array') return (type.length ?? 0) * getHeadSize(type.item);
  if (type.kind === 'tuple') return type.fields.reduce((sum, field) => sum + getHeadSize(field.type), 0);
  return 32;
}
