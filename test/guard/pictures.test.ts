// Pictures of README, guides and walkthrough show texts that exist: a picture of a text that was changed is made again.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';
import { findTexts, PICTURE_TEXTS_FILE, type PictureTexts, readEnglishTexts } from '../e2e/pictureTexts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pictures: PictureTexts = JSON.parse(readFileSync(`${root}${PICTURE_TEXTS_FILE}`, 'utf8'));

test('the texts of every picture are known', () => {
  expect(Object.keys(pictures).sort()).toEqual(findFiles(['docs/images/**/*.png', 'media/walkthrough/*.png']));
  for (const [picture, texts] of Object.entries(pictures)) expect([picture, texts.length > 0]).toEqual([picture, true]);
});

test('every text that a picture shows exists today (npm run screenshots makes the pictures again)', () => {
  const today = new Set(readEnglishTexts());
  const outdated = Object.entries(pictures).flatMap(([picture, texts]) =>
    texts.filter(text => !today.has(text)).map(text => `${picture} shows "${text}"`),
  );
  expect(outdated).toEqual([]);
});

test('a text is found with any values in its placeholders, and none that is too short to tell', () => {
  const shown = 'in Positions.decrease\nShow Failure in Source\nBlock 8';
  const texts = ['$(eye) Show Failure in {place}', 'Block {0}', 'Show Failure in the Editor'];
  expect(findTexts(shown, texts)).toEqual(['$(eye) Show Failure in {place}']);
});
