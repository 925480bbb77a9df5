// The contents of a filled test chain, as plain JSON: names for its accounts, contracts, transactions and blocks.
import type { Hex } from '../../../src/base/hex.ts';

/**
 * Anvil's ten unlocked accounts in their order. `fees` only receives marketplace fees; `idle` has its 10,000 ETH and
 * no transactions.
 */
export const ACCOUNT_NAMES = [
  'deployer',
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'fees',
  'idle',
] as const;
export type AccountName = (typeof ACCOUNT_NAMES)[number];

export const CONTRACT_NAMES = [
  'apes', // ERC-721, on-chain JSON and SVG
  'art', // ERC-721 enumerable, stored token URIs
  'items', // ERC-1155
  'coin', // ERC-20, 18 decimals
  'usdx', // ERC-20, 6 decimals
  'hostile', // ERC-20 whose name and symbol try to be Markdown, HTML and a formula
  'oldToken', // bytes32 name and symbol, 9 decimals, no ERC-165
  'vault', // internal transfers and reverts
  'forwarder1',
  'forwarder2',
  'forwarder3',
  'picky', // rejects ether
  'conduitController',
  'seaport', // Seaport 1.6
] as const;
export type ContractName = (typeof CONTRACT_NAMES)[number];

export const TRANSACTION_NAMES = [
  'creation', // of apes
  'creationOfSeaport', // 24 kB of code
  'mintApe', // id 1 to alice
  'mintApes', // ids 2..6 to bob, five Transfer logs
  'transferApe', // id 1, alice to carol
  'burnApe', // id 6, by bob
  'mintArt',
  'approveAll', // ApprovalForAll, by alice for seaport
  'mintItem', // ERC-1155 TransferSingle
  'batchMint', // ERC-1155 TransferBatch of ids 1..4
  'transferItem',
  'batchTransfer',
  'burnItems', // TransferBatch to 0x0
  'mintCoin',
  'transferCoin', // 12.5 TEST, alice to bob
  'transferUsdx', // 250.75 USDX, alice to bob
  'approveCoin',
  'ethTransfer', // EIP-1559, 1.5 ETH, alice to bob
  'ethTransferLegacy', // type 0
  'ethTransferAccessList', // type 1
  'selfTransfer',
  'memo', // text as data of a transfer to an account without code
  'deposit', // ether to the vault's receive()
  'internal', // sender -> vault -> forwarder1 -> forwarder2 -> forwarder3 -> erin, and a caught revert of picky
  'internalSplit', // four internal transfers
  'internalCreate', // CREATE, CREATE2, SELFDESTRUCT
  'failed', // custom error TooMuch(uint256,uint256)
  'failedReason', // Error(string)
  'failedPanic', // Panic(0x12), division by zero
  'failedOutOfGas',
  'failedTransfer', // of an ape by an account that does not own it
  'failedCreation', // a creation whose code reverts
  'sale', // Seaport: ape 2, bob to dave, 1 ETH with 2.5 % fee
  'bid', // Seaport: ape 3, bob accepts carol's 40 TEST
  'validateBundle', // OrderValidated
  'bundle', // Seaport: ape 4 and art 1 in one order, to erin, 3 ETH
] as const;
export type TransactionName = (typeof TRANSACTION_NAMES)[number];

export const BLOCK_NAMES = ['genesis', 'first', 'transfers', 'internal', 'failures', 'sales', 'empty', 'busy'] as const;
export type BlockName = (typeof BLOCK_NAMES)[number];

export interface BlockDescription {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly transactions: number;
}

/** Balances at the head as the fill computed them, for tests to compare with the chain. Amounts are decimal. */
export interface Holdings {
  /** Owner by token id; `null` when the token was burned. */
  readonly apes: Readonly<Record<string, Hex | null>>;
  readonly art: Readonly<Record<string, Hex | null>>;
  /** Amount by owner and token id, without zeros. */
  readonly items: Readonly<Record<Hex, Readonly<Record<string, string>>>>;
  /** Raw amount by owner, without zeros. */
  readonly coin: Readonly<Record<Hex, string>>;
  readonly usdx: Readonly<Record<Hex, string>>;
}

/** All addresses are EIP-55; all hashes are lower-case. Survives JSON. */
export interface TestChain {
  readonly url: string;
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly head: BlockDescription;
  readonly accounts: Readonly<Record<AccountName, Hex>>;
  /** An address with no code, no balance and no history. */
  readonly vacant: Hex;
  readonly contracts: Readonly<Record<ContractName, Hex>>;
  readonly transactions: Readonly<Record<TransactionName, Hex>>;
  readonly blocks: Readonly<Record<BlockName, BlockDescription>>;
  /** topic0 by event name. */
  readonly topics: Readonly<Record<TopicName, Hex>>;
  readonly holdings: Holdings;
}

export type TopicName =
  | 'transfer'
  | 'approval'
  | 'approvalForAll'
  | 'transferSingle'
  | 'transferBatch'
  | 'orderFulfilled'
  | 'deposited'
  | 'paid'
  | 'refused';
