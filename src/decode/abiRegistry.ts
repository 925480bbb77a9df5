// All known ABI items by topic0 or selector: those of the workspace first, then bundled well-known ones.

import * as AbiParameters from 'ox/AbiParameters';
import { isForChain } from '../api/configuration.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import { type AbiItem, getLayoutKey } from './abiItem.ts';
import type { AbiParameter } from './abiType.ts';
import {
  findErrorSignatures,
  findEventSignatures,
  findFunctionSignatures,
  listEventSignatures,
  type Signature,
} from './signatures/findSignatures.ts';

interface ParsedParameter {
  readonly name?: string | undefined;
  readonly type: string;
  readonly indexed?: boolean | undefined;
  readonly components?: readonly ParsedParameter[];
}

const toAbiParameter = ({ name = '', type, indexed, components }: ParsedParameter): AbiParameter => ({
  name,
  type,
  ...(indexed === true && { indexed }),
  ...(components !== undefined && { components: components.map(toAbiParameter) }),
});

function toAbiItem(kind: AbiItem['kind'], { name, text, canonical, hash, standard }: Signature): AbiItem {
  const parameters = text.slice(text.indexOf('(') + 1, -1);
  // The tables are checked by a test, so that parsing cannot fail.
  const inputs = parameters === '' ? [] : (AbiParameters.from(parameters) as readonly ParsedParameter[]);
  return { kind, name, inputs: inputs.map(toAbiParameter), isAnonymous: false, canonical, hash, source: standard };
}

const bundledItems = new WeakMap<Signature, AbiItem>();

const toBundledItem = (kind: AbiItem['kind']) => (signature: Signature) => {
  return getOrInsert(bundledItems, signature, () => toAbiItem(kind, signature));
};

export const getBundledEvents = (topic0: string): readonly AbiItem[] =>
  findEventSignatures(topic0).map(toBundledItem('event'));
export const getBundledFunctions = (selector: string): readonly AbiItem[] =>
  findFunctionSignatures(selector).map(toBundledItem('function'));
export const getBundledErrors = (selector: string): readonly AbiItem[] =>
  findErrorSignatures(selector).map(toBundledItem('error'));

export interface AbiContract {
  /** Lower case. */
  readonly address: string;
  /** Canonical selectors; empty: all chains. */
  readonly chains: readonly string[];
}

export interface AbiFile {
  /** Unique, such as the file's URI: setting it again replaces its items. */
  readonly id: string;
  readonly items: readonly AbiItem[];
  /** The contracts whose ABI it is; absent for a compiler's artifact, whose contracts may be anywhere. */
  readonly contracts?: readonly AbiContract[];
}

export interface AbiCandidates {
  /** Declared by files of the workspace. */
  readonly workspace: readonly AbiItem[];
  readonly bundled: readonly AbiItem[];
}

export interface AbiRegistry {
  set(file: AbiFile): void;
  remove(id: string): void;
  /** What the build of a file says of enums, by name with contract: `Vault.Status`. */
  setEnums(id: string, enums: ReadonlyMap<string, readonly string[]>): void;
  /** Of an enum that all builds declare alike; `null` for others. */
  enumMembers(name: string): readonly string[] | null;
  /** Files with parameters of enums whose members were not set. */
  idsWithoutEnums(): readonly string[];
  readonly size: number;
  ids(): readonly string[];
  /** What a file declares. */
  items(id: string): readonly AbiItem[];
  /** Files that are the ABI of this contract on the chain. */
  idsOf(chain: string, address: string): readonly string[];
  /** All files that are the ABI of certain contracts. */
  contractIds(): readonly string[];
  /** The same registry, in which items of these files come alone where there are some. */
  prefer(ids: ReadonlySet<string>): AbiRegistry;
  /** The contracts of the workspace that declare the item of `events`, `functions` or `errors`, under the same names. */
  sourcesOf(item: AbiItem): readonly string[];
  events(topic0: string): AbiCandidates;
  functions(selector: string): AbiCandidates;
  errors(selector: string): AbiCandidates;
  /** All events with a topic0: those of the workspace by name, then bundled ones. */
  allEvents(): readonly AbiItem[];
  /** Events of the workspace without topic0: any of them may have emitted a log. */
  anonymousEvents(): readonly AbiItem[];
}

const SELECTOR_LENGTH = 10;

const getKey = (item: AbiItem): string =>
  `${item.kind}:${item.isAnonymous ? 'anonymous' : item.kind === 'event' ? item.hash : item.hash.slice(0, SELECTOR_LENGTH)}`;

/** Equal for what one declaration says as well as another. */
const getTextKey = (item: AbiItem): string => `${getLayoutKey(item)}:${item.inputs.map(({ name }) => name).join()}`;

