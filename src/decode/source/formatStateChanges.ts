// State changes as text and as JSON.
import type { Chain } from '../../api/chains.ts';
import type {
  AccountChanges,
  NoStateChanges,
  StateChanges,
  StorageChange,
  UnnamedReason,
} from '../../api/stateChanges.ts';
import type { SourceLocation } from '../../api/transactionStack.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatFullAmount, formatInteger } from '../../base/formatUnits.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { formatPath } from './slotNames.ts';

const MAX_TEXT_LENGTH = 300;
const clean = (text: string): string => sanitizeText(text, MAX_TEXT_LENGTH);
const toHex = (slot: bigint): string => `0x${slot.toString(16)}`;

/** Names of contracts by their addresses in lower case. */
export type ContractNames = Readonly<Record<string, string>>;

export const isAddressType = (type: string, value: string): value is Hex =>
  !type.startsWith('bytes') && isAddress(value);

/** The addresses in the keys of mappings on the way to a variable, and among its values. */
export const listVariableAddresses = (
  { path, type }: Pick<StorageChange, 'path' | 'type'>,
  values: readonly (string | null)[],
): readonly Hex[] => [
  ...path.flatMap(segment => (segment.kind === 'key' && isAddressType(segment.type, segment.key) ? [segment.key] : [])),
  ...values.filter(value => value !== null).filter(value => isAddressType(type, value)),
];

/** The addresses that state changes name: of the accounts, in the keys of mappings, and as values. */
export const listStateAddresses = (accounts: readonly AccountChanges[]): ReadonlySet<Hex> =>
  new Set(
    accounts.flatMap(({ address, storage }) => [
      address,
      ...storage.flatMap(change => listVariableAddresses(change, [change.oldValue, change.newValue])),
    ]),
  );

/** `0x… Vault`; the address alone where its contract is not known. */
export function formatNamedAddress(address: string, contracts: ContractNames): string {
  const name = contracts[address.toLowerCase()];
  return name === undefined ? address : `${address} ${clean(name)}`;
}

const UNNAMED: Readonly<Record<UnnamedReason, LocalizableText>> = {
  noBuild: localizable('No build with a source map is known for this code'),
  noLayout: localizable('The build has no storage layout'),
  unknownSlot: localizable('No variable is known there'),
};

export const describeUnnamed = (reason: UnnamedReason): LocalizableText => UNNAMED[reason];

/** A word whose variable is not known, without zeros before it. */
export const formatWord = (word: string): string => toHex(BigInt(word));

/** A value as people read it: text in quotes, integers with separators. */
export function formatStateValue(value: string, type: string): string {
  if (type === 'string' && !/^0x(?:[\da-f]{2})*$/.test(value)) return JSON.stringify(clean(value));
  return /^-?\d+$/.test(value) ? formatInteger(BigInt(value)) : clean(value);
}

/** `positions[0x…].amount`, a slot where that is not known; bytes of a string of which only a part is known. */
export function formatVariable(
  { path, slots, bytes }: StorageChange,
  formatKey?: (key: string, type: string) => string,
): string {
  if (path.length === 0) return `slot ${toHex(slots[0] ?? 0n)}`;
  const name = clean(formatPath(path, formatKey));
  return bytes === undefined ? name : `${name} bytes ${bytes.from} to ${bytes.to}`;
}

const formatPlace = ({ file, source, start }: SourceLocation): string =>
  clean(`${file ?? source}:${start.line + 1}:${start.character + 1}`);

/** Reasons that hold for all of a contract are not repeated at each of its changes. */
export const isOfOneSlot = (reason: UnnamedReason): boolean => reason === 'unknownSlot';

