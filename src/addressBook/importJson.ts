// Reads names and addresses from any JSON: lists, maps, exports of wallets, token lists, deployments of other tools.
import { findChainIdByWord, parseWrittenChain } from '../api/chainNames.ts';
import { isObject, type UnknownRecord } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { splitChainAddress } from './entry.ts';
import { assignFields, toStoredRecord } from './importFields.ts';
import { type ImportRecord, type ImportResult, importRecords, parseJson } from './importResult.ts';

/** Deeper values are no lists of addresses. */
const MAX_DEPTH = 12;
/** Texts that hold JSON, as in the storage of a browser, are not read in each other without an end. */
const MAX_NESTED_TEXTS = 2;

/** Keys that say where an address is used, not what it is called. */
const NO_NAME =
  /^(?:from|to|sender|recipient|value|address|addresses|contract|contracts|deployed|networks?|tokens|accounts|data|\d+)$/i;
/** Parts of a contract, which is called by the key above. */
const PART = /^(?:proxy|implementation|impl|beacon|logic|admin|proxyAdmin)$/;

interface Context {
  /** Chains that keys or fields above name. */
  readonly chains: readonly string[];
  /** The nearest key that can be a name. */
  readonly name: string;
  /** Of the nearest object that has one. */
  readonly ownerName: string;
  /** `tokens[3].address`. */
  readonly path: string;
  readonly depth: number;
  readonly texts: number;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An EVM address: the 64 digits of an Aptos one may be a private key as well. */
const isAddressText = (text: string): boolean => splitChainAddress(text)?.address.length === 42;

/** The chain that a key or a file name names; ordinary words name none. */
function parseKeyChain(key: string): string | null {
  if (/^(?:[1-9]\d{0,14}|0x[0-9a-f]{1,13}|eip155:\d{1,15})$/i.test(key)) return parseWrittenChain(key);
  const isLocal = /^(?:local|localhost|hardhat|anvil)$/i.test(key);
  return isLocal || findChainIdByWord(key) !== null ? parseWrittenChain(key) : null;
}

class AddressCollector {
  readonly records: ImportRecord[] = [];
  readonly ignored = new Set<string>();
  /** Addresses that nothing names. */
  nameless = 0;

  visit(value: unknown, context: Context): void {
    if (context.depth > MAX_DEPTH) return;
    if (typeof value === 'string') this.#visitText(value, context);
    else if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        this.#visitItem(item, {
          ...context,
          path: context.path === '' ? t('entry {0}', at + 1) : `${context.path}[${at}]`,
        });
    } else if (isObject(value)) this.#visitObject(value, context);
  }

  #add(record: Readonly<Record<string, unknown>>, { chains, path }: Context): void {
    if (typeof record['name'] !== 'string') this.nameless++;
    else this.records.push({ location: path, record: record['chains'] === undefined ? { ...record, chains } : record });
  }

  #visitText(text: string, context: Context): void {
    if (isAddressText(text)) {
      const name = context.name || context.ownerName;
      this.#add(name === '' ? {} : { address: text, name, kind: 'contract' }, context);
    } else if (/^\s*[[{]/.test(text) && context.texts < MAX_NESTED_TEXTS)
      this.visit(parseJson(text), { ...context, texts: context.texts + 1 });
  }

  /** An address in a list has no name; an object may have one. */
  #visitItem(item: unknown, context: Context): void {
    if (typeof item === 'string') this.nameless += Number(isAddressText(item));
    else if (typeof item === 'object' && item !== null)
      this.visit(item, { ...context, name: '', depth: context.depth + 1 });
    else if (context.depth === 0) this.records.push({ location: context.path, record: item }); // rejected, with a reason
  }

  #visitObject(value: UnknownRecord, context: Context): void {
    const entries = Object.entries(value);
    const fields = assignFields(entries.map(([key]) => key));
    const get = (field: string) => entries[fields.indexOf(field as (typeof fields)[number])]?.[1];
    const address = get('address');
    // Accounts of MetaMask have their name there.
    const metadata = value['metadata'];
    if (get('name') === undefined && address !== undefined && isObject(metadata) && asText(metadata['name']) !== '') {
      const { name, ...rest } = metadata;
      this.visit({ ...value, metadata: rest, name }, context);
      return;
    }
    const isAddress = splitChainAddress(asText(address)) !== null;
    // One in a list that is mistyped is rejected, with a reason.
    const isMistyped = !isAddress && context.name === '' && typeof value['address'] === 'string';
    // In a map, `token` and `wallet` are names of what they hold.
    const isNamed = get('name') !== undefined || (context.name !== '' && value['address'] === address);
    if ((isAddress || isMistyped) && isNamed) {
      const stored = toStoredRecord(entries, this.ignored);
      const isToken = stored['kind'] === undefined && typeof value['decimals'] === 'number';
      this.#add({ name: context.name, ...(isToken && { kind: 'contract' }), ...stored }, context);
      return;
    }
    const chain = get('chains');
    const own = typeof chain === 'string' || typeof chain === 'number' ? parseWrittenChain(String(chain)) : null;
    const below: Context = {
      ...context,
      chains: own === null ? context.chains : [own],
      ownerName: asText(value['contractName']) || context.ownerName,
      depth: context.depth + 1,
    };
    // Keys from 0 count; from 1 they would be chains.
    const isCounted = Object.hasOwn(value, '0');
    for (const [key, child] of entries) {
      const path = context.path === '' ? key : `${context.path}.${key}`;
      if (isAddressText(key)) this.#visitAddressKey(key, child, { ...below, path });
      else this.visit(child, this.#enter(key, child, { ...below, path }, isCounted));
    }
  }

  /** `"0x…": "Name"`, or an object that has the name. */
  #visitAddressKey(address: string, child: unknown, context: Context): void {
    const named: UnknownRecord = isObject(child) ? child : { name: child };
    const stored = toStoredRecord(
      Object.entries(named).filter(([key]) => key !== 'address'),
      this.ignored,
    );
    if (typeof child === 'string' || isObject(child)) this.#add({ ...stored, address }, context);
  }

  #enter(key: string, child: unknown, context: Context, isCounted: boolean): Context {
    const isLeaf = typeof child === 'string';
    const chain = isCounted || (isLeaf && context.name === '' && context.ownerName === '') ? null : parseKeyChain(key);
    if (chain !== null) return { ...context, chains: [chain] };
    if (isLeaf && PART.test(key) && context.name !== '') return { ...context, name: `${context.name} ${key}` };
    return NO_NAME.test(key) ? context : { ...context, name: key };
  }
}

/** Entries of a value; `path` may name a chain: `deployments/base.json`, `deployments/8453/addresses.json`. */
export function importAnyJson(value: unknown, path: string): ImportResult {
  const [folder = '', file = ''] = path.split('/').slice(-2);
  const chain = parseKeyChain(file.replace(/\.jsonc?$/i, '')) ?? parseKeyChain(folder);
  const collector = new AddressCollector();
  collector.visit(value, {
    name: '',
    ownerName: '',
    path: '',
    depth: 0,
    texts: 0,
    chains: chain === null ? [] : [chain],
  });
  const { records, ignored, nameless } = collector;
  if (nameless > 0) ignored.add(t('{0} addresses without a name', nameless));
  return importRecords(records, ignored);
}
