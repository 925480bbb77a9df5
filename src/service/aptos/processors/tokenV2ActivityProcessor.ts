// Token activities of objects: mint, burn, transfer and mutation of 0x4 tokens, in the same record as those of 0x3.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress, getField } from '../jsonFields.ts';
import type { TokenActivity } from '../models.ts';
import type { AptosEvent } from './aptosEvents.ts';
import { getObjectTokenIdentity } from './objectTokens.ts';
import type { TransactionContext } from './transactionContext.ts';

type Sort = 'mint' | 'burn' | 'transfer' | 'mutation';

interface Form {
  readonly sort: Sort;
  /** Where the event names the object: a field of the data, or who emitted it. */
  readonly object: 'token' | 'object' | 'token_address' | 'guid';
  /** The name under which the indexers print the module form. */
  readonly printed?: string;
}

const FORMS: Readonly<Record<string, Form>> = {
  '0x4::collection::MintEvent': { sort: 'mint', object: 'token' },
  '0x4::collection::Mint': { sort: 'mint', object: 'token', printed: '0x4::collection::MintEvent' },
  '0x4::collection::BurnEvent': { sort: 'burn', object: 'token' },
  '0x4::collection::Burn': { sort: 'burn', object: 'token', printed: '0x4::collection::BurnEvent' },
  '0x1::object::TransferEvent': { sort: 'transfer', object: 'object' },
  '0x1::object::Transfer': { sort: 'transfer', object: 'object' },
  '0x4::token::MutationEvent': { sort: 'mutation', object: 'guid' },
  '0x4::token::Mutation': { sort: 'mutation', object: 'token_address' },
};

const formOf = ({ type }: AptosEvent): Form | undefined => (Object.hasOwn(FORMS, type) ? FORMS[type] : undefined);

const objectIn = ({ account, data }: AptosEvent, { object }: Form): Hex | null =>
  object === 'guid' ? account : asObjectAddress(getField(data, object));

export interface ObjectEvents {
  /** Object -> who had it before, where the event says so. */
  readonly burned: ReadonlyMap<Hex, Hex | null>;
  readonly transfers: readonly { readonly object: Hex; readonly from: Hex | null; readonly to: Hex | null }[];
}

/** Burns and transfers of all objects of a transaction, tokens or not. Collections that count nothing burn without an event. */
export function collectObjectEvents({ events, changes, priorState }: TransactionContext): ObjectEvents {
  const burned = new Map<Hex, Hex | null>();
  const transfers: { object: Hex; from: Hex | null; to: Hex | null }[] = [];
  for (const event of events) {
    const form = formOf(event);
    const object = form === undefined ? null : objectIn(event, form);
    if (object === null) continue;
    if (form?.sort === 'burn') burned.set(object, asAddress(getField(event.data, 'previous_owner')));
    if (form?.sort === 'transfer')
      transfers.push({
        object,
        from: asAddress(getField(event.data, 'from')),
        to: asAddress(getField(event.data, 'to')),
      });
  }
  for (const object of changes.deletedObjects)
    if (!burned.has(object) && !changes.objects.has(object) && priorState.getToken(object) !== null)
      burned.set(object, null);
  return { burned, transfers };
}

/** `undefined` when the event is none of a token, `null` when it is one that can not be read. */
export function processTokenV2Event(
  event: AptosEvent,
  scene: TransactionContext,
  { burned }: ObjectEvents,
): TokenActivity | null | undefined {
  const form = formOf(event);
  if (form === undefined) return undefined;
  const { changes, priorState, position } = scene;
  const object = objectIn(event, form);
  if (object === null) return null;
  const state = changes.objects.get(object);
  // Every object can be transferred: stores, collections. A token that is gone by now was burned in this transaction.
  if (form.sort === 'transfer') {
    const isToken =
      state === undefined ? burned.has(object) || priorState.getToken(object) !== null : state.token !== null;
    if (!isToken) return undefined;
  }
  const owner = asAddress(getField(state?.core, 'owner'));
  return {
    transactionVersion: position.transactionVersion,
    transactionTimestamp: position.transactionTimestamp,
    eventIndex: event.index,
    tokenStandard: 'v2',
    ...getObjectTokenIdentity(object, changes, priorState),
    eventAccountAddress: event.account,
    eventCreationNumber: event.creationNumber,
    eventSequenceNumber: event.sequenceNumber,
    ...sidesOf(form.sort, event, owner, scene),
    propertyVersion: 0n,
    tokenAmount: form.sort === 'mutation' ? 0n : 1n,
    // As the indexers print it: under one name where they know the object, as it came where it is gone.
    transferType: owner === null ? event.type : (form.printed ?? event.type),
  };
}

/** A mint and a burn name nobody: the owner after the transaction is taken, of what is gone the one before it. */
function sidesOf(sort: Sort, { data }: AptosEvent, owner: Hex | null, { sender }: TransactionContext) {
  if (sort === 'transfer')
    return { fromAddress: asAddress(getField(data, 'from')), toAddress: asAddress(getField(data, 'to')) };
  if (sort === 'mutation') return { fromAddress: sender, toAddress: null };
  if (sort === 'mint') return { fromAddress: owner, toAddress: null };
  return { fromAddress: owner ?? asAddress(getField(data, 'previous_owner')), toAddress: null };
}
