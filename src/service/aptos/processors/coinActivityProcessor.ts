// Coin activities of a transaction: its gas fee, then each event that moves a coin or a fungible asset.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { AptosTokenStandard, CoinActivity } from '../models.ts';
import { APT_COIN_TYPE, MAX_COIN_TYPE_LENGTH, normalizeMoveType } from '../moveType.ts';
import type { FungibleStore } from './priorState.ts';
import type { AptosEvent, TransactionContext } from './transactionContext.ts';

type AssetFields = Pick<
  CoinActivity,
  'assetType' | 'coinType' | 'tokenStandard' | 'ownerAddress' | 'eventAccountAddress'
>;

export const GAS_FEE_TYPE = '0x1::aptos_coin::GasFeeEvent';
export const GAS_FEE_CREATION_NUMBER = -1n;

const FUNGIBLE_ASSET_MODULE = '0x1::fungible_asset::';

/** By the type of the activity. */
export const getTokenStandard = (activityType: string): AptosTokenStandard =>
  activityType.startsWith(FUNGIBLE_ASSET_MODULE) ? 'v2' : 'v1';

export function processCoinActivities(context: TransactionContext): readonly CoinActivity[] {
  const rows: CoinActivity[] = [];
  const gasFee = createGasFeeRow(context);
  if (gasFee !== null) rows.push(gasFee);
  for (const event of context.events) {
    if (!Object.hasOwn(EVENT_PARSERS, event.type)) continue;
    const amount = asUnsigned(getField(event.data, 'amount'));
    const asset = EVENT_PARSERS[event.type]?.(event, context) ?? null;
    if (amount === null || asset === null) {
      context.reportSkipped(`${event.type} without ${amount === null ? 'an amount' : 'a coin type'}`);
      continue;
    }
    rows.push({
      ...context.position,
      eventIndex: event.index,
      activityType: event.type,
      amount,
      ...asset,
      entryFunctionIdStr: context.entryFunction,
      eventCreationNumber: event.creationNumber,
      // Module events have no sequence number; the event index distinguishes them.
      eventSequenceNumber: Object.hasOwn(MODULE_EVENT_PARSERS, event.type) ? BigInt(event.index) : event.sequenceNumber,
      isGasFee: false,
      isTransactionSuccess: true,
    });
  }
  return rows;
}

/** Failed transactions pay too. The row belongs to the sender, even if another account paid the fee. */
function createGasFeeRow({
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
    reportSkipped('a gas fee without its numbers');
    return null;
  }
  return {
    ...position,
    eventIndex: -1,
    activityType: GAS_FEE_TYPE,
    amount: used * price,
    coinType: APT_COIN_TYPE,
    assetType: APT_COIN_TYPE,
    tokenStandard: 'v1',
    entryFunctionIdStr: entryFunction,
    eventAccountAddress: sender,
    eventCreationNumber: GAS_FEE_CREATION_NUMBER,
    eventSequenceNumber: asUnsigned(getField(transaction, 'sequence_number')),
    isGasFee: true,
    isTransactionSuccess: getField(transaction, 'success') === true,
    ownerAddress: sender,
  };
}

const createCoinFields = (coin: string, owner: Hex, account: Hex): AssetFields => ({
  assetType: coin,
  coinType: coin,
  tokenStandard: 'v1',
  ownerAddress: owner,
  eventAccountAddress: account,
});

/** An event of a handle has the coin type of its coin store, also when the store was deleted in this transaction. */
function parseCoinHandleEvent(
  { account, creationNumber }: AptosEvent,
  { changes }: TransactionContext,
): AssetFields | null {
  const coin = changes.getEventHandleCoin(account, creationNumber) ?? changes.getDeletedStoreCoin(account);
  return coin === null ? null : createCoinFields(coin, account, account);
}

function parseCoinModuleEvent({ data }: AptosEvent): AssetFields | null {
  const owner = asAddress(getField(data, 'account'));
  const type = asString(getField(data, 'coin_type'));
  if (owner === null || type === null || type.length > MAX_COIN_TYPE_LENGTH) return null;
  return createCoinFields(normalizeMoveType(type), owner, owner);
}

const createAssetFields = (store: FungibleStore, account: Hex, { getPairedCoin }: TransactionContext): AssetFields => ({
  assetType: store.metadata,
  coinType: store.metadata === null ? null : (getPairedCoin(store.metadata) ?? store.metadata),
  tokenStandard: 'v2',
  ownerAddress: store.owner,
  eventAccountAddress: account,
});

/** The event contains no account, so the event account is the owner of the store. */
function parseAssetModuleEvent({ data, account }: AptosEvent, context: TransactionContext): AssetFields | null {
  const address = asObjectAddress(getField(data, 'store'));
  if (address === null) return null;
  const store = findStore(address, context);
  return createAssetFields(store, store.owner ?? account, context);
}

function parseAssetHandleEvent({ account }: AptosEvent, context: TransactionContext): AssetFields | null {
  return createAssetFields(findStore(account, context), account, context);
}

/** Owner and metadata of a store after this transaction, or else at its deletion, or else before the transaction. */
function findStore(address: Hex, { changes, deletedFungibleStores, priorState }: TransactionContext): FungibleStore {
  const resources = changes.objects.get(address);
  const owner = asAddress(getField(resources?.core, 'owner'));
  const metadata = asObjectAddress(getField(resources?.fungibleStore, 'metadata'));
  if (owner !== null && metadata !== null) return { owner, metadata };
  const deleted = deletedFungibleStores.get(address);
  const before = priorState.getFungibleStore(address);
  return {
    owner: owner ?? deleted?.owner ?? before?.owner ?? null,
    metadata: metadata ?? deleted?.metadata ?? before?.metadata ?? null,
  };
}

const MODULE_EVENT_PARSERS: Readonly<
  Record<string, (event: AptosEvent, context: TransactionContext) => AssetFields | null>
> = {
  '0x1::coin::CoinWithdraw': parseCoinModuleEvent,
  '0x1::coin::CoinDeposit': parseCoinModuleEvent,
  '0x1::fungible_asset::Withdraw': parseAssetModuleEvent,
  '0x1::fungible_asset::Deposit': parseAssetModuleEvent,
};

const EVENT_PARSERS: typeof MODULE_EVENT_PARSERS = {
  ...MODULE_EVENT_PARSERS,
  '0x1::coin::WithdrawEvent': parseCoinHandleEvent,
  '0x1::coin::DepositEvent': parseCoinHandleEvent,
  '0x1::fungible_asset::WithdrawEvent': parseAssetHandleEvent,
  '0x1::fungible_asset::DepositEvent': parseAssetHandleEvent,
};
