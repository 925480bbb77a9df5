// The tables of the Indexer GraphQL API that the operations read: their columns, order and keyset pagination.

import type { ActivityKey, OwnershipKey, TokenDataKey } from '../models.ts';
import type { GraphqlQuery } from './graphqlClient.ts';

/** A Hasura boolean expression such as `{amount: {_gt: "0"}}`. 64-bit numbers are strings. */
export type HasuraCondition = Readonly<Record<string, unknown>>;

export interface IndexerTable<Key> {
  readonly name: string;
  readonly columns: string;
  /** The `order_by` argument. */
  readonly orderBy: string;
  /** The condition for rows strictly after the key in that order. */
  after(key: Key): HasuraCondition;
}

/** Rows after `values`: the first column is after its value, or it is equal and the second is after its value, and so on. */
function afterValues(
  values: readonly (readonly [column: string, direction: 'asc' | 'desc', value: string | number])[],
): HasuraCondition {
  const alternatives = values.map(([column, direction, value], index) => ({
    _and: [
      ...values.slice(0, index).map(([equalColumn, , equalValue]) => ({ [equalColumn]: { _eq: equalValue } })),
      { [column]: { [direction === 'asc' ? '_gt' : '_lt']: value } },
    ],
  }));
  return { _or: alternatives };
}

const ACTIVITY_ORDER = '[{transaction_version: desc}, {event_index: desc}]';
const afterActivity = ({ transactionVersion, eventIndex }: ActivityKey) =>
  afterValues([
    ['transaction_version', 'desc', String(transactionVersion)],
    ['event_index', 'desc', String(eventIndex)],
  ]);

const COLLECTION_COLUMNS = 'current_collection { collection_name creator_address }';

export const coinActivityTable: IndexerTable<ActivityKey> = {
  name: 'fungible_asset_activities',
  columns:
    'amount asset_type block_height entry_function_id_str event_index is_gas_fee is_transaction_success owner_address token_standard transaction_timestamp transaction_version type',
  orderBy: ACTIVITY_ORDER,
  after: afterActivity,
};

export const tokenActivityTable: IndexerTable<ActivityKey> = {
  name: 'token_activities_v2',
  columns: `event_account_address event_index from_address property_version_v1 to_address token_amount token_data_id token_standard transaction_timestamp transaction_version type current_token_data { collection_id token_name ${COLLECTION_COLUMNS} }`,
  orderBy: ACTIVITY_ORDER,
  after: afterActivity,
};

export const tokenDataTable: IndexerTable<TokenDataKey> = {
  name: 'current_token_datas_v2',
  columns: `collection_id description largest_property_version_v1 last_transaction_timestamp last_transaction_version maximum supply token_data_id token_name token_properties token_standard token_uri ${COLLECTION_COLUMNS} current_royalty_v1 { payee_address royalty_points_denominator royalty_points_numerator }`,
  orderBy: '[{last_transaction_version: desc}, {token_data_id: asc}]',
  after: ({ lastTransactionVersion, tokenDataIdHash }) =>
    afterValues([
      ['last_transaction_version', 'desc', String(lastTransactionVersion)],
      ['token_data_id', 'asc', `0x${tokenDataIdHash}`],
    ]),
};

export const tokenOwnershipTable: IndexerTable<OwnershipKey> = {
  name: 'current_token_ownerships_v2',
  columns: `amount last_transaction_timestamp last_transaction_version owner_address property_version_v1 table_type_v1 token_data_id token_properties_mutated_v1 token_standard current_token_data { collection_id token_name token_properties ${COLLECTION_COLUMNS} }`,
  orderBy:
    '[{last_transaction_version: desc}, {token_data_id: asc}, {property_version_v1: asc}, {owner_address: asc}, {storage_id: asc}]',
  after: ({ lastTransactionVersion, tokenDataIdHash, propertyVersion, ownerAddress }) =>
    afterValues([
      ['last_transaction_version', 'desc', String(lastTransactionVersion)],
      ['token_data_id', 'asc', `0x${tokenDataIdHash}`],
      ['property_version_v1', 'asc', String(propertyVersion)],
      ['owner_address', 'asc', ownerAddress],
    ]),
};

/** The conjunction of the conditions that are defined. */
export const allConditions = (...conditions: readonly (HasuraCondition | undefined)[]): HasuraCondition => ({
  _and: conditions.filter(condition => condition !== undefined),
});

export function createTableQuery(
  table: IndexerTable<never>,
  where: HasuraCondition,
  limit: number,
  offset: number,
): GraphqlQuery {
  const { name, columns, orderBy: order } = table;
  return {
    field: name,
    query: `query($where: ${name}_bool_exp!, $limit: Int!, $offset: Int!) { ${name}(where: $where, order_by: ${order}, limit: $limit, offset: $offset) { ${columns} } }`,
    variables: { where, limit, offset },
  };
}
