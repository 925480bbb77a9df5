// Options of the three shapes that most have: a switch, a number, a list of texts that are checked one by one.
import { createUsageError } from './configFile.ts';
import type { DeclaredOption } from './options.ts';

type OptionNames = Pick<DeclaredOption<unknown>, 'flag' | 'env' | 'field' | 'help'>;

/** Given or not; off when absent. */
export const switchOption = (names: OptionNames): DeclaredOption<boolean> => ({
  ...names,
  valueName: null,
  jsonType: 'boolean',
  parse: ([text]) => text === 'true',
});

interface NumberRange {
  readonly valueName: string;
  /** Both ends inclusive. */
  readonly min: number;
  readonly max: number;
  /** The hint for another value. */
  readonly fix: string;
}

/** A whole number in decimal digits. */
export const numberOption = (
  names: OptionNames,
  { valueName, min, max, fix }: NumberRange,
): DeclaredOption<number> => ({
  ...names,
  valueName,
  jsonType: 'number',
  parse([text = ''], { name }) {
    const number = /^\d+$/.test(text) && text.length <= String(max).length ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw createUsageError(`${name} must be a number from ${min} to ${max}, not "${text}".`, fix);
  },
});

interface ListItem {
  readonly valueName: string;
  /** What one text must be: `a host name`. */
  readonly kind: string;
  readonly fix: string;
  /** `null` for a text that is something else. */
  parse(text: string): string | null;
}

/** May be repeated. */
export const listOption = (
  names: OptionNames,
  { valueName, kind, fix, parse }: ListItem,
): DeclaredOption<readonly string[]> => ({
  ...names,
  valueName,
  isRepeatable: true,
  jsonType: 'list',
  parse: (texts, { name }) =>
    texts.map(text => {
      const item = parse(text);
      if (item !== null) return item;
      throw createUsageError(`${name} needs ${kind}, not "${text}".`, fix);
    }),
});

/** In lower case, if it then matches. */
export const lowerCaseMatching =
  (pattern: RegExp) =>
  (text: string): string | null => {
    const lowerCase = text.toLowerCase();
    return pattern.test(lowerCase) ? lowerCase : null;
  };
