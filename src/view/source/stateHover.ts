// The line of a transaction's hover about what it changed.
import type { StateChanges } from '../../api/stateChanges.ts';
import type { Hex } from '../../base/hex.ts';
import { createStateLink } from '../hover/hoverLinks.ts';
import { toCodeSpan } from '../hover/markdown.ts';
import { type StateFormat, toStateAccount } from './stateTable.ts';

/** Changes that are named beside their number. */
const MAX_NAMED = 2;

/** `null` where it changed no storage and no code: then value and sender say it all. */
export function renderStateHover(
  { accounts, omitted }: StateChanges,
  { chain, hash }: { readonly chain: string; readonly hash: Hex },
  format: StateFormat,
): string | null {
  const contracts = accounts.filter(({ storage, codeSize }) => storage.length > 0 || codeSize !== null);
  const count = contracts.reduce(
    (sum, { storage, codeSize }) => sum + storage.length + (codeSize === null ? 0 : 1),
    omitted,
  );
  if (count === 0) return null;
  const named = contracts
    .map(account => ({ ...account, storage: account.storage.filter(({ path }) => path.length > 0) }))
    .flatMap(account => toStateAccount({ ...account, balance: null, nonce: null, codeSize: null }, format).rows)
    .slice(0, MAX_NAMED)
    .map(({ label, before, after }) => toCodeSpan(`${label}: ${before} → ${after}`, 120));
  const rest = named.length > 0 && count > named.length ? ', …' : '';
  const list = named.length === 0 ? '' : `: ${named.join(', ')}${rest}`;
  return `$(diff) ${createStateLink(chain, hash, count)}${list}`;
}
