// Which statements of a contract can write a variable of storage, by the text of the source.

import type { ContractDeclarations, SolidityType } from '../../api/contractDeclarations.ts';
import type { PathSegment, VariableChange } from '../../api/stateChanges.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { createVariableLabel } from './slotNames.ts';
import type { SourceContract, SourceFunction, Statement } from './solidityOutline.ts';
import { matchBrackets, type Token, tokenize } from './solidityTokens.ts';
import type { SourceText } from './sourceText.ts';
import { getType } from './storageValues.ts';

/** What a statement writes, as steps from its root: of `ships[a].holds[1].bay = 4` they are `[]`, `holds`, `[1]` and `bay`. */
interface WriteTarget {
  /** `null`: what a function returned, or any slot by assembly. */
  readonly root: string | null;
  /** Members by name, keys and elements as `[]`, or with the number where one is written. */
  readonly steps: readonly string[];
  /** By assignment a reference without steps refers to another place from then on, and nothing is written. */
  readonly by: 'assignment' | 'delete' | 'pop' | 'other';
}

/** A step of the way to a variable, as in `WriteTarget`. */
interface VariableStep {
  readonly text: string;
  /** Of a mapping, not of an array. */
  readonly isKey: boolean;
}

/** A variable as statements name it. */
export interface WrittenVariable {
  /** `null`: the slot has no variable, or only a constant names it. */
  readonly root: string | null;
  /** Which contract declares it, where its bases have others of the same name. */
  readonly contract: string | null;
  readonly steps: readonly VariableStep[];
  /** What is before each step, and the variable itself, as `normalizeType` has it; empty where its declaration is not known. */
  readonly types: readonly string[];
  /** Whether it is a string or bytes. */
  readonly isText: boolean;
  /** Whether a reference to storage can lead to it: not to a plain number. */
  readonly isReferenced: boolean;
  /** Whether its value is certainly not all zeros. */
  readonly isFilled: boolean;
  /** Equal for those that the same statements write, as far as numbers of elements do not decide. */
  readonly key: string;
}

const ASSIGNMENT = /^(?:[-+*/%&|^]=|<<=|>>>?=|=)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Words before an expression; another one before a name is its type. */
const KEYWORD = /^(?:return|delete|else|do|emit)$/;
/** Numbers, flags and bytes. */
const FILLED = /^(?:-?[1-9]\d*|true|0x0*[1-9a-f][\da-f]*)$/;
const ANY_SLOT: WriteTarget = { root: null, steps: [], by: 'other' };

const isBracket = (step: string): boolean => step.startsWith('[');

function toStep(segment: PathSegment): VariableStep {
  if (segment.kind === 'name') return { text: segment.name, isKey: false };
  const isNumber = segment.kind === 'index' || /^\d+$/.test(segment.key);
  const number = segment.kind === 'index' ? segment.index.toString() : segment.key;
  return { text: isNumber ? `[${number}]` : '[]', isKey: segment.kind === 'key' };
}

function hasFilledValue(declared: SolidityType | undefined, type: string, value: string): boolean {
  if (declared?.kind === 'enum' && declared.members !== null) return declared.members[0] !== value;
  return type === 'string' ? value !== '' : FILLED.test(value);
}

/** What is known of a variable that was written. */
type KnownChange = Pick<VariableChange, 'path' | 'type'> & Partial<Pick<VariableChange, 'newValue'>>;

