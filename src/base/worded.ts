// What a fault says, as template and values: the worker makes it in English, who shows it can say it in another language.
import { translated } from './localize.ts';

/** Plain data, so that it crosses a port. */
export interface Worded {
  readonly english: string;
  readonly values: readonly (string | number | Worded)[];
  /** It continues an English sentence: its first letter is small there. */
  readonly within?: true;
}

export type Words = string | Worded;

/** A text of a fault. `english` is a literal: the guard of translations collects every call, as it does those of `t`. */
export function worded(english: string, ...values: Worded['values']): Worded {
  return { english, values };
}

/** Texts beside each other; nothing in between is translated. */
export function joined(texts: readonly Words[], separator: string): Worded {
  return { english: texts.map((_, index) => `{${index}}`).join(separator), values: texts };
}

/** The text after a colon of another one. */
export const continued = (text: Words): Words => (typeof text === 'string' ? small(text) : { ...text, within: true });

const small = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** The text in the language of this thread: English where no texts were set, as in the worker and on the command line. */
export function spoken(text: Words): string {
  if (typeof text === 'string') return text;
  const { english, values, within } = text;
  const template = translated(english);
  const said = template.replace(/\{(\d+)\}/g, (whole, index) => {
    const value = values[Number(index)];
    return value === undefined ? whole : typeof value === 'number' ? String(value) : spoken(value);
  });
  return within === true && template === english ? small(said) : said;
}
