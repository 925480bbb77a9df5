// Texts in the display language of the editor; English where there is no translation.

/** By their English text, as in `l10n/bundle.l10n.<language>.json`. */
export type Translations = Readonly<Record<string, string>>;

/** A property of `globalThis`, since several bundles of one thread share the language. */
const key = Symbol.for('hexlens.translations');
const shared = globalThis as unknown as Record<symbol, Translations | undefined>; // the symbol is ours

/** Sets the display language of this thread; `undefined` is English. */
export function setTranslations(translations: Translations | undefined): void {
  shared[key] = translations;
}

/** Translates a text of a table, such as an operation's title. The translation guard collects these from the tables. */
export function translate(english: string): string {
  const translations = shared[key];
  return translations !== undefined && Object.hasOwn(translations, english)
    ? (translations[english] ?? english)
    : english;
}

/**
 * Translates a text and replaces `{0}`, `{1}` by the values. `english` must be a literal: the translation guard collects
 * every call and compares it with the translations.
 */
export function t(english: string, ...values: readonly (string | number)[]): string {
  const text = translate(english);
  if (values.length === 0) return text;
  return text.replace(/\{(\d+)\}/g, (placeholder, index) => String(values[Number(index)] ?? placeholder));
}

/**
 * A text as template and values, which is translated where it is shown: the worker creates it, the extension's main
 * thread knows the display language. Plain data, so that it can be posted to another thread.
 */
export interface Localizable {
  readonly english: string;
  readonly values: readonly (string | number | Localizable)[];
  /** The text follows a colon: in English its first letter becomes lower case. */
  readonly isContinuation?: true;
}

/** Plain strings are shown as they are, in any language. */
export type LocalizableText = string | Localizable;

/** A text that is translated later. `english` must be a literal, as that of `t`. */
export function localizable(english: string, ...values: Localizable['values']): Localizable {
  return { english, values };
}

/** Joins texts; the separator is not translated. */
export function joinLocalizable(texts: readonly LocalizableText[], separator: string): Localizable {
  return { english: texts.map((_, index) => `{${index}}`).join(separator), values: texts };
}

export const uncapitalize = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** The text as it follows the colon of another text. */
export const asContinuation = (text: LocalizableText): LocalizableText =>
  typeof text === 'string' ? uncapitalize(text) : { ...text, isContinuation: true };

/** The text in the language of this thread: English where no translations were set, as in the worker and the CLI. */
export function localize(text: LocalizableText): string {
  if (typeof text === 'string') return text;
  const { english, values, isContinuation } = text;
  const template = translate(english);
  const localized = template.replace(/\{(\d+)\}/g, (placeholder, index) => {
    const value = values[Number(index)];
    return value === undefined ? placeholder : typeof value === 'number' ? String(value) : localize(value);
  });
  return isContinuation === true && template === english ? uncapitalize(localized) : localized;
}
