// Transactions on the test chain's tokens, with a ledger of the balances after them.
import type { Hex } from '../../../src/base/hex.ts';
import { apesAbi, artAbi, encodeData, itemsAbi, tokenAbi } from './contractAbis.ts';
import type { TestTransaction } from './mineBlock.ts';
import type { Holdings } from './testChain.ts';

/** Owner by token id in the order of minting; `null` is burned. */
type Owners = Map<bigint, Hex | null>;

export interface NftActs {
  readonly owners: ReadonlyMap<bigint, Hex | null>;
  transfer(id: bigint, to: Hex, safe?: boolean): TestTransaction;
  /** Records a transfer by a marketplace, without a transaction. */
  recordTransfer(id: bigint, to: Hex): void;
  /** The tokens that are not burned, oldest first. */
  listUnburned(): readonly bigint[];
  ownerOf(id: bigint): Hex;
}

export interface ApesActs extends NftActs {
  mint(to: Hex, id: bigint): TestTransaction;
  mintMany(to: Hex, first: bigint, count: bigint): TestTransaction;
  burn(id: bigint): TestTransaction;
}

export interface ArtActs extends NftActs {
  mint(to: Hex, id: bigint): TestTransaction;
}

export interface ItemsActs {
  mint(to: Hex, id: bigint, amount: bigint): TestTransaction;
  mintBatch(to: Hex, ids: readonly bigint[], amounts: readonly bigint[]): TestTransaction;
  transfer(from: Hex, to: Hex, id: bigint, amount: bigint): TestTransaction;
  transferBatch(from: Hex, to: Hex, ids: readonly bigint[], amounts: readonly bigint[]): TestTransaction;
  burnBatch(from: Hex, ids: readonly bigint[], amounts: readonly bigint[]): TestTransaction;
  balance(owner: Hex, id: bigint): bigint;
}

export interface CoinActs {
  mint(to: Hex, amount: bigint): TestTransaction;
  transfer(from: Hex, to: Hex, amount: bigint): TestTransaction;
  approve(owner: Hex, spender: Hex, amount: bigint): TestTransaction;
  recordTransfer(from: Hex, to: Hex, amount: bigint): void;
  balance(owner: Hex): bigint;
}

export interface TokenLedger {
  readonly apes: ApesActs;
  readonly art: ArtActs;
  readonly items: ItemsActs;
  readonly coin: CoinActs;
  readonly usdx: CoinActs;
  holdings(): Holdings;
}

/** `minter` sends all mints; `addresses` are those of the deployed contracts. */
export function createTokenLedger(
  minter: Hex,
  addresses: Readonly<Record<'apes' | 'art' | 'items' | 'coin' | 'usdx', Hex>>,
): TokenLedger {
  const apeOwners: Owners = new Map();
  const artOwners: Owners = new Map();
  const itemBalances = createBalances();
  const coinBalances = createBalances();
  const usdxBalances = createBalances();
  return {
    apes: createApes(minter, addresses.apes, apeOwners),
    art: createArt(minter, addresses.art, artOwners),
    items: createItems(minter, addresses.items, itemBalances),
    coin: createToken(minter, addresses.coin, coinBalances),
    usdx: createToken(minter, addresses.usdx, usdxBalances),
    holdings: () => ({
      apes: Object.fromEntries(apeOwners),
      art: Object.fromEntries(artOwners),
      items: itemBalances.byOwner(),
      coin: onlyKind(coinBalances),
      usdx: onlyKind(usdxBalances),
    }),
  };
}

function createNft(contract: Hex, owners: Owners): NftActs {
  const ownerOf = (id: bigint) => {
    const owner = owners.get(id);
    if (owner === undefined || owner === null) throw new RangeError(`Token ${id} has no owner.`);
    return owner;
  };
  return {
    owners,
    ownerOf,
    listUnburned: () => [...owners].filter(([, owner]) => owner !== null).map(([id]) => id),
    transfer: (id, to, safe = false) => {
      const from = ownerOf(id);
      owners.set(id, to);
      const data = encodeData(safe ? apesAbi.safeTransferFrom : apesAbi.transferFrom, [from, to, id]);
      return { from, to: contract, data };
    },
    recordTransfer: (id, to) => {
      owners.set(id, to);
    },
  };
}

function createApes(minter: Hex, contract: Hex, owners: Owners): ApesActs {
  const nft = createNft(contract, owners);
  return {
    ...nft,
    mint: (to, id) => {
      owners.set(id, to);
      return { from: minter, to: contract, data: encodeData(apesAbi.mint, [to, id]) };
    },
    mintMany: (to, first, count) => {
      for (let id = first; id < first + count; id++) owners.set(id, to);
      return { from: minter, to: contract, data: encodeData(apesAbi.mintMany, [to, first, count]) };
    },
    burn: id => {
      const from = nft.ownerOf(id);
      owners.set(id, null);
      return { from, to: contract, data: encodeData(apesAbi.burn, [id]) };
    },
  };
}

