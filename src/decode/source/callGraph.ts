// Which functions a function can call inside the same contract, by the names in its source.
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { Call, SourceContract, SourceFunction } from './solidityOutline.ts';
import { type Token, tokenize } from './solidityTokens.ts';
import type { SourceText } from './sourceText.ts';

export interface CallEdge {
  readonly call: Call;
  readonly target: SourceFunction;
}

/** Words of a header that change no code of the body. */
const HEADER_WORDS = /^(?:public|external|internal|private|view|pure|constant|virtual|payable)$/;

const addTo = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  getOrInsert(map, key, () => []).push(value);
};

/**
 * Calls are resolved by name, number of arguments and inheritance, without types: more targets than the compiler finds,
 * never fewer. Calls by function pointer lead to all functions whose name is used as a value.
 */
export class CallGraph {
  readonly #sources: ReadonlyMap<SourceFunction, SourceText>;
  readonly #contracts = new Map<string, SourceContract>();
  /** What the name of an import means: `import {Math as M}`. */
  readonly #aliases = new Map<string, string>();
  readonly #freeFunctions = new Map<string, SourceFunction[]>();
  /** Functions of libraries, by name. */
  readonly #libraryFunctions = new Map<string, SourceFunction[]>();
  /** Functions of user-defined operators, by symbol. */
  readonly #operators = new Map<string, string[]>();
  /** By type: names of variables, members, structs and functions whose declaration has the type, itself included. */
  readonly #namesOfType = new Map<string, ReadonlySet<string>>();
  /** Functions whose name is used as a value somewhere. */
  readonly #pointerTargets: readonly SourceFunction[];
  /** The contract and its bases, the most derived first. */
  readonly linearized: readonly SourceContract[];
  /** Constructors that the source does not write. */
  readonly #constructors = new Map<SourceContract, SourceFunction>();
  readonly #edges = new Map<SourceFunction, readonly CallEdge[]>();
  readonly #reachable = new Map<SourceFunction, ReadonlySet<SourceFunction>>();
  readonly #tokens = new Map<SourceFunction, readonly Token[]>();
  /** Names of variables of contracts and files. */
  readonly #variables: ReadonlySet<string>;