/** A type without the contracts around its names, without names of keys and lengths of arrays. */
function normalizeType(tokens: readonly string[], aliases: ReadonlyMap<string, string> = NO_ALIASES): string {
  const texts: string[] = [];
  for (const [i, text] of tokens.entries()) {
    const last = texts.at(-1) ?? '';
    if (text === '.') texts.pop();
    else if (IDENTIFIER.test(text) && IDENTIFIER.test(last))
      continue; // a key's name, or `payable`
    else if (text !== ']' && last === '[') continue;
    else if ((text === 'uint' || text === 'int') && tokens[i - 1] !== '.') texts.push(`${text}256`);
    else texts.push(aliases.get(text) ?? text);
  }
  return texts.join('');
}

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/** Types from a state variable to the end of the way, of which `first` is the name; empty where that is not known. */
function listTypes(
  { types, storage }: ContractDeclarations,
  [first, ...inner]: readonly PathSegment[],
): readonly SolidityType[] {
  const label = createVariableLabel(storage);
  const variable = storage.find(each => first?.kind === 'name' && label(each) === first.name);
  const found: SolidityType[] = [];
  let index = variable?.type;
  for (let at = 0; index !== undefined; at++) {
    const type = getType(types, index);
    const segment = inner[at];
    found.push(type);
    if (segment === undefined) break;
    if (type.kind === 'mapping') index = type.value;
    else if (type.kind === 'array' && segment.kind === 'index') index = type.base;
    else if (type.kind === 'struct' && segment.kind === 'name')
      index = type.members.find(({ name }) => name === segment.name)?.type;
    else break; // the length of an array
  }
  return found;
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
    if (ASSIGNMENT.test(text)) this.#addEndingAt(at - 1, 'assignment');
    else if (text === '++' || text === '--') this.#addEndingAt(isPostfix ? at - 1 : this.#endOf(at + 1), 'other');
    else if (text === 'delete') this.#addEndingAt(this.#endOf(at + 1), 'delete');
    else if (text === '.' && /^(?:push|pop)$/.test(this.#text(at + 1)) && this.#text(at + 2) === '(') {
      const isEmpty = this.#text(at + 1) === 'push' && this.#text(at + 3) === ')';
      const by = this.#text(at + 1) === 'pop' ? 'pop' : 'other';
      this.#addEndingAt(at - 1, by, isEmpty ? ['length'] : []);
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

  /** `[3]` for a number, `[]` for all else. */
  #readIndex(open: number, close: number): string {
    const number = close === open + 2 ? this.#text(open + 1).replaceAll('_', '') : '';
    return /^\d+$/.test(number) ? `[${number}]` : '[]';
  }

  /** Also the members of a tuple. A declaration of a local variable is none. `last`: the member that is behind it. */
  #addEndingAt(end: number, by: WriteTarget['by'], last: readonly string[] = []): void {
    const steps = [...last];
    for (let at = end; at >= 0; ) {
      const text = this.#text(at);
      const open = this.#partners[at] ?? -1;
      const before = this.#text((open < 0 ? at : open) - 1);
      if (text === ']' && open >= 0) {
        steps.unshift(this.#readIndex(open, at));
        at = open - 1;
      } else if (text === ')' && open >= 0) {
        const isPush = before === 'push' && this.#text(open - 2) === '.';
        if (!isPush && (IDENTIFIER.test(before) || /^[\])}]$/.test(before))) {
          this.targets.push({ root: null, steps, by });
          return;
        }
        if (!isPush) {
          this.#addParts(open, at, by);
          return;
        }
        steps.unshift('[]');
        at = open - 3;
      } else if (!IDENTIFIER.test(text)) return;
      else if (before === '.') {
        steps.unshift(text);
        at -= 2;
      } else {
        const isDeclared = (IDENTIFIER.test(before) && !KEYWORD.test(before)) || /^[\])]$/.test(before);
        if (!isDeclared) this.targets.push({ root: text, steps, by });
        return;
      }
    }
  }

  #addParts(open: number, close: number, by: WriteTarget['by']): void {
    for (let at = open + 1; at <= close; at++) {
      const text = this.#text(at);
      if (text === ',' || at === close) this.#addEndingAt(at - 1, by);
      else at = Math.max(at, this.#partners[at] ?? -1);
    }
  }
}

/** Whether the variable can have its value after such a statement: what deletes leaves zeros. */
function canLeave({ by }: WriteTarget, { steps, isText, isFilled }: WrittenVariable): boolean {
  if (by === 'pop') return !isFilled || isText || steps.at(-1)?.text === 'length';
  return by !== 'delete' || !isFilled;
}

/** Whether a target that is so written leads to `variable`, of whose way it takes the steps from `from` on. */
function leadsTo(target: readonly string[], { steps, isText }: WrittenVariable, from: number): boolean {
  return target.every((wanted, i) => {
    const step = steps[from + i];
    // A byte of a string, or its length.
    if (step === undefined) return isText && i === target.length - 1;
    if (wanted === step.text) return true;
    return isBracket(wanted) && isBracket(step.text) && (wanted === '[]' || step.text === '[]');
  });
}

/** A statement with its place; of assembly with one `sstore` the place of that. */
export interface WriteStatement {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

interface ReadStatement extends WriteStatement {
  readonly targets: readonly WriteTarget[];
  /** References to storage by their local names. */
  readonly references: References;
  /** The contract whose variables it names. */
  readonly contract: SourceContract | null;
}

/** Their types, as `normalizeType` has them. */
type References = ReadonlyMap<string, string>;

/** The statements of one contract that write. */
export class StorageStatements {
  readonly #program: ContractProgram;
  /** Names of state variables. */
  readonly #states: ReadonlySet<string>;
  /** Those of each contract. */
  readonly #declared: ReadonlyMap<SourceContract | null, ReadonlySet<string>>;
  readonly #contracts: ReadonlySet<string>;
  readonly #statements = new Map<Statement, ReadStatement>();
  readonly #references = new Map<SourceFunction, References>();
  readonly #ofSites = new Map<SourceSite, ReadStatement>();
  /** Those that may write a variable, whatever the numbers of its elements. */
  readonly #listed = new Map<string, readonly ReadStatement[]>();

  constructor(program: ContractProgram) {
    this.#program = program;
    const outlines = program.sources().map(({ outline }) => outline);
    const variables = outlines
      .flatMap(outline => outline.variables)
      .filter(({ contract, isConstant }) => contract !== null && !isConstant);
    this.#states = new Set(variables.map(({ name }) => name));
    this.#declared = new Map(
      [...Map.groupBy(variables, ({ contract }) => contract)].map(([contract, own]) => [
        contract,
        new Set(own.map(({ name }) => name)),
      ]),
    );
    this.#contracts = new Set(outlines.flatMap(({ contracts }) => contracts.map(({ name }) => name)));
  }

