// What a hover asks of the backend beyond the operations: summaries that cost a few calls, never a whole block.
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { Chain } from './chains.ts';

/** One configured chain, as its node or host answers right now. */
export interface ChainStatus {
  /** The selector under which it is configured. */
  readonly selector: string;
  /** What is known of the chain; `null` until its node has answered once. */
  readonly chain: Chain | null;
  /** `node`: our own service over JSON-RPC; `host`: a remote host of the service. */
  readonly source: 'node' | 'host';
  /** Head block number; `null` while unknown or when the source cannot tell. */
  readonly head: number | null;
  readonly headTime: Date | null;
  /** `web3_clientVersion`, printable and cut to 64 characters. */
  readonly client: string | null;
  /** Hash of block 0, which tells a dev chain from the one that ran there before; absent while unknown. */
  readonly genesisHash?: Hex;
  /** One sentence that says what is wrong and what to do; `null` when all is well. */
  readonly problem: string | null;
  /** What the problem is, until a port's other end has said it in the language of the editor. */
  readonly fault?: PlainFault | undefined;
}

export interface TokenSummary {
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155';
  /** Hostile text: whoever shows it escapes it. Cut to 64 characters. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly totalSupply: bigint | null;
}

export interface AddressSummary {
  readonly kind: 'address';
  readonly chain: Chain;
  readonly address: Hex;
  /** In the smallest unit of the native coin. */
  readonly balance: bigint;
  /** Transactions sent (an account) or contracts created (a contract); `null` when the source cannot tell. */
  readonly nonce: number | null;
  /** Bytes of code; 0 is an account without code, `null` is unknown. */
  readonly codeSize: number | null;
  /** EIP-7702: where an account's code is delegated to. */
  readonly delegate: Hex | null;
  /** ERC-1967 implementation behind a proxy. */
  readonly implementation: Hex | null;
  readonly token: TokenSummary | null;
  /** The block that was read. */
  readonly blockNumber: number | null;
}

/** Calls that people read are shorter; what is longer would fill the memory for answers. */
export const MAX_INPUT_BYTES = 8_192;

/** Event signatures (topic0) in a transaction summary. */
export const MAX_SUMMARY_TOPICS = 8;

