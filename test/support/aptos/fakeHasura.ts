// Executes one query over one table like the Indexer GraphQL API: columns, conditions with SQL nulls, order, at most 100 rows.
import type { Fields } from './syntheticLedger.ts';

/** The columns and relations of each table in the public API. */
const COLUMNS: Readonly<Record<string, string>> = {
  fungible_asset_activities:
    'amount asset_type block_height entry_function_id_str event_index gas_fee_payer_address is_frozen is_gas_fee is_transaction_success owner_address storage_id storage_refund_amount token_standard transaction_timestamp transaction_version type',
  token_activities_v2:
    'after_value before_value entry_function_id_str event_account_address event_index from_address is_fungible_v2 property_version_v1 to_address token_amount token_data_id token_standard transaction_timestamp transaction_version type current_token_data',
  current_token_datas_v2:
    'collection_id decimals description is_deleted_v2 is_fungible_v2 largest_property_version_v1 last_transaction_timestamp last_transaction_version maximum supply token_data_id token_name token_properties token_standard token_uri current_collection current_royalty_v1',
  current_token_ownerships_v2:
    'amount is_fungible_v2 is_soulbound_v2 last_transaction_timestamp last_transaction_version non_transferrable_by_owner owner_address property_version_v1 storage_id table_type_v1 token_data_id token_properties_mutated_v1 token_standard current_token_data',
  current_collection:
    'collection_id collection_name collection_properties creator_address current_supply description last_transaction_timestamp last_transaction_version max_supply mutable_description mutable_uri table_handle_v1 token_standard total_minted_v2 uri',
  current_royalty_v1:
    'payee_address royalty_points_denominator royalty_points_numerator last_transaction_timestamp last_transaction_version token_data_id',
  block_metadata_transactions: 'block_height epoch failed_proposer_indices id proposer round timestamp version',
};
const RELATED: Readonly<Record<string, string>> = { current_token_data: 'current_token_datas_v2' };
const MAX_ROWS = 100;

export class HasuraError extends Error {
  readonly code: string;
  constructor(message: string, code = 'validation-failed') {
    super(message);
    this.code = code;
  }
}

const getColumns = (table: string): ReadonlySet<string> => new Set((COLUMNS[RELATED[table] ?? table] ?? '').split(' '));

function checkColumn(table: string, column: string): void {
  if (!getColumns(table).has(column))
    throw new HasuraError(`field '${column}' not found in type: '${RELATED[table] ?? table}'`);
}

type Truth = boolean | null;
const and = (parts: readonly Truth[]): Truth => (parts.includes(false) ? false : parts.includes(null) ? null : true);
const or = (parts: readonly Truth[]): Truth => (parts.includes(true) ? true : parts.includes(null) ? null : false);
const not = (part: Truth): Truth => (part === null ? null : !part);

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'bigint') {
    const other = BigInt(String(b));
    return a < other ? -1 : a > other ? 1 : 0;
  }
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function holdsFor(value: unknown, operator: string, operand: unknown): Truth {
  if (operator === '_is_null') return (value === null || value === undefined) === operand;
  if (operand === undefined || operand === null)
    throw new HasuraError(`unexpected null value for ${operator}`, 'validation-failed');
  if (value === null || value === undefined) return null;
  const same = (other: unknown) => compare(value, other) === 0;
  if (operator === '_eq') return same(operand);
  if (operator === '_neq') return !same(operand);
  if (operator === '_in') return (operand as readonly unknown[]).some(same);
  if (operator === '_nin') return !(operand as readonly unknown[]).some(same);
  if (operator === '_gt') return compare(value, operand) > 0;
  if (operator === '_gte') return compare(value, operand) >= 0;
  if (operator === '_lt') return compare(value, operand) < 0;
  if (operator === '_lte') return compare(value, operand) <= 0;
  if (operator === '_like' || operator === '_nlike') {
    const pattern = String(operand)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*');
    return new RegExp(`^${pattern}$`, 's').test(String(value)) === (operator === '_like');
  }
  throw new HasuraError(`unexpected operator: ${operator}`);
}

