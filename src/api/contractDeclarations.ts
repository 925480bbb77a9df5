// What the source of a contract declares, for values of its variables: types, places in storage, locals of functions.

/** Text of the type of variables in inline assembly, whose kind is `unknown`. */
export const ASSEMBLY_TYPE = 'u256';

/** Index in `ContractDeclarations.types`. */
export type TypeIndex = number;

interface StoredType {
  /** As in the source, with full names: `mapping(address => Vault.Position)`. */
  readonly text: string;
  /** Bytes in a slot of storage; 32 for what begins a slot of its own. */
  readonly bytes: number;
  /** Slots that it takes; 1 for what shares a slot. */
  readonly slots: bigint;
}

export type SolidityType = StoredType &
  (
    | { readonly kind: 'uint' | 'int' | 'bool' | 'address' | 'contract' | 'fixedBytes' | 'string' | 'bytes' }
    /** `members`: `null` where the build does not say. */
    | { readonly kind: 'enum'; readonly members: readonly string[] | null }
    /** A type of the user with a name (`type Price is uint128`). `base`: `null` where the build does not say. */
    | { readonly kind: 'userDefined'; readonly base: TypeIndex | null }
    | { readonly kind: 'function'; readonly isExternal: boolean }
    /** `length`: `null` for a dynamic array. */
    | { readonly kind: 'array'; readonly base: TypeIndex; readonly length: bigint | null }
    | { readonly kind: 'mapping'; readonly key: TypeIndex; readonly value: TypeIndex }
    /** Slots of the members count from the struct's first. */
    | { readonly kind: 'struct'; readonly members: readonly StorageMember[] }
    /** One that HexLens does not know. */
    | { readonly kind: 'unknown' }
  );

export interface StorageMember {
  readonly name: string;
  readonly type: TypeIndex;
  readonly slot: bigint;
  /** Bytes from the low-order end of the slot. */
  readonly offset: number;
}

/** A state variable, or a struct of a namespace (ERC-7201) or at a slot that a function gives it by assembly. */
export interface StorageVariable extends StorageMember {
  readonly contract: string;
  /** The id of the ERC-7201 namespace, such as `example.main`. */
  readonly namespace?: string;
}

export interface ImmutableVariable {
  readonly name: string;
  readonly contract: string;
  readonly type: TypeIndex;
  /** Where the runtime code has the value, as a word each time. */
  readonly references: readonly { readonly start: number; readonly length: number }[];
}

export interface ConstantVariable {
  readonly name: string;
  /** `null`: at the level of the file. */
  readonly contract: string | null;
  readonly type: TypeIndex;
  /** A number as the word that the code has, text as it is; `null` where it takes more than arithmetic to know it. */
  readonly value: bigint | string | null;
}

export type DataLocation = 'stack' | 'memory' | 'calldata' | 'storage' | 'transient';

/** A variable inside a function. Offsets are bytes of the source. */
export interface LocalVariable {
  /** Empty for a parameter without a name. */
  readonly name: string;
  readonly type: TypeIndex;
  /** Where its value is; a value on the stack may refer to another place. */
  readonly location: DataLocation;
  readonly start: number;
  readonly end: number;
  readonly scopeStart: number;
  readonly scopeEnd: number;
}

/** A function, a modifier, or a function of inline assembly, whose parameters are in the order of the stack. */
export interface FunctionDeclaration {
  /** `constructor`, `receive`, `fallback` for those without a name. */
  readonly name: string;
  /** `null` for a free function. */
  readonly contract: string | null;
  /** Source id. */
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly parameters: readonly LocalVariable[];
  readonly returns: readonly LocalVariable[];
  /** In the order of the source. */
  readonly locals: readonly LocalVariable[];
}

export interface ContractDeclarations {
  /** `storageLayout`: the build has no syntax tree, so that there are only state variables, and enums are numbers. */
  readonly by: 'ast' | 'storageLayout';
  readonly types: readonly SolidityType[];
  /** State variables in the order of storage, then those of namespaces. */
  readonly storage: readonly StorageVariable[];
  readonly transient: readonly StorageVariable[];
  readonly immutables: readonly ImmutableVariable[];
  readonly constants: readonly ConstantVariable[];
  /** Functions and modifiers of the contract, its bases, libraries and files. */
  readonly functions: readonly FunctionDeclaration[];
}
