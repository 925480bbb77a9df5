// The translations that ship: their files, what each has to hold, and how they are tidied.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderManifest } from '../src/manifest/renderManifest.ts';
import { readFiles } from './findFiles.ts';
import {
  type CollectedTexts,
  collectTableTexts,
  collectTexts,
  pruneTranslations,
  type Translations,
} from './localizableTexts.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Languages beside English, as VS Code names them. */
export const languages = ['de'] as const;

export interface Translation {
  /** From the root of the project. */
  readonly path: string;
  readonly texts: Translations;
  /** English by key: what has to be translated. */
  readonly english: Translations;
}

export function sourceTexts(): CollectedTexts {
  const { keys, computed } = collectTexts(readFiles('src/**/*.ts'));
  return { keys: [...new Set([...keys, ...collectTableTexts()])].filter(text => text !== ''), computed };
}

const read = (path: string): Translations => JSON.parse(readFileSync(root + path, 'utf8')) as Translations;

/** Both files of each language. */
export function translations({ keys } = sourceTexts()): readonly Translation[] {
  const english = Object.fromEntries(keys.map(key => [key, key]));
  const { nls } = renderManifest();
  return languages.flatMap(language => {
    const bundle = `l10n/bundle.l10n.${language}.json`;
    const manifest = `package.nls.${language}.json`;
    return [
      { path: bundle, texts: read(bundle), english },
      { path: manifest, texts: read(manifest), english: nls },
    ];
  });
}

/**
 * Takes what is used of `more`, drops what nothing uses and sorts; `true` where that changed the file. What is missing
 * stays missing: English is not added as a translation.
 */
export function tidyTranslation({ path, texts, english }: Translation, more: Translations = {}): boolean {
  const tidied = pruneTranslations({ ...texts, ...more }, Object.keys(english));
  const text = `${JSON.stringify(tidied, null, 2)}\n`;
  if (text === readFileSync(root + path, 'utf8')) return false;
  writeFileSync(root + path, text);
  return true;
}
