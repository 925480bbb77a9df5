// What a hex literal can be: the types that hovers, links and diagnostics work with.
import type { ChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import type { Signature } from '../decode/signatures/findSignatures.ts';
import type { HashHintKind } from './hintWords.ts';
import type { RuleName } from './rules.ts';
import type { WellKnownNature } from './wellKnownAddresses.ts';

interface AptosLiteralBase extends LiteralBase {
  /** The network that the text itself names (an explorer link); `null` when it names none. */
  readonly network: string | null;
}

/** Why it is this literal. `syntax`: nothing else has this syntax. `weak`: the word may also name a key. `none`: the user typed it alone. */
export interface AptosHint {
  readonly basis: 'syntax' | 'word' | 'weak' | 'none';
  readonly word: string;
}

export interface AptosAddressLiteral extends AptosLiteralBase {
  readonly kind: 'aptosAddress';
  /** `0x` and 64 lower-case digits; `null` for a name that no Move.toml assigns an address. */
  readonly address: Hex | null;
  /** The named address that was written (`@alice`). */
  readonly namedAddress: string | null;
  /** Well-known name. */
  readonly name: string | null;
  readonly hint: AptosHint;
  /** Words nearby that mark a key or secret; the literal then never leaves this machine. */
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
  /** The word that tells. */
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

interface LiteralBase {
  /** UTF-16 offsets into the text that was searched; `end` is exclusive, quotes are outside. */
  readonly start: number;
  readonly end: number;
  /** As it is written. */
  readonly text: string;
}

/**
 * `account`: an ordinary address. `development`: of Anvil's and Hardhat's well-known accounts. `mask`, `placeholder`:
 * digits that no key produced. The rest as in wellKnownAddresses.ts.
 */
export type AddressNature = 'account' | 'development' | 'mask' | 'placeholder' | WellKnownNature;

interface AddressLiteralFields {
  /** `0x` and 40 digits, case as written. */
  readonly address: Hex;
  readonly nature: AddressNature;
  /** Well-known name (`Permit2`, `Dev account #0`); `null` for ordinary addresses. */
  readonly name: string | null;
  /** Whether it can exist on a chain. */
  readonly canLookUp: boolean;
  /** EIP-155 id that the text itself names (explorer link, `eth:0x…`, `0x…@137`). */
  readonly chainId: number | null;
}

export interface AddressLiteral extends LiteralBase, AddressLiteralFields {
  readonly kind: 'address';
  readonly checksum: ChecksumState;
  /** The checksum is wrong and the address is not a mask or placeholder: it was mistyped or invented. */
  readonly shouldWarn: boolean;
}

/** 12 zero bytes and an address: an indexed event parameter, a storage word. */
export interface PaddedAddressLiteral extends LiteralBase, AddressLiteralFields {
  readonly kind: 'paddedAddress';
  /** Topics, calldata or storage around it hold such words, or the address is well known: it is no key. */
  readonly isCertain: boolean;
  readonly secretWord: string | null;
}

/** Why the bytes are a hash. */
export interface HashLiteralHint {
  readonly kind: HashHintKind;
  /** The words that tell. */
  readonly word: string;
}

/** 32 bytes that could be a hash, or a private key. */
export interface HashLiteral extends LiteralBase {
  readonly kind: 'hash32';
  readonly hash: Hex;
  /** Why it is a hash; `null` when the surroundings do not prove it. */
  readonly hint: HashLiteralHint | null;
  /** The rule of docs/security.md that decided about the hint. */
  readonly rule?: RuleName | undefined;
  /** What a deployment tool has recorded the same bytes as, in another file of the workspace. */
  readonly recordedAs?: 'transaction' | 'block' | undefined;
  /** Words nearby that mark a key or secret; the literal then never leaves this machine, whatever `hint` is. */
  readonly secretWord: string | null;
  /** What to look up, in this order; empty when no node can find it. */
  readonly lookupOrder: readonly ('transaction' | 'block')[];
  readonly chainId: number | null;
}

/** A well-known topic0; the candidates differ in their indexed parameters. */
export interface TopicLiteral extends LiteralBase {
  readonly kind: 'topic';
  readonly topic: Hex;
  readonly events: readonly Signature[];
}

/** A storage slot, role or type hash that is the same everywhere. */
export interface ConstantLiteral extends LiteralBase {
  readonly kind: 'constant';
  readonly hash: Hex;
  readonly name: string;
  /** How many digits differ from that value: more than none if it was mistyped. */
  readonly differences: number;
}

/**
 * 32 bytes that are no hash: `zero`, `max` (all ones), `number` (padded in front; negative in two's complement), `text`
 * (`bytes32` text), `mask`, `pattern`, `padded` (a shorter value, zeros after it).
 */
export interface WordLiteral extends LiteralBase {
  readonly kind: 'word';
  readonly form: 'zero' | 'max' | 'number' | 'text' | 'mask' | 'pattern' | 'padded';
  readonly value: bigint;
  /** Form `text` only: printable ASCII, not to be trusted as Markdown. */
  readonly content: string | null;
}

/** The private key of a well-known development account. */
export interface DevelopmentKeyLiteral extends LiteralBase {
  readonly kind: 'developmentKey';
  readonly address: Hex;
  /** `Dev account #0 private key`. */
  readonly name: string;
}

export interface SelectorLiteral extends LiteralBase {
  readonly kind: 'selector';
  readonly selector: Hex;
  readonly functions: readonly Signature[];
  readonly errors: readonly Signature[];
  /** ERC-165 interface with this id. */
  readonly interfaceName: string | null;
}

/**
 * `calldata`: a selector and arguments. `revert`: the data of a known error. `bytecode`: EVM code, in which nothing is
 * looked for. `delegation`: EIP-7702 designator. `signature`: 65 bytes of r, s, v. `words`: a multiple of 32 bytes.
 */
export interface DataLiteral extends LiteralBase {
  readonly kind: 'data';
  readonly form: 'calldata' | 'revert' | 'bytecode' | 'delegation' | 'signature' | 'words' | 'bytes';
  /** Length in bytes. */
  readonly size: number;
  /** Forms `calldata` and `revert`. */
  readonly selector: Hex | null;
  readonly functions: readonly Signature[];
  readonly errors: readonly Signature[];
  /** Form `delegation`: the code's address. */
  readonly address: Hex | null;
}

export interface BlockNumberLiteral extends LiteralBase {
  readonly kind: 'blockNumber';
  readonly number: number;
  readonly chainId: number | null;
  readonly host: string;
}

/** Shortened in the text (`0x1234…abcd`): the missing digits cannot be looked up. */
export interface TruncatedLiteral extends LiteralBase {
  readonly kind: 'truncated';
}

/** In the position of an address or a hash, but with too few or too many digits. */
export interface NearMissLiteral extends LiteralBase {
  readonly kind: 'nearMiss';
  readonly expected: 'address' | 'hash';
  readonly digits: number;
  /** -1: one digit is missing; 2: two are too many. */
  readonly difference: number;
}

export type HexLiteral =
  | AptosLiteral
  | AddressLiteral
  | PaddedAddressLiteral
  | HashLiteral
  | TopicLiteral
  | ConstantLiteral
  | WordLiteral
  | DevelopmentKeyLiteral
  | SelectorLiteral
  | DataLiteral
  | BlockNumberLiteral
  | TruncatedLiteral
  | NearMissLiteral;
