// Which tool wrote a file, told by its path, and the import that reads it.
import { t } from '../base/localize.ts';
import { importBookCsv } from './bookCsv.ts';
import { importBookJson } from './bookJson.ts';
import { importFoundry, importHardhatDeploy, importIgnition, type ReadSibling } from './importDeployments.ts';
import type { ImportResult } from './importResult.ts';

export const importSources = ['foundry', 'ignition', 'hardhat-deploy', 'csv', 'json'] as const;
export type ImportSource = (typeof importSources)[number];

/** Where tools write what can be imported, below a folder; `**` as in VS Code's patterns. */
export const importPatterns: Readonly<Record<'foundry' | 'ignition' | 'hardhat-deploy', string>> = {
  foundry: '**/{broadcast/**/run-latest.json,broadcast/multi/*/run.json}',
  ignition: '**/ignition/deployments/*/deployed_addresses.json',
  'hardhat-deploy': '**/deployments/*/*.json',
};

/** Runs that were never sent, other packages' own deployments, solc's inputs. */
const PASSED_OVER = /(^|\/)(dry-run|node_modules|lib|solcInputs|\.git)\//;

/** `null` for files that no import reads. Paths have `/`. */
export function detectImportSource(path: string): ImportSource | null {
  if (/(^|\/)broadcast\/(.*\/)?run-latest\.json$/.test(path)) return 'foundry';
  if (/(^|\/)broadcast\/multi\/[^/]*-latest\/run\.json$/.test(path)) return 'foundry';
  if (/(^|\/)ignition\/deployments\/[^/]+\/deployed_addresses\.json$/.test(path)) return 'ignition';
  if (/(^|\/)ignition\//.test(path)) return null;
  if (/(^|\/)deployments\/[^/]+\/[^/.][^/]*\.json$/.test(path)) return 'hardhat-deploy';
  if (/\.(csv|tsv)$/i.test(path)) return 'csv';
  return /\.jsonc?$/i.test(path) ? 'json' : null;
}

/** Whether a file that was found (not chosen by hand) is worth reading. */
export function isImportCandidate(path: string): boolean {
  return !PASSED_OVER.test(path);
}

export interface ImportableFile {
  /** With `/`. */
  readonly path: string;
  readonly text: string;
  readonly readSibling: ReadSibling;
}

/** Never rejects for what a file says; what cannot be read is among `refused`. */
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
      return { entries: [], rejected: [{ location: path, message: t('This kind of file is not read.') }] };
  }
}
