// Paths of folders: names joined by `/`.
import { sanitizeText } from '../base/displayText.ts';

const MAX_FOLDER_DEPTH = 8;
const MAX_FOLDER_NAME_LENGTH = 60;

/** Names between slashes that are read of a path, empty ones included. */
const MAX_PARTS = 1_000;

/** The one form of a folder path: no empty names, no spaces around names, at most eight levels; empty is the top. */
export function normalizeFolder(text: string): string {
  if (text === '' || (text.length <= MAX_FOLDER_NAME_LENGTH && /^[a-z0-9]+(?: [a-z0-9]+)*$/i.test(text))) return text;
  return text
    .split('/', MAX_PARTS)
    .map(name => sanitizeText(name.normalize('NFC'), MAX_FOLDER_NAME_LENGTH))
    .filter(name => name !== '')
    .slice(0, MAX_FOLDER_DEPTH)
    .join('/');
}

/** The folder and its parents, outermost first; empty for the top. */
export function getFolderWithParents(folder: string): readonly string[] {
  if (folder === '') return [];
  const names = folder.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

export function isInFolder(folder: string, parent: string): boolean {
  return parent === '' || folder === parent || folder.startsWith(`${parent}/`);
}

/** The path of `folder` after `from` was moved to `to`; unchanged if it is not in `from`. */
export function moveFolder(folder: string, from: string, to: string): string {
  if (!isInFolder(folder, from)) return folder;
  return normalizeFolder(`${to}/${folder.slice(from.length)}`);
}
