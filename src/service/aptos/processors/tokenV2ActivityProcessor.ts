// Token activities of the 0x4 framework: mints, burns, transfers and mutations of token objects.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asObjectAddress, getField } from '../jsonFields.ts';
import type { TokenActivity } from '../models.ts';
import { getObjectTokenIdentity } from './objectTokens.ts';
import type { AptosEvent, TransactionContext } from './transactionContext.ts';

type EventKind = 'mint' | 'burn' | 'transfer' | 'mutation';

interface EventForm {
  readonly kind: EventKind;
  /** The field of the data with the object, or `guid` for the account of the event handle. */
  readonly object: 'token' | 'object' | 'token_address' | 'guid';
  /** The type in the official tables, which use that of the handle event for module events. */
  readonly tableType?: string;
}

const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map<string, EventForm>(
  Object.entries({
    '0x4::collection::MintEvent': { kind: 'mint', object: 'token' },
    '0x4::collection::Mint': { kind: 'mint', object: 'token', tableType: '0x4::collection::MintEvent' },
    '0x4::collection::BurnEvent': { kind: 'burn', object: 'token' },
    '0x4::collection::Burn': { kind: 'burn', object: 'token', tableType: '0x4::collection::BurnEvent' },
    '0x1::object::TransferEvent': { kind: 'transfer', object: 'object' },
    '0x1::object::Transfer': { kind: 'transfer', object: 'object' },
    '0x4::token::MutationEvent': { kind: 'mutation', object: 'guid' },
    '0x4::token::Mutation': { kind: 'mutation', object: 'token_address' },
  } satisfies Record<string, EventForm>),
);

const getEventForm = ({ type }: AptosEvent): EventForm | undefined => EVENT_FORMS.get(type);

const parseEventObject = ({ account, data }: AptosEvent, { object }: EventForm): Hex | null =>
  object === 'guid' ? account : asObjectAddress(getField(data, object));

export interface ObjectEvents {
  /** The previous owner by object; `null` when the event does not contain it. */
  readonly burned: ReadonlyMap<Hex, Hex | null>;
  readonly transfers: readonly { readonly object: Hex; readonly from: Hex | null; readonly to: Hex | null }[];
}

/** Burns and transfers of all objects, also of those that are not tokens. Tokens of uncounted collections burn without event. */
export function collectObjectEvents({ events, changes, priorState }: TransactionContext): ObjectEvents {
  const burned = new Map<Hex, Hex | null>();
  const transfers: { object: Hex; from: Hex | null; to: Hex | null }[] = [];
  for (const event of events) {
    const form = getEventForm(event);
    const object = form === undefined ? null : parseEventObject(event, form);
    if (object === null) continue;
    if (form?.kind === 'burn') burned.set(object, asAddress(getField(event.data, 'previous_owner')));
    if (form?.kind === 'transfer')
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

/** `undefined` for an event that is not of a token, `null` for an event that cannot be parsed. */
export function processTokenV2Event(
  event: AptosEvent,
  context: TransactionContext,
  { burned }: ObjectEvents,
): TokenActivity | null | undefined {
  const form = getEventForm(event);
  if (form === undefined) return undefined;
  const { changes, priorState, position } = context;
  const object = parseEventObject(event, form);
  if (object === null) return null;
  const resources = changes.objects.get(object);
  // Other objects can be transferred too, such as stores and collections. A missing token was burned in this transaction.
  if (form.kind === 'transfer') {
    const isToken =
      resources === undefined ? burned.has(object) || priorState.getToken(object) !== null : resources.token !== null;
    if (!isToken) return undefined;
  }
  const owner = asAddress(getField(resources?.core, 'owner'));
  return {
    transactionVersion: position.transactionVersion,
    transactionTimestamp: position.transactionTimestamp,
    eventIndex: event.index,
    tokenStandard: 'v2',
    ...getObjectTokenIdentity(object, changes, priorState),
    eventAccountAddress: event.account,
    eventCreationNumber: event.creationNumber,
    eventSequenceNumber: event.sequenceNumber,
    ...getParties(form.kind, event, owner, context),
    propertyVersion: 0n,
    tokenAmount: form.kind === 'mutation' ? 0n : 1n,
    // The official tables keep the type of the event when the object no longer exists.
    transferType: owner === null ? event.type : (form.tableType ?? event.type),
  };
}

/** Mint and burn events have no accounts: the sender is the owner after the transaction, or else the previous owner. */
function getParties(kind: EventKind, { data }: AptosEvent, owner: Hex | null, { sender }: TransactionContext) {
  if (kind === 'transfer')
    return { fromAddress: asAddress(getField(data, 'from')), toAddress: asAddress(getField(data, 'to')) };
  if (kind === 'mutation') return { fromAddress: sender, toAddress: null };
  if (kind === 'mint') return { fromAddress: owner, toAddress: null };
  return { fromAddress: owner ?? asAddress(getField(data, 'previous_owner')), toAddress: null };
}
