// The filter line of a table: words and conditions (`from:0xab… value>1.5 -status:failed`) compiled to a test of rows.
import { t } from '../../base/localize.ts';
import { type FilterTerm, parseFilterTerms as split } from './filterTerms.ts';

export interface FilterField<Row> {
  /** As it is written in the filter, in lower case: `from`, `event`, `value`. */
  readonly name: string;
  /** `hex`: found by its beginning or as a whole. `amount`: compared in whole units of `decimals`. `text`: found inside. */
  readonly kind: 'hex' | 'text' | 'number' | 'amount' | 'time';
  /** Kind `amount`. Absent: 18. */
  readonly decimals?: number;
  /** Several values where any may match (an address and its name); empty when the row has none. Times in milliseconds. */
  values(row: Row): readonly (string | bigint | number)[];
}

export interface RowFilter<Row> {
  test(row: Row): boolean;
  /** What could not be understood, in the order it was written; such terms are left out. */
  readonly problems: readonly string[];
  /** Nothing is asked for: every row passes. */
  readonly isEmpty: boolean;
}

type Test<Row> = (row: Row) => boolean;

const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, eth: 18, ether: 18, apt: 8, octas: 0 };

/** `1.5`, `1_000`, `0xff`, `2gwei` in the smallest unit; `null` when it is no amount. */
function parseAmount(text: string, decimals: number): bigint | null {
  if (/^0x[0-9a-f]{1,64}$/i.test(text)) return BigInt(text);
  const [, whole, fraction = '', unit] = /^(\d[\d_,]*)(?:\.(\d*))?([a-z]+)?$/i.exec(text) ?? [];
  if (whole === undefined) return null;
  const places = unit === undefined ? decimals : UNITS[unit.toLowerCase()];
  if (places === undefined || fraction.length > places) return null;
  return BigInt(whole.replace(/[_,]/g, '') + fraction.padEnd(places, '0'));
}

/** Milliseconds of `2026-11-21`, `2026-11-21T10:00Z` or Unix seconds. */
function parseTime(text: string): bigint | null {
  if (/^\d{9,11}$/.test(text)) return BigInt(text) * 1_000n;
  const time = /^\d{4}-\d{2}(-\d{2})?/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : BigInt(time);
}

function parseNumber<Row>({ kind, decimals = 18 }: FilterField<Row>, text: string): bigint | null {
  if (kind === 'time') return parseTime(text);
  return parseAmount(text, kind === 'amount' ? decimals : 0);
}

const compare = {
  '>': (a: bigint, b: bigint) => a > b,
  '>=': (a: bigint, b: bigint) => a >= b,
  '<': (a: bigint, b: bigint) => a < b,
  '<=': (a: bigint, b: bigint) => a <= b,
  '=': (a: bigint, b: bigint) => a === b,
} as const;

function bigintOf(value: string | bigint | number): bigint | null {
  if (typeof value === 'bigint') return value;
  try {
    return BigInt(value);
  } catch {
    return null; // a fraction or a text: it compares with nothing
  }
}

function numeric<Row>(field: FilterField<Row>, operator: keyof typeof compare, wanted: bigint): Test<Row> {
  const holds = compare[operator];
  return row =>
    field.values(row).some(value => {
      const number = bigintOf(value);
      return number !== null && holds(number, wanted);
    });
}

const inside = (value: string | bigint | number, wanted: string) => String(value).toLowerCase().includes(wanted);

function textual<Row>(field: FilterField<Row>, wanted: string): Test<Row> {
  const hex = field.kind === 'hex' && wanted.startsWith('0x');
  return row =>
    field.values(row).some(value => (hex ? String(value).toLowerCase().startsWith(wanted) : inside(value, wanted)));
}

const isNumeric = <Row>({ kind }: FilterField<Row>) => kind === 'number' || kind === 'amount' || kind === 'time';

/** `name:a,b` is either of the two. */
function fieldTest<Row>(field: FilterField<Row>, { operator, value }: FilterTerm): Test<Row> | string {
  if (operator !== ':' && operator !== '=' && !isNumeric(field))
    return t('{0} is no number: write {0}:… instead of {0}{1}…', field.name, operator ?? '');
  const tests: Test<Row>[] = [];
  for (const choice of value.split(',').filter(part => part !== '')) {
    if (!isNumeric(field)) {
      tests.push(textual(field, choice.toLowerCase()));
      continue;
    }
    const [, from, to] = operator === ':' ? (/^(.+?)\.\.(.+)$/.exec(choice) ?? []) : [];
    const bounds = (from === undefined ? [choice] : [from, to ?? '']).map(text => parseNumber(field, text));
    const [least, most] = bounds;
    if (least === null || least === undefined || most === null) {
      const example = field.kind === 'time' ? '2026-11-21' : field.kind === 'amount' ? '1.5' : '100';
      return t(
        '“{0}” cannot be compared with {1}: write a value such as {2}.',
        choice.slice(0, 40),
        field.name,
        example,
      );
    }
    if (most === undefined)
      tests.push(numeric(field, operator === ':' || operator === undefined ? '=' : operator, least));
    else tests.push(row => numeric(field, '>=', least)(row) && numeric(field, '<=', most)(row));
  }
  if (tests.length === 0) return t('{0} needs a value, such as {0}:…', field.name);
  return row => tests.some(test => test(row));
}

/**
 * Conditions are joined by "and"; `-` in front turns one round; quotes keep blanks together. A word without a name is
 * looked for in every field, or in `textOf`: all of them in lower case, kept by whoever filters often. Never throws: a person is still typing.
 */
export function compileRowFilter<Row>(
  query: string,
  fields: readonly FilterField<Row>[],
  textOf?: (row: Row) => string,
): RowFilter<Row> {
  const problems: string[] = [];
  const tests: Test<Row>[] = [];
  for (const term of split(query)) {
    const field = fields.find(({ name }) => name === term.name);
    let test: Test<Row> | string;
    if (term.name === null) {
      const word = term.value.toLowerCase();
      test =
        textOf === undefined
          ? row => fields.some(({ values }) => values(row).some(value => inside(value, word)))
          : row => textOf(row).includes(word);
    } else if (field === undefined) {
      const names = fields.map(({ name }) => name).join(', ');
      test = t('There is no field “{0}” here: use {1}.', term.name.slice(0, 40), names);
    } else test = fieldTest(field, term);
    if (typeof test === 'string') problems.push(test);
    else tests.push(negated(term, test));
  }
  return { test: row => tests.every(test => test(row)), problems, isEmpty: tests.length === 0 };
}

function negated<Row>(term: FilterTerm, test: Test<Row>): Test<Row> {
  return term.not ? row => !test(row) : test;
}