  toVariable({ path, type, newValue = '' }: KnownChange): WrittenVariable {
    const { declarations } = this.#program;
    const [first, ...inner] = path;
    const whole = first?.kind === 'name' ? first.name : '';
    // `Vault.total` of one of several contracts; `eip1967.proxy.admin` has no variable.
    const [name = '', member] = whole.split('.');
    const isOfContract = member !== undefined && this.#contracts.has(name);
    const [contract, root] = isOfContract ? [name, member] : [null, whole];
    const steps = inner.map(toStep);
    const known = declarations === null ? [] : listTypes(declarations, path);
    const types = known.map(({ text }) => normalizeType(tokenize(text).map(each => each.text)));
    const isText = type === 'string' || type === 'bytes';
    const isReferenced = steps.length > 0 || isText;
    const isNamed = isReferenced || this.#states.has(root);
    const ways = steps.map(({ text, isKey }) => (isBracket(text) ? `[${isKey}]` : text));
    const isFilled = hasFilledValue(known[steps.length], type, newValue);
    const key = [isFilled, ...(isNamed ? [contract, root, ...ways, isText] : [])].join(' ');
    return { root: isNamed ? root : null, contract, steps, types, isText, isReferenced, isFilled, key };
  }

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
    const listed = getOrInsert(this.#listed, key, () => this.#listCandidates(functions, variable));
    const found = listed.filter(each => this.#matches(each, variable));
    return this.#program.isCreation ? [...found, ...this.#listInitialized(variable)] : found;
  }

  #listCandidates(functions: ReadonlySet<SourceFunction>, variable: WrittenVariable): readonly ReadStatement[] {
    const steps = variable.steps.map(({ text, isKey }) => ({ text: isBracket(text) ? '[]' : text, isKey }));
    return [...functions].flatMap(each => this.#all(each)).filter(each => this.#matches(each, { ...variable, steps }));
  }

  #matches({ targets, references, contract }: ReadStatement, variable: WrittenVariable): boolean {
    const { root: name, contract: declaring, steps, isReferenced } = variable;
    return targets.some(target => {
      const { root, steps: wanted } = target;
      if (target === ANY_SLOT) return true;
      if (!canLeave(target, variable)) return false;
      const reference = root === null ? null : references.get(root);
      if (reference === undefined) {
        if (root === null || !this.#states.has(root)) return false;
        if (name === null) return true;
        const isHidden = declaring !== null && contract?.name !== declaring && this.#declares(contract, root);
        return root === name && !isHidden && leadsTo(wanted, variable, 0);
      }
      if (reference !== null && target.by === 'assignment' && wanted.length === 0) return false;
      if (name === null) return true;
      if (!isReferenced) return false;
      return Array.from({ length: steps.length + 1 }, (_, from) => from).some(
        from =>
          leadsTo(wanted, variable, from) && (reference === null || (variable.types[from] ?? reference) === reference),
      );
    });
  }

  #declares(contract: SourceContract | null, name: string): boolean {
    return this.#declared.get(contract)?.has(name) === true;
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
    const targets: readonly WriteTarget[] =
      variable === undefined ? [] : [{ root: variable.name, steps: [], by: 'other' }];
    return { source, start, end, targets, references: new Map(), contract: variable?.contract ?? null };
  }

  #listInitialized({ root, contract: declaring }: WrittenVariable): readonly WriteStatement[] {
    const contracts = new Set(this.#program.graph?.linearized ?? []);
    return this.#program.sources().flatMap(source =>
      source.outline.variables.flatMap(({ contract, name, value, start, end }) => {
        const isIt = name === root && (declaring === null || declaring === contract?.name);
        const isSet = contract !== null && contracts.has(contract) && value !== null && isIt;
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
    const references = this.#referencesOf(definition);
    const read = { source, ...place, targets, references, contract: definition.contract };
    this.#statements.set(statement, read);
    return read;
  }

  /** Of arguments and local variables. */
  #referencesOf(definition: SourceFunction): References {
    return getOrInsert(this.#references, definition, () => {
      const tokens = this.#program.graph?.getTokens(definition) ?? [];
      const partners = matchBrackets(tokens);
      const aliases = new Map(this.#program.graph?.getSource(definition)?.outline.aliases);
      return new Map(
        tokens.flatMap(({ text }, i) => {
          if (tokens[i - 1]?.text !== 'storage') return [];
          const type = tokens.slice(findTypeStart(tokens, partners, i - 2), i - 1).map(each => each.text);
          return [[text, normalizeType(type, aliases)] as const];
        }),
      );
    });
  }
}

/** `last`: the last token of the type. */
function findTypeStart(tokens: readonly Token[], partners: Int32Array, last: number): number {
  let at = last;
  while (tokens[at]?.text === ']') at = (partners[at] ?? 0) - 1;
  // `mapping(…)`
  if (tokens[at]?.text === ')') return (partners[at] ?? 1) - 1;
  while (tokens[at - 1]?.text === '.') at -= 2;
  return at;
}
