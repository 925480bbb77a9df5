// Entries from outside (files, forms, imports, other versions) judged field by field: kept, put right or refused.

import { parseChainSelector } from '../api/chains.ts';
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
  trustLevels,
} from './entry.ts';
import { normalizeFolder } from './folders.ts';

export const MAX_NAME_LENGTH = 100;
export const MAX_NOTES_LENGTH = 10_000;
export const MAX_TAGS = 32;
export const MAX_TAG_LENGTH = 40;

/** `fatal`: there is no entry without it. Otherwise the entry is kept and `message` says what was done instead. */
export interface EntryIssue extends FieldIssue {
  readonly isFatal: boolean;
}

export interface ValidatedEntry {
  /** `null` when an issue is fatal. */
  readonly entry: Entry | null;
  readonly issues: readonly EntryIssue[];
}

/** Names of Aptos networks, which stand where an EVM entry has chains. */
export const aptosEntryNetworks = ['mainnet', 'testnet', 'devnet', 'local'] as const;

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
] as const satisfies readonly (keyof Entry)[];

type Complain = (field: keyof Entry, message: string, fatal?: 'fatal') => void;

/** Most texts are plain words: they need no look at every character, and a book has tens of thousands of them. */
function clean(text: string, limit: number): string {
  if (text.length <= limit && /^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return sanitizeText(text.normalize('NFC'), limit);
}

/** A value that is not there: left out, or `null` as some writers put it. */
const absent = (value: unknown): value is undefined | null => value === undefined || value === null;

const shown = (value: unknown): string => (typeof value === 'string' ? `"${sanitizeText(value, 40)}"` : typeof value);

function readAddress(value: unknown, kind: unknown, complain: Complain): string | null {
  const text = typeof value === 'string' ? value.trim() : value;
  const canonical = typeof text === 'string' ? normalizeEntryAddress(text) : null;
  if (typeof text !== 'string' || canonical === null) {
    const said = absent(value) || value === '' ? t('address is missing') : t('address is not one: {0}', shown(value));
    complain('address', t('{0}. Write 0x and 40 hex digits (EVM) or up to 64 (Aptos).', said), 'fatal');
    return null;
  }
  if (kind === 'aptos' && !isAptosEntryAddress(canonical)) return `0x${canonical.slice(2).padStart(64, '0')}`;
  return canonical;
}

function readName(value: unknown, complain: Complain): string | null {
  const name = typeof value === 'string' ? clean(value, MAX_NAME_LENGTH) : '';
  if (typeof value !== 'string' || name === '' || name === '·') {
    const said = absent(value) || value === '' ? t('name is missing') : t('name is no text: {0}', shown(value));
    complain('name', t('{0}. Write what the address is called.', said), 'fatal');
    return null;
  }
  if (name !== value && name !== value.normalize('NFC').trim())
    complain(
      'name',
      t('name holds what cannot be read, or more than {0} characters; it is shown changed.', MAX_NAME_LENGTH),
    );
  return name;
}

function readKind(value: unknown, address: string, complain: Complain): EntryKind {
  const aptos = isAptosEntryAddress(address);
  const fallback: EntryKind = aptos ? 'aptos' : 'wallet';
  if (absent(value)) return fallback;
  const kind = entryKinds.find(known => known === value);
  if (kind !== undefined && (kind === 'aptos') === aptos) return kind;
  const choices = aptos ? 'aptos' : entryKinds.filter(known => known !== 'aptos').join(', ');
  complain('kind', t('kind cannot be {0} here: use {1}. {2} is taken.', shown(value), choices, fallback));
  return fallback;
}

/** The canonical selector of a chain, or of an Aptos network when the entry is an Aptos account; `null` when it is none. */
export function parseEntryChain(text: string, aptos: boolean): string | null {
  if (!aptos) return parseChainSelector(text);
  const wanted = text.trim().toLowerCase();
  return aptosEntryNetworks.find(network => network === wanted) ?? null;
}

/** A list of texts; one text alone counts as a list of one. */
function readList(field: 'chains' | 'tags', value: unknown, complain: Complain): readonly string[] {
  if (absent(value)) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter(item => typeof item === 'string');
  if (texts.length < list.length) complain(field, t('{0} must be a list of texts; the rest is left out.', field));
  return texts;
}

function readChains(value: unknown, aptos: boolean, complain: Complain): readonly string[] {
  const chains = new Set<string>();
  for (const text of readList('chains', value, complain)) {
    const chain = parseEntryChain(text, aptos);
    if (chain !== null) chains.add(chain);
    else
      complain(
        'chains',
        aptos
          ? t('chains holds {0}, no network of Aptos: use {1}.', shown(text), aptosEntryNetworks.join(', '))
          : t('chains holds {0}, no chain: use a name such as eth or local, or a hex chain id.', shown(text)),
      );
  }
  return [...chains];
}

function readTags(value: unknown, complain: Complain): readonly string[] {
  const tags = new Map<string, string>();
  for (const text of readList('tags', value, complain)) {
    // Lists of tags are written with either of them, so no tag can hold one.
    for (const part of text.split(/[,;]/)) {
      const tag = clean(part.replace(/^\s*#/, '').trim(), MAX_TAG_LENGTH);
      if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    }
  }
  if (tags.size > MAX_TAGS) complain('tags', t('tags has more than {0}; the rest is left out.', MAX_TAGS));
  return [...tags.values()].slice(0, MAX_TAGS);
}

/** Tags as somebody types them: separated by commas or semicolons, with or without `#`. */
export function parseTags(text: string): readonly string[] {
  return readTags(text, () => {});
}

/** What is wrong with a name that somebody types; `null` when nothing is. */
export function getNameProblem(text: string): string | null {
  let problem: string | null = null;
  readName(text, (_, message) => {
    problem ??= message;
  });
  return problem;
}

/** Notes keep their lines; everything else that cannot be seen goes. */
function readNotes(value: unknown, complain: Complain): string {
  if (absent(value)) return '';
  if (typeof value !== 'string') {
    complain('notes', t('notes must be a text; it is left out.'));
    return '';
  }
  if (value.length > MAX_NOTES_LENGTH)
    complain('notes', t('notes has more than {0} characters; the rest is left out.', '10,000'));
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
  complain: Complain,
): T | null {
  if (absent(value) || value === '') return null;
  const found = choices.find(choice => choice === value);
  if (found === undefined) complain(field, t('{0} must be one of {1}; it is left out.', field, choices.join(', ')));
  return found ?? null;
}

/**
 * Never throws, whatever `value` is. Fields that are not of an entry are passed over, and so is the checksum of the
 * address: `checksums.ts` looks at it.
 */
export function validateEntry(value: unknown): ValidatedEntry {
  const issues: EntryIssue[] = [];
  const complain: Complain = (field, message, fatal) =>
    void issues.push({ field, message, isFatal: fatal === 'fatal' });
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    complain('address', t('An entry must be an object with address and name.'), 'fatal');
    return { entry: null, issues };
  }
  const get = (field: keyof Entry): unknown =>
    Object.hasOwn(value, field) ? (value as Readonly<Record<string, unknown>>)[field] : undefined;
  const address = readAddress(get('address'), get('kind'), complain);
  const name = readName(get('name'), complain);
  const kind = readKind(get('kind'), address ?? `0x${'0'.repeat(40)}`, complain);
  const folder = get('folder');
  if (!absent(folder) && typeof folder !== 'string') complain('folder', t('folder must be a text; it is left out.'));
  const rest = {
    chains: readChains(get('chains'), kind === 'aptos', complain),
    folder: typeof folder === 'string' ? normalizeFolder(folder) : '',
    tags: readTags(get('tags'), complain),
    notes: readNotes(get('notes'), complain),
    color: readChoice<EntryColor>('color', entryColors, get('color'), complain),
    mark: readChoice('mark', trustLevels, get('mark'), complain),
  };
  if (address === null || name === null) return { entry: null, issues: issues.filter(({ isFatal: fatal }) => fatal) };
  return { entry: { address, kind, name, ...rest }, issues };
}

/** An entry that must be right, such as one from a form: throws `bad-input` naming every fatal field. */
export function parseEntry(value: unknown): Entry {
  const { entry, issues } = validateEntry(value);
  if (entry !== null) return entry;
  const fatal = issues.filter(issue => issue.isFatal).map(({ field, message }) => ({ field, message }));
  throw new HexLensError('bad-input', fatal.map(({ message }) => message).join(' '), { issues: fatal });
}