function formatStorageChange(change: StorageChange, contracts: ContractNames): string {
  const { path, type, oldValue, newValue, location, isInferred, unnamed } = change;
  const formatNamed = (value: string, of: string, text: string) =>
    isAddressType(of, value) ? formatNamedAddress(value, contracts) : text;
  const formatKey = (key: string, of: string) => formatNamed(key, of, of === 'string' ? JSON.stringify(key) : key);
  const toText = (value: string) =>
    path.length === 0 ? formatWord(value) : formatNamed(value, type, formatStateValue(value, type));
  const values = `${toText(oldValue)} → ${toText(newValue)}`;
  const notes = [
    ...(unnamed !== null && isOfOneSlot(unnamed) ? [localize(UNNAMED[unnamed])] : []),
    ...(location === null ? [] : [`${formatPlace(location)}${isInferred ? ' [inferred]' : ''}`]),
  ];
  return `    ${formatVariable(change, formatKey)}: ${values}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function formatAccount(
  { address, contract, balance, nonce, codeSize, storage }: AccountChanges,
  chain: Chain,
  contracts: ContractNames,
): string {
  const toCoin = (amount: bigint) => `${formatFullAmount(amount, chain.decimals)} ${chain.coin}`;
  const reasons = [...new Set(storage.flatMap(({ unnamed }) => unnamed ?? []))].filter(each => !isOfOneSlot(each));
  const name = contract === null ? address : `${address} ${clean(contract)}`;
  return [
    reasons.length === 0 ? name : `${name} (${reasons.map(each => localize(UNNAMED[each])).join(', ')})`,
    ...(balance === null ? [] : [`    balance: ${toCoin(balance.before)} → ${toCoin(balance.after)}`]),
    ...(nonce === null ? [] : [`    nonce: ${nonce.before} → ${nonce.after}`]),
    ...(codeSize === null
      ? []
      : [`    code: ${formatInteger(codeSize.before)} → ${formatInteger(codeSize.after)} bytes`]),
    ...storage.map(each => formatStorageChange(each, contracts)),
  ].join('\n');
}

export function formatStateChanges(
  state: StateChanges | NoStateChanges,
  chain: Chain,
  contracts: ContractNames = {},
): string {
  if (state.kind === 'noStateChanges') return `State changes: ${localize(state.reason)}`;
  const accounts = state.accounts.map(account => formatAccount(account, chain, contracts));
  return accounts.length === 0 ? 'No state changes' : ['State changes', ...accounts].join('\n');
}

/** What a reader should know of them. */
export function getStateNotes(state: StateChanges | NoStateChanges): readonly LocalizableText[] {
  if (state.kind === 'noStateChanges') return [];
  const { omitted, withoutLayout } = state;
  return [
    ...(omitted === 0
      ? []
      : omitted === 1
        ? [localizable('1 further change of storage is left out.')]
        : [localizable('{0} further changes of storage are left out.', omitted)]),
    ...(withoutLayout.length === 0
      ? []
      : [localizable('Variables have no names, since the build has no storage layout: {0}', withoutLayout.join(', '))]),
  ];
}

/**
 * The shape that programs read: integers and amounts are decimal text, lines and columns count from 1. `maxChanges`: of the
 * storage of each account.
 */
export function toStateJson(state: StateChanges | NoStateChanges, maxChanges = Number.MAX_SAFE_INTEGER): object {
  if (state.kind === 'noStateChanges') return { reason: localize(state.reason) };
  const accounts = state.accounts.map(each => ({ ...each, storage: each.storage.slice(0, maxChanges) }));
  const shown = accounts.reduce((sum, { storage }) => sum + storage.length, 0);
  const all = state.accounts.reduce((sum, { storage }) => sum + storage.length, 0);
  return { accounts: accounts.map(toAccountJson), omitted: state.omitted + all - shown };
}

const toAccountJson = ({ address, contract, balance, nonce, codeSize, storage }: AccountChanges): object => ({
  address,
  contract,
  codeSize,
  balance: balance && { before: String(balance.before), after: String(balance.after) },
  nonce: nonce && { before: String(nonce.before), after: String(nonce.after) },
  storage: storage.map(({ path, type, oldValue, newValue, slots, location, isInferred, unnamed }) => ({
    variable: path.length === 0 ? null : formatPath(path),
    type,
    before: oldValue,
    after: newValue,
    slots: slots.map(toHex),
    file: location === null ? null : (location.file ?? location.source),
    line: location === null ? null : location.start.line + 1,
    column: location === null ? null : location.start.character + 1,
    inferred: isInferred,
    unnamed: unnamed === null ? null : localize(UNNAMED[unnamed]),
  })),
});
