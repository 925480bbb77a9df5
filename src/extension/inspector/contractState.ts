// The variables of a contract as its page shows them: storage by the layout of its code, or of the code behind a proxy.

import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import { HexLensError } from '../../base/errors.ts';
import { formatInteger, type TokenAmountUnit } from '../../base/formatUnits.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import {
  readContractState,
  readStateKey,
  readStateMembers,
  SeenKeys,
  type StateEntry,
  type StateListing,
} from '../../decode/source/contractState.ts';
import { listVariableAddresses } from '../../decode/source/formatStateChanges.ts';
import { type FetchWords, type FormatValue, readConstant, readImmutable } from '../../decode/source/readVariable.ts';
import { listConstantSlots, STANDARD_SLOTS, STANDARD_TYPES, WORD } from '../../decode/source/stateChanges.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import type { CallParams, CallPart, ContractStateDetails, ContractStateGroup } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { type ContractStateRow, toContractStateRow, toFixedRow } from '../../view/source/contractStateRows.ts';
import { getNoBuildText } from '../../view/source/noBuildText.ts';
import { formatNamedValue, isTokenAmount, type StateFormat } from '../../view/source/stateTable.ts';
import { type CollectedKeys, collectStorageKeys, createFetchWords } from '../source/storageKeys.ts';
import type { DataPorts } from './inspectorPorts.ts';

/** Of a diamond; further facets are left out. */
const MAX_LAYOUTS = 16;

type StatePorts = Pick<
  DataPorts,
  'lookup' | 'chains' | 'findBuild' | 'getName' | 'getNameSources' | 'learnNames' | 'isWorkspaceTrusted'
>;

interface Layout {
  readonly address: Hex;
  readonly name: string;
  readonly code: Hex;
  readonly declarations: ContractDeclarations;
}

interface Layouts {
  /** Of the address itself; `null` where it is too long. */
  readonly code: Hex | null;
  readonly found: readonly Layout[];
  /** Contracts whose build has no layout. */
  readonly withoutLayout: readonly string[];
  /** Addresses whose code no build has. */
  readonly unknown: readonly Hex[];
}

/** The layouts of a contract and of what is behind it. */
async function findLayouts(
  chain: string,
  address: Hex,
  { lookup, findBuild }: StatePorts,
  signal: AbortSignal,
): Promise<Layouts> {
  const own = await lookup('contractCode', { chain, address }, signal);
  const behind = [...(own.delegate === null ? [] : [own.delegate]), ...(own.proxy?.implementations ?? [])];
  const layouts: Layout[] = [];
  const withoutLayout: string[] = [];
  const unknown: Hex[] = [];
  for (const each of [address, ...behind.slice(0, MAX_LAYOUTS)]) {
    const { code } = each === address ? own : await lookup('contractCode', { chain, address: each }, signal);
    if (code === null || code === '0x' || (each === address && own.delegate !== null)) continue;
    const build = await findBuild(code);
    const declarations = (await build?.declarations()) ?? null;
    const isMinimalProxy = each === address && behind.length > 0;
    if (build === null) {
      if (!isMinimalProxy) unknown.push(each);
    } else if (declarations === null) withoutLayout.push(build.build.name);
    else layouts.push({ address: each, name: build.build.name, code, declarations });
  }
  return { code: own.code, found: layouts, withoutLayout, unknown };
}

/** Numbers of the blocks: both are of one moment. */
async function resolveBlocks(
  chain: string,
  blocks: readonly string[],
  { lookup }: StatePorts,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { head, problem } = await lookup('chainStatus', { chain }, signal);
  if (head === null) throw new HexLensError('node-unreachable', problem ?? t('The head of this chain is not known.'));
  const numbers = blocks.map(block => (block === 'latest' ? head : Number(block)));
  const unmined = numbers.find(number => number > head);
  if (unmined === undefined) return numbers;
  const [wanted, newest] = [formatInteger(unmined), formatInteger(head)];
  throw new HexLensError('bad-input', t('There is no block {0} yet: the newest one is {1}.', wanted, newest));
}

