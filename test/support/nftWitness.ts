// An independent, deliberately simple reading of a chain: loops over all its logs and contract calls, without store or paging.
import { decode, from as parametersFrom } from 'ox/AbiParameters';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { computeTokenHash } from '../../src/service/queries/ownerRecords.ts';
import { topics } from './chain/contractAbis.ts';
import type { JsonRpc } from './chain/jsonRpc.ts';

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
}
interface RawBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly { readonly hash: Hex; readonly value: Hex; readonly transactionIndex: Hex }[];
}

/** An NFT transfer in the words of the description. */
export interface TransferOnWire {
  readonly token_address: Hex;
  readonly token_id: string;
  readonly from_address: Hex;
  readonly to_address: Hex;
  readonly amount: string;
  readonly contract_type: 'ERC721' | 'ERC1155';
  readonly block_number: string;
  readonly [field: string]: unknown;
}

export interface OwnerOnWire {
  readonly token_address: Hex;
  readonly token_id: string;
  readonly owner_of: Hex;
  readonly [field: string]: unknown;
}

export interface MintOnWire {
  readonly contract_address: Hex;
  readonly to_wallet: Hex;
  readonly block_number: number;
  readonly [field: string]: unknown;
}

/** Name and symbol of a token contract, as the test knows them. */
export interface TokenNames {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals?: number;
  readonly spam?: boolean;
}

export interface Witness {
  readonly head: number;
  /** All of the chain, newest first. */
  readonly transfers: readonly TransferOnWire[];
  /** Everything that anyone owns, as the contracts themselves say; last change first, then by owner, token and id. */
  readonly owners: readonly OwnerOnWire[];
  /** ERC-20 only, newest first. */
  readonly mints: readonly MintOnWire[];
}

const oneId = parametersFrom('uint256, uint256');
const manyIds = parametersFrom('uint256[], uint256[]');
const addressIn = (topic: Hex | undefined): Hex => `0x${(topic ?? '').slice(26)}`;
const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');
const iso = (seconds: Hex) => new Date(Number(seconds) * 1000).toISOString();

export async function readChain(node: JsonRpc, names: ReadonlyMap<Hex, TokenNames>): Promise<Witness> {
  const head = Number(await node.rpc<Hex>('eth_blockNumber'));
  const numbers = Array.from({ length: head + 1 }, (_, number) => toQuantity(number));
  const blocks = (await node.batch(
    numbers.map(number => ({ method: 'eth_getBlockByNumber', params: [number, true] })),
  )) as RawBlock[];
  const range = { fromBlock: '0x0', toBlock: toQuantity(head) };
  const logs = await node.rpc<RawLog[]>('eth_getLogs', [range]);

  const transfers: TransferOnWire[] = [];
  const mints: MintOnWire[] = [];
  for (const log of logs) {
    const block = blocks[Number(log.blockNumber)];
    const transaction = block?.transactions.find(entry => entry.hash === log.transactionHash);
    if (block === undefined || transaction === undefined) throw new Error('A log is in no block.');
    const place = {
      block_timestamp: iso(block.timestamp),
      block_hash: block.hash,
      transaction_hash: log.transactionHash,
      transaction_index: Number(transaction.transactionIndex),
      log_index: Number(log.logIndex),
      possible_spam: String(names.get(log.address)?.spam ?? false),
      verified_collection: 'false',
    };
    const moved = movements(log);
    for (const { standard, operator, from, to, id, amount } of moved) {
      transfers.push({
        ...place,
        block_number: String(Number(block.number)),
        token_address: log.address,
        token_id: id.toString(),
        from_address: from,
        from_address_label: null,
        to_address: to,
        to_address_label: null,
        value: BigInt(transaction.value).toString(),
        amount: amount.toString(),
        contract_type: standard,
        operator,
        transaction_type: 'Single',
      });
    }
    if (log.topics[0] === topics.transfer && log.topics.length === 3 && BigInt(log.topics[1] ?? 1) === 0n) {
      const { name = null, symbol = null, decimals } = names.get(log.address) ?? {};
      mints.push({
        ...place,
        block_number: Number(block.number),
        token_name: name,
        token_symbol: symbol,
        token_logo: null,
        token_decimals: decimals === undefined ? null : String(decimals),
        contract_address: log.address,
        to_wallet: addressIn(log.topics[2]),
        to_wallet_label: null,
        value: BigInt(log.data).toString(),
        value_decimal: decimals === undefined ? null : scaled(BigInt(log.data), decimals),
      });
    }
  }
  transfers.reverse();
  mints.reverse();
  return { head, transfers, mints, owners: await ownersNow(node, transfers, names) };
}

