// Lookups: summaries for hovers that need a few node calls, never a whole block.
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { LocalizableText } from '../base/localize.ts';
import type { Chain } from './chains.ts';
import type { DebugRequest, DebugResponse } from './debugSession.ts';
import type { Output } from './operations/operations.ts';
import type { NoStateChanges, StateChanges } from './stateChanges.ts';
import type { TokenTransfer } from './tokenTransfer.ts';
import type { Simulation, TraceTarget } from './traceTarget.ts';
import type { TransactionFee } from './transactionFee.ts';
import type { NoTransactionGas, TransactionGas } from './transactionGas.ts';
import type { MatchedCode, TracedCode, TransactionSource, TransactionSourceOptions } from './transactionStack.ts';
import type { NoTransactionTrace, TransactionTrace } from './transactionTrace.ts';

export interface ChainStatus {
  /** The selector under which it is configured. */
  readonly selector: string;
  /** `null` until its node has responded once. */
  readonly chain: Chain | null;
  /** `node`: our own service over JSON-RPC; `host`: a remote host of the service. */
  readonly source: 'node' | 'host';
  /** Head block number; `null` while unknown, or when the source does not report it. */
  readonly head: number | null;
  readonly headTime: Date | null;
  /** Hash of the head block; absent while unknown. */
  readonly headHash?: Hex;
  /** `web3_clientVersion`, printable and cut to 64 characters. */
  readonly client: string | null;
  /** Hash of block 0, which changes when a dev chain is restarted; absent while unknown. */
  readonly genesisHash?: Hex;
  /**
   * Only this machine knows the chain: a development chain that is no fork, of a node on loopback. Absent while unknown, and
   * for a remote host.
   */
  readonly isLocal?: boolean;
  /**
   * Of a fork by a development node on loopback: the last block of the other chain. What came behind it was mined on this
   * machine. Absent for other chains, and where the node does not say.
   */
  readonly forkBlock?: number;
  /**
   * The embedded service indexes the whole chain (a development chain, also a remote one), and lists what a wallet did from
   * that index. Absent while unknown, and for a remote host.
   */
  readonly isIndexedWhole?: boolean;
  /** One sentence that says what is wrong and what to do; `null` when all is well. */
  readonly problem: string | null;
  /** The problem as a fault, until it has been localized in the main thread. */
  readonly fault?: PlainFault | undefined;
}

