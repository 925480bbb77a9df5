// Which values of a log or a call are amounts, and of which token or coin.
import { hashSignature } from '../base/hashSignature.ts';
import type { DecodedItem } from './decodeAbi.ts';
import type { DecodedValue } from './decodeValues.ts';
import { NATIVE_COIN } from './seaportTrade.ts';

/** Events that tokens emit: index of the amount. All other parameters are indexed addresses. */
const TOKEN_EVENTS: Readonly<Record<string, number>> = {
  'Transfer(address,address,uint256)': 2,
  'Approval(address,address,uint256)': 2,
  'Mint(address,uint256)': 1,
  'Mint(address,address,uint256)': 2,
  'Burn(address,uint256)': 1,
  'Deposit(address,uint256)': 1,
  'Withdrawal(address,uint256)': 1,
};

/** Events of ERC-4626 vaults: index of the shares, which are the vault's own token. */
const VAULT_EVENTS: Readonly<Record<string, number>> = {
  'Deposit(address,address,uint256,uint256)': 3,
  'Withdraw(address,address,address,uint256,uint256)': 4,
};

/** Of ERC-4626 vaults: indexes of amounts of the asset, which is another token. */
const ASSET_VALUES: Readonly<Record<string, readonly number[]>> = {
  'deposit(uint256,address)': [0],
  'withdraw(uint256,address,address)': [0],
  'Deposit(address,address,uint256,uint256)': [2],
  'Withdraw(address,address,address,uint256,uint256)': [3],
  'ERC4626ExceededMaxDeposit(address,uint256,uint256)': [1, 2],
  'ERC4626ExceededMaxWithdraw(address,uint256,uint256)': [1, 2],
};

const ASSET_SUFFIX = ':asset';

/** The unit of a contract's `asset()` or `token()`, as a key beside addresses of tokens. */
const toAssetKey = (contract: string): string => `${contract.toLowerCase()}${ASSET_SUFFIX}`;

/** What `getAmountTokens` names: the contract that knows the unit, and whether it is that of its asset. */
export function parseAmountToken(token: string): { readonly contract: string; readonly isAsset: boolean } {
  const isAsset = token.endsWith(ASSET_SUFFIX);
  return { contract: isAsset ? token.slice(0, -ASSET_SUFFIX.length) : token, isAsset };
}

/** Errors of ERC-20 (ERC-6093) and ERC-4626: indexes of amounts of the token that throws them. */
const TOKEN_ERRORS: Readonly<Record<string, readonly number[]>> = {
  'ERC20InsufficientBalance(address,uint256,uint256)': [1, 2],
  'ERC20InsufficientAllowance(address,uint256,uint256)': [1, 2],
  'ERC20ExceededCap(uint256,uint256)': [0, 1],
  'ERC4626ExceededMaxMint(address,uint256,uint256)': [1, 2],
  'ERC4626ExceededMaxRedeem(address,uint256,uint256)': [1, 2],
};

/** Functions of tokens: index of the amount. */
const TOKEN_FUNCTIONS: Readonly<Record<string, number>> = {
  'transfer(address,uint256)': 1,
  'transferFrom(address,address,uint256)': 2,
  'approve(address,uint256)': 1,
  'increaseAllowance(address,uint256)': 1,
  'decreaseAllowance(address,uint256)': 1,
  'mint(address,uint256)': 1,
  'mint(uint256)': 0,
  'mint(uint256,address)': 0,
  'redeem(uint256,address,address)': 0,
  'burn(uint256)': 0,
  'burnFrom(address,uint256)': 1,
  'transferAndCall(address,uint256,bytes)': 1,
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': 2,
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': 2,
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': 2,
};

/** Functions and events of any contract: index of an amount of native coin. */
const NATIVE_VALUES: Readonly<Record<string, number>> = {
  'execute(address,uint256,bytes)': 1,
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': 1,
  'SafeReceived(address,uint256)': 1,
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)': 5,
};

const getIndex = (table: Readonly<Record<string, number>>, canonical: string): number | null =>
  Object.hasOwn(table, canonical) ? (table[canonical] ?? null) : null;

/** What contracts of the workspace call an amount of their token, or of the one that their `asset()` or `token()` is. */
const AMOUNT_NAME = /^_?amounts?_?$/i;
/** What their errors call what an amount is compared with. */
const BOUND_NAME = /^_?(?:needed|required|requested|wanted|available|minimum|maximum|min|max|limit|cap)_?$/i;
/** What they call an amount of their `asset()`, whether they are a token or not. */
const ASSETS_NAME = /^_?assets?(?:Amount)?_?$/i;

function getNamedAmounts(decoded: DecodedValue, wanted: RegExp): readonly DecodedValue[] {
  const { name, type, value } = decoded;
  if (!wanted.test(name)) return [];
  if (typeof value === 'string') return /^uint\d*$/.test(type) ? [decoded] : [];
  return /^uint\d*\[\d*\]$/.test(type) ? value : [];
}

