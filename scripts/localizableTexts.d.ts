import type { SourceFile } from '../test/guard/style.ts';
/** Translations by their English text, or by the key of package.nls.json. */
export type Translations = Readonly<Record<string, string>>;
export interface CollectedTexts {
  /** By the key in the bundle, in the order of first use. */
  readonly keys: readonly string[];
  /** Calls whose text is computed: nobody could translate it. */
  readonly computed: readonly string[];
}
export declare function collectTexts(files: readonly SourceFile[]): CollectedTexts;
/** Words of the operations table, which `translated` looks up. */
export declare function tableTexts(): readonly string[];
/** Complaints about one translation. */
export declare function complaintsAbout(english: string, translation: string): readonly string[];
/** The translations that something uses, in the order of the alphabet. */
export declare function tidied(translations: Translations, used: readonly string[]): Translations;