export interface TokenSummary {
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155';
  /** Untrusted text: escape it where it is shown. At most 64 characters. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly totalSupply: bigint | null;
}

/** Where a proxy passes its calls on. */
export interface ContractProxy {
  /** `ERC-1167`: any minimal proxy. `OpenZeppelin`: its slot before ERC-1967. `ERC-2535`: a diamond. */
  readonly kind: 'ERC-1967' | 'ERC-1967 beacon' | 'ERC-1822' | 'ERC-1167' | 'ERC-2535' | 'OpenZeppelin' | 'Safe';
  /** One contract, or the facets of a diamond; empty when a beacon does not name one. */
  readonly implementations: readonly Hex[];
  /** The contract that names the implementation. */
  readonly beacon: Hex | null;
}

export interface AddressSummary {
  readonly kind: 'address';
  readonly chain: Chain;
  readonly address: Hex;
  /** In the smallest unit of the native coin. */
  readonly balance: bigint;
  /** Transactions sent (an account) or contracts created (a contract); `null` when the source does not report it. */
  readonly nonce: number | null;
  /** Bytes of code; 0 is an account without code, `null` is unknown. */
  readonly codeSize: number | null;
  /**
   * keccak-256 of a contract's code, with zeros for what the creation of some well-known contracts sets; `null` for other
   * addresses, and where the source does not report it.
   */
  readonly codeHash: Hex | null;
  /** EIP-7702: where an account's code is delegated to. */
  readonly delegate: Hex | null;
  /** A contract that passes its calls on to others, or an account whose delegate does. */
  readonly proxy: ContractProxy | null;
  readonly token: TokenSummary | null;
  /** The block that was read. */
  readonly blockNumber: number | null;
}

/** Longer inputs are not sent: they would fill the cache, and are not readable anyway. */
export const MAX_INPUT_BYTES = 8_192;

/** Event signatures (topic0) in a transaction summary. */
export const MAX_SUMMARY_TOPICS = 8;

/** Transfers of tokens in a transaction summary. */
export const MAX_SUMMARY_TRANSFERS = 8;

export interface TransactionSummary {
  readonly kind: 'transaction';
  readonly chain: Chain;
  readonly hash: Hex;
  /** `pending` has no block yet. */
  readonly status: 'success' | 'failed' | 'pending';
  readonly from: Hex;
  /** `null` for a contract creation; then `created` is the new contract, unless the creation failed. */
  readonly to: Hex | null;
  readonly created: Hex | null;
  readonly value: bigint;
  /** First four bytes of the input; `null` when there are none. */
  readonly selector: Hex | null;
  readonly inputSize: number;
  /** All of the input; `null` when it is longer than `MAX_INPUT_BYTES`. */
  readonly input: Hex | null;
  readonly nonce: bigint;
  readonly gasUsed: bigint | null;
  readonly gasLimit: bigint;
  /** Price per gas that was paid, in the smallest unit. */
  readonly gasPrice: bigint | null;
  /** What was paid in all; `null` when it is not mined, or not known. */
  readonly fee: TransactionFee | null;
  readonly blockNumber: number | null;
  readonly blockHash: Hex | null;
  readonly time: Date | null;
  readonly transactionIndex: number | null;
  readonly logs: number | null;
  /** topic0 of the first logs, at most 8. */
  readonly topics: readonly Hex[];
  /** Token transfers of the first logs, at most 8. */
  readonly transfers: readonly TokenTransfer[];
}

export interface BlockSummary {
  readonly kind: 'block';
  readonly chain: Chain;
  readonly number: number;
  readonly hash: Hex;
  readonly time: Date;
  readonly transactions: number;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  readonly baseFee: bigint | null;
  readonly miner: Hex;
}

/** No transaction and no block of that hash on the chain. */
export interface NothingFound {
  readonly kind: 'nothing';
  readonly chain: Chain;
}

export interface EnsAddress {
  readonly kind: 'ens';
  readonly chain: Chain;
  /** Normalized (ENSIP-15). */
  readonly name: string;
  /** `null` when there is none; `outcome` says why. */
  readonly address: Hex | null;
  /**
   * `unregistered`: no resolver is set for it or anything above it. `no-address`: its resolver knows no address.
   * `offchain`: its resolver answers through a web server (ERC-3668), which HexLens does not ask. `no-registry`: the
   * chain has no ENS.
   */
  readonly outcome: 'found' | 'unregistered' | 'no-address' | 'offchain' | 'no-registry';
}

export interface EnsName {
  readonly kind: 'ensName';
  readonly chain: Chain;
  /** Normalized (ENSIP-15); `null` without one, and where the name itself does not lead back to the address. */
  readonly name: string | null;
}

/** The node at a JSON-RPC URL that is not configured yet. */
export interface NodeProbe {
  readonly kind: 'probe';
  /** EIP-155 chain id. */
  readonly chainId: number;
  /** What the chain is called, as in `Chain.title`. */
  readonly title: string;
  /** `web3_clientVersion`, printable and cut to 64 characters; `null` when the node does not say. */
  readonly client: string | null;
  readonly head: number;
}

/** Tokens of a chain by name. */
export interface KnownTokens {
  readonly kind: 'knownTokens';
  readonly tokens: readonly {
    readonly address: Hex;
    /** `ERC20`, `ERC721`, … */
    readonly standard: string;
    /** Untrusted texts. */
    readonly name: string | null;
    readonly symbol: string | null;
  }[];
}

/** Current status of a configured Aptos network. */
export interface AptosStatus {
  readonly network: string;
  /** 1 mainnet, 2 testnet, 4 a localnet; `null` until its node has responded. */
  readonly chainId: number | null;
  readonly ledgerVersion: bigint | null;
  readonly blockHeight: bigint | null;
  /** When the newest transaction was made. */
  readonly ledgerTime: Date | null;
  /** Of a network without an indexer: how far our own index of it is; `null` before its first request. */
  readonly index: { readonly version: bigint; readonly head: bigint | null; readonly running: boolean } | null;
  /** One sentence that says what is wrong and what to do; `null` when all is well. */
  readonly problem: string | null;
  /** The problem as a fault, until it has been localized in the main thread. */
  readonly fault?: PlainFault | undefined;
}

/** What an Aptos address is: an account, an object, or both; a contract has modules. */
export interface AptosAccountSummary {
  readonly kind: 'aptosAccount';
  readonly network: string;
  /** Long form. */
  readonly address: Hex;
  /** `nothing`: no account, no object and no APT at this address. */
  readonly holds: 'account' | 'object' | 'nothing';
  /** APT in octas (10^-8), coins and fungible assets together; `null` when the node does not report it. */
  readonly balance: bigint | null;
  /** Transactions sent; orderless ones do not count. */
  readonly sequenceNumber: bigint | null;
  /** Packages that were published at the address, untrusted text, at most 8, each at most 64 characters. */
  readonly packages: readonly string[];
  /** Who owns the object. */
  readonly owner: Hex | null;
  /** What the object is, when it is one of the frameworks' own: a collection, a token, a fungible asset or a store of one. */
  readonly object: 'collection' | 'token' | 'fungibleAsset' | 'assetStore' | null;
  /** Untrusted text: the name of that collection, token or asset, at most 64 characters. */
  readonly name: string | null;
  readonly ledgerVersion: bigint;
}

export interface AptosTransactionSummary {
  readonly kind: 'aptosTransaction';
  readonly network: string;
  readonly hash: Hex;
  /** `pending` has no version yet. */
  readonly status: 'success' | 'failed' | 'pending';
  /** Status text of the Move VM; untrusted, at most 200 characters. */
  readonly vmStatus: string | null;
  readonly version: bigint | null;
  /** `user_transaction`, `block_metadata_transaction`, ... */
  readonly type: string;
  readonly sender: Hex | null;
  readonly sequenceNumber: bigint | null;
  readonly entryFunction: string | null;
  readonly gasUsed: bigint | null;
  /** Octas per unit of gas. */
  readonly gasUnitPrice: bigint | null;
  readonly time: Date | null;
  readonly blockHeight: bigint | null;
  readonly events: number;
}

/** A coin or fungible asset as its chain describes it. */
export interface AptosCoinSummary {
  readonly kind: 'aptosCoin';
  readonly network: string;
  /** The requested type, normalized. */
  readonly coinType: string;
  /** Untrusted text, at most 64 characters; `null` when the chain knows no coin of this type. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** Address of the metadata object of the fungible asset that the coin is paired with, or would be. */
  readonly metadata: Hex;
  /** Whether it exists as a coin, as a fungible asset, or as both. */
  readonly asCoin: boolean;
  readonly asFungibleAsset: boolean;
}

/** No transaction of that version or hash on the network. */
export interface AptosNothingFound {
  readonly kind: 'aptosNothing';
  readonly network: string;
}

/** A token's image as data, since pages must not fetch anything themselves. */
export interface MediaPreview {
  readonly kind: 'media';
  /** `type` is detected from the bytes, not taken from the server; never SVG. At most 512 KiB before base64. */
  readonly image: { readonly type: string; readonly base64: string } | null;
  /** `refused`: its host is not among those that token metadata may come from. `unsupported`: not an image format that can be shown. */
  readonly problem: 'too-large' | 'missing' | 'refused' | 'unreachable' | 'unsupported' | null;
}

/** Why a transaction failed, as far as its node reports it. */
export interface RevertReason {
  readonly kind: 'revert';
  readonly failed: boolean;
  /** The returned data, an ABI-encoded error; `null` when there is none, or when it is unknown. */
  readonly output: Hex | null;
  /** The node's error message, untrusted text; `null` when it has none. */
  readonly error: string | null;
  /** False: reproduced by a call on the state before its block, where balances may have been different. */
  readonly exact: boolean;
}

/** An NFT; without its standard it may be of either. */
export interface NftKeyInput {
  readonly contract: Hex;
  /** Decimal. */
  readonly tokenId: string;
  readonly standard?: 'ERC721' | 'ERC1155';
}

/** What the metadata of an NFT says: untrusted texts. */
export interface NftMetadata extends Pick<NftKeyInput, 'contract' | 'tokenId'> {
  /** `null` when the contract names none. */
  readonly tokenUri: string | null;
  /** A host has the document, not the contract. */
  readonly isRemote: boolean;
  /** The document has been read. */
  readonly isRead: boolean;
  readonly name: string | null;
  readonly description: string | null;
  /** A URI, of an image as data or at a host. */
  readonly image: string | null;
  readonly attributes: readonly { readonly trait: string | null; readonly value: string }[];
}

export const MAX_NFTS_PER_LOOKUP = 100;

/** As the node sent them; `null` where it has none. */
export interface NodeTransaction {
  readonly kind: 'nodeTransaction';
  readonly transaction: Readonly<Record<string, unknown>> | null;
  readonly receipt: Readonly<Record<string, unknown>> | null;
}

/** Longer code is not sent: no chain has it, and it would fill the cache. */
export const MAX_CODE_BYTES = 65_536;

/** The code of a contract, to compare it with builds of the workspace. */
export interface ContractCode {
  readonly kind: 'code';
  /** Lower case; `0x` where there is no contract; `null` when it is longer than `MAX_CODE_BYTES`. */
  readonly code: Hex | null;
  /** EIP-7702: where an account's code is delegated to. */
  readonly delegate: Hex | null;
  readonly proxy: ContractProxy | null;
  /** Of `delegate` and the implementations, as far as they were read along. */
  readonly targetCodes?: Readonly<Record<Hex, Hex>>;
}

/** The outcome of one `eth_call`. Messages are the node's, untrusted text. */
export type ContractCallResult =
  /** ABI-encoded; `0x` where there is no contract. */
  | { readonly outcome: 'returned'; readonly output: Hex }
  /** `data`: ABI-encoded error; `null` when there is none. */
  | { readonly outcome: 'reverted'; readonly data: Hex | null; readonly message: string }
  /** The node did not run this call to its end, such as one that needs too much gas. */
  | { readonly outcome: 'failed'; readonly message: string };

/** Results in the order of the calls. */
export interface ContractCalls {
  readonly kind: 'calls';
  readonly results: readonly ContractCallResult[];
}

/** The unit of a contract's amounts, if the contract is a token. */
export interface TokenUnit {
  readonly kind: 'token';
  /** `null`: not a known kind of token. Only amounts of ERC-20 have decimals. */
  readonly standard: TokenSummary['standard'] | null;
  /** Untrusted text, at most 64 characters. */
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** The ERC-20 that `asset()` or `token()` of a contract names which is no token itself; absent without one. */
  readonly underlying?: { readonly symbol: string | null; readonly decimals: number | null };
}

/** The ABI of a contract whose source a host has verified. */
export interface VerifiedAbi {
  readonly kind: 'verifiedAbi';
  /** `null`: no host of the settings knows the contract. */
  readonly found: {
    /** Host name and port. */
    readonly host: string;
    /** `exact`: the metadata hash is the same too, so that the sources are those of the deployment. */
    readonly match: 'exact' | 'partial';
    /** An identifier; `null` when the host gives none. */
    readonly name: string | null;
    /** A JSON list, as the host gives it. */
    readonly abi: string;
  } | null;
}

export interface ContractCreation {
  readonly kind: 'creation';
  /** `null` where the node's old states do not tell, and for contracts of the genesis block. */
  readonly creation: {
    readonly block: number;
    readonly hash: Hex;
    /** Who sent the transaction. */
    readonly from: Hex;
    /** The account, or the contract whose `new` or CREATE2 it was. */
    readonly creator: Hex;
    /** Index of the creation in the trace of the transaction; 0 is the transaction itself. */
    readonly call: number;
  } | null;
}

/** Words of storage that one lookup reads. */
export const MAX_STORAGE_SLOTS = 1_024;

/** Hashed keys, and words, that one lookup gives. */
export const MAX_STORAGE_KEYS = 4_096;

/** What is known of keys of a contract's mappings. */
export interface StorageKeys {
  readonly kind: 'storageKeys';
  /** What traced transactions hashed: for a value of a mapping its key with the mapping's slot. */
  readonly preimages: readonly Hex[];
  /** Addresses, and words of calldata and logs, which may be keys. */
  readonly words: readonly bigint[];
  /** All transactions of the chain were run again. */
  readonly isComplete: boolean;
}

/** A simulated call in the form of a transaction; it has no hash, and its block is the one that it would be in. */
export interface SimulatedTransaction {
  readonly kind: 'simulatedTransaction';
  readonly transaction: Output<'transaction'>;
  /** As it was run, so that it can be run again in the same way. */
  readonly simulation: Simulation;
  /** It gave the result of the node's own `eth_call`. */
  readonly isConfirmed: boolean;
  readonly notes: readonly LocalizableText[];
}

export interface NotSimulated {
  readonly kind: 'notSimulated';
  readonly reason: LocalizableText;
}

export interface Lookups {
  aptosStatus: { input: { network: string }; output: AptosStatus };
  aptosAccountSummary: { input: { network: string; address: Hex }; output: AptosAccountSummary };
  aptosCoinSummary: { input: { network: string; coinType: string }; output: AptosCoinSummary };
  /** By version (decimal digits) or by hash. */
  aptosTransactionSummary: {
    input: { network: string; transaction: string };
    output: AptosTransactionSummary | AptosNothingFound;
  };
  /** `isPoll`: without a request to the node while it announces new heads, so that the newest one may be missing for a moment. */
  chainStatus: { input: { chain: string; isPoll?: true }; output: ChainStatus };
  addressSummary: { input: { chain: string; address: Hex }; output: AddressSummary };
  hashSummary: { input: { chain: string; hash: Hex }; output: TransactionSummary | BlockSummary | NothingFound };
  blockSummary: { input: { chain: string; block: number }; output: BlockSummary | NothingFound };
  /** Rejects with `bad-input` when the name cannot be normalized. Always read from the configured node. */
  ensAddress: { input: { chain: string; name: string }; output: EnsAddress };
  ensName: { input: { chain: string; address: Hex }; output: EnsName };
  /** `uri` as the metadata has it: https, `ipfs://`, `ar://`. Not called `url`, which permits further hosts (`probeNode`). */
  mediaPreview: { input: { chain: string; uri: string }; output: MediaPreview };
  /** Nothing is fetched from hosts that the contracts choose unless `isRemoteAllowed`: the user has asked for it. */
  nftMetadata: {
    input: { chain: string; tokens: readonly NftKeyInput[]; isRemoteAllowed?: true };
    output: { readonly kind: 'nftMetadata'; readonly tokens: readonly NftMetadata[] };
  };
  /** Of a chain of this machine the tokens that its index has met; of others none. */
  knownTokens: { input: { chain: string }; output: KnownTokens };
  nodeTransaction: { input: { chain: string; hash: Hex }; output: NodeTransaction };
  revertReason: { input: { chain: string; hash: Hex }; output: RevertReason };
  tokenUnit: { input: { chain: string; address: Hex }; output: TokenUnit };
  /** Takes as long as the transaction has steps: about a second for a million. Rejects with `not-found`. */
  transactionTrace: { input: TraceTarget; output: TransactionTrace | NoTransactionTrace };
  simulatedTransaction: {
    input: { chain: string; simulation: Simulation };
    output: SimulatedTransaction | NotSimulated;
  };
  /** Empty where the transaction has no trace. */
  tracedCodes: { input: TraceTarget; output: readonly TracedCode[] };
  transactionSource: {
    input: TraceTarget & TransactionSourceOptions & { readonly builds: readonly MatchedCode[] };
    output: TransactionSource;
  };
  transactionGas: {
    input: TraceTarget & { readonly builds: readonly MatchedCode[] };
    output: TransactionGas | NoTransactionGas;
  };
  stateChanges: {
    input: TraceTarget & { readonly builds: readonly MatchedCode[] };
    output: StateChanges | NoStateChanges;
  };
  /** One request of a debugger. `session`: chosen by the client; the first request of a session is `open`. */
  debugRequest: { input: TraceTarget & { session: string; request: DebugRequest }; output: DebugResponse };
  /** At a `block` that is given only the code, not where it passes calls on. */
  contractCode: { input: { chain: string; address: Hex; block?: number }; output: ContractCode };
  /** Reads old states, at most some dozen, and runs transactions of one block again. */
  contractCreation: { input: { chain: string; address: Hex }; output: ContractCreation };
  /** `data`: selector and arguments of each call. At the newest block when `block` is absent. */
  contractCalls: {
    input: { chain: string; address: Hex; data: readonly Hex[]; block?: number };
    output: ContractCalls;
  };
  /** At most `MAX_STORAGE_SLOTS`; at the newest block when `block` is absent. */
  storageWords: {
    input: { chain: string; address: Hex; slots: readonly Hex[]; block?: number };
    output: { readonly kind: 'storage'; readonly words: readonly bigint[] };
  };
  /** On a chain of this machine it runs the newest transactions again, those of the contract first; elsewhere it asks for nothing. */
  storageKeys: { input: { chain: string; address: Hex }; output: StorageKeys };
  /** Asks the hosts of `verifiedSources`; rejects with `bad-input` for development chains, which they do not know. */
  verifiedAbi: { input: { chain: string; address: Hex }; output: VerifiedAbi };
  /** Permits this URL for one request although it is not in the settings: the user clicked, or it is a loopback address. */
  probeNode: { input: { url: string }; output: NodeProbe };
}

/** Always read from the user's own nodes, even where a remote host serves the operations. */
export const NODE_LOOKUPS = [
  'contractCalls',
  'contractCode',
  'contractCreation',
  'debugRequest',
  'ensAddress',
  'ensName',
  'knownTokens',
  'mediaPreview',
  'nftMetadata',
  'nodeTransaction',
  'probeNode',
  'revertReason',
  'simulatedTransaction',
  'stateChanges',
  'storageKeys',
  'storageWords',
  'tokenUnit',
  'tracedCodes',
  'transactionGas',
  'transactionSource',
  'transactionTrace',
  'verifiedAbi',
] as const;
export type NodeLookupId = (typeof NODE_LOOKUPS)[number];

export type LookupId = keyof Lookups;
export type EvmLookupId = Exclude<LookupId, `aptos${string}`>;
export type LookupInput<Id extends LookupId> = Lookups[Id]['input'];
export type LookupOutput<Id extends LookupId> = Lookups[Id]['output'];

/** Asks the service. */
export type SendLookup = <Id extends LookupId>(
  id: Id,
  input: LookupInput<Id>,
  signal?: AbortSignal,
) => Promise<LookupOutput<Id>>;