function createArt(minter: Hex, contract: Hex, owners: Owners): ArtActs {
  return {
    ...createNft(contract, owners),
    mint: (to, id) => {
      owners.set(id, to);
      const uri = `data:application/json,{"name":"Art ${id}","image":"ipfs://bafy/${id}.png"}`;
      return { from: minter, to: contract, data: encodeData(artAbi.mint, [to, id, uri]) };
    },
  };
}

function createItems(minter: Hex, contract: Hex, balances: Balances): ItemsActs {
  const moveAll = (from: Hex | null, to: Hex | null, ids: readonly bigint[], amounts: readonly bigint[]) => {
    ids.forEach((id, index) => {
      balances.move(from, to, id, amounts[index] ?? 0n);
    });
  };
  return {
    mint: (to, id, amount) => {
      moveAll(null, to, [id], [amount]);
      return { from: minter, to: contract, data: encodeData(itemsAbi.mint, [to, id, amount]) };
    },
    mintBatch: (to, ids, amounts) => {
      moveAll(null, to, ids, amounts);
      return { from: minter, to: contract, data: encodeData(itemsAbi.mintBatch, [to, ids, amounts]) };
    },
    transfer: (from, to, id, amount) => {
      moveAll(from, to, [id], [amount]);
      return { from, to: contract, data: encodeData(itemsAbi.transfer, [from, to, id, amount, '0x']) };
    },
    transferBatch: (from, to, ids, amounts) => {
      moveAll(from, to, ids, amounts);
      return { from, to: contract, data: encodeData(itemsAbi.transferBatch, [from, to, ids, amounts, '0x']) };
    },
    burnBatch: (from, ids, amounts) => {
      moveAll(from, null, ids, amounts);
      return { from, to: contract, data: encodeData(itemsAbi.burnBatch, [from, ids, amounts]) };
    },
    balance: balances.of,
  };
}

const ONLY_KIND = 0n;

function createToken(minter: Hex, contract: Hex, balances: Balances): CoinActs {
  return {
    mint: (to, amount) => {
      balances.move(null, to, ONLY_KIND, amount);
      return { from: minter, to: contract, data: encodeData(tokenAbi.mint, [to, amount]) };
    },
    transfer: (from, to, amount) => {
      balances.move(from, to, ONLY_KIND, amount);
      return { from, to: contract, data: encodeData(tokenAbi.transfer, [to, amount]) };
    },
    approve: (owner, spender, amount) => ({
      from: owner,
      to: contract,
      data: encodeData(tokenAbi.approve, [spender, amount]),
    }),
    recordTransfer: (from, to, amount) => balances.move(from, to, ONLY_KIND, amount),
    balance: owner => balances.of(owner, ONLY_KIND),
  };
}

interface Balances {
  of(owner: Hex, id: bigint): bigint;
  /** From `null` is a mint, to `null` a burn. Throws when the balance is too low: the chain would revert too. */
  move(from: Hex | null, to: Hex | null, id: bigint, amount: bigint): void;
  byOwner(): Record<Hex, Record<string, string>>;
}

function createBalances(): Balances {
  const owners = new Map<Hex, Map<bigint, bigint>>();
  const of = (owner: Hex, id: bigint) => owners.get(owner)?.get(id) ?? 0n;
  const add = (owner: Hex, id: bigint, amount: bigint) => {
    const balance = of(owner, id) + amount;
    if (balance < 0n) throw new RangeError(`${owner} has too little of ${id}.`);
    const kinds = owners.get(owner) ?? new Map<bigint, bigint>();
    owners.set(owner, kinds.set(id, balance));
  };
  return {
    of,
    move: (from, to, id, amount) => {
      if (from !== null) add(from, id, -amount);
      if (to !== null) add(to, id, amount);
    },
    byOwner: () => {
      const result: Record<Hex, Record<string, string>> = {};
      for (const [owner, kinds] of owners) {
        const held = [...kinds].filter(([, amount]) => amount > 0n).map(([id, amount]) => [id, amount.toString()]);
        if (held.length > 0) result[owner] = Object.fromEntries(held) as Record<string, string>;
      }
      return result;
    },
  };
}

function onlyKind(balances: Balances): Record<Hex, string> {
  const result: Record<Hex, string> = {};
  for (const [owner, kinds] of Object.entries(balances.byOwner()))
    result[owner as Hex] = kinds[ONLY_KIND.toString()] ?? '0';
  return result;
}
