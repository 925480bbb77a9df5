// Coin activities of one transaction: its gas, then every event that moves a coin or a fungible asset.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { CoinActivity } from '../models.ts';
import { APT_COIN_TYPE, MAX_COIN_TYPE_LENGTH, normalizeMoveType } from '../moveType.ts';
import type { AptosEvent } from './aptosEvents.ts';
import type { FungibleStore } from './priorState.ts';
import type { TransactionContext } from './transactionContext.ts';

type AssetFields = Pick<
  CoinActivity,
  'assetType' | 'coinType' | 'tokenStandard' | 'ownerAddress' | 'eventAccountAddress'
>;

export function processCoinActivities(scene: TransactionContext): readonly CoinActivity[] {
  const rows: CoinActivity[] = [];
  const gas = gasRow(scene);
  if (gas !== null) rows.push(gas);
  for (const event of scene.events) {
    const read = READERS[event.type];
    if (read === undefined || !Object.hasOwn(READERS, event.type)) continue;
    const amount = asUnsigned(getField(event.data, 'amount'));
    const asset = read(event, scene);
    if (amount === null || asset === null) {
      scene.reportSkipped(`${event.type} without ${amount === null ? 'an amount' : 'a coin type'}`);
      continue;
    }
    rows.push({
      ...scene.position,
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
function gasRow({
  transaction,
  position,
  sender,
  entryFunction,
  reportSkipped,
}: TransactionContext): CoinActivity | null {
  if (getField(transaction, 'type') !== 'user_transaction') return null;
  const used = asUnsigned(getField(transaction, 'gas_used'));
  const price = asUnsigned(getField(transaction, 'gas_unit_price'));
  if (used === null || price === null || sender === null) {
    reportSkipped('gas without its numbers');
    return null;
  }
  return {
    ...position,
    eventIndex: -1,
    activityType: '0x1::aptos_coin::GasFeeEvent',
    amount: used * price,
    coinType: APT_COIN_TYPE,
    assetType: APT_COIN_TYPE,
    tokenStandard: 'v1',
    entryFunctionIdStr: entryFunction,
    eventAccountAddress: sender,
    eventCreationNumber: -1n,
    eventSequenceNumber: asUnsigned(getField(transaction, 'sequence_number')),
    isGasFee: true,
    isTransactionSuccess: getField(transaction, 'success') === true,
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
function coinEvent({ account, creationNumber }: AptosEvent, { changes }: TransactionContext): AssetFields | null {
  const coin = changes.getEventHandleCoin(account, creationNumber) ?? changes.getDeletedStoreCoin(account);
  return coin === null ? null : coinFields(coin, account, account);
}

function coinModuleEvent({ data }: AptosEvent): AssetFields | null {
  const owner = asAddress(getField(data, 'account'));
  const type = asString(getField(data, 'coin_type'));
  if (owner === null || type === null || type.length > MAX_COIN_TYPE_LENGTH) return null;
  return coinFields(normalizeMoveType(type), owner, owner);
}

const assetFields = (store: FungibleStore, account: Hex, { getPairedCoin }: TransactionContext): AssetFields => ({
  assetType: store.metadata,
  coinType: store.metadata === null ? null : (getPairedCoin(store.metadata) ?? store.metadata),
  tokenStandard: 'v2',
  ownerAddress: store.owner,
  eventAccountAddress: account,
});

/** The account of the record is the owner: the event itself names nobody. */
function assetModuleEvent({ data, account }: AptosEvent, scene: TransactionContext): AssetFields | null {
  const address = asObjectAddress(getField(data, 'store'));
  if (address === null) return null;
  const store = storeAt(address, scene);
  return assetFields(store, store.owner ?? account, scene);
}

function assetEvent({ account }: AptosEvent, scene: TransactionContext): AssetFields | null {
  return assetFields(storeAt(account, scene), account, scene);
}

/** Owner and asset of a store: after this transaction, else as its deletion says, else as it was before. */
function storeAt(address: Hex, { changes, deletedFungibleStores, priorState }: TransactionContext): FungibleStore {
  const state = changes.objects.get(address);
  const owner = asAddress(getField(state?.core, 'owner'));
  const metadata = asObjectAddress(getField(state?.fungibleStore, 'metadata'));
  if (owner !== null && metadata !== null) return { owner, metadata };
  const deleted = deletedFungibleStores.get(address);
  const before = priorState.getFungibleStore(address);
  return {
    owner: owner ?? deleted?.owner ?? before?.owner ?? null,
    metadata: metadata ?? deleted?.metadata ?? before?.metadata ?? null,
  };
}

const MODULE_EVENTS: Readonly<Record<string, (event: AptosEvent, scene: TransactionContext) => AssetFields | null>> = {
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
