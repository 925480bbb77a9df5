// Reads what a contract declares from syntax trees, with the storage layout that solc gives it.
import type {
  ConstantVariable,
  ContractDeclarations,
  DataLocation,
  FunctionDeclaration,
  ImmutableVariable,
  LocalVariable,
  StorageVariable,
  TypeIndex,
} from '../../api/contractDeclarations.ts';
import { isObject } from '../../base/isObject.ts';
import { type ConstantValue, evaluateConstant, getNamespaceSlot, toHexDigits } from './constantValue.ts';
import { listPlacedStructs } from './placedStructs.ts';
import { toByteText } from './solidityTokens.ts';
import {
  getRange,
  getTypeText,
  isContract,
  STATEMENT_FIELDS,
  type SyntaxNode,
  type SyntaxTrees,
  toName,
  toNode,
  toNodes,
} from './syntaxTree.ts';
import { TypeTable } from './typeTable.ts';

/** What a compiler's output has of one contract. */
export interface BuiltDeclarations {
  readonly path: string;
  readonly name: string;
  readonly trees: SyntaxTrees;
  /** `evm.deployedBytecode.immutableReferences`: lists of `{ start, length }` by the variable's id. */
  readonly immutableReferences: unknown;
  /** Text of a source as it was built; `null` where that is not known. */
  getText(path: string): string | null;
}

interface DeclaredVariable {
  readonly node: SyntaxNode;
  readonly contract: string;
}

/** Of a comment before a struct. */
const MAX_COMMENT_LENGTH = 4_000;

/** `null` where the trees of the contract or of a base are missing. */
export function readAstDeclarations(built: BuiltDeclarations): ContractDeclarations | null {
  const { path, name, trees } = built;
  const contract = trees.contract(path, name);
  const linearized = contract === null ? null : trees.linearize(contract);
  return contract === null || linearized === null ? null : new AstDeclarations(built, contract, linearized).read();
}

class AstDeclarations {
  readonly #built: BuiltDeclarations;
  readonly #contract: SyntaxNode;
  /** The contract and its bases, the most derived first. */
  readonly #linearized: readonly SyntaxNode[];
  readonly #types: TypeTable;

  constructor(built: BuiltDeclarations, contract: SyntaxNode, linearized: readonly SyntaxNode[]) {
    this.#built = built;
    this.#contract = contract;
    this.#linearized = linearized;
    this.#types = new TypeTable(built.trees);
  }

