// Compiles the filter of a table, words and conditions (`from:0xab… value>1.5 -status:failed`), into a test of rows.

import { t } from '../../base/localize.ts';

export interface FilterTerm {
  /** `-` in front. */
  readonly not: boolean;
  /** In lower case; `null` for a bare word. */
  readonly name: string | null;
  readonly operator: ':' | '=' | '>' | '>=' | '<' | '<=' | undefined;
  /** Without its quotes and escapes. */
  readonly value: string;
  /** One value, whatever characters it has; empty for rows without a value. */
  readonly isQuoted: boolean;
}

/** An optional minus, an optional name with operator, then a quoted or bare value. In quotes, `\"` is a quote and `\\` a backslash. */
const TERM = /(-)?(?:([A-Za-z_$][\w$.]*)(:|>=|<=|=|>|<))?(?:"((?:[^"\\]|\\["\\]?)*)"?|(\S*))/y;

/** A value as `TERM` reads it again. */
export const quoteFilterValue = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Longer lines are not typed. */
const MAX_LENGTH = 2_000;

function parseFilterTerms(query: string): readonly FilterTerm[] {
  const text = query.slice(0, MAX_LENGTH);
  const found: FilterTerm[] = [];
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const at = TERM.lastIndex;
    if (/\s/.test(text[at] ?? '')) {
      TERM.lastIndex = at + 1;
      continue;
    }
    const [whole, minus, name, operator, quoted, bare = ''] = TERM.exec(text) ?? [''];
    if (whole === '') break;
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
    if (name === undefined && value === '') continue; // a lone minus or empty quotes: still being typed
    found.push({
      not: minus !== undefined,
      name: name?.toLowerCase() ?? null,
      operator: operator as FilterTerm['operator'], // one of the alternatives of the pattern
      value,
      isQuoted: quoted !== undefined,
    });
  }
  return found;
}

export interface FilterField<Row> {
  /** Name in the filter, in lower case: `from`, `event`, `value`. */
  readonly name: string;
  /** `hex`: matched by prefix. `amount`: compared in whole units of `decimals`. `text`: matched by substring. */
  readonly kind: 'hex' | 'text' | 'number' | 'amount' | 'time';
  /** For kind `amount`. Default: 18. */
  readonly decimals?: number;
  /** The value, and other texts that may match too (an address and its name); none without a value. Times in milliseconds. */
  values(row: Row): readonly (string | bigint | number)[];
}

export interface RowFilter<Row> {
  test(row: Row): boolean;
  /** Error messages for invalid terms, which are ignored. */
  readonly problems: readonly string[];
  /** Without conditions: every row matches. */
  readonly isEmpty: boolean;
}

type Test<Row> = (row: Row) => boolean;

const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, eth: 18, ether: 18, apt: 8, octas: 0 };

/** `1.5`, `-3`, `1_000`, `1,000`, `0xff`, `2gwei` in the smallest unit; `null` when it is not an amount, as `1,5`. */
function parseAmount(text: string, decimals: number): bigint | null {
  if (/^0x[0-9a-f]{1,64}$/i.test(text)) return BigInt(text);
  const [, minus, whole, fraction = '', unit] =
    /^(-)?(\d+(?:,\d{3})*|\d[\d_]*)(?:\.(\d*))?([a-z]+)?$/i.exec(text) ?? [];
  if (whole === undefined) return null;
  const places = unit === undefined ? decimals : UNITS[unit.toLowerCase()];
  if (places === undefined || fraction.length > places) return null;
  const amount = BigInt(whole.replace(/[_,]/g, '') + fraction.padEnd(places, '0'));
  return minus === undefined ? amount : -amount;
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

function toBigInt(value: string | bigint | number): bigint | null {
  if (typeof value === 'bigint') return value;
  try {
    return BigInt(value);
  } catch {
    return null; // a fraction or a text cannot be compared
  }
}

function createNumericTest<Row>(field: FilterField<Row>, operator: keyof typeof compare, expected: bigint): Test<Row> {
  const holds = compare[operator];
  return row => {
    const [value] = field.values(row);
    const number = value === undefined ? null : toBigInt(value);
    return number !== null && holds(number, expected);
  };
}

const inside = (value: string | bigint | number, expected: string) => String(value).toLowerCase().includes(expected);

function createTextTest<Row>(field: FilterField<Row>, expected: string): Test<Row> {
  const hex = field.kind === 'hex' && expected.startsWith('0x');
  return row =>
    field.values(row).some(value => (hex ? String(value).toLowerCase().startsWith(expected) : inside(value, expected)));
}

const isNumeric = <Row>({ kind }: FilterField<Row>) => kind === 'number' || kind === 'amount' || kind === 'time';

/** `name:a,b` matches either value, `name:"a,b"` that one, `name:""` rows without a value. */
function createFieldTest<Row>(field: FilterField<Row>, { operator, value, isQuoted }: FilterTerm): Test<Row> | string {
  if (isQuoted && value === '') return row => (field.values(row)[0] ?? '') === '';
  if (operator !== ':' && operator !== '=' && !isNumeric(field))
    return t('{0} is not a number: write {0}:… instead of {0}{1}…', field.name, operator ?? '');
  const tests: Test<Row>[] = [];
  // `value>1,000` compares with one number.
  const isOne = isQuoted || (operator !== ':' && operator !== '=');
  for (const choice of (isOne ? [value] : value.split(',')).filter(part => part !== '')) {
    if (!isNumeric(field)) {
      tests.push(createTextTest(field, choice.toLowerCase()));
      continue;
    }
    const range = operator === ':' ? choice.indexOf('..', 1) : -1;
    const isRange = range > 0 && range + 2 < choice.length;
    const bounds = (isRange ? [choice.slice(0, range), choice.slice(range + 2)] : [choice]).map(text =>
      parseNumber(field, text),
    );
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
      tests.push(createNumericTest(field, operator === ':' || operator === undefined ? '=' : operator, least));
    else tests.push(row => createNumericTest(field, '>=', least)(row) && createNumericTest(field, '<=', most)(row));
  }
  if (tests.length === 0) return t('{0} needs a value, such as {0}:…', field.name);
  return row => tests.some(test => test(row));
}

/**
 * Conditions are joined by "and"; a leading `-` negates one; quotes group words. A word without a field is searched in all
 * fields, or in `getText` (lower case, for callers that cache it). Never throws.
 */
export function compileRowFilter<Row>(
  query: string,
  fields: readonly FilterField<Row>[],
  getText?: (row: Row) => string,
): RowFilter<Row> {
  const problems: string[] = [];
  const tests: Test<Row>[] = [];
  for (const term of parseFilterTerms(query)) {
    const field = fields.find(({ name }) => name === term.name);
    let test: Test<Row> | string;
    if (term.name === null) {
      const word = term.value.toLowerCase();
      test =
        getText === undefined
          ? row => fields.some(({ values }) => values(row).some(value => inside(value, word)))
          : row => getText(row).includes(word);
    } else if (field === undefined) {
      const names = fields.map(({ name }) => name).join(', ');
      test = t('There is no field “{0}” here: use {1}.', term.name.slice(0, 40), names);
    } else test = createFieldTest(field, term);
    if (typeof test === 'string') problems.push(test);
    else tests.push(negateTest(term, test));
  }
  return { test: row => tests.every(test => test(row)), problems, isEmpty: tests.length === 0 };
}

function negateTest<Row>(term: FilterTerm, test: Test<Row>): Test<Row> {
  return term.not ? row => !test(row) : test;
}
