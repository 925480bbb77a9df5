// The token ownerships that a transaction changed. An amount of 0 ends an ownership.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, getField } from '../jsonFields.ts';
import type { TokenNames, TokenProperties } from '../models.ts';
import { getObjectTokenIdentity } from './objectTokens.ts';
import { getTokenV1Identity, parseHeldToken, parseHeldTokenId, parseTokenId } from './tokenV1.ts';
import type { ObjectEvents } from './tokenV2ActivityProcessor.ts';
import type { TransactionContext } from './transactionContext.ts';
import type { TableItemChange } from './writeSetChanges.ts';

export interface OwnershipChange extends TokenNames {
  readonly tokenDataIdHash: string;
  readonly propertyVersion: bigint;
  /** `null` for a burned object whose last owner is unknown. */
  readonly ownerAddress: Hex | null;
  readonly amount: bigint;
  readonly tableType: string;
  /** `null` for objects, whose properties are stored with the token data. */
  readonly tokenProperties: TokenProperties | null;
}

const TOKEN_STORE_TYPE = '0x3::token::TokenStore';
const OBJECT_CORE_TYPE = '0x1::object::ObjectCore';

/**
 * At most one change of an object has an amount, because objects have one owner. Offered tokens are in the table of
 * pending claims of the sender and have no owner, as in the official tables.
 */
export function processTokenOwnerships(context: TransactionContext, objects: ObjectEvents): readonly OwnershipChange[] {
  const { tableItems, objects: changed } = context.changes;
  if (tableItems.length + changed.size + objects.burned.size + objects.transfers.length === 0) return [];
  return [...processTokenStoreItems(context), ...processObjectOwners(context, objects)];
}

function isTokenStoreItem(
  { data, isDeleted, handle }: TableItemChange,
  { changes, priorState }: TransactionContext,
): boolean {
  if (data !== null) {
    return isDeleted
      ? getField(data, 'key_type') === '0x3::token::TokenId'
      : getField(data, 'value_type') === '0x3::token::Token';
  }
  return (changes.tokenTables.get(handle) ?? priorState.getTokenTable(handle))?.kind === 'tokens';
}

function* processTokenStoreItems(context: TransactionContext): Iterable<OwnershipChange> {
  const { changes, priorState } = context;
  for (const item of changes.tableItems) {
    const table = changes.tokenTables.get(item.handle) ?? priorState.getTokenTable(item.handle);
    if (table?.kind === 'claims' || !isTokenStoreItem(item, context)) continue;
    const token = item.isDeleted ? null : parseHeldToken(item);
    const id = item.isDeleted ? parseHeldTokenId(item) : (token?.id ?? null);
    if (id === null) {
      context.reportSkipped('an item of a token store that could not be parsed');
      continue;
    }
    const identity = getTokenV1Identity(id);
    const ownerAddress =
      table?.owner ?? findOwnerInEvents(identity.tokenDataIdHash, id.propertyVersion, item.isDeleted, context);
    if (ownerAddress === null) {
      context.reportSkipped('an item of a token store without an owner');
      continue;
    }
    yield {
      tokenStandard: 'v1',
      ...identity,
      propertyVersion: id.propertyVersion,
      ownerAddress,
      amount: token?.amount ?? 0n,
      tableType: TOKEN_STORE_TYPE,
      tokenProperties: token?.properties ?? null,
    };
  }
}

/** The account of the last deposit event of a token, or of the first withdrawal event of a deleted item. */
function findOwnerInEvents(
  hash: string,
  propertyVersion: bigint,
  isDeleted: boolean,
  { events }: TransactionContext,
): Hex | null {
  const type = isDeleted ? '0x3::token::TokenWithdraw' : '0x3::token::TokenDeposit';
  const owners: Hex[] = [];
  for (const event of events) {
    if (event.type !== type) continue;
    const id = parseTokenId(getField(event.data, 'id'));
    const account = asAddress(getField(event.data, 'account'));
    if (id === null || account === null || id.propertyVersion !== propertyVersion) continue;
    if (getTokenV1Identity(id).tokenDataIdHash === hash) owners.push(account);
  }
  return (isDeleted ? owners[0] : owners.at(-1)) ?? null;
}

function* processObjectOwners(
  { changes, priorState }: TransactionContext,
  { burned, transfers }: ObjectEvents,
): Iterable<OwnershipChange> {
  const createChange = (object: Hex, ownerAddress: Hex | null, amount: bigint): OwnershipChange => ({
    tokenStandard: 'v2',
    ...getObjectTokenIdentity(object, changes, priorState),
    propertyVersion: 0n,
    ownerAddress,
    amount,
    tableType: OBJECT_CORE_TYPE,
    tokenProperties: null,
  });
  const isToken = (object: Hex): boolean => {
    const resources = changes.objects.get(object);
    return resources === undefined ? priorState.getToken(object) !== null : resources.token !== null;
  };
  const owners = new Map<Hex, Hex>();
  for (const [object, { token, core }] of changes.objects) {
    const owner = token === null || burned.has(object) ? null : asAddress(getField(core, 'owner'));
    if (owner !== null) owners.set(object, owner);
  }
  const ended = new Set<string>();
  for (const { object, from } of transfers) {
    if (from === null || owners.get(object) === from || burned.has(object) || !isToken(object)) continue;
    if (ended.has(`${object}/${from}`)) continue;
    ended.add(`${object}/${from}`);
    yield createChange(object, from, 0n);
  }
  for (const [object, previousOwner] of burned) {
    yield createChange(object, previousOwner ?? asAddress(getField(changes.objects.get(object)?.core, 'owner')), 0n);
  }
  for (const [object, owner] of owners) yield createChange(object, owner, 1n);
}
