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
  const { position } = context;
  const gasFee = createGasFeeRow(context);
  if (gasFee !== null) rows.push(gasFee);
  for (const event of context.events) {
    const form = EVENT_FORMS.get(event.type);
    if (form === undefined) continue;
    const amount = asUnsigned(event.data['amount']);
    const asset = form.parse(event, context);
    if (amount === null || asset === null) {
      context.reportSkipped(`${event.type} without ${amount === null ? 'an amount' : 'a coin type'}`);
      continue;
    }
    // Without spreads, which take three times as long.
    rows.push({
      transactionVersion: position.transactionVersion,
      blockHeight: position.blockHeight,
      transactionTimestamp: position.transactionTimestamp,
      eventIndex: event.index,
      activityType: event.type,
      amount,
      assetType: asset.assetType,
      coinType: asset.coinType,
      tokenStandard: asset.tokenStandard,
      ownerAddress: asset.ownerAddress,
      eventAccountAddress: asset.eventAccountAddress,
      entryFunctionIdStr: context.entryFunction,
      eventCreationNumber: event.creationNumber,
      // Module events have no sequence number; the event index distinguishes them.
      eventSequenceNumber: form.isModuleEvent ? BigInt(event.index) : event.sequenceNumber,
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
  if (transaction['type'] !== 'user_transaction') return null;
  const used = asUnsigned(transaction['gas_used']);
  const price = asUnsigned(transaction['gas_unit_price']);
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
    eventSequenceNumber: asUnsigned(transaction['sequence_number']),
    isGasFee: true,
    isTransactionSuccess: transaction['success'] === true,
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
  const address = asObjectAddress(data['store']);
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
  const owner = asAddress(resources?.core?.['owner']);
  const metadata = asObjectAddress(resources?.fungibleStore?.['metadata']);
  if (owner !== null && metadata !== null) return { owner, metadata };
  const deleted = deletedFungibleStores.get(address);
  const before = priorState.getFungibleStore(address);
  return {
    owner: owner ?? deleted?.owner ?? before?.owner ?? null,
    metadata: metadata ?? deleted?.metadata ?? before?.metadata ?? null,
  };
}

interface EventForm {
  readonly isModuleEvent: boolean;
  /** `null` for an event that cannot be parsed. */
  parse(event: AptosEvent, context: TransactionContext): AssetFields | null;
}

const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map(
  Object.entries({
    '0x1::coin::CoinWithdraw': { isModuleEvent: true, parse: parseCoinModuleEvent },
    '0x1::coin::CoinDeposit': { isModuleEvent: true, parse: parseCoinModuleEvent },
    '0x1::fungible_asset::Withdraw': { isModuleEvent: true, parse: parseAssetModuleEvent },
    '0x1::fungible_asset::Deposit': { isModuleEvent: true, parse: parseAssetModuleEvent },
    '0x1::coin::WithdrawEvent': { isModuleEvent: false, parse: parseCoinHandleEvent },
    '0x1::coin::DepositEvent': { isModuleEvent: false, parse: parseCoinHandleEvent },
    '0x1::fungible_asset::WithdrawEvent': { isModuleEvent: false, parse: parseAssetHandleEvent },
    '0x1::fungible_asset::DepositEvent': { isModuleEvent: false, parse: parseAssetHandleEvent },
  }),
);
