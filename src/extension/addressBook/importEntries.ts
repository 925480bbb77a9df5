// Import with a preview: where from, where to, what is new, what changes; nothing is saved that was not chosen.
import { FileType, l10n, type QuickPickItem, RelativePattern, Uri, window, workspace } from 'vscode';
import { emptyAddressBook } from '../../addressBook/addressBookState.ts';
import { isSameStorage } from '../../addressBook/entryIds.ts';
import { detectImportSource, importFile, importPatterns, isImportCandidate } from '../../addressBook/importFile.ts';
import { type PlannedEntry, planImport } from '../../addressBook/importPlan.ts';
import { type ImportResult, joinImportResults } from '../../addressBook/importResult.ts';
import type { Log } from '../../base/log.ts';
import type { AddressBook } from './addressBook.ts';
import { formatEntryAddress, promptFolder, promptStorage, requireChoice } from './entryForm.ts';
import { offerUndo } from './offerUndo.ts';

export interface ImportSummary {
  readonly added: number;
  readonly updated: number;
  /** There already as they are, or not chosen. */
  readonly skipped: number;
  readonly refused: number;
}

/** Runs of one project: more than these are not looked for. */
const MAX_FILES = 500;
const MAX_BYTES = 64_000_000;

const title = () => l10n.t('Import Addresses');

const sourceTitles = () => ({
  foundry: l10n.t('Foundry broadcasts'),
  ignition: l10n.t('Hardhat Ignition deployments'),
  'hardhat-deploy': l10n.t('hardhat-deploy deployments'),
});

async function readText(uri: Uri): Promise<string> {
  const { size } = await workspace.fs.stat(uri);
  if (size > MAX_BYTES) throw new Error(l10n.t('The file is too large.'));
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}

/** Reads every file; one that cannot be read does not keep the others back. */
async function readAll(uris: readonly Uri[]): Promise<ImportResult> {
  const parts: ImportResult[] = [];
  for (const uri of uris) {
    try {
      const text = await readText(uri);
      const beside = (name: string) => readText(Uri.joinPath(uri, '..', name)).catch(() => null);
      parts.push(await importFile({ path: uri.path, text, readSibling: beside }));
    } catch (error) {
      parts.push({ entries: [], rejected: [{ location: uri.path, message: String(error) }] });
    }
  }
  return joinImportResults(parts);
}

type Found = Readonly<Record<keyof typeof importPatterns, readonly Uri[]>>;

async function found(folder?: Uri): Promise<Found> {
  const search = async (source: keyof typeof importPatterns) => {
    const pattern = importPatterns[source];
    const include = folder === undefined ? pattern : new RelativePattern(folder, pattern);
    const uris = await workspace.findFiles(include, '**/node_modules/**', MAX_FILES);
    return uris.filter(({ path }) => detectImportSource(path) === source && isImportCandidate(path));
  };
  const [foundry, ignition, hardhatDeploy] = await Promise.all([
    search('foundry'),
    search('ignition'),
    search('hardhat-deploy'),
  ]);
  return { foundry, ignition, 'hardhat-deploy': hardhatDeploy };
}

/**
 * The folder that `broadcast` or `deployments` stands in, for either of them and for folders below: their names are part
 * of what is looked for. Never outside the workspace.
 */
function whereItBegins(uri: Uri, folder: string): string {
  const { length } = workspace.getWorkspaceFolder(uri)?.uri.path ?? '';
  const below = folder.slice(length).replace(/^(.*\/)(?:broadcast|deployments)\/.*$/, '$1');
  return folder.slice(0, length) + below.replace(/\/ignition\/$/, '/');
}

