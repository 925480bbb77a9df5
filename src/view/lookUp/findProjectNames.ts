// Contracts, functions, events and errors of the workspace by name.
import type { AbiItem } from '../../decode/abiItem.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';

export interface ProjectContract {
  readonly kind: 'contract';
  readonly name: string;
  /** Its artifacts. */
  readonly ids: readonly string[];
}

export interface ProjectItem {
  readonly kind: 'item';
  readonly item: AbiItem;
  /** The contracts that declare it. */
  readonly contracts: readonly string[];
}

export type ProjectName = ProjectContract | ProjectItem;

/** `deposit`, `deposit(`, `Vault.deposit(uint256)`. */
const NAME = /^(?:([A-Za-z_$][\w$]*)\.)?([A-Za-z_$][\w$]*)(\(.*)?$/;
/** Shorter beginnings match too much. */
const MIN_PREFIX_LENGTH = 3;

/** Lower is better; `null` when it does not match. */
function score(name: string, wanted: string): number | null {
  const lower = name.toLowerCase();
  if (lower === wanted) return 0;
  return wanted.length >= MIN_PREFIX_LENGTH && lower.startsWith(wanted) ? 1 : null;
}

interface Found {
  readonly score: number;
  /** Of a contract its artifacts, of an item the contracts that declare it. */
  readonly of: Set<string>;
  readonly item: AbiItem | null;
}

/** At most `limit`, exact names first, contracts before what they declare. One pass over all ABIs. */
export function findProjectNames(typed: string, registry: AbiRegistry, limit: number): readonly ProjectName[] {
  const [, contract, wanted = '', signature] = NAME.exec(typed.trim()) ?? [];
  const name = wanted.toLowerCase();
  if (name === '') return [];
  const found = new Map<string, Found>();
  const add = (key: string, points: number, of: string, item: AbiItem | null) => {
    const known = found.get(key);
    if (known === undefined) found.set(key, { score: points, of: new Set([of]), item });
    else known.of.add(of);
  };
  for (const id of registry.ids()) {
    const items = registry.items(id);
    const source = items[0]?.source ?? '';
    const ofContract = contract === undefined && signature === undefined ? score(source, name) : null;
    if (ofContract !== null) add(source, ofContract * 2, id, null);
    if (contract !== undefined && source.toLowerCase() !== contract.toLowerCase()) continue;
    for (const item of items) {
      const ofItem = score(item.name, name);
      if (ofItem === null || (signature !== undefined && !isSignature(item, wanted, signature))) continue;
      add(`${item.kind} ${item.canonical}`, ofItem * 2 + 1, item.source, item);
    }
  }
  return [...found]
    .sort(([, a], [, b]) => a.score - b.score)
    .slice(0, limit)
    .map(([key, { item, of }]) =>
      item === null ? { kind: 'contract', name: key, ids: [...of] } : { kind: 'item', item, contracts: [...of] },
    );
}

/** Parameters that are typed so far begin the signature. */
const isSignature = ({ canonical }: AbiItem, name: string, parameters: string): boolean =>
  canonical.toLowerCase().startsWith(`${name}${parameters.replace(/\s/g, '')}`.toLowerCase());