  read(): ContractDeclarations | null {
    const variables = this.#linearized.toReversed().flatMap(contract =>
      toNodes(contract['nodes'])
        .filter(({ nodeType }) => nodeType === 'VariableDeclaration')
        .map((node): DeclaredVariable => ({ node, contract: toName(contract['name']) })),
    );
    const stored = variables.filter(({ node }) => node['constant'] !== true && node['mutability'] !== 'immutable');
    const isTransient = ({ node }: DeclaredVariable) => node['storageLocation'] === 'transient';
    const base = this.#readBaseSlot();
    if (base === null) return null;
    const ordinary = stored.filter(each => !isTransient(each));
    const storage = [...this.#place(ordinary, base), ...this.#readPlacedStructs(this.#readNamespaces())];
    const transient = this.#place(stored.filter(isTransient), 0n);
    if (!this.#types.isComplete) return null;
    return {
      by: 'ast',
      storage,
      transient,
      immutables: variables
        .filter(({ node }) => node['mutability'] === 'immutable')
        .map(variable => this.#toImmutable(variable)),
      constants: this.#readConstants(variables),
      functions: this.#readFunctions(),
      types: this.#types.types,
    };
  }

  /** Of `layout at`; `null` where its expression is not understood: every slot would be wrong. */
  #readBaseSlot(): bigint | null {
    const specifier = toNode(this.#contract['storageLayout']);
    if (specifier === null) return 0n;
    const slot = evaluateConstant(toNode(specifier['baseSlotExpression']), this.#built.trees);
    return typeof slot === 'bigint' ? slot : null;
  }

  #toVariable({ node, contract }: DeclaredVariable) {
    return { name: toName(node['name']), contract, type: this.#types.indexOf(toNode(node['typeName'])) };
  }

  #place(variables: readonly DeclaredVariable[], first: bigint): readonly StorageVariable[] {
    const unplaced = variables.map(variable => this.#toVariable(variable));
    return this.#types.place(unplaced, first).members;
  }

  /** Structs with `@custom:storage-location erc7201:…`, of the contract's own sources and those that they import. */
  #readNamespaces(): readonly StorageVariable[] {
    const inherited = new Set(this.#linearized);
    const found: StorageVariable[] = [];
    for (const [path, unit] of this.#built.trees.units) {
      const text = toByteText(this.#built.getText(path) ?? '');
      for (const node of toNodes(unit['nodes'])) {
        if (isContract(node) && node['contractKind'] !== 'library' && !inherited.has(node)) continue;
        for (const member of isContract(node) ? toNodes(node['nodes']) : [node]) {
          const namespace = member['nodeType'] === 'StructDefinition' ? findNamespace(member, text) : null;
          if (namespace === null) continue;
          const slot = getNamespaceSlot(namespace);
          const [name, contract] = [member, isContract(node) ? node : null].map(each => toName(each?.['name']));
          const type = this.#types.indexOfStruct(member);
          found.push({ name: name ?? '', contract: contract ?? '', namespace, type, slot, offset: 0 });
        }
      }
    }
    return found;
  }

  /** Adds the structs that functions of the contract and of libraries place by assembly. */
  #readPlacedStructs(namespaces: readonly StorageVariable[]): readonly StorageVariable[] {
    const inherited = new Set(this.#linearized);
    const known = new Map(namespaces.map(each => [each.slot, each]));
    for (const unit of this.#built.trees.units.values()) {
      for (const node of toNodes(unit['nodes'])) {
        if (isContract(node) && node['contractKind'] !== 'library' && !inherited.has(node)) continue;
        for (const each of isContract(node) ? toNodes(node['nodes']) : [node]) {
          for (const { definition, slot } of isFunction(each) ? listPlacedStructs(each, this.#built.trees) : []) {
            if (known.has(slot)) continue;
            const contract = isContract(node) ? toName(node['name']) : '';
            // Libraries of diamonds name theirs alike: `Layout`.
            const name = toName(definition[node['contractKind'] === 'library' ? 'canonicalName' : 'name']);
            known.set(slot, { name, contract, type: this.#types.indexOfStruct(definition), slot, offset: 0 });
          }
        }
      }
    }
    return [...known.values()];
  }

  #toImmutable(variable: DeclaredVariable): ImmutableVariable {
    const all = this.#built.immutableReferences;
    const list = isObject(all) ? all[String(variable.node['id'])] : null;
    const references = toNodes(list).map(({ start, length }) => ({ start: Number(start), length: Number(length) }));
    return { ...this.#toVariable(variable), references };
  }

  #readConstants(variables: readonly DeclaredVariable[]): readonly ConstantVariable[] {
    const free = [...this.#built.trees.units.values()].flatMap(unit =>
      toNodes(unit['nodes']).filter(({ nodeType }) => nodeType === 'VariableDeclaration'),
    );
    return [
      ...variables.filter(({ node }) => node['constant'] === true),
      ...free.map(node => ({ node, contract: null })),
    ].map(({ node, contract }) => {
      const value = evaluateConstant(toNode(node['value']), this.#built.trees);
      const type = this.#types.indexOf(toNode(node['typeName']));
      return { name: toName(node['name']), contract, type, value: this.#toStored(value, type) };
    });
  }

  /** A value as storage would have it. */
  #toStored(value: ConstantValue | null, type: number): bigint | string | null {
    const { kind, bytes } = this.#types.get(type);
    if (typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'bigint') return BigInt.asUintN(8 * bytes, value);
    if (value === null || kind !== 'fixedBytes') return value;
    return BigInt(`0x${toHexDigits(value).padEnd(2 * bytes, '0')}`);
  }

  /** Of the contract and its bases, of libraries, and those outside of contracts. */
  #readFunctions(): readonly FunctionDeclaration[] {
    const inherited = new Set(this.#linearized);
    return [...this.#built.trees.units.values()].flatMap(unit =>
      toNodes(unit['nodes']).flatMap(node => {
        if (!isContract(node)) return isFunction(node) ? this.#toFunctions(node, null) : [];
        if (node['contractKind'] !== 'library' && !inherited.has(node)) return [];
        const contract = toName(node['name']);
        return toNodes(node['nodes'])
          .filter(isFunction)
          .flatMap(definition => this.#toFunctions(definition, contract));
      }),
    );
  }

  /** With those of its inline assembly. */
  #toFunctions(node: SyntaxNode, contract: string | null): readonly FunctionDeclaration[] {
    const assembly = new AssemblyDeclarations(this.#types.indexOfAssembly(), contract);
    return [this.#toFunction(node, contract, assembly), ...assembly.functions];
  }

  #toFunction(node: SyntaxNode, contract: string | null, assembly: AssemblyDeclarations): FunctionDeclaration {
    const range = getRange(node);
    const inFunction = { scopeStart: range.start, scopeEnd: range.end };
    const listParameters = (list: unknown) =>
      toNodes(toNode(list)?.['parameters']).map(each => this.#toLocal(each, inFunction));
    const locals: LocalVariable[] = [];
    this.#addLocals(node['body'], inFunction, locals, assembly);
    return {
      ...range,
      name: toName(node['name']) || toName(node['kind']) || 'constructor',
      contract,
      parameters: listParameters(node['parameters']),
      returns: listParameters(node['returnParameters']),
      locals: locals.sort((a, b) => a.start - b.start),
    };
  }

  #toLocal(node: SyntaxNode, scope: { readonly scopeStart: number; readonly scopeEnd: number }): LocalVariable {
    const { start, end } = getRange(node);
    const type = this.#types.indexOf(toNode(node['typeName']));
    return { name: toName(node['name']), type, location: getLocation(node), start, end, ...scope };
  }

  /** Variables that statements declare: each holds from its statement to the end of the block. */
  #addLocals(
    value: unknown,
    scope: { readonly scopeStart: number; readonly scopeEnd: number },
    locals: LocalVariable[],
    assembly: AssemblyDeclarations,
  ): void {
    if (Array.isArray(value)) {
      for (const each of value) this.#addLocals(each, scope, locals, assembly);
      return;
    }
    if (!isObject(value)) return;
    if (value['nodeType'] === 'InlineAssembly') {
      assembly.addLocals(value['AST'], scope, locals);
      return;
    }
    const { start: scopeStart, end: scopeEnd } = getRange(value);
    if (value['nodeType'] === 'VariableDeclarationStatement') {
      const after = { scopeStart: scopeEnd, scopeEnd: scope.scopeEnd };
      for (const each of toNodes(value['declarations'])) locals.push(this.#toLocal(each, after));
      return;
    }
    if (value['nodeType'] === 'TryCatchClause') {
      const inClause = { scopeStart, scopeEnd };
      const parameters = toNode(value['parameters'])?.['parameters'];
      for (const each of toNodes(parameters)) locals.push(this.#toLocal(each, inClause));
    }
    const inner = SCOPES.has(toName(value['nodeType'])) ? { scopeStart, scopeEnd } : scope;
    for (const field of STATEMENT_FIELDS) if (field in value) this.#addLocals(value[field], inner, locals, assembly);
  }
}

/** What the inline assembly of a function declares. */
class AssemblyDeclarations {
  readonly #type: TypeIndex;
  readonly #contract: string | null;
  readonly functions: FunctionDeclaration[] = [];

  constructor(type: TypeIndex, contract: string | null) {
    this.#type = type;
    this.#contract = contract;
  }

  #toVariable(node: SyntaxNode, scope: Scope): LocalVariable {
    const { start, end } = getRange(node);
    const { scopeStart, scopeEnd } = scope;
    return { name: toName(node['name']), type: this.#type, location: 'stack', start, end, scopeStart, scopeEnd };
  }

  addLocals(value: unknown, scope: Scope, locals: LocalVariable[]): void {
    if (Array.isArray(value)) {
      for (const each of value) this.addLocals(each, scope, locals);
      return;
    }
    if (!isObject(value)) return;
    const { start: scopeStart, end: scopeEnd } = getRange(value);
    switch (value['nodeType']) {
      case 'YulFunctionDefinition':
        this.#addFunction(value);
        return;
      case 'YulVariableDeclaration': {
        const after = { scopeStart: scopeEnd, scopeEnd: scope.scopeEnd };
        for (const each of toNodes(value['variables'])) locals.push(this.#toVariable(each, after));
        return;
      }
      case 'YulSwitch': {
        // What it compares stays on the stack while a case runs.
        const inCases = { scopeStart: getRange(toNode(value['expression']) ?? value).end, scopeEnd };
        locals.push({ ...this.#toVariable(toNode(value['expression']) ?? value, inCases), name: '' });
      }
    }
    // The variables of a loop's first block hold in all of it.
    const inner = value['nodeType'] === 'YulBlock' && scope.isOpen !== true ? { scopeStart, scopeEnd } : scope;
    const isLoop = value['nodeType'] === 'YulForLoop';
    for (const field of ASSEMBLY_FIELDS)
      if (field in value)
        this.addLocals(
          value[field],
          isLoop ? { scopeStart, scopeEnd, isOpen: field === 'pre' } : { ...inner, isOpen: false },
          locals,
        );
  }

  #addFunction(node: SyntaxNode): void {
    const range = getRange(node);
    const scope = { scopeStart: range.start, scopeEnd: range.end };
    const list = (nodes: unknown) => toNodes(nodes).map(each => this.#toVariable(each, scope));
    const locals: LocalVariable[] = [];
    this.addLocals(node['body'], scope, locals);
    this.functions.push({
      ...range,
      name: toName(node['name']),
      contract: this.#contract,
      parameters: list(node['parameters']).toReversed(),
      returns: list(node['returnVariables']),
      locals: locals.sort((a, b) => a.start - b.start),
    });
  }
}

interface Scope {
  readonly scopeStart: number;
  readonly scopeEnd: number;
  /** What a block declares belongs to the scope around it. */
  readonly isOpen?: boolean;
}

/** Fields of nodes of inline assembly that hold statements, in the order in which they run. */
const ASSEMBLY_FIELDS = ['statements', 'pre', 'body', 'post', 'cases'] as const;

const SCOPES = new Set(['Block', 'UncheckedBlock', 'ForStatement', 'TryCatchClause']);
const isFunction = ({ nodeType }: SyntaxNode): boolean =>
  nodeType === 'FunctionDefinition' || nodeType === 'ModifierDefinition';

/** The namespace that the comment before a struct gives it; `null` for most structs. */
function findNamespace(definition: SyntaxNode, text: string): string | null {
  const { start } = getRange(definition);
  const lines = text.slice(Math.max(0, start - MAX_COMMENT_LENGTH), start).split('\n');
  // Before 0.8.30 solc's tree does not have comments of structs.
  const before = lines.findLastIndex(line => !/^\s*(?:$|\/\/\/|\/?\*)/.test(line));
  const written = toName(toNode(definition['documentation'])?.['text']);
  const comment = [written, ...lines.slice(before + 1)].join('\n');
  return /@custom:storage-location erc7201:([^\s*]+)/.exec(comment)?.[1] ?? null;
}

function getLocation(node: SyntaxNode): DataLocation {
  const [, location] = /_(storage|memory|calldata)(?:_ptr|_slice)?$/.exec(getTypeText(node, 'typeIdentifier')) ?? [];
  if (location !== undefined) return location as DataLocation;
  return getTypeText(node, 'typeIdentifier').startsWith('t_mapping') ? 'storage' : 'stack';
}
