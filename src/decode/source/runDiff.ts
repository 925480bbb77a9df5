// What the transactions of some blocks did together: methods and outcomes, failures, new contracts, and what is different after them.
import type { Chain } from '../../api/chains.ts';
import type {
  AccountChanges,
  NoStateChanges,
  StateChanges,
  StorageChange,
  ValueChange,
} from '../../api/stateChanges.ts';
import type { NoTransactionTrace, TransactionTrace } from '../../api/transactionTrace.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isFault, toFault } from '../../base/errors.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import { type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { AbiRegistry } from '../abiRegistry.ts';
import { decodeFunctionData } from '../decodeAbi.ts';
import { formatTrace } from '../trace/formatTrace.ts';
import type { FoundTransactionSource } from './fetchTransactionSource.ts';
import {
  type ContractNames,
  formatNamedAddress,
  formatStateChanges,
  listStateAddresses,
} from './formatStateChanges.ts';
import { formatStored, isValueType } from './storageValues.ts';
import { toElementaryType } from './typeTable.ts';

/** How the transactions are read, by their hashes. */
export interface RunLookups {
  /** Hashes of a block's transactions, in their order. */
  listTransactions(block: number): Promise<readonly Hex[]>;
  trace(hash: Hex): Promise<TransactionTrace | NoTransactionTrace>;
  source(hash: Hex): Promise<FoundTransactionSource | null>;
  state(hash: Hex): Promise<StateChanges | NoStateChanges>;
  /** What contracts are called by the builds of the project now; `null` where no build has the code. */
  nameContracts(addresses: Iterable<Hex>): Promise<(address: Hex) => string | null>;
}

/** Transactions of one function with one outcome. */
export interface MethodCount {
  /** `null` for creations. */
  readonly to: Hex | null;
  readonly contract: string | null;
  /** The contracts that creations made. */
  readonly created: readonly Hex[];
  readonly method: string;
  readonly outcome: 'success' | 'failed';
  readonly count: number;
}

export interface RunDiff {
  readonly from: number;
  readonly to: number;
  readonly chain: Chain | null;
  /** Those that were read. */
  readonly transactions: number;
  /** There are more: only the first `MAX_RUN_TRANSACTIONS` were read. */
  readonly hasMore: boolean;
  readonly methods: readonly MethodCount[];
  /** With error and stack, as `hexlens trace` prints them. */
  readonly failures: readonly { readonly hash: Hex; readonly text: string }[];
  readonly created: readonly { readonly address: Hex; readonly creator: Hex; readonly hash: Hex }[];
  readonly state: StateChanges;
  readonly contracts: ContractNames;
  /** Transactions that could not be run again, or whose changes are not known, with why. */
  readonly unread: readonly { readonly hash: Hex; readonly reason: LocalizableText }[];
}

/** More transactions are not read. */
const MAX_RUN_TRANSACTIONS = 2_000;
export const FIRST_ONLY = localizable('Only the first {0} transactions were read.', String(MAX_RUN_TRANSACTIONS));
const CONCURRENT = 4;
/** Of more addresses, only the names are known that the transactions tell. */
const MAX_NAMED_ADDRESSES = 200;

const isCreation = (kind: string): boolean => kind.startsWith('CREATE');

/** `deposit(uint256)`; the selector where the function is unknown. */
function getMethod({ calls: [first] }: TransactionTrace, registry: AbiRegistry): string {
  if (first === undefined) return '';
  if (isCreation(first.kind)) return 'constructor';
  const [decoded] = decodeFunctionData(registry, first.input);
  if (decoded !== undefined) return decoded.item.canonical;
  return first.input === '0x' ? 'transfer' : first.input.slice(0, 10);
}

function mergeValue<T>(a: ValueChange<T> | null, b: ValueChange<T> | null): ValueChange<T> | null {
  if (a === null || b === null) return a ?? b;
  return a.before === b.after ? null : { before: a.before, after: b.after };
}

/** The same variable, or the same bytes of it. */
const getChangeKey = ({ slots, path, bytes, type }: StorageChange): string =>
  JSON.stringify([String(slots[0]), path, bytes, type], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );

/** One whole word of storage, which nothing names. */
const isUnnamed = ({ path }: StorageChange): boolean => path.length === 0;

/** What a changed word means for the variable that another transaction names there; `null` where it is not certain to be all of it. */
function toNamedValues(named: StorageChange, word: StorageChange): readonly [before: string, after: string] | null {
  const type = named.bytes === undefined ? toElementaryType(named.type) : null;
  if (type === null || !isValueType(type)) return null;
  const [before, after] = [word.oldValue, word.newValue].map(each => BigInt(each));
  if (before === undefined || after === undefined || (before | after) >> BigInt(8 * type.bytes) !== 0n) return null;
  return [formatStored([type], 0, before), formatStored([type], 0, after)];
}

/** What changed in the storage of one account. */
class StorageSum {
  /** By variable. */
  readonly #changes = new Map<string, StorageChange>();
  /** Their keys, by the slot that names them. */
  readonly #bySlot = new Map<bigint, Set<string>>();

  add(change: StorageChange): void {
    const slot = change.slots[0] ?? -1n;
    const key = getChangeKey(change);
    const known = this.#changes.get(key);
    const keys = this.#bySlot.get(slot) ?? new Set();
    this.#bySlot.set(slot, keys);
    const [other = ''] = keys;
    const others = this.#changes.get(other);
    if (known !== undefined) this.#changes.set(key, { ...change, oldValue: known.oldValue });
    else if (others === undefined || keys.size > 1 || !this.#join(others, change, keys)) this.#set(change, keys);
  }

  #set(change: StorageChange, keys: Set<string>): void {
    const key = getChangeKey(change);
    keys.add(key);
    this.#changes.set(key, change);
  }

  /**
   * Where one transaction has the name of a slot's variable and another one does not, they are one change by name, if their
   * values say that both are of the same variable.
   */
  #join(known: StorageChange, change: StorageChange, keys: Set<string>): boolean {
    if (isUnnamed(known) === isUnnamed(change)) return false;
    const values = isUnnamed(change) ? toNamedValues(known, change) : toNamedValues(change, known);
    if (isUnnamed(change)) {
      if (values?.[0] !== known.newValue) return false;
      const { step, location, isInferred } = change;
      this.#set({ ...known, step, location, isInferred, newValue: values[1] }, keys);
      return true;
    }
    if (values?.[1] !== change.oldValue) return false;
    const key = getChangeKey(known);
    keys.delete(key);
    this.#changes.delete(key);
    this.#set({ ...change, oldValue: values[0] }, keys);
    return true;
  }

  list(): readonly StorageChange[] {
    return [...this.#changes.values()].filter(({ oldValue, newValue }) => oldValue !== newValue);
  }
}

class StateSum {
  /** By address, with storage by variable. */
  readonly #accounts = new Map<Hex, { account: AccountChanges; storage: StorageSum }>();
  readonly #withoutLayout = new Set<string>();
  #omitted = 0;

  /** In the order of the transactions. */
  add({ accounts, omitted, withoutLayout }: StateChanges): void {
    this.#omitted += omitted;
    for (const name of withoutLayout) this.#withoutLayout.add(name);
    for (const account of accounts) {
      const known = this.#accounts.get(account.address);
      const storage = known?.storage ?? new StorageSum();
      for (const change of account.storage) storage.add(change);
      const before = known?.account ?? null;
      const merged: AccountChanges = {
        address: account.address,
        contract: account.contract ?? before?.contract ?? null,
        balance: mergeValue(before?.balance ?? null, account.balance),
        nonce: mergeValue(before?.nonce ?? null, account.nonce),
        codeSize: mergeValue(before?.codeSize ?? null, account.codeSize),
        storage: [],
      };
      this.#accounts.set(account.address, { account: merged, storage });
    }
  }

  /** Names of contracts that changed something, also of those that are as before. */
  get contracts(): ReadonlyMap<Hex, string> {
    const named = [...this.#accounts].flatMap(([address, { account }]): readonly (readonly [Hex, string])[] =>
      account.contract === null ? [] : [[address, account.contract]],
    );
    return new Map(named);
  }

  get(): StateChanges {
    const accounts = [...this.#accounts.values()].map(({ account, storage }) => ({
      ...account,
      storage: storage.list(),
    }));
    return {
      kind: 'stateChanges',
      accounts: accounts.filter(
        ({ balance, nonce, codeSize, storage }) =>
          balance !== null || nonce !== null || codeSize !== null || storage.length > 0,
      ),
      omitted: this.#omitted,
      withoutLayout: [...this.#withoutLayout],
    };
  }
}

