// All ABI items that are known, found by topic0 or selector: the workspace's own first, then the bundled well-known ones.

import { type AbiItem, getLayoutKey } from './abiItem.ts';
import type { AbiParameter } from './abiType.ts';
import { findErrorSignatures, findEventSignatures, findFunctionSignatures } from './signatures/findSignatures.ts';
import type { Signature } from './signatures/signature.ts';

// The bundled well-known signatures as ABI items, so that they are decoded like the workspace's own.
/** Splits at the commas of the outermost level. */
function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if ((char === ',' || char === undefined) && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter(part => part !== '');
}

/** `address indexed from` and `(address to, uint256 amount)[] orders` as parameters. */
function parseParameter(text: string): AbiParameter {
  const close = text.startsWith('(') ? text.lastIndexOf(')') : -1;
  const inner = text.slice(1, close);
  const [suffix = '', ...words] = text.slice(close + 1).split(/ +/);
  const indexed = words[0] === 'indexed';
  const name = (indexed ? words[1] : words[0]) ?? '';
  const type = close < 0 ? suffix : `tuple${suffix}`;
  return {
    name,
    type,
    ...(indexed && { indexed }),
    ...(close >= 0 && { components: splitList(inner).map(parseParameter) }),
  };
}

function itemOf(kind: AbiItem['kind'], { name, text, canonical, hash, standard }: Signature): AbiItem {
  const list = text.slice(text.indexOf('(') + 1, -1);
  return {
    kind,
    name,
    inputs: splitList(list).map(parseParameter),
    isAnonymous: false,
    canonical,
    hash,
    source: standard,
  };
}

const items = new WeakMap<Signature, AbiItem>();

const cached = (kind: AbiItem['kind']) => (signature: Signature) => {
  const known = items.get(signature);
  if (known !== undefined) return known;
  const item = itemOf(kind, signature);
  items.set(signature, item);
  return item;
};

export const getBundledEvents = (topic0: string): readonly AbiItem[] =>
  findEventSignatures(topic0).map(cached('event'));
export const getBundledFunctions = (selector: string): readonly AbiItem[] =>
  findFunctionSignatures(selector).map(cached('function'));
export const getBundledErrors = (selector: string): readonly AbiItem[] =>
  findErrorSignatures(selector).map(cached('error'));

/** What declares items: one artifact file. */
export interface AbiFile {
  /** Unique, such as the file's URI: added again it replaces what it declared before. */
  readonly id: string;
  readonly items: readonly AbiItem[];
}

export interface AbiCandidates {
  /** Declared by files of the workspace. */
  readonly workspace: readonly AbiItem[];
  readonly bundled: readonly AbiItem[];
}

export interface AbiRegistry {
  set(source: AbiFile): void;
  remove(id: string): void;
  /** Number of sources. */
  readonly size: number;
  /** Ids of all sources, as they are now. */
  ids(): readonly string[];
  events(topic0: string): AbiCandidates;
  functions(selector: string): AbiCandidates;
  errors(selector: string): AbiCandidates;
  /** Events without topic0 of the workspace: any of them may be behind a log of a contract that declares it. */
  anonymousEvents(): readonly AbiItem[];
}

type Key = string;
const SELECTOR = 10;

const keyOf = (item: AbiItem): Key =>
  `${item.kind}:${item.isAnonymous ? 'anonymous' : item.kind === 'event' ? item.hash : item.hash.slice(0, SELECTOR)}`;

/** One of each layout and set of names: the same interface is compiled into many contracts. */
function distinct(items: Iterable<AbiItem>): readonly AbiItem[] {
  const found = new Map<string, AbiItem>();
  for (const item of items) {
    const key = `${getLayoutKey(item)}:${item.inputs.map(({ name }) => name).join()}`;
    if (!found.has(key)) found.set(key, item);
  }
  return [...found.values()];
}

export function createAbiRegistry(): AbiRegistry {
  const sources = new Map<string, readonly AbiItem[]>();
  /** Key -> source -> its items: removing a source costs what it declared, not the whole book. */
  const index = new Map<Key, Map<string, AbiItem[]>>();

  function remove(id: string): void {
    for (const item of sources.get(id) ?? []) {
      const key = keyOf(item);
      const bySource = index.get(key);
      bySource?.delete(id);
      if (bySource?.size === 0) index.delete(key);
    }
    sources.delete(id);
  }

  const workspace = (key: Key): readonly AbiItem[] => {
    const bySource = index.get(key);
    return bySource === undefined ? [] : distinct([...bySource.values()].flat());
  };

  return {
    set({ id, items }) {
      remove(id);
      sources.set(id, items);
      for (const item of items) {
        const key = keyOf(item);
        const bySource = index.get(key) ?? new Map<string, AbiItem[]>();
        index.set(key, bySource);
        const list = bySource.get(id) ?? [];
        bySource.set(id, list);
        list.push(item);
      }
    },
    remove,
    get size() {
      return sources.size;
    },
    ids: () => [...sources.keys()],
    events: topic0 => ({ workspace: workspace(`event:${topic0.toLowerCase()}`), bundled: getBundledEvents(topic0) }),
    functions: selector => ({
      workspace: workspace(`function:${selector.toLowerCase()}`),
      bundled: getBundledFunctions(selector),
    }),
    errors: selector => ({
      workspace: workspace(`error:${selector.toLowerCase()}`),
      bundled: getBundledErrors(selector),
    }),
    anonymousEvents: () => workspace('event:anonymous'),
  };
}