  constructor(contract: SourceContract, sources: readonly SourceText[]) {
    this.#sources = new Map(
      sources.flatMap(source => source.outline.functions.map(definition => [definition, source] as const)),
    );
    const mentions = new Set<string>();
    for (const { outline } of sources) {
      for (const [alias, name] of outline.aliases) this.#aliases.set(alias, name);
      for (const { symbol, name } of outline.operators) addTo(this.#operators, symbol, name);
      for (const each of outline.contracts) if (!this.#contracts.has(each.name)) this.#contracts.set(each.name, each);
      for (const definition of outline.functions) {
        for (const name of definition.mentions) mentions.add(name);
        if (definition.contract === null) addTo(this.#freeFunctions, definition.name, definition);
        else if (definition.contract.kind === 'library') addTo(this.#libraryFunctions, definition.name, definition);
      }
    }
    this.#contracts.set(contract.name, contract);
    this.#variables = new Set(sources.flatMap(({ outline }) => outline.variables.map(({ name }) => name)));
    this.linearized = this.#linearize(contract, new Set());
    const hasPointers = sources.some(({ outline }) => outline.hasFunctionTypes);
    this.#pointerTargets = [
      ...this.linearized.flatMap(({ functions }) => functions),
      ...[...this.#freeFunctions.values(), ...this.#libraryFunctions.values()].flat(),
    ].filter(({ kind, name }) => hasPointers && kind === 'function' && mentions.has(name));
  }

  /** C3 linearization as Solidity does it: bases are written from the most base-like to the most derived one. */
  #linearize(contract: SourceContract, open: Set<SourceContract>): readonly SourceContract[] {
    if (open.has(contract)) return [];
    const within = new Set(open).add(contract);
    const bases = contract.bases.flatMap(({ name }) => this.contract(name) ?? []).reverse();
    const lists = [...bases.map(base => [...this.#linearize(base, within)]), [...bases]];
    const result = [contract];
    for (;;) {
      const pending = lists.filter(list => list.length > 0);
      if (pending.length === 0) return result;
      const heads = pending.map(list => list[0] as SourceContract);
      const next = heads.find(head => !pending.some(list => list.indexOf(head) > 0)) ?? (heads[0] as SourceContract);
      result.push(next);
      for (const list of lists) {
        const at = list.indexOf(next);
        if (at >= 0) list.splice(at, 1);
      }
    }
  }

  getSource(definition: SourceFunction): SourceText | null {
    return this.#sources.get(definition) ?? null;
  }

  contract(name: string): SourceContract | null {
    return this.#contracts.get(name) ?? this.#contracts.get(this.#aliases.get(name) ?? '') ?? null;
  }

  /** The function that runs for a call by name: of the most derived contract that has one. */
  inherited(
    matches: (definition: SourceFunction) => boolean,
    after: SourceContract | null = null,
  ): SourceFunction | null {
    const from = after === null ? 0 : this.linearized.indexOf(after) + 1;
    for (const { functions } of this.linearized.slice(from)) {
      const found = functions.find(
        definition => matches(definition) && (definition.body !== null || definition.kind === 'getter'),
      );
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The calls of the function, its modifiers and base constructors, in the order of the source. */
  edges(definition: SourceFunction): readonly CallEdge[] {
    return getOrInsert(this.#edges, definition, () => [
      ...[...definition.invocations, ...this.#basesOf(definition)].flatMap(call => this.#invoked(call, definition)),
      ...this.#operatorsOf(definition).flatMap(call =>
        this.#resolve(call, definition).map(target => ({ call, target })),
      ),
      ...definition.calls.flatMap(call => this.#resolve(call, definition).map(target => ({ call, target }))),
    ]);
  }

  /** Operators of the body that may be those of user-defined types. */
  #operatorsOf(definition: SourceFunction): readonly Call[] {
    const { body } = definition;
    if (this.#operators.size === 0 || body === null) return [];
    const tokens = this.getTokens(definition);
    const hasType = (type: string | undefined) =>
      type !== undefined && tokens.some(({ text }) => this.#listNames(type).has(text));
    return tokens.flatMap(({ text, start, end }) =>
      (start < body.start ? [] : (this.#operators.get(text) ?? [])).flatMap(name =>
        (this.#freeFunctions.get(name) ?? [])
          .filter(({ parameterTypes }) => hasType(parameterTypes[0]))
          .map(({ parameterTypes }) => ({
            name,
            qualifier: '',
            argumentCount: parameterTypes.length,
            isNew: false,
            start,
            end,
          })),
      ),
    );
  }

  #listNames(type: string): ReadonlySet<string> {
    const known = this.#namesOfType.get(type);
    if (known !== undefined) return known;
    const sources = new Set(this.#sources.values());
    const declared = [...sources].flatMap(({ outline }) => outline.declarations);
    const names = new Set([type]);
    for (let size = 0; size < names.size; ) {
      size = names.size;
      for (const { name, words } of declared) if (words.some(word => names.has(word))) names.add(name);
    }
    this.#namesOfType.set(type, names);
    return names;
  }

  /** Bases whose constructors run though the header of this one does not name them. */
  #basesOf({ kind, contract, invocations }: SourceFunction): readonly Call[] {
    if (kind !== 'constructor' || contract === null) return [];
    return contract.bases.filter(base => !invocations.some(({ name }) => name === base.name));
  }

  /** The constructor of a contract; one without a body, with the range of the contract, where none is written. */
  constructorOf(contract: SourceContract): SourceFunction {
    const written = contract.functions.find(({ kind }) => kind === 'constructor') ?? this.#constructors.get(contract);
    if (written !== undefined) return written;
    const { start, end } = contract;
    const lists = { parameterTypes: [], invocations: [], calls: [], mentions: new Set<string>(), isPayable: false };
    const implicit = { kind: 'constructor', name: 'constructor', contract, start, end, body: null, ...lists } as const;
    this.#constructors.set(contract, implicit);
    return implicit;
  }

  #invoked(call: Call, from: SourceFunction): readonly CallEdge[] {
    if (from.kind === 'constructor') {
      const base = this.contract(call.name);
      if (base !== null) return [{ call, target: this.constructorOf(base) }];
    }
    const modifier = this.inherited(({ kind, name }) => kind === 'modifier' && name === call.name);
    const own = from.contract?.functions.find(({ kind, name }) => kind === 'modifier' && name === call.name);
    const target = from.contract?.kind === 'library' ? own : (modifier ?? own);
    return target === undefined ? [] : [{ call, target }];
  }

  #resolve({ name, qualifier, argumentCount, isNew }: Call, from: SourceFunction): readonly SourceFunction[] {
    if (isNew) return [];
    const pointed = this.#pointerTargets.filter(each => each.parameterTypes.length === argumentCount);
    if (name === '') return pointed;
    const takes = (count: number) => (definition: SourceFunction) =>
      definition.kind === 'function' && definition.name === name && definition.parameterTypes.length === count;
    const isTarget = takes(argumentCount);
    if (qualifier === 'super') return this.#one(this.inherited(isTarget, from.contract));
    if (qualifier === '') {
      const isLibrary = from.contract?.kind === 'library';
      const own = isLibrary ? (from.contract?.functions.filter(isTarget) ?? []) : this.#overloads(isTarget);
      if (own.length > 0) return own;
      const free = [name, this.#aliases.get(name) ?? ''].flatMap(each => this.#freeFunctionsWith(each, argumentCount));
      if (free.length > 0) return free;
      return this.#isVariable(name, from) ? pointed : [];
    }
    const contract = this.contract(qualifier.split('.').at(-1) ?? '');
    if (contract !== null) {
      if (contract.kind === 'library') return contract.functions.filter(isTarget);
      return this.linearized.includes(contract) ? contract.functions.filter(isTarget) : [];
    }
    const isAttached = takes(argumentCount + 1);
    // `import "./file.sol" as file`
    const imported = this.#aliases.has(qualifier) ? this.#freeFunctionsWith(name, argumentCount) : [];
    const attached = [...(this.#libraryFunctions.get(name) ?? []), ...(this.#freeFunctions.get(name) ?? [])];
    // A member of a struct may be a function pointer.
    return [...imported, ...attached.filter(isAttached), ...pointed];
  }

  #freeFunctionsWith(name: string, count: number): readonly SourceFunction[] {
    return (this.#freeFunctions.get(name) ?? []).filter(({ parameterTypes }) => parameterTypes.length === count);
  }

  #one(definition: SourceFunction | null): readonly SourceFunction[] {
    return definition === null ? [] : [definition];
  }

  /** The most derived function for each list of types. */
  #overloads(matches: (definition: SourceFunction) => boolean): readonly SourceFunction[] {
    const byTypes = new Map<string, SourceFunction>();
    for (const { functions } of this.linearized) {
      for (const definition of functions) {
        const types = definition.parameterTypes.join();
        if (matches(definition) && definition.body !== null && !byTypes.has(types)) byTypes.set(types, definition);
      }
    }
    return [...byTypes.values()];
  }

  /** A name that is neither a type nor an error may be a function pointer. */
  #isVariable(name: string, from: SourceFunction): boolean {
    const isFunction = from.parameterTypes.some(type => type.startsWith('function'));
    return isFunction || from.mentions.has(name) || this.#variables.has(name);
  }

  /** The tokens of a function that it is compiled from, those behind its name, with offsets in its source. */
  getTokens(definition: SourceFunction): readonly Token[] {
    const known = this.#tokens.get(definition);
    if (known !== undefined) return known;
    const { start, end, name } = definition;
    const tokens = tokenize(this.getSource(definition)?.text(start, end) ?? '').map(token => ({
      text: token.text,
      start: token.start + start,
      end: token.end + start,
    }));
    const bodyStart = definition.body?.start ?? end;
    const named = tokens[1]?.text === name ? tokens.slice(2) : tokens;
    const overrideAt = named.findIndex(each => each.text === 'override' && each.start < bodyStart);
    const hasList = overrideAt >= 0 && named[overrideAt + 1]?.text === '(';
    const listEnd = hasList ? named.findIndex((each, i) => i > overrideAt && each.text === ')') : overrideAt;
    const behind = named.filter((each, i) => {
      const isOfOverride = overrideAt >= 0 && i >= overrideAt && i <= listEnd;
      return each.start >= bodyStart || !(isOfOverride || HEADER_WORDS.test(each.text));
    });
    this.#tokens.set(definition, behind);
    return behind;
  }

  /** Whether texts are equal but for the names of locals and functions: the optimizer may merge their code. */
  areSimilar(tokens: readonly Token[], others: readonly Token[]): boolean {
    if (tokens.length !== others.length) return false;
    const names = new Map<string, string>();
    return tokens.every(({ text }, i) => {
      const other = others[i]?.text ?? '';
      if (!/^[A-Za-z_$]/.test(text) || this.#variables.has(text) || this.#variables.has(other)) return text === other;
      const known = names.get(text);
      names.set(text, known ?? other);
      return known === undefined || known === other;
    });
  }

  /** The only one of `functions` that is similar to `definition`, of which the optimizer leaves one; `null`: none or several. */
  findTwin(definition: SourceFunction, functions: ReadonlySet<SourceFunction>): SourceFunction | null {
    const tokens = this.getTokens(definition);
    const twins = [...functions].filter(each => each.body !== null && this.areSimilar(tokens, this.getTokens(each)));
    return twins.length === 1 ? (twins[0] as SourceFunction) : null;
  }

  /** All functions that can run when `definition` does, itself included. */
  reachable(definition: SourceFunction): ReadonlySet<SourceFunction> {
    const known = this.#reachable.get(definition);
    if (known !== undefined) return known;
    const found = new Set([definition]);
    for (const each of found) for (const { target } of this.edges(each)) found.add(target);
    this.#reachable.set(definition, found);
    return found;
  }

  /**
   * The shortest ways from one function to another one, or to itself by recursion, at most `limit` of them; each is the
   * list of calls.
   */
  paths(from: SourceFunction, to: SourceFunction, limit = 8): readonly (readonly CallEdge[])[] {
    let ways: (readonly CallEdge[])[] = [[]];
    const seen = new Set([from]);
    while (ways.length > 0) {
      const longer = ways.flatMap(way =>
        this.edges(way.at(-1)?.target ?? from).map((edge): readonly CallEdge[] => [...way, edge]),
      );
      const complete = longer.filter(way => way.at(-1)?.target === to);
      if (complete.length > 0) return complete.slice(0, limit);
      ways = longer.filter(way => !seen.has(way.at(-1)?.target as SourceFunction)).slice(0, 500);
      for (const way of ways) seen.add(way.at(-1)?.target as SourceFunction);
    }
    return [];
  }
}
