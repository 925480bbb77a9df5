// What the network part of a hover asks an Aptos network about a subject, if anything, and whether it may.

import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { isAptosLiteral } from '../../detect/aptos/aptosLiteral.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import { getPrivacyVerdict, type PrivacyVerdict } from '../../detect/privacy.ts';

export type AptosLookupRequest =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'coin'; readonly coinType: string }
  | { readonly kind: 'transaction'; readonly transaction: string }
  /** 32 bytes that nothing names: an account or a transaction, if the network knows either. */
  | { readonly kind: 'either'; readonly literal: Hex };

/** `null` when no network of Aptos can answer anything about the subject. */
export function getAptosLookupRequest(subject: HexLiteral): AptosLookupRequest | null {
  switch (subject.kind) {
    case 'aptosAddress':
      return subject.address === null ? null : { kind: 'address', address: subject.address };
    case 'aptosType':
      return subject.form === 'struct' && subject.path !== null ? { kind: 'coin', coinType: subject.path } : null;
    case 'aptosTransaction':
      return { kind: 'transaction', transaction: subject.transaction };
    case 'hash32':
      // A name that says "block" or "state root" speaks of another chain.
      return subject.lookupOrder.includes('transaction') && subject.hint?.kind !== 'block'
        ? { kind: 'either', literal: subject.hash.toLowerCase() as Hex }
        : null;
    default:
      return null;
  }
}

export interface TargetNetwork {
  readonly name: string;
  readonly local: boolean;
  /** The user wrote this network into the settings; the public ones are there without being asked for. */
  readonly isConfigured: boolean;
  /** The user clicked "look up" on this literal for this network. */
  readonly userRequested: boolean;
}

export interface AptosLookupRules {
  readonly fileName: string;
  /** `hexlens.privacy.lookUp`: whether addresses wait for a click on networks that are not local. */
  readonly addressesOnClick: boolean;
}

/** Whether the question may go to that network's node and indexer. */
export function checkAptosLookup(
  subject: HexLiteral,
  network: TargetNetwork,
  { fileName, addressesOnClick }: AptosLookupRules,
): PrivacyVerdict {
  const { local, isConfigured: chosen, userRequested: userAsked } = network;
  const verdict = getPrivacyVerdict(subject, { loopbackOnly: local, fileName, userRequested: userAsked });
  if (verdict.decision !== 'yes' || local || userAsked) return verdict;
  if (!chosen) return { decision: 'click', reason: t('A public network is asked when you say so.') };
  // Evidence of a transaction hash speaks of no chain in particular: Aptos is asked by itself only where it is meant.
  if (!isAptosLiteral(subject)) return { decision: 'click', reason: t('Nothing here says that it is of Aptos.') };
  return addressesOnClick && subject.kind === 'aptosAddress'
    ? { decision: 'click', reason: t('Addresses are looked up by a click, as your settings say.') }
    : verdict;
}

/** The network that the text itself names; `null` when it names none. */
export function getLiteralNetwork(subject: HexLiteral): string | null {
  return 'network' in subject ? subject.network : null;
}
