// `npm run pictures`: makes the pictures of the README from screenshots of the last end-to-end run.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, screenshots } from '../editor/paths.ts';
import { asProgram } from '../editor/processes.ts';
import { createAnimatedPicture } from './animatedPicture.ts';

interface Screenshot {
  readonly screenshot: string;
  /** The test file that makes it. */
  readonly test: string;
}

/** The screenshots of each picture in the repository; several make an animated one. */
const pictures: Readonly<Record<string, Screenshot | readonly Screenshot[]>> = {
  'docs/images/tour.gif': [
    { screenshot: 'hover-transaction', test: 'hover' },
    { screenshot: 'sidebar-wallet', test: 'sidebar' },
    { screenshot: 'look-up-transaction', test: 'commands' },
    { screenshot: 'inspector-block-dark', test: 'inspector' },
  ],
  'docs/images/inspector-block.png': { screenshot: 'inspector-block-dark', test: 'inspector' },
  'docs/images/sidebar.png': { screenshot: 'sidebar-wallet', test: 'sidebar' },
};

/** Returns `false` when a screenshot is missing. */
async function makePictures(): Promise<boolean> {
  const missing = new Set<string>();
  for (const [picture, source] of Object.entries(pictures)) {
    const sources: readonly Screenshot[] = 'screenshot' in source ? [source] : source;
    const files = sources.map(({ screenshot }) => join(screenshots, `${screenshot}.png`));
    const absent = sources.filter((_, index) => !existsSync(files[index] ?? ''));
    for (const { screenshot, test } of absent) {
      missing.add(test);
      console.log(`${picture}: there is no ${screenshot}.png`);
    }
    const [first] = files;
    if (absent.length > 0 || first === undefined) continue;
    const content = picture.endsWith('.gif') ? await createAnimatedPicture(files) : await readFile(first);
    const to = join(root, picture);
    if (existsSync(to) && content.equals(await readFile(to))) console.log(`${picture}: unchanged`);
    else {
      await writeFile(to, content);
      console.log(`${picture}: written. Look at it before you commit it.`);
    }
  }
  if (missing.size > 0) console.log(`First run: npm run test:e2e -- ${[...missing].join(' ')}`);
  return missing.size === 0;
}

await asProgram(import.meta.url, async () => {
  if (!(await makePictures())) process.exitCode = 1;
});