interface Movement {
  readonly standard: 'ERC721' | 'ERC1155';
  readonly operator: Hex | null;
  readonly from: Hex;
  readonly to: Hex;
  readonly id: bigint;
  readonly amount: bigint;
}

function movements({ topics: given, data }: RawLog): readonly Movement[] {
  const [topic0, first, second, third] = given;
  if (topic0 === topics.transfer && given.length === 4) {
    const shared = { standard: 'ERC721', operator: null, amount: 1n } as const;
    return [{ ...shared, from: addressIn(first), to: addressIn(second), id: BigInt(third ?? 0) }];
  }
  const shared = {
    standard: 'ERC1155',
    operator: addressIn(first),
    from: addressIn(second),
    to: addressIn(third),
  } as const;
  if (topic0 === topics.transferSingle) {
    const [id, amount] = decode(oneId, data);
    return [{ ...shared, id, amount }];
  }
  if (topic0 !== topics.transferBatch) return [];
  const [ids, amounts] = decode(manyIds, data);
  return ids.map((id, index) => ({ ...shared, id, amount: amounts[index] ?? 0n }));
}

/** Asks the contracts who owns what; only where and when it changed comes from the transfers. */
async function ownersNow(
  node: JsonRpc,
  newestFirst: readonly TransferOnWire[],
  names: ReadonlyMap<Hex, TokenNames>,
): Promise<readonly OwnerOnWire[]> {
  const places = new Map<string, { index: number; transfer: TransferOnWire; owner: Hex }>();
  const minted = new Map<string, string>();
  newestFirst.forEach((transfer, index) => {
    const id = `${transfer.token_address} ${transfer.token_id}`;
    if (transfer.from_address === ZERO_ADDRESS) minted.set(id, transfer.block_number);
    if (transfer.from_address === transfer.to_address) return;
    for (const owner of [transfer.from_address, transfer.to_address]) {
      const key = `${id} ${owner}`;
      if (owner !== ZERO_ADDRESS && !places.has(key)) places.set(key, { index, transfer, owner });
    }
  });
  const all = [...places.values()];
  const answers = await node.tryBatch<Hex>(
    all.map(({ transfer, owner }) => {
      const id = word(BigInt(transfer.token_id));
      const data = transfer.contract_type === 'ERC1155' ? `0x00fdd58e${word(owner)}${id}` : `0x6352211e${id}`; // balanceOf, ownerOf
      return { method: 'eth_call', params: [{ to: transfer.token_address, data }, 'latest'] }; // ownerOf of a burned id reverts
    }),
  );
  const owners: (OwnerOnWire & { readonly order: readonly [number, string, string, bigint] })[] = [];
  all.forEach(({ index, transfer, owner }, at) => {
    const answer = answers[at];
    const value = typeof answer === 'string' && answer.length === 66 ? BigInt(answer) : 0n;
    const is1155 = transfer.contract_type === 'ERC1155';
    const amount = is1155 ? value : value === BigInt(owner) ? 1n : 0n;
    if (amount === 0n) return;
    const { token_address: token, token_id: id } = transfer;
    const { name = null, symbol = null, spam = false } = names.get(token) ?? {};
    owners.push({
      order: [index, owner, token, BigInt(id)],
      token_address: token,
      token_id: id,
      contract_type: transfer.contract_type,
      owner_of: owner,
      block_number: transfer.block_number,
      block_number_minted: minted.get(`${token} ${id}`) ?? null,
      amount: amount.toString(),
      name,
      symbol,
      token_hash: computeTokenHash(token, BigInt(id)),
      last_token_uri_sync: null,
      last_metadata_sync: null,
      possible_spam: String(spam),
      verified_collection: 'false',
    });
  });
  owners.sort(({ order: a }, { order: b }) => a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0));
  return owners.map(({ order: _order, ...owner }) => owner as OwnerOnWire);
}

/** `value / 10^decimals` as text, by moving the point. */
function scaled(value: bigint, decimals: number): string {
  const text = value.toString().padStart(decimals + 1, '0');
  const [whole, fraction] = [text.slice(0, text.length - decimals), text.slice(text.length - decimals)];
  return `${whole}.${fraction}`.replace(/\.?0*$/, '');
}

/** The same with ids in hex. */
export const withHexIds = <T extends { readonly token_id: string }>(records: readonly T[]): T[] =>
  records.map(record => ({ ...record, token_id: `0x${BigInt(record.token_id).toString(16)}` }));
