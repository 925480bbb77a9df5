// The subjects that only Aptos has: addresses, Move types, transactions and blocks.
import type { Hex } from '../../base/hex.ts';

interface AptosSubjectBase {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The network that the text itself names (an explorer link); `null` when it names none. */
  readonly network: string | null;
}

/** Why it is what we say. `syntax`: nothing else is written like this. `weak`: the word may stand before a key too. */
export interface AptosEvidence {
  readonly by: 'syntax' | 'word' | 'weak';
  readonly word: string;
}

export interface AptosAddressSubject extends AptosSubjectBase {
  readonly kind: 'aptosAddress';
  /** `0x` and 64 lower-case digits; `null` for a name that no Move.toml near gives an address. */
  readonly address: Hex | null;
  /** The named address that was written (`@alice`). */
  readonly named: string | null;
  /** What everybody calls the address. */
  readonly name: string | null;
  readonly evidence: AptosEvidence;
  /** The words nearby that speak of a key or secret; it then goes nowhere that is not on this machine. */
  readonly secret: string | null;
}

export interface AptosTypeSubject extends AptosSubjectBase {
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

export interface AptosTransactionSubject extends AptosSubjectBase {
  readonly kind: 'aptosTransaction';
  /** A version in decimal digits, or a hash in lower case. */
  readonly transaction: string;
  readonly by: 'version' | 'hash';
  /** What says so. */
  readonly word: string;
}

export interface AptosBlockSubject extends AptosSubjectBase {
  readonly kind: 'aptosBlock';
  /** Decimal digits. */
  readonly height: string;
}

export type AptosSubject = AptosAddressSubject | AptosTypeSubject | AptosTransactionSubject | AptosBlockSubject;

export function isAptosSubject(subject: { readonly kind: string }): subject is AptosSubject {
  return subject.kind.startsWith('aptos');
}
