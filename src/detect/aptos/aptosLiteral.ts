// The subjects that only Aptos has: addresses, Move types, transactions and blocks.
import type { Hex } from '../../base/hex.ts';

interface AptosLiteralBase {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The network that the text itself names (an explorer link); `null` when it names none. */
  readonly network: string | null;
}

/** Why it is what we say. `syntax`: nothing else is written like this. `weak`: the word may stand before a key too. */
export interface AptosHint {
  readonly basis: 'syntax' | 'word' | 'weak';
  readonly word: string;
}

export interface AptosAddressLiteral extends AptosLiteralBase {
  readonly kind: 'aptosAddress';
  /** `0x` and 64 lower-case digits; `null` for a name that no Move.toml near gives an address. */
  readonly address: Hex | null;
  /** The named address that was written (`@alice`). */
  readonly namedAddress: string | null;
  /** What everybody calls the address. */
  readonly name: string | null;
  readonly hint: AptosHint;
  /** The words nearby that speak of a key or secret; it then goes nowhere that is not on this machine. */
  readonly secretWord: string | null;
}

export interface AptosTypeLiteral extends AptosLiteralBase {
  readonly kind: 'aptosType';
  readonly form: 'module' | 'struct' | 'function';
  /** As nodes write it; `null` while a name in it has no known address. */
  readonly path: string | null;
  /** Of the module's account. */
  readonly address: Hex | null;
  /** The address as written, digits or name. */
  readonly root: string;
  readonly module: string;
  readonly item: string | null;
  /** `<…>` of a struct, as written. */
  readonly typeArguments: string;
}

export interface AptosTransactionLiteral extends AptosLiteralBase {
  readonly kind: 'aptosTransaction';
  /** A version in decimal digits, or a hash in lower case. */
  readonly transaction: string;
  readonly by: 'version' | 'hash';
  /** What says so. */
  readonly word: string;
}

export interface AptosBlockLiteral extends AptosLiteralBase {
  readonly kind: 'aptosBlock';
  /** Decimal digits. */
  readonly height: string;
}

export type AptosLiteral = AptosAddressLiteral | AptosTypeLiteral | AptosTransactionLiteral | AptosBlockLiteral;

export function isAptosLiteral(subject: { readonly kind: string }): subject is AptosLiteral {
  return subject.kind.startsWith('aptos');
}
