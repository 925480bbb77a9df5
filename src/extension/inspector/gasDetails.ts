// The gas of a transaction as its page shows it: blocks for the chart, and tables of functions, lines and the rest.
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { SourceGas, TransactionGas } from '../../api/transactionGas.ts';
import { formatFunctionName, type SourceLocation } from '../../api/transactionStack.ts';
import { localize, t } from '../../base/localize.ts';
import type { GasDetails } from '../../protocol/messages.ts';
import type { Table, TableColumn } from '../../protocol/table.ts';
import { toGasBlocks, toGasLocation } from '../../view/source/gasBlocks.ts';
import { GasTotals } from '../../view/source/gasReport.ts';
import { getNoBuildText } from '../../view/source/noBuildText.ts';
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
      ? [
          getNoBuildText(
            ports.isWorkspaceTrusted(),
            t('No build of the workspace has the code of the transaction, so that its gas is of no line.'),
          ),
        ]
      : []),
    ...changed.map(({ source }) => t('{0} was edited after its build: its lines are those of the build.', source)),
  ];
  const { gasUsed, fixed } = gas;
  return { details: { kind: 'gas', gasUsed, refund: fixed.refund, block, notes }, tables: toTables(gas) };
}

const text = (key: string, label: string): TableColumn => ({ key, label, kind: 'text' });
const amount = (key: string, label: string): TableColumn => ({ key, label, kind: 'number' });

type Place = Pick<SourceGas, 'source' | 'file'> & { readonly line: number };

const toPlace = ({ source, line }: Place): string => `${source}:${line + 1}`;

/** A place that several files have, as those of two projects, opens none. */
function placeColumn(gas: TransactionGas, places: readonly Place[]): TableColumn {
  const files = Map.groupBy(places, toPlace);
  const locations = [...files].flatMap(([text, same]): readonly (readonly [string, SourceLocation])[] => {
    const [first] = same.map(each => toGasLocation(gas, each, each.line));
    const isOne = new Set(same.map(({ file }) => file)).size === 1;
    return first === undefined || first.file === null || !isOne ? [] : [[text, first]];
  });
  return { ...text('place', t('Line')), locations: Object.fromEntries(locations) };
}

function toTables(gas: TransactionGas): readonly Table[] {
  const totals = new GasTotals();
  totals.add(gas);
  const lines = gas.sources.flatMap(({ source, file, lines: own }) => own.map(each => ({ source, file, ...each })));
  const functions = totals.functions();
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
        placeColumn(gas, functions),
      ],
      rows: functions.map(each => [
        formatFunctionName(each),
        ...[each.gas, each.total, each.calls, each.helpers, each.coldAccess, each.memory],
        toPlace(each),
      ]),
    },
    {
      name: 'lines',
      columns: [
        placeColumn(gas, lines),
        amount('gas', t('Gas')),
        amount('helpers', t('Helper code')),
        amount('coldAccess', t('First access')),
        amount('memory', t('Memory')),
      ],
      rows: lines
        .sort((a, b) => b.gas - a.gas)
        .map(each => [toPlace(each), each.gas, each.helpers, each.coldAccess, each.memory]),
    },
    {
      name: 'others',
      columns: [text('title', t('Beside the lines')), amount('gas', t('Gas'))],
      rows: totals.others().map(each => [each.title, each.gas]),
    },
  ];
}
