// State changes as rows: names in place of addresses, amounts of tokens with their unit.
import type { AccountChanges, PathSegment, StorageChange } from '../../api/stateChanges.ts';
import type { SourceLocation } from '../../api/transactionStack.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatByteCount } from '../../base/formatByteCount.ts';
import { formatFullAmount, formatInteger, formatTokenAmount, type TokenAmountUnit } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { localize, t } from '../../base/localize.ts';
import { formatAddressName } from '../../decode/formatDecodedItem.ts';
import {
  describeUnnamed,
  formatStateValue,
  formatVariable,
  formatWord,
  isAddressType,
} from '../../decode/source/formatStateChanges.ts';
import { describeUnowned } from '../unownedAddress.ts';
import { getFrameMarks } from './stackHover.ts';

/** What changed, all as text. */
export interface StateRow {
  /** `positions[Alice].amount` */
  readonly label: string;
  /** The same without names and units; empty where there is no more to say. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** The line that wrote it. */
  readonly location: SourceLocation | null;
  /** What a reader must know of it. */
  readonly marks: readonly string[];
  /** Why it has no name, or what it is. */
  readonly note: string | null;
}

export interface StateAccount {
  /** With its checksum. */
  readonly address: string;
  readonly name: string | null;
  /** The contract whose variables it has, unless the name says so. */
  readonly contract: string | null;
  readonly rows: readonly StateRow[];
}

export interface StateFormat extends ValueFormat {
  readonly coin: { readonly symbol: string; readonly decimals: number };
}

export interface ValueFormat {
  /** Saved or well-known name of an address. */
  getName(address: Hex): string | null;
  /** Of an ERC-20 contract. */
  readonly unit: TokenAmountUnit | null;
}

/** Digits of bytes that are shown. */
const MAX_HEX_LENGTH = 130;
/** Names that variables of tokens have in every library. */
const TOKEN_AMOUNT = /^_?(?:balances?|balanceOf|allowances?|allowance|totalSupply)$/;

/** Whether a variable is an amount of the token that its contract is: also inside of a namespace's struct. */
export const isTokenAmount = (path: readonly PathSegment[]): boolean =>
  path.slice(0, 2).some(segment => segment.kind === 'name' && TOKEN_AMOUNT.test(segment.name));

/** A value as people read it: an address by its name, an amount of a token with its unit. */
export function formatStateText(
  value: string,
  { type, path }: Pick<StorageChange, 'type' | 'path'>,
  { getName, unit }: ValueFormat,
): string {
  if (isAddressType(type, value)) return formatAddressName(value, getName);
  if (unit !== null && type.startsWith('uint') && isTokenAmount(path)) return formatTokenAmount(BigInt(value), unit);
  if (path.length === 0) return formatWord(value);
  return type === 'bytes' && value.length > MAX_HEX_LENGTH ? shortenHex(value) : formatStateValue(value, type);
}

/** A value that is no amount of a token. */
export const formatNamedValue = (value: string, type: string, { getName }: Pick<ValueFormat, 'getName'>): string =>
  isAddressType(type, value) ? formatAddressName(value, getName) : formatStateValue(value, type);

/** A key of a mapping likewise. */
export function formatNamedKey(key: string, type: string, { getName }: Pick<StateFormat, 'getName'>): string {
  if (isAddressType(type, key)) return formatAddressName(key, getName);
  return type === 'string' ? JSON.stringify(key) : key;
}

function toStorageRow(change: StorageChange, format: StateFormat): StateRow {
  const { type, oldValue, newValue, location, unnamed } = change;
  const formatKey = (key: string, keyType: string) => formatNamedKey(key, keyType, format);
  return {
    label: formatVariable(change, formatKey),
    title: `${type} ${formatVariable(change)}\n${oldValue} → ${newValue}`,
    before: formatStateText(oldValue, change, format),
    after: formatStateText(newValue, change, format),
    location,
    marks: getFrameMarks(change),
    note: unnamed === null ? null : localize(describeUnnamed(unnamed)),
  };
}

export function toStateAccount(account: AccountChanges, format: StateFormat): StateAccount {
  const { address, contract, balance, nonce, codeSize, storage } = account;
  const { symbol, decimals } = format.coin;
  const toRow = (
    label: string,
    change: { before: unknown; after: unknown } | null,
    toText: (value: never) => string,
    note: string | null = null,
  ) =>
    change === null
      ? []
      : [{ label, before: toText(change.before as never), after: toText(change.after as never), ...PLAIN, note }];
  const name = format.getName(address);
  return {
    address: toDisplayAddress(address),
    name,
    contract: contract !== null && `${name} `.startsWith(`${contract} `) ? null : contract,
    rows: [
      ...toRow(
        t('Balance'),
        balance,
        (value: bigint) => `${formatFullAmount(value, decimals)} ${symbol}`,
        describeUnowned(address),
      ),
      ...toRow(t('Nonce'), nonce, (value: bigint) => formatInteger(value)),
      ...toRow(t('Code'), codeSize, formatByteCount),
      ...storage.map(change => toStorageRow(change, format)),
    ],
  };
}

const PLAIN = { title: '', location: null, marks: [] } as const;
