import { type CollectedTexts, type Translations } from './localizableTexts.ts';
/** Languages beside English, as VS Code names them. */
export declare const languages: readonly ['de'];
export interface Translation {
  /** From the root of the project. */
  readonly path: string;
  readonly texts: Translations;
  /** English by key: what has to be translated. */
  readonly english: Translations;
}
export declare function sourceTexts(): CollectedTexts;
/** Both files of each language. */
export declare function translations(): readonly Translation[];
/**
 * Takes what is used of `more`, drops what nothing uses and sorts; `true` where that changed the file. What is missing
 * stays missing: nobody ships English as another language.
 */
export declare function tidyTranslation({ path, texts, english }: Translation, more?: Translations): boolean;
