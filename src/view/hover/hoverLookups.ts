// What the network part of a hover looks up for a literal.
import { type Hex, toLowerHex } from '../../base/hex.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';

export type HoverLookup =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'hash'; readonly hash: Hex }
  | { readonly kind: 'block'; readonly block: number };

export type AptosHoverLookup =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'coin'; readonly coinType: string }
  | { readonly kind: 'transaction'; readonly transaction: string }
  /** 32 bytes without a label: an account or a transaction. */
  | { readonly kind: 'either'; readonly literal: Hex };

/** `null` when no EVM chain can know the literal. */
export function getHoverLookup(literal: HexLiteral): HoverLookup | null {
  if (literal.kind === 'address' || literal.kind === 'paddedAddress')
    return literal.canLookUp ? { kind: 'address', address: toLowerHex(literal.address) } : null;
  if (literal.kind === 'hash32')
    return literal.lookupOrder.length > 0 ? { kind: 'hash', hash: toLowerHex(literal.hash) } : null;
  return literal.kind === 'blockNumber' ? { kind: 'block', block: literal.number } : null;
}

/** `null` when no Aptos network can know the literal. */
export function getAptosHoverLookup(literal: HexLiteral): AptosHoverLookup | null {
  switch (literal.kind) {
    case 'aptosAddress':
      return literal.address === null ? null : { kind: 'address', address: literal.address };
    case 'aptosType':
      return literal.form === 'struct' && literal.path !== null ? { kind: 'coin', coinType: literal.path } : null;
    case 'aptosTransaction':
      return { kind: 'transaction', transaction: literal.transaction };
    case 'hash32':
      // A label with "block" or "state root" belongs to an EVM chain, and so do records of tools.
      return literal.lookupOrder.includes('transaction') &&
        literal.hint?.kind !== 'block' &&
        literal.recordedAs === undefined
        ? { kind: 'either', literal: toLowerHex(literal.hash) }
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
