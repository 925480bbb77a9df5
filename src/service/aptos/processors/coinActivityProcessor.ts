// Coin activities of one transaction: its gas, then every event that moves a coin or a fungible asset.
import type { Hex } from '../../../base/hex.ts';
import { addressOf, at, referenceOf, textOf, wholeOf } from '../jsonFields.ts';
import type { CoinActivity } from '../models.ts';
import { APT_COIN, LONGEST_COIN_TYPE, normaliseType } from '../moveType.ts';
import type { ChainEvent } from './aptosEvents.ts';
import type { KnownStore } from './priorState.ts';
import type { Scene } from './transactionContext.ts';

type AssetFields = Pick<
  CoinActivity,
  'assetType' | 'coinType' | 'tokenStandard' | 'ownerAddress' | 'eventAccountAddress'
>;

export function coinActivities(scene: Scene): readonly CoinActivity[] {
  const rows: CoinActivity[] = [];
  const gas = gasRow(scene);
  if (gas !== null) rows.push(gas);
  for (const event of scene.events) {
    const read = READERS[event.type];
    if (read === undefined || !Object.hasOwn(READERS, event.type)) continue;
    const amount = wholeOf(at(event.data, 'amount'));
    const asset = read(event, scene);
    if (amount === null || asset === null) {
      scene.leaveOut(`${event.type} without ${amount === null ? 'an amount' : 'a coin type'}`);
      continue;
    }
    rows.push({
      ...scene.placed,
      eventIndex: event.index,
      activityType: event.type,
      amount,
      ...asset,
      entryFunctionIdStr: scene.entryFunction,
      eventCreationNumber: event.creationNumber,
      // Module events have no numbers of their own: which event of the transaction it was tells them apart.
      eventSequenceNumber: Object.hasOwn(MODULE_EVENTS, event.type) ? BigInt(event.index) : event.sequenceNumber,
      isGasFee: false,
      isTransactionSuccess: true,
    });
  }
  return rows;
}

/** Every user transaction pays, a failed one too; the row is the sender's whoever paid the fee. */
function gasRow({ transaction, placed, sender, entryFunction, leaveOut }: Scene): CoinActivity | null {
  if (at(transaction, 'type') !== 'user_transaction') return null;
  const used = wholeOf(at(transaction, 'gas_used'));
  const price = wholeOf(at(transaction, 'gas_unit_price'));
  if (used === null || price === null || sender === null) {
    leaveOut('gas without its numbers');
    return null;
  }
  return {
    ...placed,
    eventIndex: -1,
    activityType: '0x1::aptos_coin::GasFeeEvent',
    amount: used * price,
    coinType: APT_COIN,
    assetType: APT_COIN,
    tokenStandard: 'v1',
    entryFunctionIdStr: entryFunction,
    eventAccountAddress: sender,
    eventCreationNumber: -1n,
    eventSequenceNumber: wholeOf(at(transaction, 'sequence_number')),
    isGasFee: true,
    isTransactionSuccess: at(transaction, 'success') === true,
    ownerAddress: sender,
  };
}

const coinFields = (coin: string, owner: Hex, account: Hex): AssetFields => ({
  assetType: coin,
  coinType: coin,
  tokenStandard: 'v1',
  ownerAddress: owner,
  eventAccountAddress: account,
});

/** The type of a handle event is that of the store whose handle emitted it; a store that is gone was of the deleted type. */
function coinEvent({ account, creationNumber }: ChainEvent, { changes }: Scene): AssetFields | null {
  const coin = changes.handleCoin(account, creationNumber) ?? changes.deletedCoin(account);
  return coin === null ? null : coinFields(coin, account, account);
}

function coinModuleEvent({ data }: ChainEvent): AssetFields | null {
  const owner = addressOf(at(data, 'account'));
  const type = textOf(at(data, 'coin_type'));
  if (owner === null || type === null || type.length > LONGEST_COIN_TYPE) return null;
  return coinFields(normaliseType(type), owner, owner);
}

const assetFields = (store: KnownStore, account: Hex, { coinOf }: Scene): AssetFields => ({
  assetType: store.metadata,
  coinType: store.metadata === null ? null : (coinOf(store.metadata) ?? store.metadata),
  tokenStandard: 'v2',
  ownerAddress: store.owner,
  eventAccountAddress: account,
});

/** The account of the record is the owner: the event itself names nobody. */
function assetModuleEvent({ data, account }: ChainEvent, scene: Scene): AssetFields | null {
  const address = referenceOf(at(data, 'store'));
  if (address === null) return null;
  const store = storeAt(address, scene);
  return assetFields(store, store.owner ?? account, scene);
}

function assetEvent({ account }: ChainEvent, scene: Scene): AssetFields | null {
  return assetFields(storeAt(account, scene), account, scene);
}

/** Owner and asset of a store: after this transaction, else as its deletion says, else as it was before. */
function storeAt(address: Hex, { changes, deletedStores, memory }: Scene): KnownStore {
  const state = changes.objects.get(address);
  const owner = addressOf(at(state?.core, 'owner'));
  const metadata = referenceOf(at(state?.assetStore, 'metadata'));
  if (owner !== null && metadata !== null) return { owner, metadata };
  const deleted = deletedStores.get(address);
  const before = memory.store(address);
  return {
    owner: owner ?? deleted?.owner ?? before?.owner ?? null,
    metadata: metadata ?? deleted?.metadata ?? before?.metadata ?? null,
  };
}

const MODULE_EVENTS: Readonly<Record<string, (event: ChainEvent, scene: Scene) => AssetFields | null>> = {
  '0x1::coin::CoinWithdraw': coinModuleEvent,
  '0x1::coin::CoinDeposit': coinModuleEvent,
  '0x1::fungible_asset::Withdraw': assetModuleEvent,
  '0x1::fungible_asset::Deposit': assetModuleEvent,
};

const READERS: typeof MODULE_EVENTS = {
  ...MODULE_EVENTS,
  '0x1::coin::WithdrawEvent': coinEvent,
  '0x1::coin::DepositEvent': coinEvent,
  '0x1::fungible_asset::WithdrawEvent': assetEvent,
  '0x1::fungible_asset::DepositEvent': assetEvent,
};
