// Finds the names of what a literal is inside: objects, blocks of YAML and HCL, sections of TOML, elements of XML.
import { findLogTagEnd } from './labels.ts';
import { findGroupStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import { splitWords } from './splitWords.ts';

const REACH = 2_000;
const MAX_DEPTH = 8;

/** The words of each name, innermost first. Bodies of functions and classes are no containers. */
export function findContainers(text: string, start: number): readonly (readonly string[])[] {
  const before = withoutLogTags(text.slice(Math.max(0, start - REACH), start));
  return [
    ...findBrackets(before, before.length),
    ...findBlocks(before),
    ...findElements(before, text, start),
    findSection(before),
    findPathBefore(before),
    findManifestKind(text, start),
  ]
    .map(name => splitWords(name))
    .filter(words => words.length > 0)
    .map(words => (words.join(' ') === 'string data' ? ['secret'] : words)); // `stringData:` of Kubernetes
}

/** `relayer` of `relayer.txHash = ` and `kv put relayer/txHash ` */
function findPathBefore(before: string): string {
  const line = before.slice(-MAX_PATH_LENGTH);
  const own = line.slice(line.lastIndexOf('\n') + 1);
  return own.includes('.') || own.includes('/') ? (PATH.exec(line)?.[1] ?? KEY_PATH.exec(line)?.[1] ?? '') : '';
}
const MAX_PATH_LENGTH = 120;
const KEY_PATH = /(?<![\w.:/])\/?([A-Za-z][\w-]{0,40}(?:\/[\w-]{1,40}){0,3})\/[\w-]{1,40}["']?[\s=]\s{0,4}["'`]?$/;
const PATH =
  /(?<![\w.$])([A-Za-z_$][\w$]{0,60}(?:\.[\w$-]{1,60}){0,3})\.[\w-]{1,60}["']?\s{0,4}[:=]{1,2}\s{0,4}["'`]?$/;

/** Lines that a process printed, without its name in front of them. */
function withoutLogTags(text: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const tag = last.slice(0, findPrefixEnd(last));
  if (tag === '') return text;
  const lines = text.split('\n');
  return lines
    .map(line => (line.startsWith(tag) ? line.slice(tag.length) : line.slice(findPrefixEnd(line))))
    .join('\n');
}

/** `2024-05-01T10:00:00Z INFO ` and what is before it, such as `12:00:01 PM [node] `. */
const TIME =
  /^[^"'`=\n]{0,60}?(?<!\d)(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d[\d:.,Z+-]{0,25}\s(?:[AP]M\s)?(?:(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\s)?/;

/** `: 1712001109:0;` of the history of zsh. */
const HISTORY = /^: \d{9,10}:\d{1,6};/;

/** Where the name of the process and the time end that are before what it printed, or was typed. */
export function findPrefixEnd(line: string): number {
  const history = HISTORY.exec(line)?.[0].length;
  if (history !== undefined) return history;
  let end = findLogTagEnd(line);
  if (!/:\d\d/.test(line)) return end;
  for (let times = 0; times < 2; times++) end += TIME.exec(line.slice(end))?.[0].length ?? 0;
  return end + findLogTagEnd(line.slice(end));
}

const CODE_BLOCK = /[()]|=>|\b(?:class|contract|library|interface|impl|do|else|try|for|while|if|switch|match)\b/;

/** `var wallets = []struct{ tx string }{`, `keys := map[string]string{` */
const COMPOSITE = /^([^=]{1,200})=\s?&?(?:map)?\[[^=]{0,200}$/;

/** `const wallets: Record<string, { txHash: Hex }> = {` */
const TYPED = /\b(?:const|let|var|val)\s([\w$]{1,60})\s?:[^=]{1,200}=\s?$/;

/** `"signers": {`, `const keys = [`, `resource "vault_secret" "tx" {`. */
function findBrackets(text: string, start: number): readonly string[] {
  const names: string[] = [];
  let at = start;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    at = findOpenerBefore(text, at, REACH);
    if (at < 0) break;
    const line = text.slice(findLineStart(text, at, 0), at);
    let from = line.length;
    while (from > 0 && !',;[]{}'.includes(line.charAt(from - 1))) from--;
    const header =
      COMPOSITE.exec(line)?.[1] ?? TYPED.exec(line)?.[1] ?? line.slice(from, line.endsWith('(') ? -1 : undefined);
    // `New(relayer.Config{`
    const type = text[at] === '{' ? (/\((\w[\w.]{1,60})$/.exec(header)?.[1] ?? '') : '';
    if (type !== '') names.push(type);
    else if ((text[at] !== '(' || /\bdict$/.test(header)) && !CODE_BLOCK.test(header)) names.push(header);
  }
  return names;
}

/** Characters before a literal that are read for the fields next to it. */
const FIELDS_REACH = 600;

/** The words of the fields above a field of JSON, in its object and in those around it: `{"name": "sign tx", "body": {"tx": `. */
export function findFieldsAbove(text: string, start: number): readonly string[] {
  if (!/"\s?:\s?\\?"$/.test(text.slice(Math.max(0, start - 8), start))) return [];
  const parts: string[] = [];
  let [at, end] = [start, start];
  for (let depth = 0; at > 0 && start - at < FIELDS_REACH && depth < MAX_DEPTH; at--) {
    const char = text.charAt(at - 1);
    if (!'()[]{}'.includes(char)) continue;
    parts.push(text.slice(at, end));
    if ('([{'.includes(char)) depth++;
    else at = findGroupStart(text, at, FIELDS_REACH) + 1;
    if (at === 0) break;
    end = at - 1;
  }
  return splitWords(parts.join(' '));
}

/** With marks of lists and comments. */
function getIndent(line: string): number {
  let at = 0;
  while (at < line.length && INDENT.test(line.charAt(at))) at++;
  return at;
}
const INDENT = /[\s#*/-]/;

/** `keys:` above lines that are further indented. */
function findBlocks(before: string): readonly string[] {
  const names: string[] = [];
  let start = before.lastIndexOf('\n') + 1;
  let indent = getIndent(before.slice(start));
  while (indent > 0 && start > 0 && names.length < MAX_DEPTH) {
    const end = start - 1;
    start = end === 0 ? 0 : before.lastIndexOf('\n', end - 1) + 1;
    const line = before.slice(start, end);
    const lineIndent = getIndent(line);
    if (lineIndent >= indent || line.trim() === '') continue;
    indent = lineIndent;
    const name = /^["']?([\w.-]{1,80})["']?:(?:\s[&!][\w-]{1,40}){0,2}$/.exec(line.slice(indent).trimEnd())?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** `secret` in a manifest of Kubernetes of that kind, which `kubectl get` prints behind the data. */
function findManifestKind(text: string, start: number): string {
  const around = text.slice(Math.max(0, start - REACH), start + REACH);
  if (!around.includes('Secret')) return '';
  const at = Math.min(start, REACH);
  const end = around.indexOf('\n---', at);
  const manifest = around.slice(around.lastIndexOf('\n---', at) + 1, end < 0 ? undefined : end);
  return SECRET_MANIFEST.test(manifest) ? 'secret' : '';
}

const SECRET_MANIFEST = /(?:^|[{,])\s{0,40}["']?kind["']?:\s{0,8}["']?(?:Sealed)?Secret\b/m;

/** `<signers><tx>`: the elements that are still open, unlike `<api_key>` in place of a value. */
function findElements(before: string, text: string, start: number): readonly string[] {
  if (!before.includes('<')) return [];
  const open: string[] = [];
  const isElement = (name: string, at: number) =>
    before.slice(findLineStart(before, at, 0), at).trim() === '' || text.includes(`</${name}`, start);
  for (const { 1: closing, 2: name = '', 3: end, index } of before.matchAll(
    /<(\/?)(?![A-Z_]{3,40}>)([A-Za-z][\w:.-]{0,60})(?:\s(?![^<>=]{0,300}['"(])[^<>]{0,300})?(\/?)>(?!`)/g,
  )) {
    if (closing === '/') open.splice(Math.max(0, open.lastIndexOf(name)));
    else if (end !== '/' && isElement(name, index)) open.push(name);
  }
  return open.slice(-MAX_DEPTH).reverse();
}

/** `[wallets.tx]` above `name = value` and `host name=value`. */
function findSection(before: string): string {
  if (!before.includes('[')) return '';
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!/^[\s#*/-]{0,40}["']?[\w.-]{1,80}["']?(?:\s[\w.-]{1,60})?\s*[=:]/.test(line)) return '';
  return [...before.matchAll(/^[ \t#*/-]{0,40}\[\[?([^[\]\n]{1,80})\]\]?[ \t]*$/gm)].at(-1)?.[1] ?? '';
}
