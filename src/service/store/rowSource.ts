// Rows of a part of a chain that were read for one page, queried like a store but held in memory.
import type { Hex } from '../../base/hex.ts';
import { sortBatchRows, validateSparseBlocks } from './batchValidation.ts';
import { compareLogPositions, type HasLogPosition, type LogPosition } from './logPosition.ts';
import type { BlockBatch } from './rows.ts';
import type { BlockRange, PageQuery, StoreInfo, StoreReader } from './store.ts';

export type RowSource = Pick<
  StoreReader,
  'info' | 'readHead' | 'readBlock' | 'queryTransfers' | 'queryMints' | 'readTokens'
>;

const isInRange = (
  { fromBlock = 0, toBlock = Number.POSITIVE_INFINITY }: BlockRange,
  { blockNumber }: HasLogPosition,
) => blockNumber >= fromBlock && blockNumber <= toBlock;

/** `rows` are newest first. */
function takePage<Row extends HasLogPosition>(
  rows: readonly Row[],
  { limit, after }: PageQuery<LogPosition>,
): readonly Row[] {
  const rest = after === undefined ? rows : rows.filter(row => compareLogPositions(row, after) < 0);
  return rest.slice(0, limit);
}

/** The batch may have gaps between its blocks. Throws `internal` when it contradicts itself, as a store does. */
export function createRowSource(info: StoreInfo, batch: BlockBatch): RowSource {
  const { blocks, coveredFrom = 0 } = batch;
  const head = blocks.at(-1) ?? null;
  validateSparseBlocks(null, blocks, coveredFrom);
  const sort = <Row extends HasLogPosition>(kind: 'transfer' | 'mint', rows: readonly Row[]) =>
    sortBatchRows(kind, rows, coveredFrom, head?.number ?? -1).toReversed();
  const transfers = sort('transfer', batch.transfers);
  const mints = sort('mint', batch.mints);
  const tokens = new Map(batch.tokens.map(row => [row.token, row]));

  return {
    info,
    readHead: async () => head,
    readBlock: async number => blocks.find(block => block.number === number) ?? null,
    async queryTransfers(query, page) {
      const { direction = 'both', tokenId } = query;
      const token = query.token?.toLowerCase();
      const wallet = query.wallet?.toLowerCase();
      const matching = transfers.filter(
        row =>
          isInRange(query, row) &&
          (token === undefined || row.token === token) &&
          (tokenId === undefined || row.tokenId === tokenId) &&
          (wallet === undefined ||
            (direction !== 'to' && row.from === wallet) ||
            (direction !== 'from' && row.to === wallet)),
      );
      return takePage(matching, page);
    },
    async queryMints(query, page) {
      const lowerCase = (addresses: readonly Hex[]) => new Set(addresses.map(address => address.toLowerCase()));
      const tokenSet = query.tokens && lowerCase(query.tokens);
      const walletSet = query.wallets && lowerCase(query.wallets);
      const excludedTokens = lowerCase(query.excludedTokens ?? []);
      const excludedWallets = lowerCase(query.excludedWallets ?? []);
      const matching = mints.filter(
        row =>
          isInRange(query, row) &&
          (tokenSet?.has(row.token) ?? true) &&
          (walletSet?.has(row.to) ?? true) &&
          !excludedTokens.has(row.token) &&
          !excludedWallets.has(row.to),
      );
      return takePage(matching, page);
    },
    async readTokens(addresses) {
      const rows = addresses.map(address => [address, tokens.get(address.toLowerCase() as Hex)] as const);
      return new Map(rows.flatMap(([address, row]) => (row === undefined ? [] : [[address, row] as const])));
    },
  };
}
