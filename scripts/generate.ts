// Updates all generated files: `npm run manifest`.
import { readFileSync } from 'node:fs';
import { generatedFiles, updateGenerated } from './generatedFiles.ts';
import type { Translations } from './localizableTexts.ts';
import { tidyTranslation, translations } from './translations.ts';

for (const file of Object.values(generatedFiles)) {
  console.log(`${file.path.padEnd(20)} ${updateGenerated(file) ? 'rewritten' : 'up to date'}`);
}
// `npm run manifest new.json` adds the translations of that file, by English text or key.
const [more] = process.argv.slice(2);
const added = more === undefined ? {} : (JSON.parse(readFileSync(more, 'utf8')) as Translations);
for (const translation of translations()) {
  console.log(`${translation.path.padEnd(20)} ${tidyTranslation(translation, added) ? 'tidied' : 'up to date'}`);
}
