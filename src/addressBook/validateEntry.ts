// Validates entries from files, forms and imports field by field: accepted, corrected or rejected.

import { parseWrittenChain } from '../api/chainNames.ts';
import { sanitizeText } from '../base/displayText.ts';
import { type FieldIssue, HexLensError } from '../base/errors.ts';
import { t } from '../base/localize.ts';
import {
  type Entry,
  type EntryColor,
  type EntryKind,
  entryColors,
  entryKinds,
  isAptosEntryAddress,
  normalizeEntryAddress,
  type StoredEntry,
  trustLevels,
} from './entry.ts';
import { normalizeFolder } from './folders.ts';

/** A hostile file may have a list of a million chains that do not exist. */
const MAX_ISSUES = 50;
const MAX_LIST_LENGTH = 1_000;
export const MAX_NAME_LENGTH = 100;
export const MAX_NOTES_LENGTH = 10_000;
export const MAX_TAGS = 32;
export const MAX_TAG_LENGTH = 40;
export const MAX_LOGO_LENGTH = 2_000;
export const MAX_ABI_PATH_LENGTH = 300;

/** A fatal issue rejects the entry; otherwise `message` says how the field was corrected. */
export interface EntryIssue extends FieldIssue {
  readonly isFatal: boolean;
}

export interface ValidatedEntry {
  /** `null` when an issue is fatal. */
  readonly entry: Entry | null;
  readonly issues: readonly EntryIssue[];
}

/** What the `chains` of an Aptos entry can be. */
export const aptosEntryNetworks = ['mainnet', 'testnet', 'devnet', 'local'] as const;

/** Names of the fields in the stored form. */
export const entryFields = [
  'address',
  'kind',
  'name',
  'chains',
  'folder',
  'tags',
  'notes',
  'color',
  'mark',
  'logo',
  'abi',
] as const satisfies readonly (keyof StoredEntry)[];
export type EntryField = (typeof entryFields)[number];

type Report = (field: EntryField, message: string, fatal?: 'fatal') => void;

