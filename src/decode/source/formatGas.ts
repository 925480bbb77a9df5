// The gas of a transaction as text and as JSON.

import type { GasShare, NoTransactionGas, TransactionGas } from '../../api/transactionGas.ts';
import { formatFunctionName } from '../../api/transactionStack.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { localize } from '../../base/localize.ts';

/** Lines that are printed; JSON has all. */
const MAX_LINES = 50;
const GAS_WIDTH = 12;
const MAX_TEXT_LENGTH = 200;

const pad = (gas: number): string => formatInteger(gas).padStart(GAS_WIDTH);
const clean = (text: string): string => sanitizeText(text, MAX_TEXT_LENGTH);

const formatParts = ({ helpers, coldAccess, memory }: GasShare): string => {
  const parts = [
    ...(helpers > 0 ? [`helper code ${formatInteger(helpers)}`] : []),
    ...(coldAccess > 0 ? [`first access ${formatInteger(coldAccess)}`] : []),
    ...(memory > 0 ? [`memory ${formatInteger(memory)}`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

/** What is paid for something else than a line; together with the lines it is `gasUsed`. */
function listOtherGas({
  fixed,
  codeDeposit,
  unmapped,
  unknown,
}: TransactionGas): readonly [title: string, gas: number][] {
  const all: readonly [string, number][] = [
    ['the transaction itself', fixed.transaction],
    ['its data', fixed.data],
    ['the floor of its data', fixed.floor],
    ['its access list', fixed.accessList],
    ['its authorizations', fixed.authorizations],
    ['storing the code of new contracts', codeDeposit],
    ...unmapped.map(({ contract, gas }): [string, number] => [`code of ${contract} that the compiler added`, gas]),
    ...unknown.map(({ address, gas }): [string, number] => [`code without a build, ${address}`, gas]),
    ['refund', -fixed.refund],
  ];
  return all.filter(([, gas]) => gas !== 0);
}

const listLines = ({ sources }: TransactionGas) =>
  sources
    .flatMap(({ source, file, lines }) => lines.map(line => ({ source, file, ...line })))
    .sort((a, b) => b.gas - a.gas);

export function formatTransactionGas(gas: TransactionGas | NoTransactionGas): string {
  if (gas.kind === 'noGas') return `Gas: ${localize(gas.reason)}`;
  const lines = listLines(gas);
  const omitted = lines.length - MAX_LINES;
  return [
    `Gas ${formatInteger(gas.gasUsed)}`,
    ...(gas.functions.length === 0 ? [] : ['  Functions']),
    ...gas.functions.map(each => {
      const total = each.total === each.gas ? '' : `, ${formatInteger(each.total)} with what it calls`;
      const runs = each.calls > 1 ? `, ${formatInteger(each.calls)} runs` : '';
      return `${pad(each.gas)}  ${clean(formatFunctionName(each))}${total}${runs} (${clean(each.source)}:${each.line + 1})`;
    }),
    ...(lines.length === 0 ? [] : ['  Lines']),
    ...lines
      .slice(0, MAX_LINES)
      .map(each => `${pad(each.gas)}  ${clean(each.source)}:${each.line + 1}${formatParts(each)}`),
    ...(omitted > 0
      ? [`${' '.repeat(GAS_WIDTH)}  ${formatInteger(omitted)} more ${omitted === 1 ? 'line' : 'lines'}`]
      : []),
    '  Beside the lines',
    ...listOtherGas(gas).map(([title, amount]) => `${pad(amount)}  ${clean(title)}`),
  ].join('\n');
}

/** The shape that programs read: lines count from 1. */
export function toGasJson(gas: TransactionGas | NoTransactionGas): object {
  if (gas.kind === 'noGas') return { reason: localize(gas.reason) };
  return {
    gasUsed: gas.gasUsed,
    functions: gas.functions.map(({ line, ...each }) => ({ ...each, line: line + 1 })),
    lines: listLines(gas).map(({ line, ...each }) => ({ ...each, line: line + 1 })),
    unreached: gas.sources.map(({ source, file, unreached }) => ({
      source,
      file,
      lines: unreached.map(line => line + 1),
    })),
    others: listOtherGas(gas).map(([title, amount]) => ({ title, gas: amount })),
  };
}
