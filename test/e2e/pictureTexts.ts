// The texts of HexLens that a picture shows: `npm run screenshots` writes them beside the pictures, and a guard compares them
// with those of today.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../editor/paths.ts';

/** By the path of the picture. */
export type PictureTexts = Readonly<Record<string, readonly string[]>>;

export const PICTURE_TEXTS_FILE = 'docs/images/texts.json';

/** Shorter ones are found in texts of others too. */
const MIN_LETTERS = 8;
const PLACEHOLDER = /\{\w+\}/;

const readJson = (path: string): Readonly<Record<string, string>> => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Every text in English. The German bundle has those of the code as its keys. */
export const readEnglishTexts = (): readonly string[] => [
  ...Object.keys(readJson('l10n/bundle.l10n.de.json')),
  ...Object.values(readJson('package.nls.json')),
];

/** Which of the texts occur in what a window shows, with any values in their placeholders. */
export function findTexts(shown: string, texts: readonly string[]): readonly string[] {
  return texts
    .filter(text => {
      const parts = text.replace(/\$\([\w-]+\) ?/g, '').split(PLACEHOLDER);
      if (parts.join('').replace(/\P{L}/gu, '').length < MIN_LETTERS) return false;
      return new RegExp(parts.map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.{1,80}')).test(shown);
    })
    .sort();
}

export async function readShownText(page: Page): Promise<string> {
  const texts = await Promise.all(
    // biome-ignore lint/performance/useDomNodeTextContent: texts that are hidden are in no picture.
    page.frames().map(frame => frame.innerText('body', { timeout: 1000 }).catch(() => '')),
  );
  // VS Code writes code and labels with spaces that do not break.
  return texts.join('\n').replaceAll('\u00a0', ' ');
}