/** Plain ASCII words need no cleaning: this check makes reading tens of thousands of entries fast. */
function clean(text: string, limit: number): string {
  if (text.length <= limit && /^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return sanitizeText(text.normalize('NFC'), limit);
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

const describe = (value: unknown): string =>
  typeof value === 'string' ? `"${sanitizeText(value, 40)}"` : typeof value;

function readAddress(value: unknown, kind: unknown, report: Report): string | null {
  const text = typeof value === 'string' ? value.trim() : value;
  const canonical = typeof text === 'string' ? normalizeEntryAddress(text) : null;
  if (typeof text !== 'string' || canonical === null) {
    const problem =
      isAbsent(value) || value === '' ? t('address is missing') : t('address is invalid: {0}', describe(value));
    report('address', t('{0}. Enter 0x and 40 hex digits (EVM) or up to 64 (Aptos).', problem), 'fatal');
    return null;
  }
  if (kind === 'aptos' && !isAptosEntryAddress(canonical)) return `0x${canonical.slice(2).padStart(64, '0')}`;
  return canonical;
}

function readName(value: unknown, report: Report): string | null {
  const name = typeof value === 'string' ? clean(value, MAX_NAME_LENGTH) : '';
  if (typeof value !== 'string' || name === '' || name === '·') {
    const problem = isAbsent(value) || value === '' ? t('name is missing') : t('name is invalid: {0}', describe(value));
    report('name', t('{0}. Enter a name for the address.', problem), 'fatal');
    return null;
  }
  if (name !== value && name !== value.normalize('NFC').trim())
    report('name', t('name has invisible characters or more than {0} characters; it was changed.', MAX_NAME_LENGTH));
  return name;
}

function readKind(value: unknown, address: string, report: Report): EntryKind {
  const isAptos = isAptosEntryAddress(address);
  const fallback: EntryKind = isAptos ? 'aptos' : 'wallet';
  if (isAbsent(value)) return fallback;
  const kind = entryKinds.find(one => one === value);
  if (kind !== undefined && (kind === 'aptos') === isAptos) return kind;
  const choices = isAptos ? 'aptos' : entryKinds.filter(one => one !== 'aptos').join(', ');
  report('kind', t('kind cannot be {0} here: use {1}. Until then it is {2}.', describe(value), choices, fallback));
  return fallback;
}

/** The canonical selector of a chain, or of an Aptos network if the entry is an Aptos account; `null` if it is neither. */
function parseEntryChain(text: string, isAptos: boolean): string | null {
  if (!isAptos) return parseWrittenChain(text);
  const wanted = text.trim().toLowerCase();
  return aptosEntryNetworks.find(network => network === wanted) ?? null;
}

/** The chains of an entry after these were selected in a list; its unknown ones are preserved, as in a file. */
export const toEntryChains = ({ kind, chains }: Entry, selected: readonly string[]): readonly string[] =>
  selected.flatMap(chain => (chains.includes(chain) ? [chain] : (parseEntryChain(chain, kind === 'aptos') ?? [])));

/** A list of strings; a single string counts as a list of one. */
function readStrings(value: unknown, report: Report): readonly string[] {
  if (isAbsent(value)) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH) : [value];
  const texts = list.filter(item => typeof item === 'string');
  if (texts.length < list.length) report('tags', t('{0} must be a list of strings; other values are ignored.', 'tags'));
  return texts;
}

/** Characters of an unknown chain. */
const MAX_CHAIN_LENGTH = 60;

/** An unknown name is preserved as it is written: it matches no chain, so that a typing mistake never widens an entry to all chains. */
function readChains(value: unknown, isAptos: boolean, report: Report): readonly string[] {
  if (isAbsent(value)) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH) : [value];
  return [
    ...new Set(
      list.map(item => {
        const text = typeof item === 'string' || typeof item === 'number' ? String(item) : null;
        const chain = text === null ? null : parseEntryChain(text, isAptos);
        if (chain !== null) return chain;
        const shown = typeof item === 'number' ? String(item) : describe(item);
        report(
          'chains',
          isAptos
            ? t(
                'chains has {0}, which is no Aptos network, so the entry holds on none for it: write {1}, or remove it.',
                shown,
                aptosEntryNetworks.join(', '),
              )
            : t(
                'chains has {0}, which is no known chain, so the entry holds on none for it: write a name such as eth, base or local, or a chain ID such as 8453 or 0x2105.',
                shown,
              ),
        );
        const written = clean(text ?? '', MAX_CHAIN_LENGTH);
        return written === '' || (written !== text && parseEntryChain(written, isAptos) !== null) ? '?' : written;
      }),
    ),
  ];
}