/** Removes duplicates by layout and names: the same interface is compiled into many contracts. */
function removeDuplicates(items: Iterable<AbiItem>): readonly AbiItem[] {
  const unique = new Map<string, AbiItem>();
  for (const item of items) {
    const key = getTextKey(item);
    if (!unique.has(key)) unique.set(key, item);
  }
  return [...unique.values()];
}

const hasEnum = (parameters: readonly AbiParameter[]): boolean =>
  parameters.some(({ enumName, components = [] }) => enumName !== undefined || hasEnum(components));

export function createAbiRegistry(): AbiRegistry {
  const files = new Map<string, readonly AbiItem[]>();
  /** Key -> file -> its items: removing a file does not search the whole registry. */
  const index = new Map<string, Map<string, AbiItem[]>>();
  /** The contracts of the files that are for certain contracts only. */
  const contracts = new Map<string, readonly AbiContract[]>();
  /** Members by name, by file. */
  const enums = new Map<string, ReadonlyMap<string, readonly string[]>>();

  function remove(id: string): void {
    for (const item of files.get(id) ?? []) {
      const key = getKey(item);
      const byFile = index.get(key);
      byFile?.delete(id);
      if (byFile?.size === 0) index.delete(key);
    }
    files.delete(id);
    contracts.delete(id);
    enums.delete(id);
  }

  const createView = (preferred: ReadonlySet<string>): AbiRegistry => {
    const getWorkspaceItems = (key: string): readonly AbiItem[] => {
      const byFile = [...(index.get(key) ?? [])];
      const own = preferred.size === 0 ? [] : byFile.filter(([id]) => preferred.has(id));
      const general = contracts.size === 0 ? byFile : byFile.filter(([id]) => !contracts.has(id));
      return removeDuplicates((own.length > 0 ? own : general).flatMap(([, items]) => items));
    };
    /** The ABI of another contract counts only where nothing else is known: the hash of the signature is the same. */
    const getCandidates = (key: string, bundled: readonly AbiItem[]): AbiCandidates => {
      const known = getWorkspaceItems(key);
      if (known.length > 0 || bundled.length > 0) return { workspace: known, bundled };
      return { workspace: removeDuplicates([...(index.get(key)?.values() ?? [])].flat()), bundled };
    };
    return {
      set({ id, items, contracts: only }) {
        remove(id);
        files.set(id, items);
        if (only !== undefined) contracts.set(id, only);
        for (const item of items) {
          const key = getKey(item);
          const byFile = getOrInsert(index, key, () => new Map<string, AbiItem[]>());
          const list = getOrInsert(byFile, id, () => []);
          list.push(item);
        }
      },
      remove,
      setEnums: (id, members) => void (files.has(id) && enums.set(id, members)),
      enumMembers(name) {
        const known = [...enums.values()]
          .flatMap(byName => [byName.get(name) ?? []])
          .filter(({ length }) => length > 0);
        const [first] = known;
        return first !== undefined && known.every(members => members.join() === first.join()) ? first : null;
      },
      idsWithoutEnums: () =>
        [...files].flatMap(([id, items]) =>
          !enums.has(id) && items.some(({ inputs, outputs = [] }) => hasEnum(inputs) || hasEnum(outputs)) ? [id] : [],
        ),
      get size() {
        return files.size;
      },
      ids: () => [...files.keys()],
      items: id => files.get(id) ?? [],
      idsOf(chain, address) {
        const wanted = address.toLowerCase();
        const isFor = (one: AbiContract) => one.address === wanted && isForChain(one.chains, chain);
        return [...contracts].flatMap(([id, list]) => (list.some(isFor) ? [id] : []));
      },
      contractIds: () => [...contracts.keys()],
      prefer: createView,
      sourcesOf: item => {
        const same = [...(index.get(getKey(item))?.values() ?? [])].flat();
        return [...new Set(same.filter(other => getTextKey(other) === getTextKey(item)).map(({ source }) => source))];
      },
      events: topic0 => getCandidates(`event:${topic0.toLowerCase()}`, getBundledEvents(topic0)),
      functions: selector => getCandidates(`function:${selector.toLowerCase()}`, getBundledFunctions(selector)),
      errors: selector => getCandidates(`error:${selector.toLowerCase()}`, getBundledErrors(selector)),
      allEvents() {
        const events = [...files.values()].flat().filter(({ kind, isAnonymous }) => kind === 'event' && !isAnonymous);
        const bundled = listEventSignatures().map(toBundledItem('event'));
        return [...removeDuplicates(events).toSorted((a, b) => a.canonical.localeCompare(b.canonical)), ...bundled];
      },
      anonymousEvents: () => getWorkspaceItems('event:anonymous'),
    };
  };
  return createView(new Set());
}
