// Group B's records, field by field as the description types them; `extra` fields are what real hosts add.
import { absent, always, extra, field, record, requested } from './record.ts';
import {
  address,
  amount,
  array,
  boolean,
  count,
  decimal,
  flag,
  hash,
  hex,
  json,
  number,
  text,
  time,
  tokenId,
} from './valueKinds.ts';

/** "EVM NFT transfer record". */
export const nftTransfer = record('NftTransfer', {
  tokenAddress: always(address),
  tokenId: always(tokenId),
  fromAddress: field(address),
  fromAddressLabel: field(text),
  toAddress: field(address),
  toAddressLabel: field(text),
  value: field(amount),
  amount: field(amount),
  contractType: field(text),
  blockNumber: always(count),
  blockTimestamp: always(time),
  transactionHash: always(hash),
  operator: field(address),
  possibleSpam: field(flag),
  verifiedCollection: field(flag),
  blockHash: extra(hash),
  transactionIndex: extra(number),
  logIndex: extra(number),
  transactionType: extra(text),
  verified: extra(number),
});

/** "EVM contract log record"; a topic that the log does not have is absent. */
export const contractLog = record('ContractLog', {
  transactionHash: always(hash),
  address: always(address),
  blockTimestamp: always(time),
  blockNumber: always(number),
  blockHash: always(hash),
  data: always(hex),
  topic0: absent(hash),
  topic1: absent(hash),
  topic2: absent(hash),
  topic3: absent(hash),
  transactionIndex: always(number),
  logIndex: always(number),
});

/** "EVM NFT owner record" (owners of a token, NFTs of a wallet). */
export const nftOwner = record('NftOwner', {
  tokenAddress: always(address),
  tokenId: always(tokenId),
  contractType: field(text),
  ownerOf: field(address),
  blockNumber: field(count),
  blockNumberMinted: field(count),
  normalizedMetadata: requested('normalizeMetadata', json),
  media: requested('mediaItems', json),
  amount: field(amount),
  name: field(text),
  symbol: field(text),
  tokenHash: field(text),
  lastTokenUriSync: field(time),
  lastMetadataSync: field(time),
  possibleSpam: field(flag),
  verifiedCollection: field(flag),
  tokenUri: extra(text),
  metadata: extra(text),
  minterAddress: extra(text),
});

/** "EVM NFT collection record". */
export const nftCollection = record('NftCollection', {
  tokenAddress: always(address),
  contractType: field(text),
  name: field(text),
  symbol: field(text),
  possibleSpam: field(flag),
  verifiedCollection: field(flag),
  count: requested('tokenCounts', number),
});

/** "ERC20 mint record". */
export const erc20Mint = record('Erc20Mint', {
  tokenName: field(text),
  tokenSymbol: field(text),
  tokenLogo: field(text),
  tokenDecimals: field(count),
  contractAddress: always(address),
  transactionHash: always(hash),
  transactionIndex: always(number),
  logIndex: always(number),
  blockTimestamp: always(time),
  blockNumber: always(number),
  blockHash: always(hash),
  toWallet: field(address),
  toWalletLabel: field(text),
  value: always(amount),
  valueDecimal: field(decimal),
  possibleSpam: field(flag),
  verifiedCollection: field(flag),
});

/** "Log fields inside a transaction": everything a string; `topic3` is what hosts add. */
export const transactionLog = record('TransactionLog', {
  logIndex: always(count),
  transactionHash: always(hash),
  transactionIndex: always(count),
  address: always(address),
  data: always(hex),
  topic0: absent(hash),
  topic1: absent(hash),
  topic2: absent(hash),
  topic3: absent(hash),
  blockTimestamp: always(time),
  blockNumber: always(count),
  blockHash: always(hash),
});

/** "Internal transaction fields"; ours: why an inner call failed, and in how many calls it is (1: made by the transaction's own). */
export const internalTransaction = record('InternalTransaction', {
  transactionHash: always(hash),
  blockNumber: always(number),
  blockHash: always(hash),
  type: always(text),
  from: field(address),
  to: field(address),
  value: field(amount),
  gas: field(amount),
  gasUsed: field(amount),
  input: field(hex),
  output: field(hex),
  error: extra(text),
  depth: extra(count),
});

