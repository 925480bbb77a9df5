// The newest blocks of a chain as a table, from their headers.
import { HexLensError } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { getFieldLabel } from '../../protocol/fieldLabels.ts';
import type { CallParams } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { toCell } from '../../protocol/recordColumns.ts';
import type { Table, TableColumn } from '../../protocol/table.ts';
import type { DataPorts } from './inspectorPorts.ts';

function createColumns(coin: Coin): readonly TableColumn[] {
  return [
    { key: 'number', label: getFieldLabel('blockNumber'), kind: 'block' },
    { key: 'time', label: getFieldLabel('timestamp'), kind: 'time' },
    { key: 'transactions', label: getFieldLabel('transactionCount'), kind: 'number' },
    { key: 'gasUsed', label: getFieldLabel('gasUsed'), kind: 'amount' },
    { key: 'gasLimit', label: getFieldLabel('gasLimit'), kind: 'amount' },
    { key: 'baseFee', label: getFieldLabel('baseFeePerGas'), kind: 'coin', decimals: coin.decimals - 9, unit: 'Gwei' },
    { key: 'miner', label: getFieldLabel('miner'), kind: 'address' },
    { key: 'hash', label: getFieldLabel('hash'), kind: 'blockHash' },
  ];
}

/** Newest first. Rejects with the problem of the chain's status when its head is unknown. */
export async function fetchNewestBlocks(
  { chain, before, count }: CallParams<'blocks'>,
  { lookup }: Pick<DataPorts, 'lookup'>,
  coin: Coin,
  signal: AbortSignal,
): Promise<Table> {
  let top = before === null ? null : before - 1;
  if (top === null) {
    const status = await lookup('chainStatus', { chain }, signal);
    if (status.head === null) {
      throw new HexLensError('node-unreachable', status.problem ?? t('The head of this chain is not known.'), {
        fix: status.problem === null ? t('Enter a block number.') : undefined,
      });
    }
    top = status.head;
  }
  const numbers = Array.from({ length: Math.min(count, top + 1) }, (_, index) => top - index);
  const found = await Promise.all(numbers.map(block => lookup('blockSummary', { chain, block }, signal)));
  const rows = found.flatMap(block =>
    block.kind === 'nothing'
      ? []
      : [
          [
            block.number,
            block.time,
            block.transactions,
            block.gasUsed,
            block.gasLimit,
            block.baseFee,
            block.miner,
            block.hash,
          ].map(toCell),
        ],
  );
  return { name: 'blocks', columns: createColumns(coin), rows };
}
