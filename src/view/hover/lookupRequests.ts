// What the network part of a hover asks a chain about a subject, if anything, and whether it may.

import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import { getPrivacyVerdict, type PrivacyVerdict } from '../../detect/privacy.ts';

export type LookupRequest =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'hash'; readonly hash: Hex }
  | { readonly kind: 'block'; readonly block: number };

/** The question that a subject is; `null` when no chain can answer anything about it. */
export function getLookupRequest(subject: HexLiteral): LookupRequest | null {
  if (subject.kind === 'address' || subject.kind === 'paddedAddress')
    return subject.canLookUp ? { kind: 'address', address: lower(subject.address) } : null;
  if (subject.kind === 'hash32')
    return subject.lookupOrder.length > 0 ? { kind: 'hash', hash: lower(subject.hash) } : null;
  return subject.kind === 'blockNumber' ? { kind: 'block', block: subject.number } : null;
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

/** Id of the chain that the text itself names; `null` when it names none. */
export function getLiteralChainId(subject: HexLiteral): number | null {
  return 'chainId' in subject ? subject.chainId : null;
}

export interface TargetChain {
  readonly local: boolean;
  /** The user clicked "look up" on this literal for this chain. */
  readonly userRequested: boolean;
}

export interface LookupRules {
  readonly fileName: string;
  /** `hexlens.privacy.lookUp`: whether addresses wait for a click on chains that are not local. */
  readonly addressesOnClick: boolean;
}

/** Whether the question may go to that chain's node. */
export function checkLookup(
  subject: HexLiteral,
  { local, userRequested: userAsked }: TargetChain,
  rules: LookupRules,
): PrivacyVerdict {
  const verdict = getPrivacyVerdict(subject, {
    loopbackOnly: local,
    fileName: rules.fileName,
    userRequested: userAsked,
  });
  const address = subject.kind === 'address' || subject.kind === 'paddedAddress';
  if (verdict.decision === 'yes' && address && !local && rules.addressesOnClick && !userAsked)
    return { decision: 'click', reason: t('Addresses are looked up by a click, as your settings say.') };
  return verdict;
}