const transactionFields = {
  hash: always(hash),
  nonce: always(amount),
  transactionIndex: always(count),
  fromAddress: always(address),
  toAddress: field(address),
  fromAddressLabel: field(text),
  toAddressLabel: field(text),
  value: always(amount),
  gas: always(amount),
  gasPrice: field(amount),
  input: always(hex),
  receiptCumulativeGasUsed: field(amount),
  receiptGasUsed: field(amount),
  receiptContractAddress: field(address),
  receiptStatus: field(count),
  blockTimestamp: always(time),
  blockNumber: always(count),
  blockHash: always(hash),
  // What the whole transaction cost, in the unit of the coin or of a token, and whether a part of it is not known: ours.
  receiptFee: extra(amount),
  receiptFeeToken: extra(address),
  receiptFeeIncomplete: extra(boolean),
};

/** "Transaction fields": all strings; `receiptContractAddress` is what hosts add. */
export const transaction = record('Transaction', {
  ...transactionFields,
  logs: always(array(transactionLog)),
  internalTransactions: extra(array(internalTransaction)),
});

/** A transaction in the list of a wallet: without its logs, as hosts send it. */
export const walletTransaction = record('WalletTransaction', {
  ...transactionFields,
  receiptRoot: field(hash),
  internalTransactions: extra(array(internalTransaction)),
});

/** A movement of ERC-20 tokens by one log, as hosts type it. */
export const erc20Transfer = record('Erc20Transfer', {
  tokenName: field(text),
  tokenSymbol: field(text),
  tokenLogo: field(text),
  tokenDecimals: field(count),
  transactionHash: always(hash),
  address: always(address),
  blockTimestamp: always(time),
  blockNumber: always(count),
  blockHash: always(hash),
  toAddress: field(address),
  toAddressLabel: field(text),
  fromAddress: field(address),
  fromAddressLabel: field(text),
  value: always(amount),
  valueDecimal: field(decimal),
  transactionIndex: always(number),
  logIndex: always(number),
  possibleSpam: field(boolean),
  verifiedContract: field(boolean),
});

/** What a wallet holds of one ERC-20 token, as hosts type it. */
export const erc20Balance = record('Erc20Balance', {
  tokenAddress: always(address),
  name: field(text),
  symbol: field(text),
  logo: field(text),
  thumbnail: field(text),
  decimals: field(number),
  balance: always(amount),
  possibleSpam: field(boolean),
  verifiedContract: field(boolean),
});

/** "Block record". */
export const block = record('Block', {
  timestamp: always(time),
  number: always(number),
  hash: always(hash),
  parentHash: always(hash),
  nonce: field(hex),
  sha3Uncles: field(hash),
  logsBloom: field(hex),
  transactionsRoot: field(hash),
  stateRoot: field(hash),
  receiptsRoot: field(hash),
  miner: field(address),
  difficulty: field(amount),
  totalDifficulty: field(amount),
  size: field(amount),
  extraData: field(hex),
  gasLimit: field(amount),
  gasUsed: field(amount),
  transactionCount: always(count),
  baseFeePerGas: extra(amount),
  transactions: always(array(transaction)),
});

/** "Lowest-price trade record". */
export const trade = record('Trade', {
  transactionHash: always(hash),
  tokenIds: always(array(tokenId)),
  sellerAddress: field(address),
  buyerAddress: field(address),
  tokenAddress: extra(address),
  marketplaceAddress: field(address),
  price: always(amount),
  blockTimestamp: always(time),
  blockNumber: always(count),
  blockHash: always(hash),
});

export const walletBalance = record('WalletBalance', {
  address: always(address),
  balance: always(amount),
  balanceFormatted: always(decimal),
});

/** "Native balances response": one entry per chain, every field required. */
export const chainBalances = record('ChainBalances', {
  chain: always(text),
  chainId: always(text),
  totalBalance: always(amount),
  blockNumber: always(count),
  blockTimestamp: always(time),
  totalBalanceFormatted: always(decimal),
  walletBalances: always(array(walletBalance)),
});
