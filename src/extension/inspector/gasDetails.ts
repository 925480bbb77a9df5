// The gas of a transaction as its page shows it: blocks for the chart, and tables of functions, lines and the rest.
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { TransactionGas } from '../../api/transactionGas.ts';
import { formatFunctionName } from '../../api/transactionStack.ts';
import { localize, t } from '../../base/localize.ts';
import type { GasDetails } from '../../protocol/messages.ts';
import type { Table, TableColumn } from '../../protocol/table.ts';
import { toGasBlocks } from '../../view/source/gasBlocks.ts';
import { GasTotals } from '../../view/source/gasReport.ts';
import type { DataPorts } from './inspectorPorts.ts';

export interface FetchedGas {
  readonly details: GasDetails;
  readonly tables: readonly Table[];
}

export async function fetchGasDetails(target: TraceTarget, ports: DataPorts, signal: AbortSignal): Promise<FetchedGas> {
  const gas = await ports.fetchGas(target, signal);
  if (gas.kind === 'noGas') {
    const details = { kind: 'gas', gasUsed: 0, refund: 0, block: null, notes: [localize(gas.reason)] } as const;
    return { details, tables: [] };
  }
  await ports.learnNames(
    target.chain,
    gas.unknown.map(({ address }) => address),
    signal,
  );
  const block = toGasBlocks(gas, address => ports.getName(address, target.chain));
  const changed = gas.sources.filter(({ isChanged }) => isChanged);
  const notes = [
    ...(gas.sources.length === 0
      ? [t('No build of the workspace has the code of the transaction, so that its gas is of no line.')]
      : []),
    ...changed.map(({ source }) => t('{0} was edited after its build: its lines are those of the build.', source)),
  ];
  const { gasUsed, fixed } = gas;
  return { details: { kind: 'gas', gasUsed, refund: fixed.refund, block, notes }, tables: toTables(gas) };
}

const text = (key: string, label: string): TableColumn => ({ key, label, kind: 'text' });
const amount = (key: string, label: string): TableColumn => ({ key, label, kind: 'number' });

function toTables(gas: TransactionGas): readonly Table[] {
  const totals = new GasTotals();
  totals.add(gas);
  const lines = gas.sources.flatMap(({ source, lines: own }) => own.map(each => ({ source, ...each })));
  return [
    {
      name: 'functions',
      columns: [
        text('name', t('Function')),
        amount('gas', t('Gas')),
        amount('total', t('With what it calls')),
        amount('calls', t('Runs')),
        amount('helpers', t('Helper code')),
        amount('coldAccess', t('First access')),
        amount('memory', t('Memory')),
        text('place', t('Line')),
      ],
      rows: totals
        .functions()
        .map(each => [
          formatFunctionName(each),
          ...[each.gas, each.total, each.calls, each.helpers, each.coldAccess, each.memory],
          `${each.source}:${each.line + 1}`,
        ]),
    },
    {
      name: 'lines',
      columns: [
        text('place', t('Line')),
        amount('gas', t('Gas')),
        amount('helpers', t('Helper code')),
        amount('coldAccess', t('First access')),
        amount('memory', t('Memory')),
      ],
      rows: lines
        .sort((a, b) => b.gas - a.gas)
        .map(({ source, line, gas: own, helpers, coldAccess, memory }) => [
          `${source}:${line + 1}`,
          own,
          helpers,
          coldAccess,
          memory,
        ]),
    },
    {
      name: 'others',
      columns: [text('title', t('Beside the lines')), amount('gas', t('Gas'))],
      rows: totals.others().map(each => [each.title, each.gas]),
    },
  ];
}
