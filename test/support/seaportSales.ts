// Sales on a real Seaport, made and read back in the simplest way: orders by the ABI of their logs, owners by contract calls.
import { decode, from as parametersFrom } from 'ox/AbiParameters';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { topics } from './chain/contractAbis.ts';
import type { JsonRpc } from './chain/jsonRpc.ts';
import type { MinedBlock } from './chain/mineBlock.ts';
import { fulfill, type Order, signOrder } from './chain/seaport.ts';
import type { TestChain } from './chain/testChain.ts';
import type { TestNode } from './chain/testNode.ts';
import { lower, mineTransactions } from './nftPages.ts';

export interface Sale {
  readonly seller: Hex;
  readonly buyer: Hex;
  readonly id: bigint;
  /** Wei; a tenth of it goes to the marketplace. */
  readonly price: bigint;
  /** Tells two orders for the same ape apart. */
  readonly salt: bigint;
}

/** An ape that the seller let Seaport move, sold in a block of its own. */
export async function sellApe(anvil: TestNode, chain: TestChain, sale: Sale): Promise<MinedBlock> {
  const { contracts, accounts, chainId } = chain;
  const { seller, buyer, id, price, salt } = sale;
  const native = { itemType: 0 as const, token: ZERO_ADDRESS, id: 0n };
  const order: Order = {
    offerer: seller,
    offer: [{ itemType: 2, token: contracts.apes, id, amount: 1n }],
    consideration: [
      { ...native, amount: price - price / 10n, recipient: seller },
      { ...native, amount: price / 10n, recipient: accounts.fees },
    ],
    salt,
  };
  const signature = await signOrder(anvil, contracts.seaport, chainId, order);
  return mineTransactions({ anvil }, [fulfill(contracts.seaport, order, buyer, signature)]);
}

const ETHER = 10n ** 18n;
const DAY = 86_400;

/** Two at one low price, and days later one at a higher price. */
export async function sellApes(anvil: TestNode, chain: TestChain): Promise<void> {
  const { bob, grace, frank } = chain.accounts;
  const { apes: token } = chain.contracts;
  const received = [topics.transfer, null, `0x${bob.slice(2).padStart(64, '0')}`];
  const moves = await anvil.rpc<RawLog[]>('eth_getLogs', [{ address: token, fromBlock: '0x0', topics: received }]);
  const apes: bigint[] = [];
  for (const id of new Set(moves.map(log => BigInt(log.topics[3] ?? 0))))
    if ((await ownerOf(anvil, token, id, 'latest')) === lower(bob)) apes.push(id);
  const [first = 0n, second = 0n, third = 0n] = apes;
  if (apes.length < 3) throw new Error(`Bob has ${apes.length} apes.`);
  await sellApe(anvil, chain, { seller: bob, buyer: grace, id: first, price: ETHER / 100n, salt: 901n });
  const equal = { seller: bob, buyer: frank, id: second, price: ETHER / 100n, salt: 902n };
  const { timestamp } = await sellApe(anvil, chain, equal);
  await anvil.rpc('evm_mine', [timestamp + 3 * DAY]);
  await sellApe(anvil, chain, { seller: bob, buyer: grace, id: third, price: ETHER / 50n, salt: 903n });
}

/** A sale in the words of the description. */
export interface SaleOnWire {
  readonly token_address: Hex;
  readonly price: string;
  readonly block_timestamp: string;
  readonly [field: string]: unknown;
}

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly transactionHash: Hex;
}

const orderData = parametersFrom([
  'struct Spent { uint8 itemType; address token; uint256 id; uint256 amount; }',
  'struct Received { uint8 itemType; address token; uint256 id; uint256 amount; address recipient; }',
  'bytes32 orderHash, address recipient, Spent[] offer, Received[] consideration',
]);

async function ownerOf(node: JsonRpc, token: Hex, id: bigint, block: Hex | 'latest'): Promise<Hex | null> {
  const data = `0x6352211e${id.toString(16).padStart(64, '0')}`;
  const answer = await node.rpc<Hex>('eth_call', [{ to: token, data }, block]).catch(() => null);
  return answer === null || answer.length !== 66 ? null : `0x${answer.slice(26)}`;
}

/** Every sale of ERC-721 for the native coin alone, oldest first: from the owner before to the owner after. */
export async function readSales(node: JsonRpc): Promise<readonly SaleOnWire[]> {
  const range = { fromBlock: '0x0', toBlock: 'latest', topics: [topics.orderFulfilled] };
  const sales: SaleOnWire[] = [];
  for (const log of await node.rpc<RawLog[]>('eth_getLogs', [range])) {
    const [, , offer, consideration] = decode(orderData, log.data);
    if (offer.some(item => item.itemType !== 2) || consideration.some(item => item.itemType !== 0)) continue;
    const block = await node.rpc<{ timestamp: Hex; hash: Hex }>('eth_getBlockByNumber', [log.blockNumber, false]);
    for (const token of new Set(offer.map(item => lower(item.token)))) {
      const ids = offer.filter(item => lower(item.token) === token).map(item => item.id);
      const [id = 0n] = ids;
      sales.push({
        transaction_hash: log.transactionHash,
        token_ids: ids.map(String),
        seller_address: await ownerOf(node, token, id, toQuantity(Number(log.blockNumber) - 1)),
        buyer_address: await ownerOf(node, token, id, log.blockNumber),
        token_address: token,
        marketplace_address: lower(log.address),
        price: consideration.reduce((sum, item) => sum + item.amount, 0n).toString(),
        block_timestamp: new Date(Number(block.timestamp) * 1_000).toISOString(),
        block_number: String(Number(log.blockNumber)),
        block_hash: block.hash,
      });
    }
  }
  return sales;
}

/** The cheapest sale of a collection from a moment on, the latest of equal ones; `null` when there is none. */
export function findLowestSale(sales: readonly SaleOnWire[], token: Hex, since: number): SaleOnWire | null {
  let lowest: SaleOnWire | null = null;
  for (const sale of sales) {
    if (sale.token_address !== lower(token) || Date.parse(sale.block_timestamp) < since * 1_000) continue;
    if (lowest === null || BigInt(sale.price) <= BigInt(lowest.price)) lowest = sale;
  }
  return lowest;
}
