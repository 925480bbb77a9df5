// What the network part of a hover asks a chain about a subject, if anything, and whether it may.

import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type HexLiteral, isAptosLiteral } from '../../detect/hexLiteral.ts';
import { getPrivacyVerdict, type PrivacyVerdict } from '../../detect/privacy.ts';

// What the network part of a hover asks an Aptos network about a subject, if anything, and whether it may.
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
