// First topics of events that move tokens: keccak-256 of their signatures.
import type { Hex } from '../base/hex.ts';

/** `Transfer(address,address,uint256)`: ERC-20, ERC-721 and older tokens, distinguished by the form of the log. */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155: `TransferSingle(address,address,address,uint256,uint256)`. */
export const TRANSFER_SINGLE: Hex = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** ERC-1155: `TransferBatch(address,address,address,uint256[],uint256[])`. */
export const TRANSFER_BATCH: Hex = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
/** ERC-2309: `ConsecutiveTransfer(uint256,uint256,address,address)`. */
export const CONSECUTIVE_TRANSFER: Hex = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
/** CryptoPunks: `Assign(address,uint256)`, a mint. */
export const PUNK_ASSIGN: Hex = '0x8a0e37b73a0d9c82e205d4d1a3ff3d0b57ce5f4d7bccf6bac03336dc101cb7ba';
/** CryptoPunks: `PunkTransfer(address,address,uint256)`. */
export const PUNK_TRANSFER: Hex = '0x05af636b70da6819000c49f85b21fa82081c632069bb626f30932034099107d8';
/** CryptoPunks: `PunkBought(uint256,uint256,address,address)`. */
export const PUNK_BOUGHT: Hex = '0x58e5d5a525e3b40bc15abaa38b5882678db1ee68befd2f60bafe3a7fd06db9e3';
/** Seaport 1.1 to 1.6: `OrderFulfilled(bytes32,address,address,address,SpentItem[],ReceivedItem[])`. */
export const ORDER_FULFILLED: Hex = '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31';
/** Wrapped coins, which emit no `Transfer` then: `Deposit(address,uint256)`. */
export const WRAPPED_DEPOSIT: Hex = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
/** Wrapped coins: `Withdrawal(address,uint256)`. */
export const WRAPPED_WITHDRAWAL: Hex = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