/** Where a block is older than the code that declares the variables: storage that was never written, or was by other code. */
async function describeOlderBlocks(
  chain: string,
  address: Hex,
  code: Hex | null,
  blocks: readonly number[],
  { lookup }: StatePorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const fetchBehind = async (block?: number) =>
    (await createFetchWords({ chain, address, block }, lookup, signal)(PROXY_SLOTS)).join();
  const behind = blocks.length === 0 ? '' : await fetchBehind();
  const describe = async (block: number) => {
    const [then, behindThen] = await Promise.all([
      lookup('contractCode', { chain, address, block }, signal),
      fetchBehind(block),
    ]);
    const number = formatInteger(block);
    if (then.code === '0x')
      return t('There was no code at this address at block {0}: the values are those of empty storage.', number);
    if (then.code === code && behindThen === behind) return null;
    return t(
      'Other code ran at this address at block {0}: its values are shown by the variables of the newest.',
      number,
    );
  };
  return (await Promise.all(blocks.map(describe))).filter(note => note !== null);
}
/** What a proxy runs. */
const PROXY_SLOTS = STANDARD_SLOTS.filter(({ name }) => !name.endsWith('.admin')).map(({ slot }) => slot);

/** What the page knows of addresses that may be keys. */
async function collectKeys(
  chain: string,
  address: Hex,
  { lookup, chains, getNameSources }: StatePorts,
  signal: AbortSignal,
): Promise<CollectedKeys> {
  const isLocal = chains().some(each => each.selector === chain && each.isLocal);
  const listSaved = async () => (await getNameSources()).saved.map(entry => entry.address);
  return collectStorageKeys({ chain, address, isLocal }, { lookup, listSaved }, signal);
}

async function createFormat(
  chain: string,
  address: Hex,
  layouts: Layouts,
  coin: Coin,
  { lookup, getName }: StatePorts,
  signal: AbortSignal,
): Promise<StateFormat> {
  const isToken = layouts.found.some(({ declarations }) =>
    declarations.storage.some(({ name }) => isTokenAmount([{ kind: 'name', name }])),
  );
  const found = isToken ? await lookup('tokenUnit', { chain, address }, signal).catch(() => null) : null;
  const unit: TokenAmountUnit | null = found?.standard === 'ERC20' ? toAmountUnit(found) : null;
  return { coin, unit, getName: of => getName(of, chain) };
}

const listFixed = ({ declarations, code }: Layout, blocks: number, names: StateFormat): readonly ContractStateRow[] => {
  const { types, immutables, constants } = declarations;
  const format: FormatValue = (value, type) => formatNamedValue(value, type, names);
  return [
    ...immutables.map(each =>
      toFixedRow(
        each.name,
        types[each.type]?.text ?? '',
        'immutable',
        readImmutable(types, each, code, format),
        blocks,
      ),
    ),
    ...constants.flatMap(({ name, contract, type }) =>
      contract === null
        ? []
        : [
            toFixedRow(
              name,
              types[type]?.text ?? '',
              'constant',
              readConstant(declarations, contract, name, format),
              blocks,
            ),
          ],
    ),
  ];
};

const listEntryAddresses = (entry: StateEntry): readonly Hex[] => [
  ...listVariableAddresses(entry, entry.values),
  ...(entry.members ?? []).flatMap(listEntryAddresses),
];

/** The addresses that immutable variables have. */
const listFixedAddresses = ({ declarations: { types, immutables }, code }: Layout): readonly Hex[] =>
  immutables.flatMap(each => {
    const type = types[each.type]?.text ?? '';
    return listVariableAddresses({ path: [], type }, [readImmutable(types, each, code)]);
  });

/** Slots that are named outside of the layout: shown where they hold something. */
async function listNamedSlots(
  slots: Pick<ContractDeclarations, 'types' | 'storage'>,
  fetchWords: readonly FetchWords[],
  format: StateFormat,
  learnNames: (addresses: readonly Hex[]) => Promise<void>,
): Promise<readonly ContractStateRow[]> {
  const { entries } = await readContractState(slots, new SeenKeys(), fetchWords);
  await learnNames(entries.flatMap(listEntryAddresses));
  return entries
    .filter(({ values }) => values.some(value => value !== null && !/^0x0*$/.test(value)))
    .map(entry => toContractStateRow(entry, '', format));
}

