// `.hexlens/addresses.json` changed: the text with the change made and everything else as somebody wrote it.
import type { Node } from 'jsonc-parser';
import { checksumAddress } from '../base/checksumAddress.ts';
import type { AddressBookChange } from './addressBookState.ts';
import { BOOK_FILE_VERSION, type ParseBookFile, parseBookFile } from './bookFile.ts';
import { type Entry, isAptosEntryAddress, toStoredEntry } from './entry.ts';
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

/** One value on one line, with blanks where people put them. */
function printValue(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map(item => JSON.stringify(item)).join(', ')}]`;
}

/** An entry as it stands in the file: EVM addresses with their checksum, so that a typing error shows. */
function writtenEntry(entry: Entry): readonly (readonly [string, unknown])[] {
  const { address, ...rest } = toStoredEntry(entry);
  return [
    ['address', isAptosEntryAddress(entry.address) ? address : checksumAddress(entry.address)],
    ...Object.entries(rest),
  ];
}

const printProperty = ([name, value]: readonly [string, unknown]) => `${JSON.stringify(name)}: ${printValue(value)}`;

/** One line per entry, so that a merge of two branches meets as few lines as can be; several where the file has several. */
export function formatEntry(
  entry: Entry,
  lines: { readonly indent: string; readonly layout: JsonLayout } | null,
): string {
  const properties = writtenEntry(entry).map(printProperty);
  if (lines === null) return `{ ${properties.join(', ')} }`;
  const { indent, layout } = lines;
  const inner = `${layout.eol}${indent}${layout.indent}`;
  return `{${inner}${properties.join(`,${inner}`)}${layout.eol}${indent}}`;
}

/** The text of one element with the fields of `after` that differ from `before`. */
function editElement(text: string, before: Entry, after: Entry, layout: JsonLayout): string {
  const root = parseJsonTree(text);
  if (root?.type !== 'object') return text;
  const [old, next] = [new Map(writtenEntry(before)), new Map(writtenEntry(after))];
  const removals = new Set<number>();
  const replacements = new Map<number, string>();
  const added: string[] = [];
  const fields = [...new Set([...old.keys(), ...next.keys()])];
  for (const field of fields) {
    const value = next.get(field);
    if (printValue(value) === printValue(old.get(field))) continue;
    const property = findProperty(root, field);
    const at = property === undefined ? -1 : (root.children ?? []).indexOf(property);
    if (value === undefined) {
      if (at >= 0) removals.add(at);
    } else if (at >= 0) replacements.set(at, printProperty([field, value]));
    else added.push(printProperty([field, value]));
  }
  const without = editChildren(text, root, removals, replacements);
  const again = parseJsonTree(without);
  return again === undefined ? without : appendChildren(without, again, added, layout);
}

const valueNode = (text: string, name: string): Node | undefined => {
  const root = parseJsonTree(text);
  return root === undefined ? undefined : findProperty(root, name)?.children?.[1];
};

/** The text with a list of that name in its outermost object. */
function withList(text: string, name: string, layout: JsonLayout): string {
  if (valueNode(text, name)?.type === 'array') return text;
  const root = parseJsonTree(text);
  return root === undefined ? text : appendChildren(text, root, [`${JSON.stringify(name)}: []`], layout);
}

function editFolders(text: string, wanted: readonly string[], layout: JsonLayout): string {
  let result = withList(text, 'folders', layout);
  const list = valueNode(result, 'folders');
  if (list === undefined) return text;
  const there = (list.children ?? []).map(({ value }) => (typeof value === 'string' ? normalizeFolder(value) : null));
  const gone = there.flatMap((folder, at) => (folder !== null && !wanted.includes(folder) ? [at] : []));
  result = editChildren(result, list, new Set(gone), new Map());
  const again = valueNode(result, 'folders');
  const added = wanted.filter(folder => !there.includes(folder)).map(folder => JSON.stringify(folder));
  return again === undefined ? result : appendChildren(result, again, added, layout);
}

const skeleton = ({ eol }: JsonLayout) =>
  `{${eol}  "version": ${BOOK_FILE_VERSION},${eol}  "addresses": []${eol}}${eol}`;

/**
 * The text with `change` made to the shelf that `readBookFile(text)` found. Only for texts that are not locked. Comments,
 * order, indentation and line ends stay; a comment behind an entry on its line goes with the entry.
 */
export function editBookFile(text: string, change: AddressBookChange, read: ParseBookFile = parseBookFile): string {
  const layout = detectJsonLayout(text);
  let result = text;
  if (parseJsonTree(text) === undefined) {
    const lead = text.trim() === '' ? '' : `${text.trimEnd()}${layout.eol}`;
    result = `${lead}${skeleton(layout)}`;
  }
  if (change.updates.size > 0 || change.removals.size > 0) {
    const { state: shelf, positions } = read(result);
    const list = valueNode(result, 'addresses');
    const children = list?.children ?? [];
    const replacements = new Map<number, string>();
    for (const [at, after] of change.updates) {
      const [before, position] = [shelf.entries[at], positions[at]];
      const element = position === undefined ? undefined : children[position];
      if (before === undefined || position === undefined || element === undefined) continue;
      const old = result.slice(element.offset, element.offset + element.length);
      // The element's own lines are indented as part of the file: the first one has lost its blanks.
      const indent = getIndentAt(result, element.offset);
      replacements.set(position, editElement(indent + old, before, after, layout).slice(indent.length));
    }
    const removals = new Set([...change.removals].flatMap(at => positions[at] ?? []));
    if (list !== undefined) result = editChildren(result, list, removals, replacements);
  }
  if (change.additions.length > 0) {
    result = withList(result, 'addresses', layout);
    const list = valueNode(result, 'addresses');
    if (list !== undefined) {
      const last = list.children?.at(-1);
      const several = last !== undefined && /\n/.test(result.slice(last.offset, last.offset + last.length));
      const lines = several ? { indent: getChildIndent(result, list, layout), layout } : null;
      const texts = change.additions.map(entry => formatEntry(entry, lines));
      result = appendChildren(result, list, texts, layout);
    }
  }
  return change.folders === null ? result : editFolders(result, change.folders, layout);
}