/** By the names of a contract's own values. */
function listNamedAmounts(kind: DecodedItem['item']['kind'], values: readonly DecodedValue[]): readonly DecodedValue[] {
  const amounts = values.flatMap(each => getNamedAmounts(each, AMOUNT_NAME));
  if (kind !== 'error' || amounts.length === 0) return amounts;
  return [...amounts, ...values.flatMap(each => getNamedAmounts(each, BOUND_NAME))];
}

/**
 * Amounts in a decoded item: value -> lower-case address of its token, `NATIVE_COIN`, or what `parseAmountToken` reads. Whether `contract` is an ERC-20
 * must be checked on the chain; for an error it is the one that threw it. An indexed last parameter is the id of an ERC-721, not an amount.
 */
export function getAmountTokens(
  { item, values, isFromWorkspace }: DecodedItem,
  contract: string | null,
): ReadonlyMap<DecodedValue, string> {
  const { canonical, kind, inputs } = item;
  const own =
    kind === 'event'
      ? (getIndex(TOKEN_EVENTS, canonical) ?? getIndex(VAULT_EVENTS, canonical))
      : kind === 'function'
        ? getIndex(TOKEN_FUNCTIONS, canonical)
        : null;
  const native = getIndex(NATIVE_VALUES, canonical);
  const units = new Map<DecodedValue, string>();
  const ownValue = own === null || inputs[own]?.indexed ? undefined : values[own];
  if (ownValue !== undefined && contract !== null) units.set(ownValue, contract.toLowerCase());
  else if (own === null && native === null && isFromWorkspace && contract !== null)
    for (const value of listNamedAmounts(kind, values)) units.set(value, contract.toLowerCase());
  if (contract !== null) {
    const assets = Object.hasOwn(ASSET_VALUES, canonical) ? (ASSET_VALUES[canonical] ?? []) : [];
    const named = isFromWorkspace ? values.flatMap(each => getNamedAmounts(each, ASSETS_NAME)) : [];
    for (const value of [...assets.flatMap(at => values[at] ?? []), ...named]) units.set(value, toAssetKey(contract));
  }
  if (kind === 'error' && contract !== null)
    for (const at of Object.hasOwn(TOKEN_ERRORS, canonical) ? (TOKEN_ERRORS[canonical] ?? []) : []) {
      const value = values[at];
      if (value !== undefined) units.set(value, contract.toLowerCase());
    }
  const nativeValue = native === null ? undefined : values[native];
  if (nativeValue !== undefined) units.set(nativeValue, NATIVE_COIN);
  return units;
}

/** Functions that return an amount of the called contract's token: of ERC-20, and shares of ERC-4626. */
const AMOUNT_GETTERS = new Set([
  'totalSupply()',
  'balanceOf(address)',
  'allowance(address,address)',
  'convertToShares(uint256)',
  'maxMint(address)',
  'maxRedeem(address)',
  'previewDeposit(uint256)',
  'previewWithdraw(uint256)',
  'deposit(uint256,address)',
  'withdraw(uint256,address,address)',
]);

/** Functions of ERC-4626 that return an amount of the asset. */
const ASSET_GETTERS = new Set([
  'totalAssets()',
  'convertToAssets(uint256)',
  'maxDeposit(address)',
  'maxWithdraw(address)',
  'previewMint(uint256)',
  'previewRedeem(uint256)',
  'mint(uint256,address)',
  'redeem(uint256,address,address)',
]);

/** What the first value is an amount of that the function returns, as `getAmountTokens` names it; `null` where it is none. */
export function getReturnedToken(
  { canonical, outputs }: Pick<DecodedItem['item'], 'canonical' | 'outputs'>,
  contract: string | null,
): string | null {
  if (contract === null || outputs?.[0]?.type !== 'uint256') return null;
  if (ASSET_GETTERS.has(canonical)) return toAssetKey(contract);
  return AMOUNT_GETTERS.has(canonical) ? contract.toLowerCase() : null;
}

let byTopic: ReadonlyMap<string, number> | undefined;

/** topic0 -> number of topics that the event has for an ERC-20. */
function topicCounts(): ReadonlyMap<string, number> {
  byTopic ??= new Map(Object.entries(TOKEN_EVENTS).map(([canonical, at]) => [hashSignature(canonical), at + 1]));
  return byTopic;
}

/** The amount in an ERC-20's log as decimal text; `null` for an ERC-721, whose token id is a topic too. */
export function getLogAmount(topics: readonly (string | null | undefined)[], data: string | null): string | null {
  const own = topics.filter(topic => typeof topic === 'string');
  const [topic0] = own;
  if (topic0 === undefined || data?.length !== 66 || !/^0x[0-9a-f]{64}$/i.test(data)) return null;
  return topicCounts().get(topic0.toLowerCase()) === own.length ? BigInt(data).toString() : null;
}