export interface TransactionSummary {
  readonly kind: 'transaction';
  readonly chain: Chain;
  readonly hash: Hex;
  /** `pending` has no block yet. */
  readonly status: 'success' | 'failed' | 'pending';
  readonly from: Hex;
  /** `null` for a contract creation; then `created` is the new contract. */
  readonly to: Hex | null;
  readonly created: Hex | null;
  readonly value: bigint;
  /** First four bytes of the input; `null` when there are none. */
  readonly selector: Hex | null;
  readonly inputSize: number;
  /** All of the input; `null` when it is longer than `MOST_INPUT` bytes. */
  readonly input: Hex | null;
  readonly nonce: number;
  readonly gasUsed: bigint | null;
  readonly gasLimit: bigint;
  /** Price per gas that was paid, in the smallest unit. */
  readonly gasPrice: bigint | null;
  readonly blockNumber: number | null;
  readonly blockHash: Hex | null;
  readonly time: Date | null;
  readonly transactionIndex: number | null;
  readonly logs: number | null;
  /** topic0 of the first logs, at most 8. */
  readonly topics: readonly Hex[];
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

/** What an ENS name stands for. */
export interface EnsAddress {
  readonly kind: 'ens';
  readonly chain: Chain;
  /** Normalised (ENSIP-15): this spelling was asked, whatever was typed. */
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

/** Who answers at a JSON-RPC URL that is not configured yet. */
export interface NodeProbe {
  readonly kind: 'probe';
  /** EIP-155 chain id. */
  readonly chainId: number;
  /** `web3_clientVersion`, printable and cut to 64 characters; `null` when the node does not say. */
  readonly client: string | null;
  readonly head: number;
}

/** One configured Aptos network, as its node and indexer answer right now. */
export interface AptosStatus {
  readonly network: string;
  /** 1 mainnet, 2 testnet, 4 a localnet; `null` until its node has answered. */
  readonly chainId: number | null;
  readonly ledgerVersion: bigint | null;
  readonly blockHeight: bigint | null;
  /** When the newest transaction was made. */
  readonly ledgerTime: Date | null;
  /** The oldest transaction that the node still has. */
  readonly oldestVersion: bigint | null;
  readonly hasIndexer: boolean;
  /** Of a network without an indexer: how far our own index of it is; `null` before its first question. */
  readonly index: { readonly version: bigint; readonly head: bigint | null; readonly running: boolean } | null;
  /** One sentence that says what is wrong and what to do; `null` when all is well. */
  readonly problem: string | null;
  /** What the problem is, until a port's other end has said it in the language of the editor. */
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
  /** APT in octas (10^-8), coins and fungible assets together; `null` when the node can not tell. */
  readonly balance: bigint | null;
  /** Transactions sent; orderless ones do not count. */
  readonly sequenceNumber: bigint | null;
  /** Packages that were published at the address, hostile text, at most 8, cut to 64 characters. */
  readonly packages: readonly string[];
  /** Who owns the object. */
  readonly owner: Hex | null;
  /** What the object is, when it is one of the frameworks' own: a collection, a token, a fungible asset or a store of one. */
  readonly object: 'collection' | 'token' | 'fungibleAsset' | 'assetStore' | null;
  /** Hostile text: the name of that collection, token or asset, cut to 64 characters. */
  readonly name: string | null;
  readonly ledgerVersion: bigint;
}

export interface AptosTransactionSummary {
  readonly kind: 'aptosTransaction';
  readonly network: string;
  readonly hash: Hex;
  /** `pending` has no version yet. */
  readonly status: 'success' | 'failed' | 'pending';
  /** What the machine said of it; hostile text, cut to 200 characters. */
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
  /** Types of the first events, at most 8. */
  readonly eventTypes: readonly string[];
}

/** A coin or fungible asset as its chain describes it. */
export interface AptosCoinSummary {
  readonly kind: 'aptosCoin';
  readonly network: string;
  /** As it was asked for, normalised. */
  readonly coinType: string;
  /** Hostile text, cut to 64 characters; `null` when the chain knows no coin of this type. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** Of the fungible asset that the coin is paired with, or would be. */
  readonly metadata: Hex;
  /** Where it exists: as a coin, as a fungible asset, as both. */
  readonly asCoin: boolean;
  readonly asFungibleAsset: boolean;
}

/** No transaction of that version or hash on the network. */
export interface AptosNothingFound {
  readonly kind: 'aptosNothing';
  readonly network: string;
}

/** A token's picture as data, for a page that may not fetch anything itself. */
export interface MediaPreview {
  readonly kind: 'media';
  /** `type` is what the bytes are, whatever their server called them; never SVG. At most 512 KiB before base64. */
  readonly image: { readonly type: string; readonly base64: string } | null;
  /** `refused`: its host is not among those that token metadata may come from. `unsupported`: it is no picture of ours. */
  readonly problem: 'too-large' | 'missing' | 'refused' | 'unreachable' | 'unsupported' | null;
}

/** Why a transaction failed, as far as its node can tell. */
export interface RevertReason {
  readonly kind: 'revert';
  readonly failed: boolean;
  /** What it returned: an ABI-encoded error; `null` when nothing, or when it is not known. */
  readonly output: Hex | null;
  /** The node's own words, hostile text; `null` when it has none. */
  readonly error: string | null;
  /** False: found by calling again on the state before its block, where it may have met other balances. */
  readonly exact: boolean;
}

/** What a contract's amounts are counted in, as far as the contract says that it is a token. */
export interface TokenUnit {
  readonly kind: 'token';
  /** `null`: no token that we know. Only an ERC-20's amounts have decimals. */
  readonly standard: TokenSummary['standard'] | null;
  /** Hostile text, cut to 64 characters. */
  readonly symbol: string | null;
  readonly decimals: number | null;
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
  chainStatus: { input: { chain: string }; output: ChainStatus };
  addressSummary: { input: { chain: string; address: Hex }; output: AddressSummary };
  hashSummary: { input: { chain: string; hash: Hex }; output: TransactionSummary | BlockSummary | NothingFound };
  blockSummary: { input: { chain: string; block: number }; output: BlockSummary | NothingFound };
  /** Rejects with `bad-input` when the name cannot be normalised. Always asked of the configured node. */
  ensAddress: { input: { chain: string; name: string }; output: EnsAddress };
  /** `uri` as the metadata has it: https, `ipfs://`, `ar://`. Named so because `url` widens what may be reached. */
  mediaPreview: { input: { chain: string; uri: string }; output: MediaPreview };
  revertReason: { input: { chain: string; hash: Hex }; output: RevertReason };
  tokenUnit: { input: { chain: string; address: Hex }; output: TokenUnit };
  /** The user's click or a loopback address: for this one question the URL need not be in the settings. */
  probeNode: { input: { url: string }; output: NodeProbe };
}

/** Answered by the user's own nodes even where a remote host answers the rest. */
export const NODE_LOOKUPS = ['ensAddress', 'mediaPreview', 'probeNode', 'revertReason', 'tokenUnit'] as const;
export type NodeLookupId = (typeof NODE_LOOKUPS)[number];

export type LookupId = keyof Lookups;
/** Those that ask a chain of EVM. */
export type EvmLookupId = Exclude<LookupId, `aptos${string}`>;
export type LookupInput<Id extends LookupId> = Lookups[Id]['input'];
export type LookupOutput<Id extends LookupId> = Lookups[Id]['output'];
