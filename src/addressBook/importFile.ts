// Imports a file: the path tells which tool wrote it.
import { t } from '../base/localize.ts';
import { importBookCsv, importBookJson } from './bookFormats.ts';
import { importFoundry, importHardhatDeploy, importIgnition, type ReadSibling } from './importDeployments.ts';
import type { ImportResult } from './importResult.ts';

const importSources = ['foundry', 'ignition', 'hardhat-deploy', 'csv', 'json'] as const;
export type ImportSource = (typeof importSources)[number];

/** Where tools write deployments, and lists of addresses: glob patterns of VS Code, relative to a workspace folder. */
export const importPatterns: Readonly<Record<ImportSource, string>> = {
  foundry: '**/{broadcast/**/*-latest.json,broadcast/multi/*-latest/*.json}',
  ignition: '**/ignition/deployments/*/deployed_addresses.json',
  'hardhat-deploy': '**/deployments/*/*.json',
  csv: '**/*.{csv,tsv}',
  json: '**/*.{json,jsonc}',
};

/** Dry runs, former runs, deployments of dependencies, inputs of solc. */
const IGNORED = /(^|\/)(dry-run|node_modules|lib|solcInputs|\.git)\//;
const FORMER_RUN = /-\d{9,13}(?:\.json$|\/)/;
const isInBroadcast = (path: string): boolean => `/${path}`.includes('/broadcast/');

/** `null` for files that cannot be imported. `path` has `/`. */
export function detectImportSource(path: string): ImportSource | null {
  // A run is named after the function of the script: `run-latest.json`, or `deploy-latest.json` by `--sig "deploy()"`.
  if (isInBroadcast(path) && /-(latest|\d{9,13})\.json$/.test(path)) return 'foundry';
  if (/(^|\/)broadcast\/multi\/[^/]*-(latest|\d{9,13})\/[^/]+\.json$/.test(path)) return 'foundry';
  if (/(^|\/)ignition\/deployments\/[^/]+\/deployed_addresses\.json$/.test(path)) return 'ignition';
  if (/(^|\/)ignition\//.test(path)) return null;
  if (/(^|\/)deployments\/[^/]+\/[^/.][^/]*\.json$/.test(path)) return 'hardhat-deploy';
  if (/\.(csv|tsv)$/i.test(path)) return 'csv';
  return /\.jsonc?$/i.test(path) ? 'json' : null;
}

/** Whether a tool wrote it about this project, on a chain. */
export const isOfProject = (path: string): boolean => !IGNORED.test(path);

/** Whether to import a file that a search found; files that the user chose are always imported. */
export function isImportCandidate(path: string): boolean {
  return isOfProject(path) && !(isInBroadcast(path) && FORMER_RUN.test(path));
}

export interface ImportableFile {
  /** With `/`. */
  readonly path: string;
  readonly text: string;
  readonly readSibling: ReadSibling;
}

const MAX_SAMPLED_BYTES = 4_096;

/** The text of a file in UTF-8, in UTF-16 as Windows' programs export it, or in its Western European code page. */
export function decodeImportedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a mark: an address is ASCII, which has a zero in every other byte.
  const start = bytes.subarray(0, MAX_SAMPLED_BYTES);
  const countZeros = (parity: number) => start.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [countZeros(0), countZeros(1)];
  if (Math.max(even, odd) > start.length / 8)
    return new TextDecoder(odd > even ? 'utf-16le' : 'utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
      return importBookJson(text, path);
    case null:
      return { entries: [], rejected: [{ location: path, message: t('This type of file cannot be imported.') }] };
  }
}
