// Which statements of a contract can write a variable of storage, by the text of the source.

import type { VariableChange } from '../../api/stateChanges.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import type { SourceFunction, Statement } from './solidityOutline.ts';
import { matchBrackets, type Token } from './solidityTokens.ts';
import type { SourceText } from './sourceText.ts';

/** What a statement writes: of `ships[a].holds[1].bay = 4` the root is `ships`, the members are `holds` and `bay`. */
interface WriteTarget {
  /** `null`: what a function returned, or any slot by assembly. */
  readonly root: string | null;
  readonly members: readonly string[];
}

/** A variable as statements name it. */
export interface WrittenVariable {
  /** Of the variable and the members on the way; `null` where the slot has no variable, or only a constant names it. */
  readonly names: readonly string[] | null;
  /** Whether a reference to storage can lead to it: not to a plain number. */
  readonly isReferenced: boolean;
  /** Equal for equal ones. */
  readonly key: string;
}

const ASSIGNMENT = /^(?:[-+*/%&|^]=|<<=|>>>?=|=)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Words before an expression; another one before a name is its type. */
const KEYWORD = /^(?:return|delete|else|do|emit)$/;
const ANY_SLOT: WriteTarget = { root: null, members: [] };

export function toWrittenVariable(
  { path, type }: Pick<VariableChange, 'path' | 'type'>,
  isState: (name: string) => boolean,
): WrittenVariable {
  const names = path.flatMap(segment => (segment.kind === 'name' ? [segment.name] : []));
  const isReferenced = path.length > 1 || type === 'string' || type === 'bytes';
  const isNamed = isReferenced || isState(names[0] ?? '');
  return { names: isNamed ? names : null, isReferenced, key: isNamed ? `${names.join('.')} ${isReferenced}` : '' };
}

class TargetReader {
  readonly #tokens: readonly Token[];
  readonly #partners: Int32Array;
  readonly targets: WriteTarget[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#partners = matchBrackets(tokens);
    for (let i = 0; i < tokens.length; i++) this.#readAt(i);
  }

  #text(index: number): string {
    return this.#tokens[index]?.text ?? '';
  }

  #readAt(at: number): void {
    const text = this.#text(at);
    const isPostfix = /[\w$\])]$/.test(this.#text(at - 1)) && !KEYWORD.test(this.#text(at - 1));
    if (ASSIGNMENT.test(text)) this.#addEndingAt(at - 1);
    else if (text === '++' || text === '--') this.#addEndingAt(isPostfix ? at - 1 : this.#endOf(at + 1));
    else if (text === 'delete') this.#addEndingAt(this.#endOf(at + 1));
    else if (text === '.' && /^(?:push|pop)$/.test(this.#text(at + 1)) && this.#text(at + 2) === '(') {
      const isEmpty = this.#text(at + 1) === 'push' && this.#text(at + 3) === ')';
      this.#addEndingAt(at - 1, isEmpty ? ['length'] : []);
    }
  }

  /** Index of the last token of `a.b[c].d`. */
  #endOf(first: number): number {
    let at = Math.max(first, this.#partners[first] ?? -1);
    for (;;) {
      const next = this.#text(at + 1);
      if (next === '.') at += 2;
      else if (next === '[' || next === '(') at = Math.max(at + 1, this.#partners[at + 1] ?? -1);
      else return at;
    }
  }

  /** Also the members of a tuple. A declaration of a local variable is none. `last`: the member that is behind it. */
  #addEndingAt(end: number, last: readonly string[] = []): void {
    const members = [...last];
    for (let at = end; at >= 0; ) {
      const text = this.#text(at);
      const open = this.#partners[at] ?? -1;
      const before = this.#text((open < 0 ? at : open) - 1);
      if (text === ']' && open >= 0) at = open - 1;
      else if (text === ')' && open >= 0) {
        const isPush = before === 'push' && this.#text(open - 2) === '.';
        if (!isPush && (IDENTIFIER.test(before) || /^[\])}]$/.test(before))) {
          this.targets.push({ root: null, members });
          return;
        }
        if (!isPush) {
          this.#addParts(open, at);
          return;
        }
        at = open - 3;
      } else if (!IDENTIFIER.test(text)) return;
      else if (before === '.') {
        members.unshift(text);
        at -= 2;
      } else {
        const isDeclared = (IDENTIFIER.test(before) && !KEYWORD.test(before)) || /^[\])]$/.test(before);
        if (!isDeclared) this.targets.push({ root: text, members });
        return;
      }
    }
  }

  #addParts(open: number, close: number): void {
    for (let at = open + 1; at <= close; at++) {
      const text = this.#text(at);
      if (text === ',' || at === close) this.#addEndingAt(at - 1);
      else at = Math.max(at, this.#partners[at] ?? -1);
    }
  }
}

/** Whether `members` are behind each other somewhere in `names`. */
const includesAll = (names: readonly string[], members: readonly string[]): boolean =>
  names.some((_, from) => members.every((member, i) => names[from + i] === member)) || members.length === 0;

