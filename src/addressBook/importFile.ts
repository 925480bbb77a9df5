// Imports a file: the path tells which tool wrote it.
import { t } from '../base/localize.ts';
import { importBookCsv, importBookJson } from './bookFormats.ts';
import { importFoundry, importHardhatDeploy, importIgnition, type ReadSibling } from './importDeployments.ts';
import type { ImportResult } from './importResult.ts';

const importSources = ['foundry', 'ignition', 'hardhat-deploy', 'csv', 'json'] as const;
export type ImportSource = (typeof importSources)[number];

/** Where tools write deployments, and lists of addresses: glob patterns of VS Code, relative to a workspace folder. */
export const importPatterns: Readonly<Record<ImportSource, string>> = {
  foundry: '**/{broadcast/**/run-latest.json,broadcast/multi/*/run.json}',
  ignition: '**/ignition/deployments/*/deployed_addresses.json',
  'hardhat-deploy': '**/deployments/*/*.json',
  csv: '**/*.{csv,tsv}',
  json: '**/*.{json,jsonc}',
};

/** Dry runs, deployments of dependencies, inputs of solc. */
const IGNORED = /(^|\/)(dry-run|node_modules|lib|solcInputs|\.git)\//;

/** `null` for files that cannot be imported. `path` has `/`. */
export function detectImportSource(path: string): ImportSource | null {
  if (/(^|\/)run-latest\.json$/.test(path) && /(^|\/)broadcast\//.test(path)) return 'foundry';
  if (/(^|\/)broadcast\/multi\/[^/]*-latest\/run\.json$/.test(path)) return 'foundry';
  if (/(^|\/)ignition\/deployments\/[^/]+\/deployed_addresses\.json$/.test(path)) return 'ignition';
  if (/(^|\/)ignition\//.test(path)) return null;
  if (/(^|\/)deployments\/[^/]+\/[^/.][^/]*\.json$/.test(path)) return 'hardhat-deploy';
  if (/\.(csv|tsv)$/i.test(path)) return 'csv';
  return /\.jsonc?$/i.test(path) ? 'json' : null;
}

/** Whether to import a file that a search found; files that the user chose are always imported. */
export function isImportCandidate(path: string): boolean {
  return !IGNORED.test(path);
}

export interface ImportableFile {
  /** With `/`. */
  readonly path: string;
  readonly text: string;
  readonly readSibling: ReadSibling;
}

/** Never rejects because of the file's content: unreadable parts are in `rejected`. */
export async function importFile(file: ImportableFile): Promise<ImportResult> {
  const { path, text } = file;
  switch (detectImportSource(path)) {
    case 'foundry':
      return importFoundry(text, path);
    case 'ignition':
      return importIgnition(text, path, (await file.readSibling('journal.jsonl')) ?? '');
    case 'hardhat-deploy':
      return importHardhatDeploy(text, path, file.readSibling);
    case 'csv':
      return importBookCsv(text);
    case 'json':
      return importBookJson(text);
    case null:
      return { entries: [], rejected: [{ location: path, message: t('This type of file cannot be imported.') }] };
  }
}