export async function fetchContractState(
  { chain, address: given, blocks }: CallParams<'contractState'>,
  coin: Coin,
  ports: StatePorts,
  signal: AbortSignal,
): Promise<ContractStateDetails> {
  const address = toLowerHex(given as Hex);
  const [layouts, numbers] = await Promise.all([
    findLayouts(chain, address, ports, signal),
    resolveBlocks(chain, blocks, ports, signal),
  ]);
  const fetchWords = numbers.map(block => createFetchWords({ chain, address, block }, ports.lookup, signal));
  const older = numbers.filter((_, index) => layouts.found.length > 0 && blocks[index] !== 'latest');
  const [{ keys, isComplete }, format, ofOlder] = await Promise.all([
    layouts.found.length === 0
      ? { keys: new SeenKeys(), isComplete: true }
      : collectKeys(chain, address, ports, signal),
    createFormat(chain, address, layouts, coin, ports, signal),
    describeOlderBlocks(chain, address, layouts.code, older, ports, signal),
  ]);
  const learnNames = (addresses: readonly Hex[]) => ports.learnNames(chain, addresses, signal);
  const slots = { types: STANDARD_TYPES, storage: STANDARD_SLOTS };
  const standard = await listNamedSlots(slots, fetchWords, format, learnNames);
  const groups: ContractStateGroup[] = [];
  let isCut = false;
  // What is behind a proxy is what the reader looks for.
  for (const layout of layouts.found.toReversed()) {
    const { declarations, name } = layout;
    const listing = await readContractState(declarations, keys, fetchWords);
    await learnNames([...listing.entries.flatMap(listEntryAddresses), ...listFixedAddresses(layout)]);
    isCut ||= listing.isCut;
    const types = [...declarations.types, WORD];
    const constants = listConstantSlots(declarations);
    const named = await listNamedSlots({ types, storage: constants }, fetchWords, format, learnNames);
    const rows = [
      ...listing.entries.map(entry => toContractStateRow(entry, '', format)),
      ...named,
      ...listFixed(layout, numbers.length, format),
    ];
    if (rows.length > 0) groups.push({ title: name, layout: layout.address, rows });
  }
  if (standard.length > 0) groups.push({ title: 'ERC-1967', layout: null, rows: standard });
  return {
    blocks: numbers,
    groups,
    lacksLayout: layouts.withoutLayout.length > 0,
    notes: [
      ...ofOlder,
      ...describe(layouts, ports.isWorkspaceTrusted(), { isCut, isComplete, hasMapping: hasMapping(layouts) }),
    ],
  };
}

const hasMapping = ({ found }: Layouts): boolean =>
  found.some(({ declarations }) => declarations.types.some(({ kind }) => kind === 'mapping'));

function describe(
  { found, withoutLayout, unknown }: Layouts,
  isTrusted: boolean,
  { isCut, isComplete, hasMapping }: { isCut: boolean; isComplete: boolean; hasMapping: boolean },
): readonly string[] {
  return [
    ...(found.length === 0 && withoutLayout.length === 0
      ? [getNoBuildText(isTrusted, t('No build of the workspace has this code, so that its variables are not known.'))]
      : unknown.map(address => t('No build of the workspace has the code of {0}.', address))),
    ...withoutLayout.map(name =>
      t('The build of {0} has no storage layout, so that its variables have no names.', name),
    ),
    ...(isCut ? [t('There is more than one page can show: what was left out is read when you open it.')] : []),
    ...(hasMapping && !isComplete
      ? [t('Mappings show the keys that HexLens has seen in transactions. Enter others below a mapping.')]
      : []),
  ];
}

export async function fetchStateMembers(
  { chain, address: given, blocks, layout: ofCode, place, from, key }: CallParams<'stateMembers'>,
  coin: Coin,
  ports: StatePorts,
  signal: AbortSignal,
): Promise<CallPart<'stateMembers'>> {
  const address = toLowerHex(given as Hex);
  const layouts = await findLayouts(chain, address, ports, signal);
  const layout = layouts.found.find(each => toLowerHex(each.address) === toLowerHex(ofCode as Hex));
  if (layout === undefined) return { rows: [], next: null, problem: t('The code of the contract has changed.') };
  const fetchWords = blocks.map(block =>
    createFetchWords({ chain, address, block: Number(block) }, ports.lookup, signal),
  );
  const [{ keys }, format] = await Promise.all([
    collectKeys(chain, address, ports, signal),
    createFormat(chain, address, layouts, coin, ports, signal),
  ]);
  const { types } = layout.declarations;
  const parent = { place: { ...place, slot: BigInt(place.slot) }, path: [] };
  const listing: StateListing | null =
    key === null
      ? await readStateMembers(types, keys, parent, BigInt(from), fetchWords)
      : await readStateKey(types, keys, parent, resolveKey(key, await ports.getNameSources()), fetchWords);
  if (listing === null) return { rows: [], next: null, problem: t('This is no key of the mapping.') };
  await ports.learnNames(chain, listing.entries.flatMap(listEntryAddresses), signal);
  const next = listing.more > 0n ? (BigInt(from) + BigInt(listing.entries.length)).toString() : null;
  return { rows: listing.entries.map(entry => toContractStateRow(entry, place.path, format)), next, problem: '' };
}

/** A saved name in place of an address. */
function resolveKey(key: string, { saved }: Awaited<ReturnType<StatePorts['getNameSources']>>): string {
  const text = key.trim();
  return saved.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.address ?? key;
}