/** A statement with its place; of assembly with one `sstore` the place of that. */
export interface WriteStatement {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

interface ReadStatement extends WriteStatement {
  readonly targets: readonly WriteTarget[];
  /** Local names of references to storage. */
  readonly references: ReadonlySet<string>;
}

/** The statements of one contract that write. */
export class StorageStatements {
  readonly #program: ContractProgram;
  readonly #states: ReadonlySet<string>;
  readonly #statements = new Map<Statement, ReadStatement>();
  readonly #references = new Map<SourceFunction, ReadonlySet<string>>();
  readonly #ofSites = new Map<SourceSite, ReadStatement>();
  readonly #listed = new Map<string, readonly WriteStatement[]>();

  constructor(program: ContractProgram) {
    this.#program = program;
    const variables = program.sources().flatMap(({ outline }) => outline.variables);
    this.#states = new Set(
      variables.flatMap(({ name, contract, isConstant }) => (contract === null || isConstant ? [] : [name])),
    );
  }

  readonly isState = (name: string): boolean => this.#states.has(name);

  canWrite(site: SourceSite, variable: WrittenVariable): boolean {
    return this.#matches(this.#atSite(site), variable);
  }

  statementAt(site: SourceSite): WriteStatement {
    return this.#atSite(site);
  }

  /** All that can write the variable in `functions`, which `entry` reaches. */
  list(
    entry: SourceFunction,
    functions: ReadonlySet<SourceFunction>,
    variable: WrittenVariable,
  ): readonly WriteStatement[] {
    const key = `${entry.contract?.name} ${entry.start} ${variable.key}`;
    return getOrInsert(this.#listed, key, () => {
      const found = [...functions].flatMap(each => this.#all(each)).filter(each => this.#matches(each, variable));
      return this.#program.isCreation ? [...found, ...this.#listInitialized(variable)] : found;
    });
  }

  #matches({ targets, references }: ReadStatement, { names, isReferenced }: WrittenVariable): boolean {
    return targets.some(({ root, members }) => {
      const isReference = root === null || references.has(root);
      if (!isReference && !this.isState(root)) return false;
      if (names === null || (root === null && members.length === 0)) return true;
      const [first, ...inner] = names;
      if (!isReference) return root === first && members.every((each, i) => i >= inner.length || each === inner[i]);
      return isReferenced && includesAll(inner, members);
    });
  }

  #atSite(site: SourceSite): ReadStatement {
    return getOrInsert(this.#ofSites, site, () => {
      const { source, definition, start, end } = site;
      const [statement] = source.statementsAt(definition, start, end);
      return statement === undefined ? this.#initializer(site) : this.#read(source, definition, statement);
    });
  }

  /** The value of a state variable where it is declared. */
  #initializer({ source, start, end }: SourceSite): ReadStatement {
    const variable = source.outline.variables.find(each => each.start <= start && end <= each.end);
    const target = variable === undefined ? ANY_SLOT : { root: variable.name, members: [] };
    return { source, start, end, targets: [target], references: new Set() };
  }

  #listInitialized({ names }: WrittenVariable): readonly WriteStatement[] {
    const contracts = new Set(this.#program.graph?.linearized ?? []);
    return this.#program.sources().flatMap(source =>
      source.outline.variables.flatMap(({ contract, name, value, start, end }) => {
        const isSet = contract !== null && contracts.has(contract) && value !== null && name === names?.[0];
        return isSet ? [{ source, start, end }] : [];
      }),
    );
  }

  #all(definition: SourceFunction): readonly ReadStatement[] {
    const source = this.#program.graph?.getSource(definition);
    if (source === null || source === undefined || definition.body === null) return [];
    const found: ReadStatement[] = [];
    const visit = (statement: Statement): void => {
      found.push(this.#read(source, definition, statement));
      for (const child of statement.children) visit(child);
    };
    visit(definition.body);
    return found;
  }

  #read(source: SourceText, definition: SourceFunction, statement: Statement): ReadStatement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    const { start, end, kind, children } = statement;
    const tokens = (this.#program.graph?.getTokens(definition) ?? []).filter(
      each =>
        start <= each.start &&
        each.end <= end &&
        !children.some(child => child.start <= each.start && each.end <= child.end),
    );
    const stores = kind === 'assembly' ? tokens.filter(({ text }) => text === 'sstore') : [];
    const targets = kind === 'assembly' ? stores.slice(0, 1).map(() => ANY_SLOT) : new TargetReader(tokens).targets;
    const place =
      stores.length === 1 ? { start: stores[0]?.start ?? start, end: stores[0]?.end ?? end } : { start, end };
    const read = { source, ...place, targets, references: this.#referencesOf(definition) };
    this.#statements.set(statement, read);
    return read;
  }

  /** Names after `storage`, of arguments and local variables. */
  #referencesOf(definition: SourceFunction): ReadonlySet<string> {
    return getOrInsert(this.#references, definition, () => {
      const tokens = this.#program.graph?.getTokens(definition) ?? [];
      return new Set(tokens.flatMap(({ text }, i) => (tokens[i - 1]?.text === 'storage' ? [text] : [])));
    });
  }
}
