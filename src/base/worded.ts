// What a fault says, as template and values: the worker makes it in English, who shows it can say it in another language.
import { translate } from './localize.ts';

/** Plain data, so that it crosses a port. */
export interface Localizable {
  readonly english: string;
  readonly values: readonly (string | number | Localizable)[];
  /** It continues an English sentence: its first letter is small there. */
  readonly isContinuation?: true;
}

export type LocalizableText = string | Localizable;

/** A text of a fault. `english` is a literal: the guard of translations collects every call, as it does those of `t`. */
export function localizable(english: string, ...values: Localizable['values']): Localizable {
  return { english, values };
}

/** Texts beside each other; nothing in between is translated. */
export function joinLocalizable(texts: readonly LocalizableText[], separator: string): Localizable {
  return { english: texts.map((_, index) => `{${index}}`).join(separator), values: texts };
}

/** The text after a colon of another one. */
export const asContinuation = (text: LocalizableText): LocalizableText =>
  typeof text === 'string' ? small(text) : { ...text, isContinuation: true };

const small = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** The text in the language of this thread: English where no texts were set, as in the worker and on the command line. */
export function localize(text: LocalizableText): string {
  if (typeof text === 'string') return text;
  const { english, values, isContinuation: within } = text;
  const template = translate(english);
  const said = template.replace(/\{(\d+)\}/g, (whole, index) => {
    const value = values[Number(index)];
    return value === undefined ? whole : typeof value === 'number' ? String(value) : localize(value);
  });
  return within === true && template === english ? small(said) : said;
}
