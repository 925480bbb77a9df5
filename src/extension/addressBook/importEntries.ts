// Imports entries from files of the workspace or a dialog, after a preview of what is new and what changes.

import { FileType, l10n, type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import { emptyAddressBook } from '../../addressBook/addressBookState.ts';
import type { AddressBookStorage } from '../../addressBook/entry.ts';
import { isSameStorage } from '../../addressBook/entryIds.ts';
import { decodeImportedText, importFile } from '../../addressBook/importFile.ts';
import { type PlannedEntry, planImport } from '../../addressBook/importPlan.ts';
import { type ImportResult, joinImportResults } from '../../addressBook/importResult.ts';
import { parseWrittenChain } from '../../api/chainNames.ts';
import { LOCAL_CHAIN, toHexChainId } from '../../api/chains.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isFault } from '../../base/errors.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { formatChains } from '../../view/chainTitle.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage, showWarningMessage } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressBook } from './addressBook.ts';
import { findDevelopmentChains } from './developmentChains.ts';
import { getStorageTitle, promptFolder, promptStorage, requireChoice } from './entryForm.ts';
import { findImportFiles } from './findImportFiles.ts';
import { offerUndo } from './offerUndo.ts';

export interface ImportSummary {
  readonly added: number;
  readonly updated: number;
  /** Unchanged, or not selected by the user. */
  readonly skipped: number;
  readonly refused: number;
}

const MAX_BYTES = 64_000_000;
/** Larger files are not read for the list, which would appear late: they can be chosen in the dialog. */
const MAX_LISTED_BYTES = 2_000_000;
const MAX_LISTED_FILES = 100;
const CONCURRENT_READS = 8;
/** Names of fields in one line. */
const MAX_SHOWN_FIELDS = 8;
/** Further entries are only in the list in which they are chosen. */
const MAX_PREVIEW = 200;

const title = () => l10n.t('Import Addresses');

const sourceTitles = () => ({
  foundry: l10n.t('Foundry broadcasts'),
  ignition: l10n.t('Hardhat Ignition deployments'),
  'hardhat-deploy': l10n.t('hardhat-deploy deployments'),
});

async function readText(uri: Uri, maxBytes: number): Promise<string> {
  const { size } = await workspace.fs.stat(uri);
  if (size > maxBytes) throw new Error(l10n.t('The file is too large.'));
  return decodeImportedText(await workspace.fs.readFile(uri));
}

/** The entries of the files, on the nodes that have them. */
export async function readDeployedEntries(
  uris: readonly Uri[],
  worker: Pick<WorkerClient, 'chains' | 'lookup'>,
): Promise<ImportResult> {
  const read = await readImportFiles(uris);
  return useConfiguredChains({ ...read, entries: await findDevelopmentChains(read.entries, worker) });
}

/** A file that cannot be read is rejected without affecting the others. */
async function readImportFiles(uris: readonly Uri[], maxBytes = MAX_BYTES): Promise<ImportResult> {
  const parts: ImportResult[] = [];
  for (const uri of uris) {
    try {
      const text = await readText(uri, maxBytes);
      const readSibling = (name: string) => readText(Uri.joinPath(uri, '..', name), maxBytes).catch(() => null);
      parts.push(await importFile({ path: uri.path, text, readSibling }));
    } catch (error) {
      parts.push({ entries: [], rejected: [{ location: uri.path, message: String(error) }] });
    }
  }
  return joinImportResults(parts);
}

const SECOND_DEVELOPMENT_CHAIN = toHexChainId(1337);

/** Contracts on a chain 1337 without a node are on `local` unless the settings name that chain itself. */
function useConfiguredChains(result: ImportResult): ImportResult {
  const nodes = Object.keys(workspace.getConfiguration('hexlens').get<object>('nodes') ?? {});
  if (nodes.some(name => parseWrittenChain(name) === SECOND_DEVELOPMENT_CHAIN)) return result;
  const toChain = (chain: string) => (chain === SECOND_DEVELOPMENT_CHAIN ? LOCAL_CHAIN : chain);
  return { ...result, entries: result.entries.map(entry => ({ ...entry, chains: entry.chains.map(toChain) })) };
}

/**
 * The folder that contains `broadcast` or `deployments`, for those folders and any below them, because their names are
 * part of the search patterns. Never outside the workspace.
 */
function getSearchFolder(uri: Uri, folder: string): string {
  const { length } = workspace.getWorkspaceFolder(uri)?.uri.path ?? '';
  const below = folder.slice(length).replace(/^(.*\/)(?:broadcast|deployments)\/.*$/, '$1');
  return folder.slice(0, length) + below.replace(/\/ignition\/$/, '/');
}

export const deploymentSources = ['foundry', 'ignition', 'hardhat-deploy'] as const;

interface ImportItem extends QuickPickItem {
  /** `null`: those of a dialog. */
  readonly uris: readonly Uri[] | null;
}

function createDeploymentItem(source: (typeof deploymentSources)[number], uris: readonly Uri[]): ImportItem {
  const detail = uris
    .slice(0, 3)
    .map(uri => workspace.asRelativePath(uri))
    .join(', ');
  const description = uris.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', uris.length);
  return { label: `$(package) ${sourceTitles()[source]}`, description, detail, uris };
}

/** `null` for a file without addresses. */
async function createFileItem(uri: Uri): Promise<ImportItem | null> {
  const { entries } = await readImportFiles([uri], MAX_LISTED_BYTES);
  if (entries.length === 0) return null;
  const description = entries.length === 1 ? l10n.t('1 address') : l10n.t('{0} addresses', entries.length);
  return { label: `$(file) ${workspace.asRelativePath(uri)}`, description, uris: [uri] };
}

/** Deployments of tools and lists of addresses in the workspace. */
async function findImportItems(): Promise<readonly ImportItem[]> {
  const found = await findImportFiles([...deploymentSources, 'csv', 'json']);
  const deployments: ImportItem[] = [];
  const files: Uri[] = [];
  for (const { source, uris } of found) {
    if (source === 'csv' || source === 'json') files.push(...uris);
    else if (uris.length > 0) deployments.push(createDeploymentItem(source, uris));
  }
  const items = await mapConcurrently(files.slice(0, MAX_LISTED_FILES), CONCURRENT_READS, createFileItem);
  return [...deployments, ...items.filter(item => item !== null)];
}

/** Files of the command's argument (a file or folder of the Explorer view, or several files), of the workspace, or of a dialog. */
async function pickFiles(argument: unknown): Promise<readonly Uri[]> {
  if (Array.isArray(argument) && argument.length > 0 && argument.every(one => one instanceof Uri)) return argument;
  if (argument instanceof Uri) {
    const { type } = await workspace.fs.stat(argument);
    if ((type & FileType.Directory) === 0) return [argument];
    const folder = `${argument.path.replace(/\/$/, '')}/`;
    const searchFolder = argument.with({ path: getSearchFolder(argument, folder) });
    const files = await findImportFiles(deploymentSources, searchFolder);
    return files.flatMap(({ uris }) => uris).filter(uri => uri.path.startsWith(folder));
  }
  const dialog: ImportItem = {
    label: l10n.t('$(folder-opened) Choose files…'),
    description: l10n.t('JSON or CSV'),
    alwaysShow: true,
    uris: null,
  };
  const items = findImportItems().then(found => [...found, dialog]);
  const options = { title: title(), placeHolder: l10n.t('Import from'), matchOnDetail: true };
  const { uris } = requireChoice(await window.showQuickPick(items, options));
  if (uris !== null) return uris;
  const filters = { [l10n.t('Addresses')]: ['json', 'jsonc', 'csv', 'tsv'] };
  return requireChoice(await window.showOpenDialog({ title: title(), canSelectMany: true, filters }));
}

function createPreviewItem(planned: PlannedEntry) {
  const { state, entry, before } = planned;
  const changeText = before !== null && before.name !== entry.name ? l10n.t('was {0}', before.name) : l10n.t('changed');
  const details = [entry.folder, formatChains(entry.chains), entry.tags.map(tag => `#${tag}`).join(' ')];
  return {
    label: `$(${state === 'new' ? 'add' : 'edit'}) ${entry.name}`,
    description: toDisplayAddress(entry.address),
    detail: [state === 'new' ? l10n.t('new') : changeText, ...details.filter(text => text !== '')].join(' · '),
    planned,
  };
}

function formatSummary(plan: readonly PlannedEntry[], { rejected, ignored = [] }: ImportResult): string {
  const count = (state: PlannedEntry['state']) => plan.filter(one => one.state === state).length;
  return [
    l10n.t('{0} new', count('new')),
    l10n.t('{0} updated', count('updated')),
    l10n.t('{0} unchanged', count('same')),
    ...(rejected.length === 0 ? [] : [l10n.t('{0} unreadable', rejected.length)]),
    ...(ignored.length === 0 ? [] : [formatIgnored(ignored)]),
  ].join(', ');
}

const formatIgnored = (ignored: readonly string[]): string =>
  l10n.t('not read: {0}', sanitizeText(ignored.slice(0, MAX_SHOWN_FIELDS).join(', '), 200));

interface ImportChoice {
  readonly storage: AddressBookStorage;
  readonly folder: string;
  /** New and changed entries, as they would be saved. */
  readonly changes: readonly PlannedEntry[];
  readonly picked: readonly PlannedEntry[];
  readonly summary: string;
}

function planFor(book: AddressBook, result: ImportResult, storage: AddressBookStorage, folder: string): ImportChoice {
  const existing = book.entries().filter(entry => isSameStorage(entry.storage, storage));
  const plan = planImport({ ...emptyAddressBook, entries: existing }, result.entries);
  const changes = plan.filter(({ state }) => state !== 'same');
  return { storage, folder, changes, picked: changes, summary: formatSummary(plan, result) };
}

async function pickEntries({ changes, picked, summary }: ImportChoice): Promise<readonly PlannedEntry[]> {
  const items = changes.map(planned => ({ ...createPreviewItem(planned), picked: picked.includes(planned) }));
  const chosen = await window.showQuickPick(items, {
    title: `${title()}: ${summary}`,
    placeHolder: l10n.t('Clear the entries that should not be imported'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ planned }) => planned) ?? picked;
}

type ImportField = 'import' | 'entries' | 'storage' | 'folder';

type ImportItemChoice = QuickPickItem & { readonly value: ImportField };

/** Import, where to, and what: any of the entries leads to the list in which they are chosen. */
function createImportItems(
  { storage, folder, changes, picked }: ImportChoice,
  book: AddressBook,
): readonly ImportItemChoice[] {
  const count = picked.length === 1 ? l10n.t('Import 1 address') : l10n.t('Import {0} addresses', picked.length);
  const rows: ImportItemChoice[] = [{ label: `$(check) ${count}`, value: 'import' }];
  if (book.storages().length > 1)
    rows.push({ label: `$(bookmark) ${l10n.t('Stored in')}`, description: getStorageTitle(storage), value: 'storage' });
  if (picked.some(({ state, entry }) => state === 'new' && entry.folder === ''))
    rows.push({ label: `$(folder) ${l10n.t('Folder')}`, description: folder || l10n.t('none'), value: 'folder' });
  const separator = { label: l10n.t('{0} of {1} selected', picked.length, changes.length), value: 'entries' as const };
  const listed = picked.length > 0 ? picked : changes;
  return [
    ...rows,
    { ...separator, kind: QuickPickItemKind.Separator },
    ...listed.slice(0, MAX_PREVIEW).map(planned => ({ ...createPreviewItem(planned), value: 'entries' as const })),
  ];
}

/** One question: Enter imports everything to the personal book; the other rows change that. */
async function promptImport(book: AddressBook, result: ImportResult): Promise<ImportChoice> {
  let choice = planFor(book, result, { kind: 'personal' }, '');
  for (;;) {
    if (choice.changes.length === 0 && book.storages().length === 1) return choice;
    const options = {
      title: `${title()}: ${choice.summary}`,
      placeHolder: l10n.t('Press Enter to import, or select what to change'),
      ignoreFocusOut: true,
    };
    const { value } = requireChoice(await window.showQuickPick(createImportItems(choice, book), options));
    if (value === 'import') return choice;
    try {
      if (value === 'entries') choice = { ...choice, picked: await pickEntries(choice) };
      else if (value === 'folder')
        choice = { ...choice, folder: await promptFolder(l10n.t('Folder for New Addresses'), book, choice.folder) };
      else choice = planFor(book, result, await promptStorage(title(), book, choice.storage), choice.folder);
    } catch (error) {
      // Dismissing the prompt of one row returns to the question.
      if (!isFault(error, 'cancelled')) throw error;
    }
  }
}

export async function importEntries(
  { book, worker, log }: Pick<FeatureDeps, 'book' | 'worker' | 'log'>,
  argument: unknown,
): Promise<ImportSummary> {
  const read = await readDeployedEntries(await pickFiles(argument), worker);
  const { entries, rejected, ignored = [] } = read;
  for (const { location, message } of rejected.slice(0, 100)) log.warn(`Import, ${location}: ${message}`);
  if (ignored.length > 0) log.info(`Import, not read: ${ignored.join(', ')}`);
  const none: ImportSummary = { added: 0, updated: 0, skipped: 0, refused: rejected.length };
  if (entries.length === 0) {
    const [first] = rejected;
    const reason = first === undefined ? '' : ` ${first.location}: ${first.message}`;
    void showWarningMessage(l10n.t('No addresses found.{0}', reason));
    return none;
  }
  const { storage, folder, picked, changes, summary } = await promptImport(book, read);
  if (changes.length === 0) {
    void showInformationMessage(l10n.t('Nothing to import: {0}.', summary));
    return { ...none, skipped: entries.length };
  }
  const imported = picked.map(({ state, entry }) =>
    state === 'new' && entry.folder === '' ? { ...entry, folder } : entry,
  );
  const { undo } = await book.addWithUndo(
    imported,
    storage,
    picked.map(({ before }) => before),
  );
  const added = picked.filter(({ state }) => state === 'new').length;
  const updated = picked.length - added;
  const skipped = planImport(emptyAddressBook, entries).length - picked.length;
  const done = l10n.t('Imported: {0} new, {1} updated, {2} skipped.', added, updated, skipped);
  const unreadable =
    rejected.length === 0 ? '' : ` ${l10n.t('{0} could not be read; see the HexLens output.', rejected.length)}`;
  offerUndo(`${done}${unreadable}${ignored.length === 0 ? '' : ` (${formatIgnored(ignored)})`}`, undo);
  return { added, updated, skipped, refused: rejected.length };
}
