// What columns of CSV and fields of JSON mean, under the names that tools and people give them.

import { isObject } from '../base/isObject.ts';
import type { EntryField } from './validateEntry.ts';

/** By field, the best name first: a file may have several columns for one field. */
const FIELD_NAMES: Readonly<Record<EntryField, string>> = {
  address:
    'address walletaddress contractaddress tokenaddress accountaddress safeaddress ethaddress evmaddress publicaddress freshaddress wallet contract account addr adresse safe token',
  name: 'name nametag publicnametag privatenametag publicname displayname label title alias aliasname nickname walletname accountname projectname tokenname entityname contractname username bezeichnung ensname ens symbol',
  chains:
    'chains chain network networks chainid chainids evmchainid blockchain blockchains chainname networkid networkname netzwerk',
  tags: 'tags tag labels category categories',
  kind: 'kind type',
  folder: 'folder group',
  notes: 'notes note comment comments memo description privatenote remark bemerkung',
  color: 'color colour',
  mark: 'mark trust',
  logo: 'logo logouri logourl iconurl imageurl image icon',
  abi: 'abi',
};

/** Names where nothing else is one, as in lists of addresses and their tags. */
const SUBSTITUTE_NAMES = ['tag', 'remark', 'bemerkung', 'note', 'comment', 'description'];

const fieldsByName = new Map(
  Object.entries(FIELD_NAMES).flatMap(([field, names]) =>
    names.split(' ').map((name, rank) => [name, { field: field as EntryField, rank }] as const),
  ),
);

/** `Name Tag`, `name_tag` and `nameTag` are one name. */
const normalizeName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const findField = (name: string) => fieldsByName.get(normalizeName(name));

/** Which of the names means which field: the best one of each field. */
export function assignFields(names: readonly string[]): readonly (EntryField | null)[] {
  const best = new Map<EntryField, { readonly at: number; readonly rank: number }>();
  for (const [at, name] of names.entries()) {
    const found = findField(name);
    if (found !== undefined && found.rank < (best.get(found.field)?.rank ?? Number.POSITIVE_INFINITY))
      best.set(found.field, { at, rank: found.rank });
  }
  const fields = new Map([...best].map(([field, { at }]) => [at, field]));
  if (!best.has('name')) {
    const normalized = names.map(normalizeName);
    const substitute = SUBSTITUTE_NAMES.find(name => normalized.includes(name));
    if (substitute !== undefined) fields.set(normalized.indexOf(substitute), 'name');
  }
  return names.map((_, at) => fields.get(at) ?? null);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** No limit to chains. */
const ALL_CHAINS = /^(?:all|any|\*)$/i;

/** Chains as a list: `1;137`, `{ id: 1, name: 'Ethereum' }`. */
function toChains(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(toChains);
  if (isObject(value)) return toChains(value['id'] ?? value['chainId'] ?? value['name'] ?? JSON.stringify(value));
  if (typeof value !== 'string') return [value];
  return value
    .split(/[;,|]/)
    .map(part => part.trim())
    .filter(part => part !== '' && !ALL_CHAINS.test(part));
}

/** The kind that words of others mean: `ERC-721`, `EOA`; as it is when it means none. */
function toKind(text: string): string {
  const kind = text.toLowerCase();
  if (/collection|nft|721|1155/.test(kind)) return 'collection';
  if (/contract|token|erc-?20/.test(kind)) return 'contract';
  return /^(?:eoa|account|user|address|wallet)$/.test(kind) ? 'wallet' : kind;
}

function toValue(field: EntryField, value: unknown): unknown {
  if (field === 'chains') return toChains(value);
  if (typeof value !== 'string') return value;
  if (field === 'kind') return toKind(value);
  return field === 'color' || field === 'mark' ? value.toLowerCase() : value;
}

/** An entry in its stored form from values under any names; the names of what it does not have are added to `ignored`. */
export function toStoredRecord(
  values: readonly (readonly [name: string, value: unknown])[],
  ignored: Set<string>,
): Record<string, unknown> {
  const filled = values.filter(([, value]) => !isEmpty(value));
  const fields = assignFields(filled.map(([name]) => name));
  const record: Record<string, unknown> = {};
  for (const [at, [name, value]] of filled.entries()) {
    const field = fields[at] ?? null;
    if (field === null || (field === 'abi' && typeof value !== 'string')) ignored.add(name);
    else record[field] = toValue(field, value);
  }
  return record;
}
