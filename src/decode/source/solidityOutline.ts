// Reads what a stack needs from Solidity: contracts, functions, statements and calls. The text may have errors.
import { matchBrackets, type Token, tokenize } from './solidityTokens.ts';

/** Offsets in bytes of the UTF-8 text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Call extends Span {
  /** Name of the function or, with `isNew`, of the contract. */
  readonly name: string;
  /** What is before the last period: `super`, `Library`, `a.b`; empty where nothing does. */
  readonly qualifier: string;
  readonly argumentCount: number;
  readonly isNew: boolean;
}

export type StatementKind = 'block' | 'if' | 'loop' | 'try' | 'assembly' | 'simple';

export interface Statement extends Span {
  readonly kind: StatementKind;
  readonly children: readonly Statement[];
  /** A block whose arithmetic is not checked. */
  readonly isUnchecked?: boolean;
}

export type FunctionKind = 'function' | 'modifier' | 'constructor' | 'fallback' | 'receive' | 'getter';

export interface SourceFunction extends Span {
  readonly kind: FunctionKind;
  readonly name: string;
  /** `null` for a free function. */
  readonly contract: SourceContract | null;
  /** As written, without names and data locations. */
  readonly parameterTypes: readonly string[];
  /** Modifiers and base constructors of the header, as calls. */
  readonly invocations: readonly Call[];
  /** Of the body, in their order. */
  readonly calls: readonly Call[];
  /** Names in the body that are not called: a function among them may be called by a pointer. */
  readonly mentions: ReadonlySet<string>;
  readonly body: Statement | null;
  readonly isPayable: boolean;
}

/** A state variable, or a constant of the file. */
export interface SourceVariable extends Span {
  readonly name: string;
  /** `null` for a constant of the file. */
  readonly contract: SourceContract | null;
  readonly nameStart: number;
  readonly isPublic: boolean;
  readonly isConstant: boolean;
  /** What it is set to where it is declared. */
  readonly value: Span | null;
}

export interface SourceContract extends Span {
  readonly kind: 'contract' | 'library' | 'interface';
  /** It has no deployments of its own. */
  readonly isAbstract: boolean;
  readonly name: string;
  /** With the arguments of a base constructor where it has them. */
  readonly bases: readonly Call[];
  readonly functions: readonly SourceFunction[];
}

/** `using {add as +} for Amount global;` */
export interface OperatorFunction {
  readonly symbol: string;
  readonly name: string;
}

/** A variable, a member, a struct or a function, with the words of its type or types. */
export interface TypedName {
  readonly name: string;
  readonly words: readonly string[];
}

/** `name`: with the contract that declares it, `Vault.Status`. */
export interface SourceEnum {
  readonly name: string;
  readonly members: readonly string[];
}

export interface Outline {
  /** Names of imports, with what they stand for; of a whole file with an empty text. */
  readonly aliases: readonly (readonly [alias: string, name: string])[];
  readonly declarations: readonly TypedName[];
  /** Whether any variable may be a function pointer. */
  readonly hasFunctionTypes: boolean;
  readonly contracts: readonly SourceContract[];
  /** All functions, those of contracts too. */
  readonly functions: readonly SourceFunction[];
  readonly variables: readonly SourceVariable[];
  readonly operators: readonly OperatorFunction[];
  readonly enums: readonly SourceEnum[];
}

/** Words before a parenthesis that is no list of arguments. */
export const NOT_CALLED = new Set(
  'if for while do else return returns catch try function mapping unchecked assembly using emit delete'.split(' '),
);
/** Types before a parenthesis convert a value. */
export const ELEMENTARY_TYPE = /^(?:payable|address|bool|string|byte|bytes\d*|u?int\d*)$/;
const DATA_LOCATION = /^(?:memory|storage|calldata|payable)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const FUNCTION_KEYWORDS = new Set(['function', 'modifier', 'constructor', 'fallback', 'receive']);
const CONTRACT_KINDS = new Set(['contract', 'library', 'interface']);
/** First words of members that are no variables. */
const NOT_VARIABLES = new Set('pragma import using event error type function modifier constructor'.split(' '));
const MAX_DEPTH = 200;

