// Brings every generated file up to date: `node scripts/generate.ts`.
import { readFileSync } from 'node:fs';
import { generatedFiles, updateGenerated } from './generatedFiles.ts';
import type { Translations } from './localizableTexts.ts';
import { tidyTranslation, translations } from './translations.ts';

for (const file of Object.values(generatedFiles)) {
  console.log(`${file.path.padEnd(20)} ${updateGenerated(file) ? 'rewritten' : 'up to date'}`);
}
// `node scripts/generate.ts new.json` takes translations of that file, by English text or key, where they belong.
const [more] = process.argv.slice(2);
const taken = more === undefined ? {} : (JSON.parse(readFileSync(more, 'utf8')) as Translations);
for (const translation of translations()) {
  console.log(`${translation.path.padEnd(20)} ${tidyTranslation(translation, taken) ? 'tidied' : 'up to date'}`);
}
