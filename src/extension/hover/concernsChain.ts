// Whether the text and the address book leave open that a literal is of a chain.
import { getChainByName } from '../../api/chains.ts';
import { isFault } from '../../base/errors.ts';
import { getLiteralChainId, type HoverLookup } from '../../view/hover/hoverLookups.ts';
import { isSavedForOtherChains } from '../../view/hover/savedEntries.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { LookupPermissions } from './lookupPermissions.ts';

export interface ConcernsChainDeps {
  readonly worker: Pick<FeatureDeps['worker'], 'lookup'>;
  readonly book: Pick<FeatureDeps['book'], 'findByAddress'>;
  readonly permissions: Pick<LookupPermissions, 'isAllowed'>;
}

/** Rejects with `cancelled` only. */
export async function concernsChain(
  { selector, isOnLoopback }: Pick<ConfiguredChain, 'selector' | 'isOnLoopback'>,
  { literal, isLinkText }: Pick<DocumentLiteral, 'literal' | 'isLinkText'>,
  request: HoverLookup,
  { worker, book, permissions }: ConcernsChainDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const isUserRequested = permissions.isAllowed(selector, literal.text);
  // A literal in a link to one chain's explorer is about that chain, which a local node may be a fork of.
  const namedId = isUserRequested || (isLinkText && isOnLoopback) ? null : getLiteralChainId(literal);
  const id = getChainByName(selector)?.id ?? null;
  if (namedId !== null && id !== null && namedId !== id) return false;
  if (request.kind === 'address' && isSavedForOtherChains(book.findByAddress(request.address), selector)) return false;
  if (namedId === null || id !== null) return true;
  try {
    return (await worker.lookup('chainStatus', { chain: selector }, signal)).chain?.id === namedId;
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return false; // unknown: the link may be about another chain
  }
}
