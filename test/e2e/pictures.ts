// `npm run pictures`: copies the pictures of the README from screenshots of the last end-to-end run.
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, screenshots } from '../editor/paths.ts';
import { asProgram } from '../editor/processes.ts';

/** Screenshot of each picture in the repository, and the test file that makes it. */
const pictures: Readonly<Record<string, { readonly screenshot: string; readonly test: string }>> = {
  'docs/images/hover-transaction.png': { screenshot: 'hover-transaction', test: 'hover' },
  'docs/images/inspector-block.png': { screenshot: 'inspector-block-dark', test: 'inspector' },
  'docs/images/sidebar.png': { screenshot: 'sidebar-wallet', test: 'sidebar' },
};

const isSame = async (one: string, other: string): Promise<boolean> =>
  existsSync(other) && (await readFile(one)).equals(await readFile(other));

/** Returns `false` when a screenshot is missing. */
async function copyPictures(): Promise<boolean> {
  const missing = new Set<string>();
  for (const [picture, { screenshot, test }] of Object.entries(pictures)) {
    const [from, to] = [join(screenshots, `${screenshot}.png`), join(root, picture)];
    if (!existsSync(from)) {
      missing.add(test);
      console.log(`${picture}: there is no ${screenshot}.png`);
    } else if (await isSame(from, to)) console.log(`${picture}: unchanged`);
    else {
      await copyFile(from, to);
      console.log(`${picture}: copied. Look at it before you commit it.`);
    }
  }
  if (missing.size > 0) console.log(`First run: npm run test:e2e -- ${[...missing].join(' ')}`);
  return missing.size === 0;
}

await asProgram(import.meta.url, async () => {
  if (!(await copyPictures())) process.exitCode = 1;
});