interface MutableContract extends Span {
  end: number;
  readonly kind: SourceContract['kind'];
  readonly isAbstract: boolean;
  readonly name: string;
  readonly bases: readonly Call[];
  readonly functions: SourceFunction[];
}

class OutlineParser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  /** Index of the partner of each bracket. */
  readonly #partners: Int32Array;
  readonly contracts: MutableContract[] = [];
  readonly functions: SourceFunction[] = [];
  readonly variables: SourceVariable[] = [];
  readonly operators: OperatorFunction[] = [];
  readonly enums: SourceEnum[] = [];
  readonly declarations: TypedName[] = [];
  readonly aliases: [string, string][] = [];
  readonly hasFunctionTypes: boolean;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
    this.#partners = matchBrackets(this.#tokens);
    this.hasFunctionTypes = this.#tokens.some(({ text }, i) => text === 'function' && this.#text(i + 1) === '(');
  }

  #text(index: number): string {
    return this.#tokens[index]?.text ?? '';
  }

  #start(index: number): number {
    return this.#tokens[index]?.start ?? this.#source.length;
  }

  #endBefore(index: number): number {
    return this.#tokens[index - 1]?.end ?? 0;
  }

  /** Index behind the bracket pair that begins at `index`, or behind the token. */
  #skip(index: number): number {
    const partner = this.#partners[index] ?? -1;
    return partner > index ? partner + 1 : index + 1;
  }

  /** Index of the first token in `texts` outside of brackets; `end` where there is none. */
  #find(index: number, end: number, ...texts: readonly string[]): number {
    let at = index;
    while (at < end && !texts.includes(this.#text(at))) at = this.#skip(at);
    return Math.min(at, end);
  }

  parseFile(): void {
    const end = this.#tokens.length;
    for (let at = 0; at < end; ) {
      const isAbstract = this.#text(at) === 'abstract';
      const kindAt = isAbstract ? at + 1 : at;
      if (CONTRACT_KINDS.has(this.#text(kindAt)) && IDENTIFIER.test(this.#text(kindAt + 1)))
        at = this.#contract(at, kindAt);
      else at = this.#member(at, end, null);
    }
  }

  #contract(first: number, kindAt: number): number {
    const open = this.#find(kindAt, this.#tokens.length, '{');
    const partner = this.#partners[open] ?? -1;
    const close = partner > open ? partner : this.#tokens.length;
    const contract: MutableContract = {
      kind: this.#text(kindAt) as SourceContract['kind'],
      isAbstract: kindAt > first,
      name: this.#text(kindAt + 1),
      start: this.#start(first),
      end: this.#endBefore(close + 1),
      bases: this.#text(kindAt + 2) === 'is' ? this.#invocations(kindAt + 3, open) : [],
      functions: [],
    };
    this.contracts.push(contract);
    for (let at = open + 1; at < close; ) at = this.#member(at, close, contract);
    return close + 1;
  }

  /** Names with optional arguments, such as modifiers in a header and the bases of a contract. */
  #invocations(from: number, to: number): readonly Call[] {
    const calls: Call[] = [];
    for (let at = from; at < to; ) {
      if (!IDENTIFIER.test(this.#text(at))) {
        at = this.#skip(at);
        continue;
      }
      const first = at;
      while (this.#text(at + 1) === '.' && IDENTIFIER.test(this.#text(at + 2))) at += 2;
      const name = this.#text(at);
      const hasArguments = this.#text(at + 1) === '(';
      const argumentCount = hasArguments ? this.#countArguments(at + 1) : 0;
      at = hasArguments ? this.#skip(at + 1) : at + 1;
      const span = { start: this.#start(first), end: this.#endBefore(at) };
      calls.push({ ...span, name, qualifier: '', argumentCount, isNew: false });
    }
    return calls;
  }

  #countArguments(open: number): number {
    const close = this.#partners[open] ?? -1;
    if (close < 0 || close === open + 1) return 0;
    let count = 1;
    for (let at = open + 1; at < close; at = this.#skip(at)) if (this.#text(at) === ',') count++;
    return count;
  }

  /** A function or variable, or anything else up to its end. */
  #member(at: number, end: number, contract: MutableContract | null): number {
    const text = this.#text(at);
    if (FUNCTION_KEYWORDS.has(text) && this.#isDefinition(at)) return this.#function(at, end, contract);
    if (text === 'struct' || text === 'enum') {
      const open = this.#find(at, end, '{');
      const close = this.#skip(open);
      if (text === 'struct') this.#struct(this.#text(at + 1), open + 1, close - 1);
      else {
        const name = [...(contract === null ? [] : [contract.name]), this.#text(at + 1)].join('.');
        this.enums.push({ name, members: this.#words(open + 1, close - 1) });
      }
      return close;
    }
    const stop = this.#find(at, end, ';');
    if (text === 'using') this.#operators(at, stop);
    if (text === 'import') this.#aliases(at, stop);
    // What begins with `function` here is a variable of such a type.
    if (text === 'function' || !NOT_VARIABLES.has(text)) this.#variable(at, stop, contract);
    return Math.max(stop, at) + 1;
  }

  #aliases(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const name = IDENTIFIER.test(this.#text(at - 1)) ? this.#text(at - 1) : '';
      if (this.#text(at) === 'as') this.aliases.push([this.#text(at + 1), name]);
    }
  }

  #words(from: number, to: number): readonly string[] {
    return this.#tokens.slice(from, to).flatMap(({ text }) => (IDENTIFIER.test(text) ? [text] : []));
  }

  #struct(name: string, from: number, to: number): void {
    this.declarations.push({ name, words: this.#words(from, to) });
    for (let at = from; at < to; ) {
      const stop = this.#find(at, to, ';');
      this.declarations.push({ name: this.#text(stop - 1), words: this.#words(at, stop - 1) });
      at = stop + 1;
    }
  }

  #operators(from: number, to: number): void {
    for (let at = from; at < to; at++)
      if (this.#text(at) === 'as') this.operators.push({ symbol: this.#text(at + 1), name: this.#text(at - 1) });
  }

  /** `function (uint) external f;` declares a variable, `receive = 1` is none either. */
  #isDefinition(at: number): boolean {
    const next = this.#text(at + 1);
    switch (this.#text(at)) {
      case 'function':
        return IDENTIFIER.test(next) || this.#isUnnamedFallback(at);
      case 'modifier':
        return IDENTIFIER.test(next);
      default:
        return next === '(';
    }
  }

  /** Before Solidity 0.6 the fallback function is `function () payable { … }`. */
  #isUnnamedFallback(at: number): boolean {
    if (this.#text(at + 1) !== '(' || this.#partners[at + 1] !== at + 2) return false;
    const stop = this.#find(at + 2, this.#tokens.length, '{', ';', '=');
    return this.#text(stop) === '{';
  }

  #variable(at: number, stop: number, contract: MutableContract | null): void {
    const words = new Set<string>();
    let nameAt = -1;
    let i = at;
    for (; i < stop && this.#text(i) !== '='; i = this.#skip(i)) {
      words.add(this.#text(i));
      if (IDENTIFIER.test(this.#text(i))) nameAt = i;
    }
    if (nameAt <= at) return;
    const isPublic = words.has('public');
    this.declarations.push({ name: this.#text(nameAt), words: this.#words(at, nameAt) });
    this.variables.push({
      name: this.#text(nameAt),
      contract,
      start: this.#start(at),
      end: this.#endBefore(stop),
      nameStart: this.#start(nameAt),
      isPublic,
      isConstant: words.has('constant'),
      value: i + 1 < stop ? { start: this.#start(i + 1), end: this.#endBefore(stop) } : null,
    });
    if (isPublic && contract !== null) this.#getter(nameAt, at, stop, contract);
  }

  #getter(nameAt: number, at: number, stop: number, contract: MutableContract): void {
    this.#add(
      {
        kind: 'getter',
        name: this.#text(nameAt),
        contract,
        start: this.#start(at),
        end: this.#endBefore(stop),
        parameterTypes: [],
        invocations: [],
        calls: [],
        mentions: new Set(),
        body: null,
        isPayable: false,
      },
      contract,
    );
  }

  #add(definition: SourceFunction, contract: MutableContract | null): void {
    this.functions.push(definition);
    contract?.functions.push(definition);
  }

  #function(at: number, end: number, contract: MutableContract | null): number {
    const keyword = this.#text(at);
    const isNamed = keyword === 'function' || keyword === 'modifier';
    const written = isNamed && IDENTIFIER.test(this.#text(at + 1)) ? this.#text(at + 1) : '';
    const kind = keyword !== 'function' ? keyword : this.#kindOfFunction(written, contract);
    const parametersAt = this.#find(at + 1, end, '(', '{', ';');
    const hasParameters = this.#text(parametersAt) === '(';
    const headerAt = hasParameters ? this.#skip(parametersAt) : parametersAt;
    const bodyAt = this.#find(headerAt, end, '{', ';');
    const hasBody = this.#text(bodyAt) === '{';
    const after = hasBody ? this.#skip(bodyAt) : bodyAt + 1;
    this.declarations.push({ name: written, words: this.#words(at + 2, bodyAt) });
    const { calls, mentions } = hasBody
      ? this.#calls(bodyAt + 1, after - 1)
      : { calls: [], mentions: new Set<string>() };
    this.#add(
      {
        kind: kind as FunctionKind,
        name: kind === 'function' || kind === 'modifier' ? written : kind,
        contract,
        start: this.#start(at),
        end: this.#endBefore(Math.min(after, end)),
        parameterTypes: hasParameters ? this.#parameterTypes(parametersAt) : [],
        invocations: this.#invocations(headerAt, this.#find(headerAt, bodyAt, 'returns')).filter(
          call =>
            !/^(?:external|public|internal|private|view|pure|payable|constant|virtual|override|returns)$/.test(
              call.name,
            ),
        ),
        calls,
        mentions,
        body: hasBody ? this.#statement(bodyAt, after, 0).statement : null,
        isPayable: kind === 'receive' || this.#find(headerAt, bodyAt, 'payable') < bodyAt,
      },
      contract,
    );
    return after;
  }

  /** Before Solidity 0.5 a function with the contract's name is its constructor. */
  #kindOfFunction(name: string, contract: MutableContract | null): FunctionKind {
    if (name === '') return 'fallback';
    return contract !== null && name === contract.name ? 'constructor' : 'function';
  }

  #parameterTypes(open: number): readonly string[] {
    const close = (this.#partners[open] ?? -1) < 0 ? this.#tokens.length : (this.#partners[open] as number);
    const types: string[] = [];
    for (let at = open + 1; at < close; ) {
      const stop = this.#find(at, close, ',');
      const words: string[] = [];
      for (let i = at; i < stop; i++) if (!DATA_LOCATION.test(this.#text(i))) words.push(this.#text(i));
      const isNamed = words.length > 1 && IDENTIFIER.test(words.at(-1) ?? '') && words.at(-2) !== '.';
      types.push((isNamed ? words.slice(0, -1) : words).join(''));
      at = stop + 1;
    }
    return types;
  }

  #calls(from: number, to: number): { readonly calls: Call[]; readonly mentions: Set<string> } {
    const calls: Call[] = [];
    const mentions = new Set<string>();
    for (let at = from; at < to; at++) {
      const name = this.#text(at);
      if (this.hasFunctionTypes && /^[)\]]$/.test(name) && this.#text(at + 1) === '(')
        calls.push(this.#pointerCall(at, from));
      if (!IDENTIFIER.test(name) || NOT_CALLED.has(name) || ELEMENTARY_TYPE.test(name)) continue;
      let open = at + 1;
      if (this.#text(open) === '{' && this.#text(this.#skip(open)) === '(' && this.#text(open + 2) === ':')
        open = this.#skip(open);
      if (this.#text(open) !== '(') {
        mentions.add(name);
        continue;
      }
      const first = this.#calleeStart(at, from);
      const isNew = this.#text(first) === 'new';
      calls.push({
        name,
        qualifier: at === first || isNew ? '' : this.#source.slice(this.#start(first), this.#start(at - 1)),
        argumentCount: this.#countArguments(open),
        isNew,
        start: this.#start(first),
        end: this.#endBefore(this.#skip(open)),
      });
    }
    return { calls, mentions };
  }

  /** Of `list[i](…)` or `(a ? b : c)(…)`, whose last token before the arguments is at `at`. */
  #pointerCall(at: number, from: number): Call {
    const partner = Math.max(this.#partners[at] ?? from, from);
    const first = IDENTIFIER.test(this.#text(partner - 1)) ? this.#calleeStart(partner - 1, from) : partner;
    const span = { start: this.#start(first), end: this.#endBefore(this.#skip(at + 1)) };
    return { ...span, name: '', qualifier: '', argumentCount: this.#countArguments(at + 1), isNew: false };
  }

  /** Index of the first token of `a.b(c).name`, or of `new` before it. */
  #calleeStart(at: number, from: number): number {
    let first = at;
    while (this.#text(first - 1) === '.' && first - 2 >= from) {
      first -= 2;
      let partner = this.#partners[first] ?? -1;
      while (partner >= from && partner < first) {
        first = partner;
        const before = this.#text(first - 1);
        if (first - 1 < from || (!IDENTIFIER.test(before) && !/^[)\]}]$/.test(before)) || before === 'return') break;
        first--;
        partner = this.#partners[first] ?? -1;
      }
    }
    return this.#text(first - 1) === 'new' ? first - 1 : first;
  }

  /** The statement at `at`, and the index behind it. */
  #statement(at: number, end: number, depth: number): { readonly statement: Statement; readonly next: number } {
    const text = this.#text(at);
    const make = (kind: StatementKind, children: readonly Statement[], next: number) => ({
      statement: { kind, children, start: this.#start(at), end: this.#endBefore(next) },
      next,
    });
    if (depth > MAX_DEPTH) return make('simple', [], end);
    if (text === '{') {
      const close = Math.min(this.#skip(at) - 1, end);
      return make('block', this.#statements(at + 1, close, depth), close + 1);
    }
    if (text === 'unchecked' && this.#text(at + 1) === '{') {
      const { statement, next } = this.#statement(at + 1, end, depth + 1);
      return { statement: { ...statement, isUnchecked: true }, next };
    }
    if (text === 'assembly') return make('assembly', [], this.#skip(this.#find(at, end, '{')));
    if (text === 'if' || text === 'for' || text === 'while') {
      const inner = this.#statement(this.#skip(at + 1), end, depth + 1);
      if (text !== 'if') return make('loop', [inner.statement], inner.next);
      if (this.#text(inner.next) !== 'else' || inner.next >= end) return make('if', [inner.statement], inner.next);
      const other = this.#statement(inner.next + 1, end, depth + 1);
      return make('if', [inner.statement, other.statement], other.next);
    }
    if (text === 'do') {
      const inner = this.#statement(at + 1, end, depth + 1);
      return make('loop', [inner.statement], this.#find(inner.next, end, ';') + 1);
    }
    if (text === 'try') return this.#tryStatement(at, end, depth, make);
    return make('simple', [], Math.min(this.#find(at, end, ';') + 1, end));
  }

  #tryStatement(
    at: number,
    end: number,
    depth: number,
    make: (kind: StatementKind, children: readonly Statement[], next: number) => { statement: Statement; next: number },
  ): { readonly statement: Statement; readonly next: number } {
    const children: Statement[] = [];
    let next = at + 1;
    do {
      // A call's options are in braces too, as `value: 1`.
      let open = this.#find(next, end, '{');
      while (open < end && this.#text(open + 2) === ':') open = this.#find(this.#skip(open), end, '{');
      if (open >= end) break;
      const block = this.#statement(open, end, depth + 1);
      children.push(block.statement);
      next = block.next;
    } while (this.#text(next) === 'catch' && next < end);
    return make('try', children, Math.max(next, at + 1));
  }

  #statements(from: number, to: number, depth: number): readonly Statement[] {
    const statements: Statement[] = [];
    for (let at = from; at < to; ) {
      const { statement, next } = this.#statement(at, to, depth + 1);
      statements.push(statement);
      at = Math.max(next, at + 1);
    }
    return statements;
  }
}

/** `source` is a byte text (`toByteText`). Never throws; what cannot be read is left out. */
export function parseOutline(source: string): Outline {
  const parser = new OutlineParser(source);
  parser.parseFile();
  return parser;
}
