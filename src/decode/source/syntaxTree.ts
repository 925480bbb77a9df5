// Solidity's syntax trees as solc writes them, of the sources that one contract can refer to.
import { isObject } from '../../base/isObject.ts';

export type SyntaxNode = Readonly<Record<string, unknown>>;

export const toNode = (value: unknown): SyntaxNode | null => (isObject(value) ? value : null);
export const toNodes = (value: unknown): readonly SyntaxNode[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const toName = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Fields of statements that hold statements. */
export const STATEMENT_FIELDS = [
  'statements',
  'body',
  'trueBody',
  'falseBody',
  'initializationExpression',
  'clauses',
  'block',
] as const;

/** Bytes of a node in its source, and the source's id. */
export function getRange({ src }: SyntaxNode): {
  readonly start: number;
  readonly end: number;
  readonly source: number;
} {
  const [start = 0, length = 0, source = -1] = toName(src).split(':').map(Number);
  return { start, end: start + length, source };
}

export const getTypeText = (node: SyntaxNode | null, field: 'typeIdentifier' | 'typeString'): string =>
  toName(toNode(node?.['typeDescriptions'])?.[field]);

/** Reads the syntax tree of the source with a path; `null` where the build has none. */
export type ReadSyntaxTree = (path: string) => Promise<SyntaxNode | null>;

/** Definitions by their id, which is the same in all sources of a compiler's run. */
export class SyntaxTrees {
  readonly #definitions = new Map<number, SyntaxNode>();
  /** By path. */
  readonly #units = new Map<string, SyntaxNode>();

  /** The trees of a source and of all that it imports. */
  static async read(path: string, read: ReadSyntaxTree): Promise<SyntaxTrees> {
    const trees = new SyntaxTrees();
    const paths = new Set([path]);
    for (const each of paths) {
      const unit = await read(each);
      if (unit === null) continue;
      trees.#add(each, unit);
      for (const node of toNodes(unit['nodes']))
        if (node['nodeType'] === 'ImportDirective') paths.add(toName(node['absolutePath']));
    }
    return trees;
  }

  #add(path: string, unit: SyntaxNode): void {
    this.#units.set(path, unit);
    for (const node of toNodes(unit['nodes'])) {
      this.#definitions.set(Number(node['id']), node);
      if (node['nodeType'] !== 'ContractDefinition') continue;
      for (const member of toNodes(node['nodes'])) this.#definitions.set(Number(member['id']), member);
    }
  }

  get units(): ReadonlyMap<string, SyntaxNode> {
    return this.#units;
  }

  definition(id: unknown): SyntaxNode | null {
    return this.#definitions.get(Number(id)) ?? null;
  }

  contract(path: string, name: string): SyntaxNode | null {
    return toNodes(this.#units.get(path)?.['nodes']).find(node => isContract(node) && node['name'] === name) ?? null;
  }

  /** The contract and its bases, the most derived first; `null` where the tree of a base is missing. */
  linearize(contract: SyntaxNode): readonly SyntaxNode[] | null {
    const ids = contract['linearizedBaseContracts'];
    const bases = (Array.isArray(ids) ? ids : []).map(id => this.definition(id));
    return bases.every(base => base !== null) ? bases : null;
  }
}

export const isContract = ({ nodeType }: SyntaxNode): boolean => nodeType === 'ContractDefinition';
