// Queries for pages of coin activities in the Aptos index.
import { addRange } from '../../store/sqlite/rowIds.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import { getAssetTypes } from '../activityFilters.ts';
import type { AptosPageRequest, TimeRange } from '../aptosSource.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import { type ActivityRecord, findActivityRowRange, toActivity } from './activityRowRange.ts';
import { decodeTokenStandard } from './aptosEncoding.ts';
import { type AptosIndex, findAccountIds, type IdTables, type ReadList } from './idTables.ts';

interface CoinActivityRecord extends ActivityRecord {
  readonly id: number;
  readonly block: number | null;
  readonly asset: number | null;
  readonly paired: number | null;
  readonly standard: number;
  readonly entry: number | null;
  readonly success: number;
  readonly owner: number | null;
}

const COIN_ACTIVITY_QUERY = {
  table: 'coin',
  columns: `r.id, r.version, r.event, r.time, r.block, r.type, r.amount, r.asset, r.standard, r.entry, r.account,
    r.creation, r.sequence, r.success, r.owner, (SELECT coin FROM pair WHERE metadata = r.asset) AS paired`,
  order: 'id DESC',
};

/** Up to this number, each pair of owner and coin is a branch; beyond it, coins are filtered within the owners' rows. */
const MAX_OWNER_ASSET_BRANCHES = 100;

export const readCoinActivitiesByType: ReadList<'coinActivitiesByType'> = (index, { coinType, ...dates }, page) => {
  const branches = findAssetIds(index, [coinType]).map(asset => ({
    index: 'coin_asset',
    where: ['r.asset = ?'],
    values: [asset],
  }));
  return queryPage(index, branches, dates, page);
};

export const readCoinActivitiesByOwner: ReadList<'coinActivitiesByOwner'> = (
  index,
  { owners, coinTypes, excludedCoinTypes, ...dates },
  page,
) => {
  const accounts = findAccountIds(index.idTables, owners);
  const included = coinTypes === undefined ? null : findAssetIds(index, coinTypes);
  const excluded = excludedCoinTypes === undefined ? [] : findAssetIds(index, excludedCoinTypes);
  let branches: readonly UnionBranch[] =
    included !== null && included.length * accounts.length <= MAX_OWNER_ASSET_BRANCHES
      ? accounts.flatMap(owner =>
          included.map(asset => ({
            index: 'coin_owner_asset',
            where: ['r.owner = ?', 'r.asset = ?'],
            values: [owner, asset],
          })),
        )
      : accounts.map(owner => ({ index: 'coin_owner', where: ['r.owner = ?'], values: [owner] }));
  if (included !== null && included.length * accounts.length > MAX_OWNER_ASSET_BRANCHES)
    branches = branches.map(branch => addConditions(branch, [`+r.asset IN (${placeholders(included)})`], included));
  // A row without a coin type is not excluded.
  if (excluded.length > 0)
    branches = branches.map(branch =>
      addConditions(branch, [`(r.asset IS NULL OR +r.asset NOT IN (${placeholders(excluded)}))`], excluded),
    );
  return queryPage(index, branches, dates, page);
};

export const readCoinActivitiesByBlock: ReadList<'coinActivitiesByBlock'> = (index, { blockHeights }, page) => {
  const heights = [...new Set(blockHeights)].filter(height => height <= BigInt(Number.MAX_SAFE_INTEGER));
  const branches = heights.map(height => ({ index: 'coin_block', where: ['r.block = ?'], values: [Number(height)] }));
  return queryPage(index, branches, {}, page);
};

/** Ids of the coin types and of their paired metadata, as far as they occur in the index. */
function findAssetIds({ idTables }: AptosIndex, coinTypes: readonly string[]): readonly number[] {
  return getAssetTypes(coinTypes)
    .map(asset => idTables.names.find(asset))
    .filter(id => id !== null);
}

function queryPage(
  { connection, idTables }: AptosIndex,
  branches: readonly UnionBranch[],
  dates: TimeRange,
  { limit, offset, after }: AptosPageRequest<ActivityKey>,
): readonly CoinActivity[] {
  const limited = addRange(branches, findActivityRowRange(connection, 'coin', dates, after));
  return selectUnion<CoinActivityRecord>(connection, COIN_ACTIVITY_QUERY, limited, limit, offset).map(record =>
    toCoinActivity(record, idTables),
  );
}

function toCoinActivity(record: CoinActivityRecord, idTables: IdTables): CoinActivity {
  const { accounts, names } = idTables;
  const assetType = names.resolveOptional(record.asset);
  const isGasFee = record.event === -1;
  return {
    ...toActivity(record, idTables),
    blockHeight: record.block === null ? null : BigInt(record.block),
    activityType: names.resolve(record.type),
    amount: BigInt(record.amount),
    coinType: names.resolveOptional(record.paired) ?? assetType,
    assetType,
    tokenStandard: decodeTokenStandard(record.standard),
    entryFunctionIdStr: names.resolveOptional(record.entry),
    isGasFee,
    isTransactionSuccess: record.success === 1,
    ownerAddress: accounts.resolveOptional(record.owner),
  };
}
