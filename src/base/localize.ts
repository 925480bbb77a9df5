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