/** Files of the command's argument (a file or folder of the explorer), of the workspace, or of a dialog. */
async function filesToRead(argument: unknown): Promise<readonly Uri[]> {
  if (argument instanceof Uri) {
    const { type } = await workspace.fs.stat(argument);
    if ((type & FileType.Directory) === 0) return [argument];
    const folder = `${argument.path.replace(/\/$/, '')}/`;
    const all = Object.values(await found(argument.with({ path: whereItBegins(argument, folder) }))).flat();
    return all.filter(uri => uri.path.startsWith(folder));
  }
  const here = await found();
  const titles = sourceTitles();
  const items: (QuickPickItem & { readonly uris: readonly Uri[] | null })[] = [];
  for (const source of ['foundry', 'ignition', 'hardhat-deploy'] as const) {
    const uris = here[source];
    if (uris.length === 0) continue;
    const detail = uris
      .slice(0, 3)
      .map(uri => workspace.asRelativePath(uri))
      .join(', ');
    items.push({ label: `$(package) ${titles[source]}`, description: l10n.t('{0} files', uris.length), detail, uris });
  }
  items.push({ label: l10n.t('$(folder-opened) Choose files…'), description: l10n.t('JSON or CSV'), uris: null });
  const { uris } = requireChoice(
    items.length === 1
      ? items[0]
      : await window.showQuickPick(items, { title: title(), placeHolder: l10n.t('Where from') }),
  );
  if (uris !== null) return uris;
  const filters = { [l10n.t('Addresses')]: ['json', 'jsonc', 'csv', 'tsv'] };
  return requireChoice(await window.showOpenDialog({ title: title(), canSelectMany: true, filters }));
}

function previewItem(planned: PlannedEntry): QuickPickItem & { readonly planned: PlannedEntry } {
  const { state, entry, before } = planned;
  const was = before !== null && before.name !== entry.name ? l10n.t('was {0}', before.name) : l10n.t('changed');
  const where = [entry.folder, entry.chains.join(', '), entry.tags.map(tag => `#${tag}`).join(' ')];
  return {
    label: `$(${state === 'new' ? 'add' : 'edit'}) ${entry.name}`,
    description: formatEntryAddress(entry.address),
    detail: [state === 'new' ? l10n.t('new') : was, ...where.filter(text => text !== '')].join(' · '),
    picked: true,
    planned,
  };
}

function summary(plan: readonly PlannedEntry[], refused: number): string {
  const count = (state: PlannedEntry['state']) => plan.filter(one => one.state === state).length;
  return [
    l10n.t('{0} new', count('new')),
    l10n.t('{0} updated', count('updated')),
    l10n.t('{0} there already', count('same')),
    ...(refused === 0 ? [] : [l10n.t('{0} not readable', refused)]),
  ].join(', ');
}

export async function importEntries(book: AddressBook, log: Log, argument: unknown): Promise<ImportSummary> {
  const { entries, rejected: refused } = await readAll(await filesToRead(argument));
  for (const { location: where, message } of refused.slice(0, 100)) log.warn(`Import, ${where}: ${message}`);
  const none: ImportSummary = { added: 0, updated: 0, skipped: 0, refused: refused.length };
  if (entries.length === 0) {
    const [first] = refused;
    const why = first === undefined ? '' : ` ${first.location}: ${first.message}`;
    void window.showWarningMessage(l10n.t('HexLens found no addresses there.{0}', why));
    return none;
  }
  const place = await promptStorage(title(), book, { kind: 'personal' });
  const there = book.entries().filter(entry => isSameStorage(entry.storage, place));
  const plan = planImport({ ...emptyAddressBook, entries: there }, entries);
  const changes = plan.filter(({ state }) => state !== 'same');
  const said = summary(plan, refused.length);
  if (changes.length === 0) {
    void window.showInformationMessage(l10n.t('Nothing to import: {0}.', said));
    return { ...none, skipped: plan.length };
  }
  const picked = requireChoice(
    await window.showQuickPick(changes.map(previewItem), {
      title: `${title()}: ${said}`,
      placeHolder: l10n.t('Untick what should not be imported'),
      canPickMany: true,
      matchOnDescription: true,
      ignoreFocusOut: true,
    }),
  ).map(({ planned }) => planned);
  const bare = picked.some(({ state, entry }) => state === 'new' && entry.folder === '');
  const folder = bare ? await promptFolder(l10n.t('Folder for New Addresses'), book, '') : '';
  const saved = picked.map(({ state, entry }) =>
    state === 'new' && entry.folder === '' ? { ...entry, folder } : entry,
  );
  const { undo } = await book.addWithUndo(saved, place);
  const added = picked.filter(({ state }) => state === 'new').length;
  const result = {
    added,
    updated: picked.length - added,
    skipped: plan.length - picked.length,
    refused: refused.length,
  };
  const done = l10n.t('Imported: {0} new, {1} updated, {2} skipped.', result.added, result.updated, result.skipped);
  const rest =
    refused.length === 0 ? '' : ` ${l10n.t('{0} could not be read; the HexLens output says why.', refused.length)}`;
  offerUndo(`${done}${rest}`, undo);
  return result;
}