async function readTransaction(hash: Hex, lookups: RunLookups) {
  const trace = await lookups.trace(hash);
  if (trace.kind === 'noTrace') return { kind: 'unread', hash, reason: trace.reason } as const;
  const source = trace.status === 'failed' ? await lookups.source(hash) : null;
  return { kind: 'read', hash, trace, source, state: await lookups.state(hash) } as const;
}

type ReadTransaction = Extract<Awaited<ReturnType<typeof readTransaction>>, { readonly kind: 'read' }>;

/** By the builds, else as the transactions ran them. */
async function nameContracts(
  addresses: ReadonlySet<Hex>,
  known: ReadonlyMap<Hex, string>,
  lookups: RunLookups,
): Promise<ContractNames> {
  const getName = await lookups.nameContracts([...addresses].slice(0, MAX_NAMED_ADDRESSES));
  const names = [...addresses].flatMap((address): readonly (readonly [string, string])[] => {
    const name = getName(address) ?? known.get(address) ?? null;
    return name === null ? [] : [[address.toLowerCase(), name]];
  });
  return Object.fromEntries(names);
}

/** A contract that was created is named by its code; of a creation that failed, by its stack. */
function countMethods(
  transactions: readonly ReadTransaction[],
  contracts: ContractNames,
  registry: AbiRegistry,
): readonly MethodCount[] {
  const methods = new Map<string, MethodCount>();
  for (const { trace, source } of transactions) {
    const [first] = trace.calls;
    const isNew = first !== undefined && isCreation(first.kind);
    const to = isNew ? null : (first?.address ?? null);
    const made = isNew && trace.status === 'success' && first.address !== null ? [first.address] : [];
    const [address = to] = made;
    const failedContract = isNew ? (source?.calls.find(({ call }) => call === 0)?.calledContract ?? null) : null;
    const contract = (address === null ? null : contracts[address]) ?? failedContract;
    const [method, outcome] = [getMethod(trace, registry), trace.status];
    const key = JSON.stringify([to, contract, method, outcome]);
    const known = methods.get(key);
    const [count, created] = [(known?.count ?? 0) + 1, [...(known?.created ?? []), ...made]];
    methods.set(key, { to, contract, method, outcome, count, created });
  }
  return [...methods.values()].sort((a, b) => b.count - a.count);
}

