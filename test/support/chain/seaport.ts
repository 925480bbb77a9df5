// Real Seaport 1.6 orders: how they are signed or validated, and the transaction that fulfills them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeData, from as functionFrom } from 'ox/AbiFunction';
import { type Hex, isHex, ZERO_ADDRESS } from '../../../src/base/hex.ts';
import { GENESIS_TIMESTAMP } from './anvil.ts';
import type { JsonRpc } from './jsonRpc.ts';
import type { TestTransaction } from './mineBlock.ts';

export interface OfferItem {
  /** 0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
  readonly itemType: 0 | 1 | 2 | 3;
  readonly token: Hex;
  readonly id: bigint;
  readonly amount: bigint;
}

export interface ConsiderationItem extends OfferItem {
  readonly recipient: Hex;
}

export interface Order {
  readonly offerer: Hex;
  readonly offer: readonly OfferItem[];
  readonly consideration: readonly ConsiderationItem[];
  /** Distinguishes two otherwise equal orders. */
  readonly salt: bigint;
}

/** How Seaport's OfferItem and ConsiderationItem are laid out: start and end amount are the same for a fixed price. */
const OFFER_FIELDS = [
  ['uint8', 'itemType'],
  ['address', 'token'],
  ['uint256', 'identifierOrCriteria'],
  ['uint256', 'startAmount'],
  ['uint256', 'endAmount'],
] as const;
const HEAD_FIELDS = [
  ['address', 'offerer'],
  ['address', 'zone'],
] as const;
const TAIL_FIELDS = [
  ['uint8', 'orderType'],
  ['uint256', 'startTime'],
  ['uint256', 'endTime'],
  ['bytes32', 'zoneHash'],
  ['uint256', 'salt'],
  ['bytes32', 'conduitKey'],
] as const;

const structs = [
  'struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }',
  'struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }',
  'struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }',
  'struct Order { OrderParameters parameters; bytes signature; }',
] as const;
const fulfillOrder = functionFrom(['function fulfillOrder(Order order, bytes32 fulfillerConduitKey)', ...structs]);
const validate = functionFrom(['function validate(Order[] orders)', ...structs]);

const NO_CONDUIT: Hex = `0x${'0'.repeat(64)}`;
const END_TIME = 4_000_000_000n;

/** Creation code of Seaport 1.6 and its ConduitController, from the artifacts in @opensea/seaport-js. */
export function seaportBytecode(): { readonly seaport: Hex; readonly conduitController: Hex } {
  return {
    seaport: bytecodeOf('Seaport.sol/Seaport.json'),
    conduitController: bytecodeOf('conduit/ConduitController.sol/LocalConduitController.json'),
  };
}

function bytecodeOf(path: string): Hex {
  const require = createRequire(import.meta.url);
  const file = require.resolve(`@opensea/seaport-js/src/artifacts/seaport/contracts/${path}`);
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode?: unknown };
  if (!isHex(bytecode)) throw new TypeError(`${file} has no bytecode.`);
  return bytecode;
}

/** The offerer's EIP-712 signature over the order, by the node (deterministic by RFC 6979). */
export function signOrder(node: JsonRpc, seaport: Hex, chainId: number, order: Order): Promise<Hex> {
  const field = ([type, name]: readonly [string, string]) => ({ type, name });
  const typedData = {
    domain: { name: 'Seaport', version: '1.6', chainId, verifyingContract: seaport },
    primaryType: 'OrderComponents',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      OfferItem: OFFER_FIELDS.map(field),
      ConsiderationItem: [...OFFER_FIELDS.map(field), { type: 'address', name: 'recipient' }],
      OrderComponents: [
        ...HEAD_FIELDS.map(field),
        { type: 'OfferItem[]', name: 'offer' },
        { type: 'ConsiderationItem[]', name: 'consideration' },
        ...TAIL_FIELDS.map(field),
        { type: 'uint256', name: 'counter' },
      ],
    },
    message: { ...parametersOf(order), counter: 0n },
  };
  const asText = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  return node.rpc<Hex>('eth_signTypedData_v4', [order.offerer, JSON.parse(asText)]);
}

/** The offerer registers the order on the chain: afterwards no signature is needed. */
export function validateOrder(seaport: Hex, order: Order): TestTransaction {
  return {
    from: order.offerer,
    to: seaport,
    data: encodeData(validate, [[{ parameters: parametersOf(order), signature: '0x' }]]),
  };
}

/** `buyer` takes the offer and pays the consideration; native items are sent along as value. */
export function fulfill(seaport: Hex, order: Order, buyer: Hex, signature: Hex = '0x'): TestTransaction {
  const value = order.consideration.reduce((sum, item) => (item.itemType === 0 ? sum + item.amount : sum), 0n);
  const data = encodeData(fulfillOrder, [{ parameters: parametersOf(order), signature }, NO_CONDUIT]);
  return { from: buyer, to: seaport, value, data };
}

function parametersOf(order: Order) {
  const item = ({ itemType, token, id, amount }: OfferItem) => ({
    itemType,
    token,
    identifierOrCriteria: id,
    startAmount: amount,
    endAmount: amount,
  });
  return {
    offerer: order.offerer,
    zone: ZERO_ADDRESS,
    offer: order.offer.map(item),
    consideration: order.consideration.map(entry => ({ ...item(entry), recipient: entry.recipient })),
    orderType: 0, // FULL_OPEN
    startTime: BigInt(GENESIS_TIMESTAMP),
    endTime: END_TIME,
    zoneHash: NO_CONDUIT,
    salt: order.salt,
    conduitKey: NO_CONDUIT,
    totalOriginalConsiderationItems: BigInt(order.consideration.length),
  };
}
