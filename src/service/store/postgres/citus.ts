// Distribution over a Citus cluster: the rows of one chain are on one worker, and chains are spread over the workers.
import { HexLensError } from '../../../base/errors.ts';
import type { QueryRunner } from './queryRunner.ts';
import { chainTables } from './schema.ts';

/** Small tables (`chain`, `address`, `lease`, nonces) stay on the coordinator: no statement joins them with these. */
const DISTRIBUTED_TABLES = [...chainTables, 'metadata_sync'];

const SELECT_CITUS = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
const SELECT_COORDINATOR = 'SELECT citus_is_coordinator() AS here';
const SELECT_DISTRIBUTED = "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = '@block'::regclass";

/** By the chain, which begins every primary key; all tables together, so that each statement runs on one worker. */
const getDistributionSql = (): readonly string[] =>
  DISTRIBUTED_TABLES.map(
    (table, index) =>
      `SELECT create_distributed_table('@${table}', 'chain', colocate_with => '${index === 0 ? 'none' : '@block'}')`,
  );

export const hasCitus = async (queries: QueryRunner): Promise<boolean> =>
  (await queries.query(SELECT_CITUS)).length > 0;

/** Rejects with `internal` on a worker, whose tables the coordinator would not know. */
export async function requireCoordinator(queries: QueryRunner): Promise<void> {
  const [row] = await queries.query<{ here: boolean }>(SELECT_COORDINATOR);
  if (row?.here !== true)
    throw new HexLensError(
      'internal',
      'This database is a worker of a Citus cluster, which holds a part of the rows.',
      {
        fix: 'Name the coordinator of the cluster in --store.',
      },
    );
}

/** Within the transaction that created the tables. */
export async function distributeTables(queries: QueryRunner): Promise<void> {
  for (const sql of getDistributionSql()) await queries.query(sql, [], { isLong: true });
}

/** Rejects with `internal` when the tables were created before the extension was. */
export async function requireDistribution(queries: QueryRunner, schema: string): Promise<void> {
  if ((await queries.query(SELECT_DISTRIBUTED)).length > 0) return;
  const commands = getDistributionSql().map(sql => sql.replaceAll('@', `${schema}.`));
  throw new HexLensError('internal', 'The tables of the index are not distributed over the Citus cluster.', {
    fix: `Stop all services that use the index, and run in psql: ${commands.join('; ')};`,
  });
}
