// Brings every generated file up to date: `node test/guard/write.ts`.
import { generatedFiles, updateGenerated } from './generated.ts';

for (const file of Object.values(generatedFiles)) {
  console.log(`${file.path.padEnd(20)} ${updateGenerated(file) ? 'rewritten' : 'up to date'}`);
}