export function matchesCondition(table: string, row: Fields, where: Fields): Truth {
  return and(
    Object.entries(where).map(([name, condition]): Truth => {
      const list = () => (condition as readonly Fields[]).map(part => matchesCondition(table, row, part));
      if (name === '_and') return and(list());
      if (name === '_or') return or(list());
      if (name === '_not') return not(matchesCondition(table, row, condition as Fields));
      checkColumn(table, name);
      if (name.startsWith('current_')) {
        const related = row[name] as Fields | null | undefined;
        // EXISTS is false for an unknown inner condition.
        return (
          related !== null && related !== undefined && matchesCondition(name, related, condition as Fields) === true
        );
      }
      return and(
        Object.entries(condition as Fields).map(([operator, operand]) => holdsFor(row[name], operator, operand)),
      );
    }),
  );
}

interface Selection {
  readonly [name: string]: Selection | true;
}

/** `a b c { d }` */
function parseSelection(text: string): Selection {
  const tokens = text.match(/[{}]|\w+/g) ?? [];
  let at = 0;
  const read = (): Selection => {
    const fields: Record<string, Selection | true> = {};
    for (let token = tokens[at]; token !== undefined && token !== '}'; token = tokens[at]) {
      at++;
      if (tokens[at] !== '{') fields[token] = true;
      else {
        at++;
        fields[token] = read();
        at++;
      }
    }
    return fields;
  };
  return read();
}

function pick(table: string, row: Fields, selection: Selection): Fields {
  return Object.fromEntries(
    Object.entries(selection).map(([name, inner]) => {
      checkColumn(table, name);
      const value = row[name] ?? null;
      return [name, inner === true || value === null ? value : pick(name, value as Fields, inner)];
    }),
  );
}

/** The query must have variables for `where`, `limit` and `offset`, and order and columns in its text. */
export function executeQuery(
  tables: Readonly<Record<string, readonly Fields[]>>,
  query: string,
  variables: Fields,
): { readonly field: string; readonly rows: readonly Fields[] } {
  const whole = /^\s*query\s*\(([^)]*)\)\s*\{\s*(\w+)\s*\((.*?)\)\s*\{(.*)\}\s*\}\s*$/s.exec(query);
  if (whole === null) throw new HasuraError('not a valid graphql query');
  const [, declared = '', table = '', args = '', columns = ''] = whole;
  const rows = tables[table];
  if (rows === undefined) throw new HasuraError(`field '${table}' not found in type: 'query_root'`);
  for (const name of Object.keys(variables))
    if (!declared.includes(`$${name}:`)) throw new HasuraError(`unexpected variables in variableValues: ${name}`);
  const inline = /where:\s*\{block_height: \{_in: \$heights\}\}/.test(args);
  const where = (inline ? { block_height: { _in: variables['heights'] } } : variables['where']) as Fields;
  const order = [...(/order_by:\s*\[(.*?)\]/s.exec(args)?.[1] ?? '').matchAll(/\{(\w+): (asc|desc)\}/g)];
  for (const [, column = ''] of order) checkColumn(table, column);
  const found = rows
    .filter(row => matchesCondition(table, row, where) === true)
    .sort((a, b) => {
      for (const [, column = '', direction] of order) {
        const difference = compare(a[column] ?? '', b[column] ?? '');
        if (difference !== 0) return direction === 'asc' ? difference : -difference;
      }
      return 0;
    });
  const offset = Number(variables['offset'] ?? 0);
  const limit = Math.min(Number(variables['limit'] ?? MAX_ROWS), MAX_ROWS);
  const selection = parseSelection(columns);
  return { field: table, rows: found.slice(offset, offset + limit).map(row => pick(table, row, selection)) };
}
