// Texts that a person reads, in the language of the editor; English where there is no translation.

/** Shared by all bundles of one thread: parts that are loaded at first need speak the same language. */
const key = Symbol.for('hexlens.texts');
const shared = globalThis as unknown as Record<symbol, Translations | undefined>; // a place of our own on an object of others

/** Translations by their English text, as in `l10n/bundle.l10n.<language>.json`. */
export type Translations = Readonly<Record<string, string>>;

/** Sets the language of this thread; `undefined` is English. */
export function setTranslations(texts: Translations | undefined): void {
  shared[key] = texts;
}

/**
 * A text that stands in a table (title of an operation, hint of a parameter), in the language of the editor. The guard
 * takes these from their tables.
 */
export function translate(english: string): string {
  const texts = shared[key];
  return texts !== undefined && Object.hasOwn(texts, english) ? (texts[english] ?? english) : english;
}

/**
 * The text in the language of the editor, `{0}`, `{1}` replaced by the values. `english` is a literal: a guard collects
 * every call and compares it with the translations.
 */
export function t(english: string, ...values: readonly (string | number)[]): string {
  const text = translate(english);
  if (values.length === 0) return text;
  return text.replace(/\{(\d+)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
}

// What a fault says, as template and values: the worker makes it in English, who shows it can say it in another language.
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
