// Numbers and words decided by us where the description is silent (design.md, section 4); the reference prints them.

/** Group B: records per page when `limit` is absent, and the most one page may hold. */
export const EVM_PAGE_SIZE = { default: 100, min: 1, max: 100 } as const;

/** Group C: `limit` has no fallback (the description requires it). */
export const APTOS_PAGE_SIZE = { min: 1, max: 100 } as const;

/** Group C: items in one array parameter. */
export const APTOS_LIST_LENGTH = { min: 1, max: 25 } as const;

/** wallet_addresses of native balances (the description's Limits table). */
export const BALANCE_WALLETS_LENGTH = { min: 1, max: 25 } as const;

/** Each of the four address lists of ERC20 mints (the description's Limits table). */
export const MINT_LIST_LENGTH = { min: 1, max: 100 } as const;

/** token_addresses of a wallet's NFTs: hosts take ten; we take as many as a mint list. */
export const TOKEN_ADDRESSES_LENGTH = { min: 1, max: 100 } as const;

/** Look-back window of the lowest price, in days (the description's Limits table). */
export const LOWEST_PRICE_DAYS = { default: 7, min: 0, max: 3650 } as const;

/** The chain that an absent `chain` means; where no node serves it, the first configured node answers. */
export const DEFAULT_CHAIN = 'eth';

/** `total` is counted only when asked for: `disable_total=false`. */
export const DEFAULT_DISABLE_TOTAL = true;

/** The day of the dated changes in the description's Versioning section. */
export const DATED_CHANGES_DAY = '2023-09-04';

/** First page number: transfers count from 0, every other list from 1 (as hosts do). */
export const FIRST_PAGE_NUMBER = { transfers: 0, status: 1, plain: 1 } as const;

/** What each decision means, for the Markdown reference. */
export const decisions: readonly (readonly [question: string, answer: string])[] = [
  [
    'Page size, group B',
    `${EVM_PAGE_SIZE.default} when absent; ${EVM_PAGE_SIZE.min} to ${EVM_PAGE_SIZE.max}, else 400`,
  ],
  [
    'Page size, group C',
    `required; ${APTOS_PAGE_SIZE.min} to ${APTOS_PAGE_SIZE.max}; \`offset\` from 0; arrays of ${APTOS_LIST_LENGTH.min} to ${APTOS_LIST_LENGTH.max}`,
  ],
  ['Absent `chain`', `\`${DEFAULT_CHAIN}\`; where no node serves it, the first configured chain`],
  [
    'Arrays in queries',
    'read `a=1&a=2`, `a[]=1`, `a[0]=1` and their percent-encoded forms; written as repeated keys; never split on commas',
  ],
  ['Empty parameters', '`cursor=` and every other empty value mean absent; unknown parameters are ignored'],
  ['Order', 'newest first: block, transaction index, log index descending; Aptos by transaction version descending'],
  ['Ranges', 'inclusive at both ends; a block beats a date for the same end; `block_number` beats both'],
  [
    'Dates',
    'ISO 8601, RFC 2822, `YYYY-MM-DD` (UTC), Unix seconds or milliseconds, and what JavaScript prints of a `Date`',
  ],
  ['`total`', '`null` unless `disable_total=false`'],
  ['`page`', '"0" on the first page of transfers, "1" on the first page elsewhere'],
  [
    'Cursor',
    'opaque and URL-safe; names its filters and the last key; a damaged one, or one used with other filters, is a 400; the last page has `null`',
  ],
  ['Case', 'lower-case addresses and hashes in groups B and C, EIP-55 in group A'],
  ['Absent values', 'an absent topic is absent; every other value that does not exist is `null`'],
  ['Error bodies', 'A `{statusCode, name, message}`; B `{message}`; C `{statusCode, message: [..], error}`'],
  [
    'Dated changes (4 September 2023)',
    'served embedded as before, with `Deprecation` and `Sunset` headers; never sent to a remote host',
  ],
  ['Paths', '`/api/v2` and, as an alias, `/api/v2.2`; group A at `/`, group C at `/aptos`'],
  [
    'Owners, NFTs and collections of a wallet',
    "by last change, newest first; `block_number` is where that owner's balance changed last",
  ],
  [
    '`block_exists`, `index_complete`',
    'whether the chain has the blocks that the request names (for `from_date`: one at or after it); whether the index holds everything up to the end of the range',
  ],
  [
    'Metadata',
    'read from the contract and from where it points only when `normalizeMetadata` or `media_items` asks; what cannot be had is `null`; `last_token_uri_sync` and `last_metadata_sync` are `null` until then, and kept in the index that answered; previews are the picture itself, never resized',
  ],
  ['`token_hash`', 'MD5 of the lower-case contract address followed by the decimal id'],
  [
    '`possible_spam`',
    'rules that need no network: a web address, a lure, a sum of money, markup, mixed alphabets or invisible characters in name or symbol; a mass mint that nobody passed on; your own mark beats them',
  ],
  [
    '`verified_collection`',
    '`false` unless you marked the collection so: nobody offline knows what a marketplace verified',
  ],
  [
    'Lowest price',
    "the window reaches back from the newest block; trades are Seaport's (1.1 to 1.6 and its forks, by their event, with the NFT really moved); `marketplace_address` is the contract that logged it; the price is all that was paid, fees included; of equal prices the latest; no trade is a 404",
  ],
  [
    'Aptos networks',
    "`network` names one of the configured networks, as the official SDK sends it; the first one when absent. `mainnet` that is not configured is the first one too, since that SDK's default says nothing; any other unknown one is a 400. `x-hexlens-network` says which one answered",
  ],
  [
    'Aptos paging',
    'by transaction version and event index, newest first; `offset` counts from the start of the list and is ignored beside a `cursor`, which SDKs repeat it with; dates are whole seconds, both ends inclusive',
  ],
  [
    'Aptos sources',
    'which versions from the indexer, each row from the node; where the node is down or pruned, the event account is the owner and the event numbers are 0 (gas: -1 and 0), the five `*_mutable` are true, and `x-hexlens-partial` says so; where the indexer is down, what the node alone knows',
  ],
  [
    'Total difficulty, internal transactions',
    'official clients read no block without them: where a node no longer tells the total difficulty, a block without work has that of the last block with work; a creation that failed has the zero address in `to`; a call that halted used all its gas',
  ],
  ['Labels', '`*_label` fields come from the address book of whoever runs the service'],
  ['`transaction`', 'an operation of ours: the record that a block holds, by transaction hash'],
];
