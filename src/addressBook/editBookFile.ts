// Edits `.hexlens/addresses.json` so that everything except the change stays as the user wrote it.

import type { Node } from 'jsonc-parser';
import { toDisplayAddress } from '../base/displayAddress.ts';
import type { AddressBookChange } from './addressBookState.ts';
import { BOOK_FILE_VERSION, type ParseBookFile, parseBookFile } from './bookFile.ts';
import { type Entry, toStoredEntry } from './entry.ts';
import { normalizeFolder } from './folders.ts';
import {
  appendChildren,
  detectJsonLayout,
  editChildren,
  findProperty,
  getChildIndent,
  getIndentAt,
  type JsonLayout,
  parseJsonTree,
} from './jsonEdits.ts';

/** A value on one line, with a blank after each comma. */
function formatValue(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map(item => JSON.stringify(item)).join(', ')}]`;
}

/** Properties of an entry in the file: EVM addresses have their checksum, so that typos are detected. */
function toProperties(entry: Entry): readonly (readonly [string, unknown])[] {
  const { address, ...rest } = toStoredEntry(entry);
  return [['address', toDisplayAddress(entry.address)], ...Object.entries(rest)];
}

const formatProperty = ([name, value]: readonly [string, unknown]) => `${JSON.stringify(name)}: ${formatValue(value)}`;

/** One line per entry, so that merges of two branches conflict rarely; several lines if the file uses several. */
function formatEntry(entry: Entry, multiline: { readonly indent: string; readonly layout: JsonLayout } | null): string {
  const properties = toProperties(entry).map(formatProperty);
  if (multiline === null) return `{ ${properties.join(', ')} }`;
  const { indent, layout } = multiline;
  const inner = `${layout.eol}${indent}${layout.indent}`;
  return `{${inner}${properties.join(`,${inner}`)}${layout.eol}${indent}}`;
}

/** The names that a field may have in a file. */
const getNames = (field: string): readonly string[] => (field === 'mark' ? ['mark', 'trust'] : [field]);

/** The text of one element with the changed fields from `before` to `after`. */
function editElement(text: string, before: Entry, after: Entry, layout: JsonLayout): string {
  const root = parseJsonTree(text);
  if (root?.type !== 'object') return text;
  const [old, next] = [new Map(toProperties(before)), new Map(toProperties(after))];
  const removals = new Set<number>();
  const replacements = new Map<number, string>();
  const added: string[] = [];
  const fields = [...new Set([...old.keys(), ...next.keys()])];
  for (const field of fields) {
    const value = next.get(field);
    if (formatValue(value) === formatValue(old.get(field))) continue;
    const properties = getNames(field).flatMap(name => findProperty(root, name) ?? []);
    const [first, ...others] = properties.map(property => (root.children ?? []).indexOf(property));
    if (value === undefined) {
      if (first !== undefined) removals.add(first);
    } else if (first !== undefined) replacements.set(first, formatProperty([field, value]));
    else added.push(formatProperty([field, value]));
    for (const other of others) removals.add(other);
  }
  const without = editChildren(text, root, removals, replacements);
  const edited = parseJsonTree(without);
  return edited === undefined ? without : appendChildren(without, edited, added, layout);
}

const valueNode = (text: string, name: string): Node | undefined => {
  const root = parseJsonTree(text);
  return root === undefined ? undefined : findProperty(root, name)?.children?.[1];
};

/** Adds an empty list of that name to the root object if there is none. */
function ensureList(text: string, name: string, layout: JsonLayout): string {
  if (valueNode(text, name)?.type === 'array') return text;
  const root = parseJsonTree(text);
  return root === undefined ? text : appendChildren(text, root, [`${JSON.stringify(name)}: []`], layout);
}

function editFolders(text: string, wanted: readonly string[], layout: JsonLayout): string {
  let result = ensureList(text, 'folders', layout);
  const list = valueNode(result, 'folders');
  if (list === undefined) return text;
  const existing = (list.children ?? []).map(({ value }) =>
    typeof value === 'string' ? normalizeFolder(value) : null,
  );
  const removed = existing.flatMap((folder, at) => (folder !== null && !wanted.includes(folder) ? [at] : []));
  result = editChildren(result, list, new Set(removed), new Map());
  const edited = valueNode(result, 'folders');
  const added = wanted.filter(folder => !existing.includes(folder)).map(folder => JSON.stringify(folder));
  return edited === undefined ? result : appendChildren(result, edited, added, layout);
}

const skeleton = ({ eol }: JsonLayout) =>
  `{${eol}  "version": ${BOOK_FILE_VERSION},${eol}  "addresses": []${eol}}${eol}`;

/**
 * Applies `change` to the text. Comments, order, indentation and line ends are preserved; a comment after an entry on its
 * line is removed with the entry. Call it only if `parseBookFile(text).readOnlyReason` is `null`.
 */
export function editBookFile(text: string, change: AddressBookChange, parse: ParseBookFile = parseBookFile): string {
  const layout = detectJsonLayout(text);
  let result = text;
  if (parseJsonTree(text) === undefined) {
    const lead = text.trim() === '' ? '' : `${text.trimEnd()}${layout.eol}`;
    result = `${lead}${skeleton(layout)}`;
  }
  if (change.updates.size > 0 || change.removals.size > 0) {
    const { state, positions } = parse(result);
    const list = valueNode(result, 'addresses');
    const children = list?.children ?? [];
    const replacements = new Map<number, string>();
    for (const [at, after] of change.updates) {
      const [before, position] = [state.entries[at], positions[at]];
      const element = position === undefined ? undefined : children[position];
      if (before === undefined || position === undefined || element === undefined) continue;
      const old = result.slice(element.offset, element.offset + element.length);
      // The element's first line lost its indentation: editElement needs it to match the other lines.
      const indent = getIndentAt(result, element.offset);
      replacements.set(position, editElement(indent + old, before, after, layout).slice(indent.length));
    }
    const removals = new Set([...change.removals].flatMap(at => positions[at] ?? []));
    if (list !== undefined) result = editChildren(result, list, removals, replacements);
  }
  if (change.additions.length > 0) {
    result = ensureList(result, 'addresses', layout);
    const list = valueNode(result, 'addresses');
    if (list !== undefined) {
      const last = list.children?.at(-1);
      const isMultiline = last !== undefined && /\n/.test(result.slice(last.offset, last.offset + last.length));
      const multiline = isMultiline ? { indent: getChildIndent(result, list, layout), layout } : null;
      const texts = change.additions.map(entry => formatEntry(entry, multiline));
      result = appendChildren(result, list, texts, layout);
    }
  }
  return change.folders === null ? result : editFolders(result, change.folders, layout);
}
