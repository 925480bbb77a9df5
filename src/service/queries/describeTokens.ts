// The token contracts of a page: name, symbol, whether they look like spam, whether the user trusts them.
import { LRUCache } from 'lru-cache';
import type { Hex } from '../../base/hex.ts';
import type { RowSource } from '../indexer/scanPage.ts';
import type { TokenRow } from '../store/rows.ts';
import { getSpamReason, type SpamReason, type TokenTrust } from './spamReason.ts';

/** Whether the user trusts a token contract (lower-case address), or takes it for spam. */
export type GetTokenTrust = (token: Hex) => TokenTrust;

export interface DescribedToken {
  /** `null` when the contract is not in the index. */
  readonly row: TokenRow | null;
  readonly spamReason: SpamReason | null;
  /** Whether the user trusts the contract: what a marketplace has verified is not known here. */
  readonly isVerified: boolean;
}

type TokenStore = Pick<RowSource, 'info' | 'readHead' | 'readTokens' | 'readTransfers'>;

const UNKNOWN_TOKEN: DescribedToken = { row: null, spamReason: null, isVerified: false };
/** Newest transfers that the airdrop rule looks at. */
const MAX_TRANSFERS_CHECKED = 100;
/** Per store; 2 MB. */
const MAX_CACHED_VERDICTS = 10_000;
/** As `max`, the cache would allocate all entries at once. */
const CACHED_VERDICTS = { maxSize: MAX_CACHED_VERDICTS, sizeCalculation: () => 1 };

interface SpamVerdict {
  readonly headHash: Hex | undefined;
  readonly spamReason: SpamReason | null;
}

/** By store and token: a verdict holds until the chain has another head. */
const verdictCaches = new WeakMap<TokenStore, LRUCache<Hex, SpamVerdict>>();

/** Describes all `addresses`; the returned function describes others as unknown. */
export async function describeTokens(
  store: TokenStore,
  addresses: readonly Hex[],
  getTrust: GetTokenTrust,
): Promise<(token: Hex) => DescribedToken> {
  const distinct = [...new Set(addresses)];
  if (distinct.length === 0) return () => UNKNOWN_TOKEN;
  const [rows, head] = await Promise.all([store.readTokens(distinct), store.readHead()]);
  const described = new Map<Hex, DescribedToken>();
  for (const token of distinct) {
    const row = rows.get(token) ?? null;
    const trust = getTrust(token);
    const spamReason =
      trust === null
        ? await findSpamReason(store, token, row, head?.hash)
        : getSpamReason({ name: null, symbol: null }, [], trust);
    described.set(token, { row, spamReason, isVerified: trust === 'verified' });
  }
  return token => described.get(token) ?? UNKNOWN_TOKEN;
}

async function findSpamReason(
  store: TokenStore,
  token: Hex,
  row: TokenRow | null,
  headHash: Hex | undefined,
): Promise<SpamReason | null> {
  const verdicts = verdictCaches.get(store) ?? new LRUCache<Hex, SpamVerdict>(CACHED_VERDICTS);
  verdictCaches.set(store, verdicts);
  const cached = verdicts.get(token);
  if (cached !== undefined && cached.headHash === headHash) return cached.spamReason;
  // The rule needs all transfers of the contract. A public chain has them only where one contract is listed: there it would
  // decide otherwise than the lists of wallets and of the chain.
  const hasAllTransfers = store.info !== null && store.info.scope === undefined;
  const newest =
    hasAllTransfers && row?.standard !== 'ERC20'
      ? await store.readTransfers({ contract: token }, { limit: MAX_TRANSFERS_CHECKED })
      : [];
  const spamReason = getSpamReason({ name: row?.name ?? null, symbol: row?.symbol ?? null }, newest);
  verdicts.set(token, { headHash, spamReason });
  return spamReason;
}
