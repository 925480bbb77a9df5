// Types of variables with their sizes in storage, by the rules of solc ("Layout of State Variables in Storage").
import {
  ASSEMBLY_TYPE,
  type SolidityType,
  type StorageMember,
  type TypeIndex,
} from '../../api/contractDeclarations.ts';
import { getTypeText, type SyntaxNode, type SyntaxTrees, toName, toNode, toNodes } from './syntaxTree.ts';

const WORD_BYTES = 32;

/** A variable before it has a place. */
export interface UnplacedVariable {
  readonly name: string;
  readonly type: TypeIndex;
}

const UNKNOWN = { kind: 'unknown', bytes: WORD_BYTES, slots: 1n } as const;
/** What begins a slot of its own. */
const SLOT = { bytes: WORD_BYTES, slots: 1n } as const;

/** `struct Vault.Position` as the source has it. */
export const toTypeText = (text: string): string => text.replace(/\b(?:struct|enum|contract|library) (?=[\w$])/g, '');

/** A type with a name of the language; `null` for all others. */
export function toElementaryType(text: string): SolidityType | null {
  if (text === 'address' || text === 'address payable') return { kind: 'address', text, bytes: 20, slots: 1n };
  if (text === 'bool') return { kind: 'bool', text, bytes: 1, slots: 1n };
  if (text === 'string' || text === 'bytes') return { kind: text, text, ...SLOT };
  const [, kind, digits] = /^(uint|int|bytes)(\d+)$/.exec(text) ?? [];
  if (kind === 'bytes') return { kind: 'fixedBytes', text, bytes: Number(digits), slots: 1n };
  return kind === 'uint' || kind === 'int' ? { kind, text, bytes: Number(digits) / 8, slots: 1n } : null;
}

export class TypeTable {
  readonly types: SolidityType[] = [];
  readonly #trees: SyntaxTrees;
  readonly #indices = new Map<string, TypeIndex>();
  /** False where the definition of a type is in a tree that the build does not have: sizes may be wrong. */
  isComplete = true;

  constructor(trees: SyntaxTrees) {
    this.#trees = trees;
  }

  get(index: TypeIndex): SolidityType {
    return this.types[index] ?? { ...UNKNOWN, text: '' };
  }

  /** `key`: equal for equal types. */
  #add(key: string, create: () => SolidityType): TypeIndex {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    // A struct may refer to itself, by a mapping or a dynamic array: its index comes before its members.
    const index = this.types.push({ ...UNKNOWN, text: key }) - 1;
    this.#indices.set(key, index);
    this.types[index] = create();
    return index;
  }

  indexOf(typeName: SyntaxNode | null): TypeIndex {
    const text = toTypeText(getTypeText(typeName, 'typeString'));
    if (typeName === null) return this.#add('', () => ({ ...UNKNOWN, text }));
    switch (typeName['nodeType']) {
      case 'ElementaryTypeName':
        return this.#add(text, () => toElementaryType(text) ?? { ...UNKNOWN, text });
      case 'FunctionTypeName': {
        const isExternal = typeName['visibility'] === 'external';
        return this.#add(text, () => ({ kind: 'function', text, isExternal, bytes: isExternal ? 24 : 8, slots: 1n }));
      }
      case 'Mapping': {
        const [key, value] = [typeName['keyType'], typeName['valueType']].map(type => this.indexOf(toNode(type)));
        return this.#add(`mapping ${key} ${value}`, () => ({
          kind: 'mapping',
          text,
          key: key as TypeIndex,
          value: value as TypeIndex,
          ...SLOT,
        }));
      }
      case 'ArrayTypeName':
        return this.#indexOfArray(typeName, text);
      case 'UserDefinedTypeName': {
        const id = typeName['referencedDeclaration'];
        if (getTypeText(typeName, 'typeIdentifier').startsWith('t_contract'))
          return this.#add(`contract ${id}`, () => ({ kind: 'contract', text, bytes: 20, slots: 1n }));
        return this.#add(`user-defined ${id}`, () => this.#createUserDefined(this.#trees.definition(id), text));
      }
      default:
        return this.#add(text, () => ({ ...UNKNOWN, text }));
    }
  }

  /** Of variables in inline assembly. */
  indexOfAssembly(): TypeIndex {
    return this.#add(ASSEMBLY_TYPE, () => ({ ...UNKNOWN, text: ASSEMBLY_TYPE }));
  }

  #indexOfArray(typeName: SyntaxNode, text: string): TypeIndex {
    const base = this.indexOf(toNode(typeName['baseType']));
    const identifier = getTypeText(typeName, 'typeIdentifier');
    const [, digits] = /\$(\d+)_(?:storage|memory|calldata)(?:_ptr|_slice)?$/.exec(identifier) ?? [];
    const length = digits === undefined ? null : BigInt(digits);
    return this.#add(`array ${base} ${length}`, () => ({
      kind: 'array',
      text,
      base,
      length,
      bytes: WORD_BYTES,
      slots: length === null ? 1n : countSlots(this.get(base), length),
    }));
  }

  #createUserDefined(definition: SyntaxNode | null, text: string): SolidityType {
    switch (definition?.['nodeType']) {
      case 'EnumDefinition': {
        const members = toNodes(definition['members']).map(({ name }) => toName(name));
        // Before 0.8.0 an enum could have more than 256 members.
        return { kind: 'enum', text, members, bytes: members.length > 256 ? 2 : 1, slots: 1n };
      }
      case 'UserDefinedValueTypeDefinition': {
        const base = this.indexOf(toNode(definition['underlyingType']));
        return { kind: 'userDefined', text, base, bytes: this.get(base).bytes, slots: 1n };
      }
      case 'StructDefinition':
        return this.#createStruct(definition, text);
      default:
        this.isComplete = false;
        return { ...UNKNOWN, text };
    }
  }

  #createStruct(definition: SyntaxNode, text: string): SolidityType {
    const { members, slots } = this.place(
      toNodes(definition['members']).map(({ name, typeName }) => ({
        name: toName(name),
        type: this.indexOf(toNode(typeName)),
      })),
    );
    return { kind: 'struct', text, members, bytes: WORD_BYTES, slots };
  }

  /** The type of a struct's definition itself. */
  indexOfStruct(definition: SyntaxNode): TypeIndex {
    const text = toName(definition['canonicalName']) || toName(definition['name']);
    return this.#add(`user-defined ${definition['id']}`, () => this.#createUserDefined(definition, text));
  }

  /** Puts variables into slots one after the other, as many in one slot as fit. */
  place<T extends UnplacedVariable>(
    variables: readonly T[],
    first = 0n,
  ): { readonly members: readonly (T & StorageMember)[]; readonly slots: bigint } {
    let [slot, offset] = [first, 0];
    const members = variables.map(variable => {
      const { bytes, slots } = this.get(variable.type);
      if (offset + bytes > WORD_BYTES) [slot, offset] = [slot + 1n, 0];
      const member = { ...variable, slot: BigInt.asUintN(256, slot), offset };
      if (slots === 1n) offset += bytes;
      else [slot, offset] = [slot + slots, 0];
      return member;
    });
    const used = slot - first + (offset > 0 ? 1n : 0n);
    return { members, slots: used > 0n ? used : 1n };
  }
}

function countSlots({ bytes, slots }: SolidityType, length: bigint): bigint {
  const perSlot = BigInt(Math.floor(WORD_BYTES / bytes));
  const count = bytes < WORD_BYTES ? (length + perSlot - 1n) / perSlot : length * slots;
  return count > 0n ? count : 1n;
}
