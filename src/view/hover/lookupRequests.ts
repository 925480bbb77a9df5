// What the network part of a hover looks up for a literal, and whether it may.
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type HexLiteral, isAptosLiteral } from '../../detect/hexLiteral.ts';
import { getPrivacyVerdict, type PrivacyVerdict } from '../../detect/privacy.ts';

export type LookupRequest =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'hash'; readonly hash: Hex }
  | { readonly kind: 'block'; readonly block: number };

export type AptosLookupRequest =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'coin'; readonly coinType: string }
  | { readonly kind: 'transaction'; readonly transaction: string }
  /** 32 bytes without a label: an account or a transaction. */
  | { readonly kind: 'either'; readonly literal: Hex };

const toLowerCase = (hex: Hex) => hex.toLowerCase() as Hex;

/** `null` when no EVM chain can know the literal. */
export function getLookupRequest(literal: HexLiteral): LookupRequest | null {
  if (literal.kind === 'address' || literal.kind === 'paddedAddress')
    return literal.canLookUp ? { kind: 'address', address: toLowerCase(literal.address) } : null;
  if (literal.kind === 'hash32')
    return literal.lookupOrder.length > 0 ? { kind: 'hash', hash: toLowerCase(literal.hash) } : null;
  return literal.kind === 'blockNumber' ? { kind: 'block', block: literal.number } : null;
}

/** `null` when no Aptos network can know the literal. */
export function getAptosLookupRequest(literal: HexLiteral): AptosLookupRequest | null {
  switch (literal.kind) {
    case 'aptosAddress':
      return literal.address === null ? null : { kind: 'address', address: literal.address };
    case 'aptosType':
      return literal.form === 'struct' && literal.path !== null ? { kind: 'coin', coinType: literal.path } : null;
    case 'aptosTransaction':
      return { kind: 'transaction', transaction: literal.transaction };
    case 'hash32':
      // A label with "block" or "state root" belongs to an EVM chain.
      return literal.lookupOrder.includes('transaction') && literal.hint?.kind !== 'block'
        ? { kind: 'either', literal: toLowerCase(literal.hash) }
        : null;
    default:
      return null;
  }
}

/** Id of the chain that the text itself names; `null` when it names none. */
export function getLiteralChainId(literal: HexLiteral): number | null {
  return 'chainId' in literal ? literal.chainId : null;
}

/** The Aptos network that the text itself names; `null` when it names none. */
export function getLiteralNetwork(literal: HexLiteral): string | null {
  return 'network' in literal ? literal.network : null;
}

export interface TargetChain {
  readonly local: boolean;
  /** The user clicked "look up" for this literal and this chain. */
  readonly userRequested: boolean;
}

export interface TargetNetwork extends TargetChain {
  readonly name: string;
  /** The network is in the settings; otherwise it is one of the public defaults. */
  readonly isConfigured: boolean;
}

export interface LookupRules {
  readonly fileName: string;
  /** `hexlens.privacy.lookUp`: whether addresses need a click on chains that are not local. */
  readonly addressesOnClick: boolean;
}

/** Whether the literal may be sent to the node of the chain. */
export function checkLookup(
  literal: HexLiteral,
  { local, userRequested }: TargetChain,
  { fileName, addressesOnClick }: LookupRules,
): PrivacyVerdict {
  const verdict = getPrivacyVerdict(literal, { loopbackOnly: local, fileName, userRequested });
  const isAddress = literal.kind === 'address' || literal.kind === 'paddedAddress' || literal.kind === 'aptosAddress';
  return verdict.decision === 'yes' && isAddress && !local && addressesOnClick && !userRequested
    ? { decision: 'click', reason: t('Your settings look up addresses only when you click.') }
    : verdict;
}

/** Whether the literal may be sent to the node and indexer of the Aptos network. */
export function checkAptosLookup(literal: HexLiteral, network: TargetNetwork, rules: LookupRules): PrivacyVerdict {
  const { local, isConfigured, userRequested } = network;
  const verdict = checkLookup(literal, network, { ...rules, addressesOnClick: false });
  if (verdict.decision !== 'yes' || local || userRequested) return verdict;
  if (!isConfigured) return { decision: 'click', reason: t('Public networks are looked up only when you click.') };
  // A transaction hash can be of any chain: Aptos is looked up without a click only if the text means Aptos.
  return isAptosLiteral(literal)
    ? checkLookup(literal, network, rules)
    : { decision: 'click', reason: t('Nothing here says that it belongs to Aptos.') };
}
