// The generated files of the project, and whether they are up to date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { bookFileSchema } from '../src/addressBook/bookFileSchema.ts';
import { renderReference } from '../src/api/docs/reference.ts';
import { applyRegions, renderManifest } from '../src/manifest/renderManifest.ts';
import { renderChainData, renderChainNames } from './chainData.ts';
import { renderSettingsPage } from './settingsPage.ts';

export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string;
  /** The content of the file; `current` is its present content, for files that are generated in part. */
  render(current: string): string;
}

const printJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export const generatedFiles = {
  'docs/settings.md': { path: 'docs/settings.md', render: () => renderSettingsPage() },
  'docs/reference.md': { path: 'docs/reference.md', render: () => renderReference() },
  'src/api/chainData.ts': { path: 'src/api/chainData.ts', render: () => renderChainData() },
  'src/api/chainNameData.ts': { path: 'src/api/chainNameData.ts', render: () => renderChainNames() },
  'media/addresses.schema.json': { path: 'media/addresses.schema.json', render: () => printJson(bookFileSchema) },
  'package.nls.json': { path: 'package.nls.json', render: () => printJson(renderManifest().nls) },
  'package.json': {
    path: 'package.json',
    render: current =>
      printJson(applyRegions(JSON.parse(current) as Record<string, unknown>, renderManifest().regions)),
  },
} as const satisfies Readonly<Record<string, GeneratedFile>>;

/** Updates all generated files. */
export const WRITE_COMMAND = 'npm run manifest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** JSON may have any layout and order of keys; other files must be identical. */
export function isCurrent({ path, render }: GeneratedFile, current: string): boolean {
  const wanted = render(current);
  if (!path.endsWith('.json')) return current === wanted;
  return isDeepStrictEqual(JSON.parse(current), JSON.parse(wanted));
}

export function readGenerated({ path }: GeneratedFile, folder = root): string | null {
  return existsSync(folder + path) ? readFileSync(folder + path, 'utf8') : null;
}

/** Rewrites the file if it is out of date; returns whether it was. */
export function updateGenerated(file: GeneratedFile, folder = root): boolean {
  const current = readGenerated(file, folder);
  if (current !== null && isCurrent(file, current)) return false;
  mkdirSync(dirname(folder + file.path), { recursive: true });
  writeFileSync(folder + file.path, file.render(current ?? '{}'));
  return true;
}

/**
 * Throws when a generated file is out of date. Outside CI the file is rewritten first, so that the change can be
 * reviewed, unless `HEXLENS_UPDATE=0`.
 */
export function expectCurrent(file: GeneratedFile, folder = root, environment: NodeJS.ProcessEnv = process.env): void {
  const current = readGenerated(file, folder);
  if (current !== null && isCurrent(file, current)) return;
  const state = current === null ? 'is missing' : 'is out of date';
  if (environment['CI'] || environment['HEXLENS_UPDATE'] === '0')
    throw new Error(`${file.path} ${state}: run \`${WRITE_COMMAND}\`, look at the difference and commit it.`);
  updateGenerated(file, folder);
  throw new Error(
    `${file.path} ${state.replace('is', 'was')} and has been rewritten: look at the difference, commit it, and run the tests again.`,
  );
}
