// The tables of the Indexer GraphQL API that the operations read: their columns, order and pages.
import type { AptosPageRequest } from '../aptosSource.ts';
import type { JsonObject } from '../jsonFields.ts';
import type {
  ActivityKey,
  CoinActivity,
  OwnershipKey,
  TokenActivity,
  TokenData,
  TokenDataKey,
  TokenOwnership,
} from '../models.ts';
import { type GraphqlClient, type GraphqlQuery, MAX_ROWS_PER_QUERY } from './graphqlClient.ts';
import { parseCoinActivity, parseTokenActivity, parseTokenData, parseTokenOwnership } from './parseIndexerRows.ts';

/** A Hasura boolean expression such as `{amount: {_gt: "0"}}`. 64-bit numbers are strings. */
export type HasuraCondition = Readonly<Record<string, unknown>>;

export interface IndexerTable<Key, Row extends Key = Key> {
  readonly name: string;
  readonly columns: string;
  /** The `order_by` argument. */
  readonly orderBy: string;
  /** The condition for rows strictly after the key in that order. */
  after(key: Key): HasuraCondition;
  /** `null` for a malformed row, which is skipped. */
  parse(row: JsonObject): Row | null;
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

export const coinActivityTable: IndexerTable<ActivityKey, CoinActivity> = {
  name: 'fungible_asset_activities',
  columns:
    'amount asset_type block_height entry_function_id_str event_index is_gas_fee is_transaction_success owner_address token_standard transaction_timestamp transaction_version type',
  orderBy: ACTIVITY_ORDER,
  after: afterActivity,
  parse: parseCoinActivity,
};

export const tokenActivityTable: IndexerTable<ActivityKey, TokenActivity> = {
  name: 'token_activities_v2',
  columns: `event_account_address event_index from_address property_version_v1 to_address token_amount token_data_id token_standard transaction_timestamp transaction_version type current_token_data { collection_id token_name ${COLLECTION_COLUMNS} }`,
  orderBy: ACTIVITY_ORDER,
  after: afterActivity,
  parse: parseTokenActivity,
};

export const tokenDataTable: IndexerTable<TokenDataKey, TokenData> = {
  name: 'current_token_datas_v2',
  columns: `collection_id description largest_property_version_v1 last_transaction_timestamp last_transaction_version maximum supply token_data_id token_name token_properties token_standard token_uri ${COLLECTION_COLUMNS} current_royalty_v1 { payee_address royalty_points_denominator royalty_points_numerator }`,
  orderBy: '[{last_transaction_version: desc}, {token_data_id: asc}]',
  after: ({ lastTransactionVersion, tokenDataIdHash }) =>
    afterValues([
      ['last_transaction_version', 'desc', String(lastTransactionVersion)],
      ['token_data_id', 'asc', `0x${tokenDataIdHash}`],
    ]),
  parse: parseTokenData,
};

export const tokenOwnershipTable: IndexerTable<OwnershipKey, TokenOwnership> = {
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
  parse: parseTokenOwnership,
};

/** The conjunction of the conditions that are defined. */
const allConditions = (...conditions: readonly (HasuraCondition | undefined)[]): HasuraCondition => ({
  _and: conditions.filter(condition => condition !== undefined),
});

export function createTableQuery(
  table: Pick<IndexerTable<never>, 'name' | 'columns' | 'orderBy'>,
  where: HasuraCondition,
  limit: number,
  offset: number,
): GraphqlQuery {
  const { name, columns, orderBy } = table;
  return {
    field: name,
    query: `query($where: ${name}_bool_exp!, $limit: Int!, $offset: Int!) { ${name}(where: $where, order_by: ${orderBy}, limit: $limit, offset: $offset) { ${columns} } }`,
    variables: { where, limit, offset },
  };
}

export interface TablePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/** One extra row tells whether there is a next page. */
export async function fetchTablePage<Row extends Key, Key>(
  graphql: GraphqlClient,
  table: IndexerTable<Key, Row>,
  conditions: readonly (HasuraCondition | undefined)[],
  page: AptosPageRequest<Key>,
  signal: AbortSignal | undefined,
): Promise<TablePage<Row>> {
  const neededCount = page.limit + 1;
  const rows: Row[] = [];
  let { after, offset } = page;
  for (;;) {
    const limit = Math.min(neededCount - rows.length, MAX_ROWS_PER_QUERY);
    const where = allConditions(...conditions, after === undefined ? undefined : table.after(after));
    const fetched = await graphql.fetchRows(createTableQuery(table, where, limit, offset), signal);
    const parsed = fetched.map(row => table.parse(row)).filter(row => row !== null);
    rows.push(...parsed);
    const last = parsed.at(-1);
    if (rows.length >= neededCount || fetched.length < limit || last === undefined) break;
    after = last;
    offset = 0;
  }
  return { rows: rows.slice(0, page.limit), hasNext: rows.length > page.limit };
}