function readTags(value: unknown, report: Report): readonly string[] {
  const tags = new Map<string, string>();
  for (const text of readStrings(value, report)) {
    // Both separate tags in files and forms, so no tag can contain one; U+037E is a semicolon too.
    for (const part of text.normalize('NFC').split(/[,;]/)) {
      const tag = clean(part.replace(/^\s*#/, '').trim(), MAX_TAG_LENGTH);
      if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    }
  }
  if (tags.size > MAX_TAGS) report('tags', t('tags has more than {0}; the rest is ignored.', MAX_TAGS));
  return [...tags.values()].slice(0, MAX_TAGS);
}

/** Tags as a user types them: separated by commas or semicolons, with or without `#`. */
export function parseTags(text: string): readonly string[] {
  return readTags(text, () => {});
}

/** Error message for a name that a user types; `null` if it is valid. */
export function getNameProblem(text: string): string | null {
  let problem: string | null = null;
  readName(text, (_, message) => {
    problem ??= message;
  });
  return problem;
}

/** Line breaks are preserved; other invisible characters are removed. */
function readNotes(value: unknown, report: Report): string {
  if (isAbsent(value)) return '';
  if (typeof value !== 'string') {
    report('notes', t('notes must be a string; it is ignored.'));
    return '';
  }
  if (value.length > MAX_NOTES_LENGTH)
    report('notes', t('notes has more than {0} characters; the rest is ignored.', '10,000'));
  return value
    .slice(0, MAX_NOTES_LENGTH)
    .split(/\r\n|\r|\n/)
    .map(line => clean(line, MAX_NOTES_LENGTH))
    .join('\n')
    .trim();
}

function readChoice<const T extends string>(
  field: 'color' | 'mark',
  choices: readonly T[],
  value: unknown,
  report: Report,
): T | null {
  if (isAbsent(value) || value === '') return null;
  const match = choices.find(choice => choice === value);
  if (match === undefined) report(field, t('{0} must be one of {1}; it is ignored.', field, choices.join(', ')));
  return match ?? null;
}

/** Any other scheme (`javascript:`) could do harm where a program shows the image. */
function readLogo(value: unknown, report: Report): string | undefined {
  if (isAbsent(value) || value === '') return undefined;
  const url = typeof value === 'string' && value.length <= MAX_LOGO_LENGTH ? URL.parse(value) : null;
  if (url?.protocol === 'https:' && url.username === '') return url.href;
  report('logo', t('logo must be an https address; it is ignored.'));
  return undefined;
}

/** A JSON file below the folder of the address book. A path that leads out of it would let a file of others read yours. */
export const ABI_PATH_PATTERN = '^(?!.*(?:^|/)\\.{0,2}(?:/|$))[^\\\\:*?"<>|\\u0000-\\u001f\\u007f]+\\.json$';
const ABI_PATH = new RegExp(ABI_PATH_PATTERN, 'u');

/** Message for an ABI path that a user types; `null` if it is valid. */
export const getAbiPathProblem = (text: string): string | null =>
  text.length <= MAX_ABI_PATH_LENGTH && ABI_PATH.test(text)
    ? null
    : t('abi must be the path of a JSON file below this folder, such as abis/Vault.json; it is ignored.');

function readAbiPath(value: unknown, isAptos: boolean, report: Report): string | undefined {
  if (isAbsent(value) || value === '') return undefined;
  if (isAptos) {
    report('abi', t('abi is of EVM contracts; it is ignored: remove it.'));
    return undefined;
  }
  const problem = typeof value === 'string' ? getAbiPathProblem(value) : getAbiPathProblem('');
  if (problem === null) return value as string; // a string: it has no problem
  report('abi', problem);
  return undefined;
}

/**
 * Validates an entry in its stored form, or an `Entry` itself. Never throws. Unknown fields are ignored, and so is the
 * checksum of the address, which `bookFile.ts` verifies.
 */
export function validateEntry(value: unknown): ValidatedEntry {
  const issues: EntryIssue[] = [];
  const report: Report = (field, message, fatal) => {
    if (issues.length < MAX_ISSUES || fatal === 'fatal') issues.push({ field, message, isFatal: fatal === 'fatal' });
  };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    report('address', t('An entry must be an object with address and name.'), 'fatal');
    return { entry: null, issues };
  }
  const get = (field: EntryField | 'trust'): unknown =>
    Object.hasOwn(value, field) ? (value as Readonly<Record<string, unknown>>)[field] : undefined;
  const address = readAddress(get('address'), get('kind'), report);
  const name = readName(get('name'), report);
  const kind = readKind(get('kind'), address ?? `0x${'0'.repeat(40)}`, report);
  const folder = get('folder');
  if (!isAbsent(folder) && typeof folder !== 'string') report('folder', t('folder must be a string; it is ignored.'));
  const rest = {
    chains: readChains(get('chains'), kind === 'aptos', report),
    folder: typeof folder === 'string' ? normalizeFolder(folder) : '',
    tags: readTags(get('tags'), report),
    notes: readNotes(get('notes'), report),
    color: readChoice<EntryColor>('color', entryColors, get('color'), report),
    trust: readChoice('mark', trustLevels, get('mark') ?? get('trust'), report),
  };
  const logo = readLogo(get('logo'), report);
  const abi = readAbiPath(get('abi'), kind === 'aptos', report);
  if (address === null || name === null) return { entry: null, issues: issues.filter(({ isFatal }) => isFatal) };
  const optional = { ...(logo !== undefined && { logo }), ...(abi !== undefined && { abi }) };
  return { entry: { address, kind, name, ...rest, ...optional }, issues };
}

/** Like `validateEntry`, but throws `bad-input` with all fatal issues. */
export function parseEntry(value: unknown): Entry {
  const { entry, issues } = validateEntry(value);
  if (entry !== null) return entry;
  const fatal = issues.filter(issue => issue.isFatal).map(({ field, message }) => ({ field, message }));
  throw new HexLensError('bad-input', fatal.map(({ message }) => message).join(' '), { issues: fatal });
}
