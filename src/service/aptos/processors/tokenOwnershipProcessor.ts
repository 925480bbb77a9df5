// Who holds which token after one transaction; an amount of 0 says that somebody holds it no more.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, getField } from '../jsonFields.ts';
import type { TokenProperties, TokenStandard } from '../models.ts';
import { getObjectTokenIdentity } from './objectTokens.ts';
import { getTokenV1Identity, parseHeldToken, parseHeldTokenId, parseTokenId } from './tokenV1.ts';
import type { ObjectEvents } from './tokenV2ActivityProcessor.ts';
import type { TransactionContext } from './transactionContext.ts';
import type { TableItemChange } from './writeSetChanges.ts';

export interface OwnershipChange {
  readonly tokenStandard: TokenStandard;
  readonly tokenDataIdHash: string;
  readonly propertyVersion: bigint;
  /** `null`: nobody is left, and nobody knows who had it (`v2`, burned). */
  readonly ownerAddress: Hex | null;
  readonly amount: bigint;
  readonly collectionDataIdHash: string | null;
  readonly collectionName: string | null;
  readonly creatorAddress: Hex | null;
  readonly name: string | null;
  readonly tableType: string;
  /** Of objects `null`: their properties are those of the token data. */
  readonly tokenProperties: TokenProperties | null;
}

const TOKEN_STORE = '0x3::token::TokenStore';
const OBJECT = '0x1::object::ObjectCore';

/**
 * Objects have one owner: among the changes of one object at most one has an amount. Tokens on offer are in the table
 * of pending claims of whoever offers them; they are nobody's, as in the official tables.
 */
export function processTokenOwnerships(scene: TransactionContext, objects: ObjectEvents): readonly OwnershipChange[] {
  return [...heldChanges(scene), ...objectChanges(scene, objects)];
}

function isHeld({ data, deleted, handle }: TableItemChange, { changes, priorState }: TransactionContext): boolean {
  if (data !== null) {
    return deleted
      ? getField(data, 'key_type') === '0x3::token::TokenId'
      : getField(data, 'value_type') === '0x3::token::Token';
  }
  return (changes.tokenTables.get(handle) ?? priorState.getTokenTable(handle))?.kind === 'tokens';
}

function* heldChanges(scene: TransactionContext): Iterable<OwnershipChange> {
  const { changes, priorState } = scene;
  for (const item of changes.tableItems) {
    const table = changes.tokenTables.get(item.handle) ?? priorState.getTokenTable(item.handle);
    if (table?.kind === 'claims' || !isHeld(item, scene)) continue;
    const held = item.deleted ? null : parseHeldToken(item);
    const id = item.deleted ? parseHeldTokenId(item) : (held?.id ?? null);
    if (id === null) {
      scene.reportSkipped('an item of a token store that can not be read');
      continue;
    }
    const names = getTokenV1Identity(id);
    const ownerAddress = table?.owner ?? ownerByEvents(names.tokenDataIdHash, id.propertyVersion, item.deleted, scene);
    if (ownerAddress === null) {
      scene.reportSkipped('an item of a token store whose owner nobody names');
      continue;
    }
    yield {
      tokenStandard: 'v1',
      ...names,
      propertyVersion: id.propertyVersion,
      ownerAddress,
      amount: held?.amount ?? 0n,
      tableType: TOKEN_STORE,
      tokenProperties: held?.properties ?? null,
    };
  }
}

/** Module events name the account: the last deposit of a token that is there, the first withdrawal of one that is gone. */
function ownerByEvents(
  hash: string,
  propertyVersion: bigint,
  deleted: boolean,
  { events }: TransactionContext,
): Hex | null {
  const type = deleted ? '0x3::token::TokenWithdraw' : '0x3::token::TokenDeposit';
  const owners: Hex[] = [];
  for (const event of events) {
    if (event.type !== type) continue;
    const id = parseTokenId(getField(event.data, 'id'));
    const account = asAddress(getField(event.data, 'account'));
    if (id === null || account === null || id.propertyVersion !== propertyVersion) continue;
    if (getTokenV1Identity(id).tokenDataIdHash === hash) owners.push(account);
  }
  return (deleted ? owners[0] : owners.at(-1)) ?? null;
}

function* objectChanges(
  { changes, priorState }: TransactionContext,
  { burned, transfers }: ObjectEvents,
): Iterable<OwnershipChange> {
  const row = (object: Hex, ownerAddress: Hex | null, amount: bigint): OwnershipChange => ({
    tokenStandard: 'v2',
    ...getObjectTokenIdentity(object, changes, priorState),
    propertyVersion: 0n,
    ownerAddress,
    amount,
    tableType: OBJECT,
    tokenProperties: null,
  });
  const isToken = (object: Hex): boolean => {
    const state = changes.objects.get(object);
    return state === undefined ? priorState.getToken(object) !== null : state.token !== null;
  };
  const owners = new Map<Hex, Hex>();
  for (const [object, state] of changes.objects) {
    const owner = state.token === null || burned.has(object) ? null : asAddress(getField(state.core, 'owner'));
    if (owner !== null) owners.set(object, owner);
  }
  const said = new Set<string>();
  for (const { object, from } of transfers) {
    if (from === null || owners.get(object) === from || burned.has(object) || !isToken(object)) continue;
    if (said.has(`${object}/${from}`)) continue;
    said.add(`${object}/${from}`);
    yield row(object, from, 0n);
  }
  for (const [object, before] of burned) {
    yield row(object, before ?? asAddress(getField(changes.objects.get(object)?.core, 'owner')), 0n);
  }
  for (const [object, owner] of owners) yield row(object, owner, 1n);
}
