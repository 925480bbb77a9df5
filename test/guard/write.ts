// Brings every generated file up to date: `node test/guard/write.ts`.
import { generatedFiles, updateGenerated } from './generated.ts';
import { tidyTranslation, translations } from './translations.ts';

for (const file of Object.values(generatedFiles)) {
  console.log(`${file.path.padEnd(20)} ${updateGenerated(file) ? 'rewritten' : 'up to date'}`);
}
for (const translation of translations()) {
  console.log(`${translation.path.padEnd(20)} ${tidyTranslation(translation) ? 'tidied' : 'up to date'}`);
}
