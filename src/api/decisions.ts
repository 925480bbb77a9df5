// Constants for what the description leaves open; docs/reference.md lists them under Decisions.

/** Group B: the parameter `limit`, records per page. */
export const EVM_PAGE_SIZE = { default: 100, min: 1, max: 100 } as const;

/** Group C: the parameter `limit`, which is required. */
export const APTOS_PAGE_SIZE = { min: 1, max: 100 } as const;

/** Group C: length of one list parameter. */
export const APTOS_LIST_LENGTH = { min: 1, max: 25 } as const;

/** Length of `wallet_addresses` of native balances (Limits table of the description). */
export const BALANCE_WALLETS_LENGTH = { min: 1, max: 25 } as const;

/** Length of each of the four address lists of ERC-20 mints (Limits table of the description). */
export const MINT_LIST_LENGTH = { min: 1, max: 100 } as const;

/** Length of `token_addresses` of a wallet's NFTs; hosts accept ten. */
export const TOKEN_ADDRESSES_LENGTH = { min: 1, max: 100 } as const;

/** Look-back window of the lowest price, in days (Limits table of the description). */
export const LOWEST_PRICE_DAYS = { default: 7, min: 0, max: 3650 } as const;

/** The chain when `chain` is absent; where it has no node, the first configured chain. */
export const DEFAULT_CHAIN = 'eth';

/** `total` is counted only with `disable_total=false`. */
export const DEFAULT_DISABLE_TOTAL = true;

/** Day of the dated changes (Versioning section of the description). */
export const DATED_CHANGES_DAY = '2023-09-04';

/** Number of the first page (`page`), by kind of page: transfers count from 0, other lists from 1, as hosts do. */
export const FIRST_PAGE_NUMBER = { transfers: 0, status: 1, plain: 1 } as const;
