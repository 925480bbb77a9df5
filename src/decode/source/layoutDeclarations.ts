// Reads solc's `storageLayout` and `transientStorageLayout`, for builds without syntax trees.
import type { ContractDeclarations, SolidityType, StorageVariable, TypeIndex } from '../../api/contractDeclarations.ts';
import { isObject } from '../../base/isObject.ts';
import { type SyntaxNode, toName, toNode, toNodes } from './syntaxTree.ts';
import { toElementaryType, toTypeText } from './typeTable.ts';

const WORD_BYTES = 32n;

/** `null` where there is no layout. */
export function readLayoutDeclarations(layout: unknown, transientLayout: unknown): ContractDeclarations | null {
  if (!isObject(layout) || !Array.isArray(layout['storage'])) return null;
  const table = new LayoutTypes();
  return {
    by: 'storageLayout',
    storage: table.readVariables(layout),
    transient: isObject(transientLayout) ? table.readVariables(transientLayout) : [],
    immutables: [],
    constants: [],
    functions: [],
    types: table.types,
  };
}

const toPlace = ({ label, slot, offset }: SyntaxNode) => ({
  name: toName(label),
  slot: BigInt(toName(slot)),
  offset: Number(offset),
});

class LayoutTypes {
  readonly types: SolidityType[] = [];
  readonly #indices = new Map<string, TypeIndex>();
  #wire: SyntaxNode = {};

  readVariables(layout: SyntaxNode): readonly StorageVariable[] {
    this.#wire = toNode(layout['types']) ?? {};
    return toNodes(layout['storage']).map(each => ({
      ...toPlace(each),
      // The contract is the one whose layout it is, not the one that declares the variable.
      contract: toName(each['contract']).replace(/^.*:/, ''),
      type: this.#indexOf(toName(each['type'])),
    }));
  }

  #indexOf(id: string): TypeIndex {
    const known = this.#indices.get(id);
    if (known !== undefined) return known;
    const index = this.types.push({ kind: 'unknown', text: id, bytes: 32, slots: 1n }) - 1;
    this.#indices.set(id, index);
    this.types[index] = this.#read(id, toNode(this.#wire[id]) ?? {});
    return index;
  }

  #read(id: string, wire: SyntaxNode): SolidityType {
    const { encoding, label, numberOfBytes, base, key, value, members } = wire;
    const text = toTypeText(toName(label));
    const size = BigInt(toName(numberOfBytes) || WORD_BYTES);
    const isPacked = size <= WORD_BYTES && encoding === 'inplace' && base === undefined && members === undefined;
    const sizes = isPacked
      ? { bytes: Number(size), slots: 1n }
      : { bytes: Number(WORD_BYTES), slots: (size + WORD_BYTES - 1n) / WORD_BYTES };
    if (encoding === 'mapping') {
      const [keyType, valueType] = [this.#indexOf(toName(key)), this.#indexOf(toName(value))];
      return { kind: 'mapping', text, key: keyType, value: valueType, ...sizes };
    }
    if (base !== undefined) {
      const [, digits] = /\)(\d+)_storage$/.exec(id) ?? [];
      const length = encoding === 'inplace' && digits !== undefined ? BigInt(digits) : null;
      return { kind: 'array', text, base: this.#indexOf(toName(base)), length, ...sizes };
    }
    if (members !== undefined) {
      const read = toNodes(members).map(each => ({ ...toPlace(each), type: this.#indexOf(toName(each['type'])) }));
      return { kind: 'struct', text, members: read, ...sizes };
    }
    if (id.startsWith('t_contract(')) return { kind: 'contract', text, ...sizes };
    if (id.startsWith('t_enum(')) return { kind: 'enum', text, members: null, ...sizes };
    if (id.startsWith('t_userDefinedValueType(')) return { kind: 'userDefined', text, base: null, ...sizes };
    if (id.startsWith('t_function_')) {
      return { kind: 'function', text, isExternal: id.startsWith('t_function_external'), ...sizes };
    }
    return toElementaryType(text) ?? { kind: 'unknown', text, ...sizes };
  }
}