/** `from` is the block before, whose state is compared with that after block `to`. Rejects as the lookups do. */
export async function fetchRunDiff(
  { from, to }: Pick<RunDiff, 'from' | 'to'>,
  lookups: RunLookups,
  registry: AbiRegistry,
): Promise<RunDiff> {
  const hashes: Hex[] = [];
  for (let block = from + 1; block <= to && hashes.length <= MAX_RUN_TRANSACTIONS; block++)
    hashes.push(...(await lookups.listTransactions(block)));
  const listed = hashes.slice(0, MAX_RUN_TRANSACTIONS);
  const read = await mapConcurrently(listed, CONCURRENT, async hash => {
    try {
      return await readTransaction(hash, lookups);
    } catch (error) {
      if (!isFault(error, 'too-large', 'not-found')) throw error;
      return { kind: 'unread' as const, hash, reason: toFault(error).message };
    }
  });
  const sum = new StateSum();
  const unread = read.flatMap(each => {
    if (each.kind === 'unread') return [{ hash: each.hash, reason: each.reason }];
    return each.state.kind === 'noStateChanges' ? [{ hash: each.hash, reason: each.state.reason }] : [];
  });
  const traced = read.filter(each => each.kind === 'read');
  for (const { state } of traced) if (state.kind === 'stateChanges') sum.add(state);
  const state = sum.get();
  const created = traced.flatMap(({ hash, trace }) =>
    trace.calls
      .filter(({ kind, isUndone, address }) => isCreation(kind) && !isUndone && isHex(address))
      .map(({ address, caller }) => ({ address: address as Hex, creator: caller, hash })),
  );
  const called = traced.flatMap(({ trace }) => trace.calls[0]?.address ?? []);
  const contracts = await nameContracts(
    new Set([...called, ...created.map(({ address }) => address), ...listStateAddresses(state.accounts)]),
    sum.contracts,
    lookups,
  );
  return {
    from,
    to,
    unread,
    state,
    chain: traced[0]?.trace.chain ?? null,
    transactions: listed.length,
    hasMore: hashes.length > listed.length,
    contracts,
    created,
    methods: countMethods(traced, contracts, registry),
    failures: traced.flatMap(({ hash, trace, source }) =>
      trace.status === 'failed' ? [{ hash, text: formatTrace({ trace, source }, registry, false) }] : [],
    ),
  };
}

const clean = (text: string): string => sanitizeText(text, 200);

function formatMethod({ to, contract, method, outcome, count, created }: MethodCount): string {
  const [address = null] = to === null && created.length !== 1 ? [] : [to, ...created].filter(each => each !== null);
  const parts = [to === null ? 'new contract' : null, address, contract === null ? null : clean(contract)];
  const target = parts.filter(each => each !== null).join(' ');
  return `    ${count} × ${outcome === 'success' ? 'success' : 'FAILED'}  ${clean(method)}  ${target}`;
}

/** As text for a terminal. */
export function formatRunDiff({
  from,
  to,
  chain,
  transactions,
  hasMore,
  methods,
  failures,
  created,
  state,
  contracts,
  unread,
}: RunDiff): string {
  return [
    `Blocks ${from + 1} to ${to}: ${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}, ${failures.length} failed`,
    ...(hasMore ? [localize(FIRST_ONLY)] : []),
    ...methods.map(formatMethod),
    ...failures.flatMap(({ text }) => ['', text]),
    ...(created.length === 0 ? [] : ['', 'Created']),
    ...created.map(
      ({ address, creator, hash }) =>
        `    ${formatNamedAddress(address, contracts)} by ${formatNamedAddress(creator, contracts)} in ${hash}`,
    ),
    ...(chain === null ? [] : ['', formatStateChanges(state, chain, contracts)]),
    ...unread.map(({ hash, reason }) => `    ${hash}: ${localize(reason)}`),
  ].join('\n');
}
