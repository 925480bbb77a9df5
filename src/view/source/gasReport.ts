// The gas of one or more transactions by line and function: sums, how hot a line is, tables, and what differs from the run before.

import type { FunctionGas, GasShare, SourceGas, TransactionGas } from '../../api/transactionGas.ts';
import { formatFunctionName } from '../../api/transactionStack.ts';
import { formatCsvLine } from '../../base/csv.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { formatShare } from '../formatShare.ts';
import { escapeMarkdown, formatTable, toTableCell } from '../hover/markdown.ts';

/** Gas of one line in all transactions. */
export interface LineGas extends GasShare {
  /** Zero-based. */
  readonly line: number;
}

export interface FileGas {
  readonly source: string;
  readonly file: string | null;
  readonly isChanged: boolean;
  /** By line. */
  readonly lines: ReadonlyMap<number, LineGas>;
  /** Lines with code that ran in no transaction. */
  readonly unreached: ReadonlySet<number>;
}

const add = (a: GasShare | undefined, b: GasShare): GasShare => ({
  gas: (a?.gas ?? 0) + b.gas,
  helpers: (a?.helpers ?? 0) + b.helpers,
  coldAccess: (a?.coldAccess ?? 0) + b.coldAccess,
  memory: (a?.memory ?? 0) + b.memory,
});

class FileSum {
  readonly first: SourceGas;
  readonly lines = new Map<number, LineGas>();
  readonly withCode = new Set<number>();

  constructor(first: SourceGas) {
    this.first = first;
  }

  add({ lines, unreached }: SourceGas): void {
    for (const line of lines) this.lines.set(line.line, { line: line.line, ...add(this.lines.get(line.line), line) });
    for (const line of unreached) this.withCode.add(line);
  }

  toFile(): FileGas {
    const { source, file, isChanged } = this.first;
    const unreached = new Set([...this.withCode].filter(line => !this.lines.has(line)));
    return { source, file, isChanged, lines: this.lines, unreached };
  }
}

/** What is paid for something else than a line. */
export interface OtherGas {
  readonly title: string;
  readonly gas: number;
}

export class GasTotals {
  #gasUsed = 0;
  #transactions = 0;
  readonly #files = new Map<string, FileSum>();
  readonly #functions = new Map<string, FunctionGas>();
  readonly #others = new Map<string, number>();

  get gasUsed(): number {
    return this.#gasUsed;
  }

  get transactions(): number {
    return this.#transactions;
  }

  add({ gasUsed, fixed, codeDeposit, sources, functions, unmapped, unknown }: TransactionGas): void {
    this.#gasUsed += gasUsed;
    this.#transactions++;
    for (const source of sources) {
      // Projects of one workspace may have the same path.
      const key = JSON.stringify([source.source, source.file, source.isChanged]);
      const file = this.#files.get(key) ?? new FileSum(source);
      this.#files.set(key, file);
      file.add(source);
    }
    for (const each of functions) {
      const key = JSON.stringify([each.source, each.file, each.line, each.functionName]);
      const known = this.#functions.get(key);
      const [calls, total] = [each.calls + (known?.calls ?? 0), each.total + (known?.total ?? 0)];
      this.#functions.set(key, { ...each, ...add(known, each), calls, total });
    }
    this.#addOther(t('The transaction itself'), fixed.transaction);
    this.#addOther(t('Its data'), fixed.data + fixed.floor);
    this.#addOther(t('Its access list and authorizations'), fixed.accessList + fixed.authorizations);
    this.#addOther(t('Storing the code of new contracts'), codeDeposit);
    for (const { contract, gas } of unmapped) this.#addOther(t('Code of {0} that the compiler added', contract), gas);
    for (const { address, gas } of unknown) this.#addOther(t('Code without a build, {0}', address), gas);
    this.#addOther(t('Refund'), -fixed.refund);
  }

