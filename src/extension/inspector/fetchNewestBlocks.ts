// The newest blocks of a chain as a table, from their headers alone.

import { HexLensError } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { getFieldLabel } from '../../protocol/fieldLabels.ts';
import type { Question } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { toCell } from '../../protocol/recordColumns.ts';
import type { Table, TableColumn } from '../../protocol/table.ts';
import type { DataPorts } from './inspectorPorts.ts';

function columns(coin: Coin): readonly TableColumn[] {
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

/** Newest first. Throws what the chain's status says when its head is not known. */
export async function fetchNewestBlocks(
  { chain, before, count }: Extract<Question, { readonly kind: 'blocks' }>,
  { lookup }: Pick<DataPorts, 'lookup'>,
  coin: Coin,
  signal: AbortSignal,
): Promise<Table> {
  let top = before === null ? null : before - 1;
  if (top === null) {
    const status = await lookup('chainStatus', { chain }, signal);
    if (status.head === null) {
      throw new HexLensError('node-unreachable', status.problem ?? t('The head of this chain is not known.'), {
        fix: status.problem === null ? t('Name a block by its number.') : undefined,
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
  return { name: 'blocks', columns: columns(coin), rows };
}
