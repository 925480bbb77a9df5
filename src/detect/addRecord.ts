// Adds to a literal what a deployment tool has recorded of the same bytes.
import type { HexLiteral } from './hexLiteral.ts';

export interface LiteralRecord {
  readonly kind: 'transaction' | 'block';
  /** EIP-155 id; `null` where it is not known. */
  readonly chainId: number | null;
}

/** The chain is that of the record unless the text names one. */
export function addRecord(literal: HexLiteral, { kind, chainId }: LiteralRecord): HexLiteral {
  if (literal.kind !== 'hash32' || literal.secretWord !== null) return literal;
  return { ...literal, recordedAs: kind, chainId: literal.chainId ?? chainId };
}