  #addOther(title: string, gas: number): void {
    if (gas !== 0) this.#others.set(title, (this.#others.get(title) ?? 0) + gas);
  }

  /** Gas of all lines, without what is paid beside them. */
  get linesGas(): number {
    const lines = this.files().flatMap(file => [...file.lines.values()]);
    return lines.reduce((sum, { gas }) => sum + gas, 0);
  }

  files(): readonly FileGas[] {
    return [...this.#files.values()].map(file => file.toFile());
  }

  /** The most expensive first. */
  functions(): readonly FunctionGas[] {
    return [...this.#functions.values()].sort((a, b) => b.gas - a.gas);
  }

  /** Together with the gas of all lines they are `gasUsed`. */
  others(): readonly OtherGas[] {
    return [...this.#others].map(([title, gas]) => ({ title, gas })).sort((a, b) => b.gas - a.gas);
  }
}

/** From which share of the gas of all lines a line is of the next level. */
const HEAT_LEVELS = [0.01, 0.03, 0.1, 0.25] as const;
export const HEAT_BARS = ['▁', '▂', '▄', '▆', '█'] as const;

/** Index of `HEAT_BARS`: 0 is the coldest. */
const getHeat = (gas: number, linesGas: number): number =>
  HEAT_LEVELS.filter(level => linesGas > 0 && gas / linesGas >= level).length;

/** `46,630 gas (29%)` */
const formatLineGas = ({ gas }: GasShare, linesGas: number): string =>
  t('{0} gas ({1})', formatInteger(gas), formatShare(gas, linesGas));

/** The gas of a line and what some of it paid for; empty where it paid for nothing of that. */
function explainLineGas(share: GasShare, linesGas: number): readonly string[] {
  const { helpers, coldAccess, memory } = share;
  if (helpers + coldAccess + memory === 0) return [];
  return [
    formatLineGas(share, linesGas),
    ...(helpers > 0 ? [t('{0} of it in helper code of the compiler', formatInteger(helpers))] : []),
    ...(coldAccess > 0 ? [t('{0} of it for the first access to slots and accounts', formatInteger(coldAccess))] : []),
    ...(memory > 0 ? [t('{0} of it for more memory', formatInteger(memory))] : []),
  ];
}

/** What is shown at the end of a line. */
export interface LineMark {
  /** Zero-based. */
  readonly line: number;
  readonly text: string;
  /** What its hover says; empty where `text` says all. */
  readonly explanation: readonly string[];
}

/** Lines of a file; both ends are inclusive and zero-based. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The marks of the lines in some ranges by how hot they are. */
export function listLineMarks(
  { lines }: FileGas,
  linesGas: number,
  ranges: readonly LineRange[],
): readonly (readonly LineMark[])[] {
  const marks: LineMark[][] = HEAT_BARS.map(() => []);
  for (const each of lines.values()) {
    if (!ranges.some(({ first, last }) => each.line >= first && each.line <= last)) continue;
    marks[getHeat(each.gas, linesGas)]?.push({
      line: each.line,
      text: `${HEAT_BARS[getHeat(each.gas, linesGas)]} ${formatLineGas(each, linesGas)}`,
      explanation: explainLineGas(each, linesGas),
    });
  }
  return marks;
}

/** What each level means, from cold to hot. */
export function getHeatLegend(): readonly string[] {
  const percent = (level: number) => t('{0}%', 100 * level);
  return HEAT_BARS.map((bar, index) => {
    const from = HEAT_LEVELS[index - 1];
    return `${bar} ${from === undefined ? t('below {0}', percent(HEAT_LEVELS[0])) : t('{0} and more', percent(from))}`;
  });
}

/** Gas of a run of one function, on average; `null` for modifiers and what else has no runs of its own. */
const perCall = ({ gas, calls }: FunctionGas): number | null => (calls === 0 ? null : Math.round(gas / calls));

const getFunctionKey = (each: FunctionGas): string =>
  JSON.stringify([each.source, each.file, formatFunctionName(each), each.parameterTypes]);

const toPlace = (source: string, line: number): string => toTableCell(`${source}:${line + 1}`);

/**
 * A Markdown page: functions, with what they cost in the run before where there was one, lines and the rest. `notes`: what is
 * missing.
 */
export function formatGasReport(
  totals: GasTotals,
  before: GasTotals | null,
  title: string,
  notes: readonly string[] = [],
): string {
  const { gasUsed } = totals;
  const known = new Map((before?.functions() ?? []).map(each => [getFunctionKey(each), each]));
  const functionRows = totals.functions().map(each => {
    const past = known.get(getFunctionKey(each));
    const now = perCall(each);
    const then = past === undefined ? null : perCall(past);
    const change = then === null || now === null ? '' : formatChange(then, now);
    return [
      toTableCell(formatFunctionName(each)),
      ...[each.gas, each.total].map(formatInteger),
      // Modifiers have no runs of their own.
      each.calls === 0 ? '' : formatInteger(each.calls),
      now === null ? '' : formatInteger(now),
      ...(before === null ? [] : [change]),
      toPlace(each.source, each.line),
    ];
  });
  const columns = [t('Function'), t('Gas'), t('With what it calls'), t('Runs'), t('Gas per run')];
  const heading = [...columns, ...(before === null ? [] : [t('Run before')]), t('Line')];
  const lineRows = totals
    .files()
    .flatMap(({ source, lines }) => [...lines.values()].map(line => ({ source, ...line })))
    .sort((a, b) => b.gas - a.gas)
    .map(({ source, line, gas, helpers, coldAccess, memory }) => [
      toPlace(source, line),
      formatInteger(gas),
      formatShare(gas, gasUsed),
      formatInteger(helpers),
      formatInteger(coldAccess),
      formatInteger(memory),
    ]);
  const otherRows = totals
    .others()
    .map(({ title: name, gas }) => [escapeMarkdown(name), formatInteger(gas), formatShare(gas, gasUsed)]);
  return [
    `# ${escapeMarkdown(title)}`,
    '',
    totals.transactions === 1
      ? t('{0} gas in 1 transaction.', formatInteger(gasUsed))
      : t('{0} gas in {1} transactions.', formatInteger(gasUsed), formatInteger(totals.transactions)),
    '',
    ...notes.flatMap(note => [`- ${escapeMarkdown(note)}`, '']),
    ...formatTable(heading, functionRows),
    ...formatTable([t('Line'), t('Gas'), t('Share'), t('Helper code'), t('First access'), t('Memory')], lineRows),
    ...formatTable([t('Beside the lines'), t('Gas'), t('Share')], otherRows),
  ].join('\n');
}

function formatChange(before: number, now: number): string {
  if (before === now) return formatInteger(before);
  const difference = now - before;
  return `${formatInteger(before)} (${difference > 0 ? '+' : '−'}${formatInteger(Math.abs(difference))})`;
}

/** Functions, lines and the rest, one row each. */
export function formatGasCsv(totals: GasTotals): string {
  const rows: (readonly (string | number)[])[] = [
    ['kind', 'name', 'source', 'line', 'gas', 'helper_code', 'first_access', 'memory', 'total', 'runs'],
    ...totals
      .functions()
      .map(each => [
        'function',
        formatFunctionName(each),
        each.source,
        each.line + 1,
        ...[each.gas, each.helpers, each.coldAccess, each.memory, each.total, each.calls],
      ]),
    ...totals
      .files()
      .flatMap(({ source, lines }) =>
        [...lines.values()].map(({ line, gas, helpers, coldAccess, memory }) => [
          'line',
          '',
          source,
          line + 1,
          gas,
          helpers,
          coldAccess,
          memory,
          '',
          '',
        ]),
      ),
    ...totals.others().map(({ title, gas }) => ['other', title, '', '', gas, '', '', '', '', '']),
  ];
  return rows.map(formatCsvLine).join('');
}
