// What is said of the token contracts on one page: name, symbol, whether they look like spam, what the user thinks of them.
import type { Hex } from '../../base/hex.ts';
import { createLru, type Lru } from '../../base/lru.ts';
import type { TokenRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { getSpamReason, type SpamReason, type TokenTrust } from './spam.ts';

/** The user's own word on a contract (lower-case address). */
export type GetTokenTrust = (token: Hex) => TokenTrust;

export const noTokenTrust: GetTokenTrust = () => null;

export interface DescribedToken {
  /** `null` when the contract never described itself. */
  readonly row: TokenRow | null;
  readonly spamReason: SpamReason | null;
  /** Only what the user marked so: nobody offline can know what a marketplace verified. */
  readonly isVerified: boolean;
}

const UNKNOWN: DescribedToken = { row: null, spamReason: null, isVerified: false };
/** Newest transfers that the airdrop rule looks at. */
const LOOKED_AT = 100;

interface Verdict {
  readonly headHash: Hex | undefined;
  readonly spam: SpamReason | null;
}

/** Of one store; 2 MB. */
const VERDICTS_KEPT = { maxEntries: 10_000 };

/** By store: a verdict holds until the chain has another head. */
const verdicts = new WeakMap<Store, Lru<Hex, Verdict>>();

/** Every distinct one of `addresses`, described; others are unknown. */
export async function describeTokens(
  store: Store,
  addresses: readonly Hex[],
  marks: GetTokenTrust,
): Promise<(token: Hex) => DescribedToken> {
  const distinct = [...new Set(addresses)];
  if (distinct.length === 0) return () => UNKNOWN;
  const [rows, head] = await Promise.all([store.readTokens(distinct), store.readHead()]);
  const described = new Map<Hex, DescribedToken>();
  for (const token of distinct) {
    const row = rows.get(token) ?? null;
    const mark = marks(token);
    const spam =
      mark === null
        ? await judge(store, token, row, head?.hash)
        : getSpamReason({ name: null, symbol: null }, [], mark);
    described.set(token, { row, spamReason: spam, isVerified: mark === 'verified' });
  }
  return token => described.get(token) ?? UNKNOWN;
}

async function judge(
  store: Store,
  token: Hex,
  row: TokenRow | null,
  headHash: Hex | undefined,
): Promise<SpamReason | null> {
  const known = verdicts.get(store) ?? createLru<Hex, Verdict>(VERDICTS_KEPT);
  verdicts.set(store, known);
  const before = known.get(token);
  if (before !== undefined && before.headHash === headHash) return before.spam;
  const isNft = row?.standard !== 'ERC20';
  const newest = isNft ? await store.queryTransfers({ token }, { limit: LOOKED_AT }) : [];
  const spam = getSpamReason({ name: row?.name ?? null, symbol: row?.symbol ?? null }, newest);
  known.set(token, { headHash, spam });
  return spam;
}
