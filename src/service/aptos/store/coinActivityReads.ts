// Queries for pages of coin activities in the Aptos index.
import { addRange } from '../../store/sqlite/rowIds.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import { getAssetTypes } from '../activityFilters.ts';
import type { AptosPageRequest, TimeRange } from '../aptosSource.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import { APT_COIN_TYPE } from '../moveType.ts';
import { GAS_FEE_CREATION_NUMBER, GAS_FEE_TYPE, getTokenStandard } from '../processors/coinActivityProcessor.ts';
import { type ActivityRecord, findActivityIds, findBlockIds, JOIN_TRANSACTION, toActivity } from './activityIds.ts';
import { type AptosIndex, findAccountIds, type IdTables, type ReadList } from './idTables.ts';

interface CoinActivityRecord extends ActivityRecord {
  readonly block: number | null;
  /** `null` for a gas fee. */
  readonly type: number | null;
  readonly asset: number | null;
  readonly paired: number | null;
  readonly entry: number | null;
  readonly success: number;
  readonly owner: number | null;
}

const COIN_ACTIVITY_QUERY = {
  table: 'coin',
  columns: `r.id AS id, m.time, m.block, m.entry, m.success, r.type, r.amount, r.asset, r.account, r.creation, r.sequence,
    r.owner, (SELECT coin FROM pair WHERE metadata = r.asset) AS paired`,
  join: JOIN_TRANSACTION,
  order: 'id DESC',
};

/** Gas fees are in the rows of their transactions. */
const GAS_FEES = {
  table: 'committed_transaction',
  columns: `r.id AS id, r.time, r.block, r.entry, r.success, NULL AS type, r.fee AS amount, NULL AS asset,
    r.sender AS account, ${GAS_FEE_CREATION_NUMBER} AS creation, r.sequence, r.sender AS owner, NULL AS paired`,
  join: '',
};

/** Up to this number, each pair of owner and coin is a branch; beyond it, coins are filtered within the owners' rows. */
const MAX_OWNER_ASSET_BRANCHES = 100;

export const readCoinActivitiesByType: ReadList<'coinActivitiesByType'> = (index, { coinType, ...dates }, page) => {
  const branches: UnionBranch[] = findAssetIds(index, [coinType]).map(asset => ({
    index: 'coin_asset',
    where: ['r.asset = ?'],
    values: [asset],
  }));
  if (hasGasFees([coinType])) branches.push({ ...GAS_FEES, index: null, where: ['r.sender IS NOT NULL'], values: [] });
  return queryPage(index, branches, dates, page);
};

const hasGasFees = (coinTypes: readonly string[]): boolean => getAssetTypes(coinTypes).includes(APT_COIN_TYPE);

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
  if (hasGasFees(coinTypes ?? [APT_COIN_TYPE]) && !hasGasFees(excludedCoinTypes ?? []))
    branches = [
      ...branches,
      ...accounts.map(sender => ({
        ...GAS_FEES,
        index: 'transaction_sender',
        where: ['r.sender = ?'],
        values: [sender],
      })),
    ];
  return queryPage(index, branches, dates, page);
};

export const readCoinActivitiesByBlock: ReadList<'coinActivitiesByBlock'> = (index, { blockHeights }, page) => {
  const heights = [...new Set(blockHeights)].filter(height => height <= BigInt(Number.MAX_SAFE_INTEGER));
  const branches = toRanges(heights.map(Number)).flatMap(range =>
    addRange(
      [
        { index: null, where: ['m.block BETWEEN ? AND ?'], values: range },
        { ...GAS_FEES, index: null, where: ['r.block BETWEEN ? AND ?', 'r.sender IS NOT NULL'], values: range },
      ],
      findBlockIds(index.connection, ...range),
    ),
  );
  return queryPage(index, branches, {}, page);
};

/** Both ends are inclusive. */
function toRanges(heights: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  for (const height of heights.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === height - 1) last[1] = height;
    else ranges.push([height, height]);
  }
  return ranges;
}

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
  const limited = addRange(branches, findActivityIds(connection, dates, after));
  return selectUnion<CoinActivityRecord>(connection, COIN_ACTIVITY_QUERY, limited, limit, offset).map(record =>
    toCoinActivity(record, idTables),
  );
}

function toCoinActivity(record: CoinActivityRecord, idTables: IdTables): CoinActivity {
  const { accounts, names } = idTables;
  const isGasFee = record.type === null;
  const assetType = isGasFee ? APT_COIN_TYPE : names.resolveOptional(record.asset);
  const activityType = isGasFee ? GAS_FEE_TYPE : names.resolve(record.type);
  return {
    ...toActivity(record, idTables),
    blockHeight: record.block === null ? null : BigInt(record.block),
    activityType,
    amount: BigInt(record.amount),
    coinType: names.resolveOptional(record.paired) ?? assetType,
    assetType,
    tokenStandard: getTokenStandard(activityType),
    entryFunctionIdStr: names.resolveOptional(record.entry),
    isGasFee,
    // Events are of transactions that succeeded.
    isTransactionSuccess: !isGasFee || record.success === 1,
    ownerAddress: accounts.resolveOptional(record.owner),
  };
}
