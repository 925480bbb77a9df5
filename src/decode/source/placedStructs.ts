// Structs that functions place at a constant slot by assembly, as diamonds do (ERC-2535): `assembly { $.slot := SLOT }`.
import { isObject } from '../../base/isObject.ts';
import { evaluateConstant } from './constantValue.ts';
import { STATEMENT_FIELDS, type SyntaxNode, type SyntaxTrees, toName, toNode, toNodes } from './syntaxTree.ts';

export interface PlacedStruct {
  readonly definition: SyntaxNode;
  readonly slot: bigint;
}

/** Smaller numbers are no hashes: they may be slots of state variables. */
const MIN_SLOT = 1n << 128n;

function visitNodes(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const each of value) visitNodes(each, visit);
  else if (isObject(value)) {
    visit(value);
    for (const each of Object.values(value)) visitNodes(each, visit);
  }
}

function hasAssembly(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAssembly);
  if (!isObject(value)) return false;
  return value['nodeType'] === 'InlineAssembly' || STATEMENT_FIELDS.some(field => hasAssembly(value[field]));
}

/** What one function declares and assigns. */
class FunctionReader {
  readonly #trees: SyntaxTrees;
  readonly #declared = new Map<number, SyntaxNode>();
  /** Values of local variables where they are declared. */
  readonly #values = new Map<number, SyntaxNode | null>();
  readonly #assigned = new Set<number>();
  readonly #placed: {
    readonly pointer: number;
    readonly value: SyntaxNode;
    readonly references: Map<string, number>;
  }[] = [];

  constructor(definition: SyntaxNode, trees: SyntaxTrees) {
    this.#trees = trees;
    visitNodes(definition, node => this.#visit(node));
  }

  #visit(node: SyntaxNode): void {
    switch (node['nodeType']) {
      case 'VariableDeclaration':
        this.#declared.set(Number(node['id']), node);
        break;
      case 'VariableDeclarationStatement': {
        const [only, ...others] = toNodes(node['declarations']);
        if (others.length === 0) this.#values.set(Number(only?.['id']), toNode(node['initialValue']));
        break;
      }
      case 'Assignment':
        visitNodes(node['leftHandSide'], each => this.#assigned.add(Number(each['referencedDeclaration'])));
        break;
      case 'InlineAssembly':
        this.#readAssembly(node);
        break;
    }
  }

  #readAssembly(assembly: SyntaxNode): void {
    const references = new Map(
      toNodes(assembly['externalReferences']).map(each => [toName(each['src']), Number(each['declaration'])]),
    );
    visitNodes(assembly['AST'], ({ nodeType, variableNames, value }) => {
      if (nodeType !== 'YulAssignment') return;
      const targets = toNodes(variableNames);
      for (const { src } of targets) this.#assigned.add(references.get(toName(src)) ?? -1);
      const [only] = targets;
      const pointer = references.get(toName(only?.['src']));
      const node = toNode(value);
      if (targets.length === 1 && node !== null && pointer !== undefined && /[._]slot$/.test(toName(only?.['name'])))
        this.#placed.push({ pointer, value: node, references });
    });
  }

  list(): readonly PlacedStruct[] {
    return this.#placed.flatMap(({ pointer, value, references }) => {
      const { typeName } = this.#declared.get(pointer) ?? {};
      const type = toNode(typeName);
      const path = toNode(type?.['pathNode'])?.['referencedDeclaration'] ?? type?.['referencedDeclaration'];
      const definition = this.#trees.definition(path);
      const slot = this.#evaluate(value, references);
      const isOnce = this.#placed.filter(each => each.pointer === pointer).length === 1;
      const isStruct = definition?.['nodeType'] === 'StructDefinition';
      return isStruct && isOnce && slot !== null && slot >= MIN_SLOT ? [{ definition, slot }] : [];
    });
  }

  #evaluate(value: SyntaxNode, references: ReadonlyMap<string, number>): bigint | null {
    const literal = toName(value['value']);
    if (value['nodeType'] === 'YulLiteral') return /^(?:0x[\da-f]+|\d+)$/i.test(literal) ? BigInt(literal) : null;
    const id = value['nodeType'] === 'YulIdentifier' ? references.get(toName(value['src'])) : undefined;
    if (id === undefined) return null;
    const constant = this.#trees.definition(id);
    const isLocal = constant === null && !this.#assigned.has(id);
    const node = constant?.['constant'] === true ? toNode(constant['value']) : isLocal ? this.#values.get(id) : null;
    const found = node === null || node === undefined ? null : evaluateConstant(node, this.#trees);
    return typeof found === 'bigint' ? found : null;
  }
}

export const listPlacedStructs = (definition: SyntaxNode, trees: SyntaxTrees): readonly PlacedStruct[] =>
  hasAssembly(definition['body']) ? new FunctionReader(definition, trees).list() : [];
