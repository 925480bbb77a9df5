// Texts of the manifest: written in English where they are used, collected into package.nls.json, replaced by `%key%`.

/** A text that is translated. */
export interface NlsText {
  readonly english: string;
}

export const nlsText = (english: string): NlsText => ({ english });

const isText = (value: unknown): value is NlsText =>
  value !== null && typeof value === 'object' && typeof (value as { english?: unknown }).english === 'string';

/** English by key, in the order of first use: the content of package.nls.json. */
export type Nls = Record<string, string>;

/** A copy in which every text is `%key%`; the key is its path (`setting.hover.parts.properties.kind.description`). */
export function extractTexts(value: unknown, key: string, nls: Nls): unknown {
  if (isText(value)) {
    nls[key] = value.english;
    return `%${key}%`;
  }
  if (Array.isArray(value)) return value.map((item, index) => extractTexts(item, `${key}.${index}`, nls));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, extractTexts(item, `${key}.${name}`, nls)]),
  );
}
