// A bare `tx` or `block` also names programs, sections and accounts: tells where it may not mean the hash next to it.
import { findTypeName } from './containers.ts';
import { type HashHint, isHashName, isLookupName, isLookupVerb, isPlainHash } from './hintWords.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, mentionsAccount } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Files of settings, commands and modules, where a bare word names a section, a variable, a program or a number. */
const CONFIGURATION =
  /\.(?:ya?ml|toml|ini|cfg|conf|config|properties|env|service|tf|tfvars|hcl|nix|xml|plist|move|sh|bash|zsh|fish|ps1|bat|cmd)$|(?:^|[\\/])(?:\.env[\w.-]*|dockerfile|containerfile|procfile[\w.]*|makefile|justfile|package\.json|launch\.json|tasks\.json|[\w.]*history)$/i;
/** `TX=`, `"TX": `, `${tx:`, `x['tx'] = `, `{Tx:`, and `tx=` alone on its line. */
const VARIABLE =
  /(?:(?<![\w.])[A-Z][A-Z0-9_]*(?:["']?:\s{0,40}|=|"\s=\s)|\$\{[\w.]{1,60}:|\benv:\w{1,60}\s?=\s?|(?:^(?:[^A-Za-z-]|-\s){0,60}|\+\s)(?:export )?[A-Za-z][\w.-]{0,60}=|["']\]\s?=\s?|[{\s][A-Z]\w{0,60}:|[-=]>\s?|→\s?)["']?$/;
const LOWER_CASE = /(?<![\w.-])[a-z][\w.-]{0,60}=["']?$/;
/** A prompt, a program or a path at the start, or an option before the literal. */
const COMMAND =
  /^[\s#*/>`"'-]{0,40}(?:[$+%]\s|\.{0,2}\/\w|(?:sudo|npx|npm|pnpm|yarn|bun|bunx|node|deno|tsx|python\d?|pip|ruby|go|cargo|make|just|docker|kubectl|sh|bash|env|exec)\s)|(?:^|\s)--?[\w-]+(?:\s|$)|\/\w+\s$|\b(?:system|popen|shell|run|exec(?:Sync)?|spawn(?:Sync)?)\(["'`]/;

/** Settings: `config.tx`, `options["tx"]`, `os.environ["TX"]`. */
const SETTINGS = wordSet(
  'env environ environment environments config configuration cfg conf options opts settings facts storage',
);
/** `@tx = 0x…`, `config :relay, tx: 0x…`, `setenv(TX = "0x…"`, `<input data-tx="0x…"`. */
const SETTING =
  /^[\s#+*/-]{0,40}(?:@\w{1,60}\s{0,4}=?\s{0,4}|config\s[^\n]{1,200})["']?$|env\(["']?\w{1,60}["']?\s?[,=]\s?["']?$|<(?:input|textarea|option)\s[^<>]{0,200}$/;
/** `tx "0x…"`, a call without parentheses, and `hash 0x…`, a command. */
const CALL = /(?:^|[;(|&]\s?)[\w-]+\s["']?$|\w\s["']$/;
/** `{ tx = '0x…' } = process.env`, `[tx = '0x…'] = process.argv`, `tx=0x… ./relay` */
const ENVIRONMENT =
  /^["'`]?[^\n]{0,100}[\]}]\s?=\s?[\w.]{0,40}\b(?:env|argv)\b|^["']?\s(?:\.{0,2}\/\w|(?:npx|npm|pnpm|yarn|bun|node|deno|tsx|python\d?|go|cargo|make|just|docker)\s)/;
/** `+ tx = "0x…"`, as Terraform prints changes and outputs. */
const PRINTED_SETTING = /^[\s+~-]{0,40}["']?[\w.-]{1,60}["']?\s{1,40}= "$/;
const PRINTED = /\.(?:log|txt|diff|patch|out)$/i;
/** `getpass() or '0x…'`, `env.TX ?? '0x…'` */
const FALLBACK = /(?:\sor|\|\||\?\?|\?:)\s?["'`]?$/;
/** `case 'tx': return '0x…'`, `role === 'tx' ? '0x…'`: the word is compared, and names nothing. */
const CHOICE =
  /\b(?:case|when)\s[^\n]{0,80}$|["'`]\s?\?\s?["'`]?$|\s\?\s["'`]$|[=-]>\s?\w{1,20}\(["'`]?$|[=!]=\s?["'`]\w{1,40}["'`][^\n]{1,80}$/;
const AFTER_LITERAL = /[0-9a-fA-F]{40}["'`]?,\s{0,4}["'`]?$/;
/** `{"tx": "0x…"}[role]` */
const CHOSEN = /^["'`][^\n]{0,200}\}\[[A-Za-z]/;
/** Programs that store secrets. */
const SECRET_STORE =
  /\b(?:vault\s(?:kv|write|view|read)|[ob][pw]\s(?:item|get|read)|(?:go)?pass\sshow|put-parameter|keyring|keychain|doppler|sops)\b/i;
/** Files of data whose names say what they are about. */
const ACCOUNT_FILE =
  /(?:account|wallet|signer|keystore|keys?(?![a-z])|secret|credential)[^\\/]{0,60}[\\/]?[^\\/]{0,60}\.(?:jsonc?|csv|tsv|txt|log|xml|ya?ml|toml|ini)$/i;
/** `m/44'/60'/0'` */
const DERIVATION_PATH = /\bm\/\d{1,10}['h/]/;
/** What a web page or an app does with a value in its address. */
const PATH_ACTION = wordSet('import export login restore recover unlock bip verify push');

/** Whether a bare name in an object or block of that name is a setting: `env:`, `with:` of a workflow. */
export function isSettings(container: readonly string[]): boolean {
  return (
    container.some(word => SETTINGS.has(word)) ||
    /^(?:with|inputs|(?:args ?)+|vars|variables)$/.test(container.join(' '))
  );
}

/** Names of hashes (`txHash`), look-ups (`getTransaction`) and paths (`/tx/`). */
export function isCertainLabel({ role, words }: Label): boolean {
  return isHashName(words) || isLookupName(words) || role === 'path' || words.at(-2) === 'cast' || words[0] === 'vm';
}

/** Whether the words of `label` may name something else than the literal. */
export function isAmbiguousLabel(
  text: string,
  scanned: ScannedLiteral,
  fileName: string | undefined,
  label: Label,
  hint: HashHint,
): boolean {
  if (label.role === 'path') return isAmbiguousPath(text, scanned);
  const line = text.slice(findLineStart(text, scanned.start, 0), scanned.start);
  const before = line.slice(findLogTagEnd(line));
  if (SECRET_STORE.test(before)) return true;
  const isPlain = isPlainHash(hint);
  const { role } = label;
  // `signerTxHash` may be what signs, unlike `wallet.getTransaction('0x…')`.
  if (isCertainLabel(label) && !isPlain)
    return role === 'name' && !isLookupVerb(label.words) && mentionsAccount(label.words, false);
  // `tx 0x…, 0x… signed it`, `tx: ['0x…', '0x…']`
  const isRow = /\.[ctp]sv$/i.test(fileName ?? '') && /^[^([{]*,["']?$/.test(before);
  if (AFTER_LITERAL.test(before) && !label.words.at(-1)?.endsWith('s') && !isRow) return true;
  const words = label.words.slice(label.words.lastIndexOf('where') + 1); // of SQL
  if (role === 'argument' || words.some(word => SETTINGS.has(word)) || isAccountName(words) || isActionName(words))
    return true;
  const after = /^[^\n]{0,300}/.exec(text.slice(scanned.end, scanned.end + 300))?.[0] ?? '';
  const context = `${before} ${after}`.replace(/0[xX][0-9a-fA-F]+/g, ' ');
  if (mentionsAccount(splitWords(context), !isPlain) || DERIVATION_PATH.test(context) || SETTING.test(before))
    return true;
  // `--hash 0x…` may be what is to be hashed, and so may a key of `hashes`.
  if (isPlain && (/(?:^|\s)--?\w[\w-]{0,40}[\s=]["']?$/.test(before) || /^["'`]\]?\s?:/.test(after))) return true;
  if (
    CHOICE.test(before) ||
    FALLBACK.test(before) ||
    (isPlain && /(?<![\w.])[A-Z][A-Z0-9_]*(?:=|:\s{0,4})["']?$/.test(before))
  )
    return true;
  if (isRelated(words) || ENVIRONMENT.test(after) || CHOSEN.test(after)) return true;
  if (role === 'prose' && CALL.test(before) && (isPlain || /["']$/.test(before))) return true;
  if (ACCOUNT_FILE.test(fileName ?? '')) return true;
  if (PRINTED.test(fileName ?? '') && PRINTED_SETTING.test(before)) return true;
  if (isPlain) return CONFIGURATION.test(fileName ?? '');
  if (!/^0x/i.test(scanned.text) || CONFIGURATION.test(fileName ?? '') || words[0] === 'for' || words[0] === 'of')
    return true;
  if (VARIABLE.test(before) && !(LOWER_CASE.test(before) && /[=\w]{2}/.test(after))) return true;
  return role === 'prose' && COMMAND.test(before);
}

/** Whether the list or the class around the literal of a bare name, or what is done with it below, is about keys. */
export function isAmongKeys(text: string, { start, end }: ScannedLiteral, { role, words }: Label): boolean {
  if (role === 'path') return false;
  const lineStart = findLineStart(text, start, 0);
  return (
    isInListOfKeys(text, lineStart, text.slice(lineStart, start)) ||
    isInChatAboutKeys(text, lineStart, text.slice(lineStart, start)) ||
    isNamedNearKeys(text, end, words) ||
    mentionsAccount(findTypeName(text, start), false)
  );
}

/** How far below a literal it may become a key, and above it a list may say what it lists. */
const NEARBY = 600;

/** `const tx = '0x…'` above `new Wallet(tx)`, `const hashes = ['0x…']` above `hashes.map(privateKeyToAccount)`. */
function isNamedNearKeys(text: string, end: number, words: readonly string[]): boolean {
  const name = ` ${words.join(' ')}`;
  const last = words.at(-1) ?? '';
  const below = text.slice(end, end + NEARBY);
  if (!below.toLowerCase().includes(last)) return false;
  const lines = below.split('\n');
  return lines.some((line, index) => {
    if (!line.toLowerCase().includes(last)) return false;
    const others = line.replace(/[A-Za-z_]\w{1,60}/g, found =>
      name.endsWith(` ${splitWords(found).join(' ')}`) ? '.' : found,
    );
    if (others.length === line.length) return false;
    const body = LOOP.test(line) ? (lines[index + 1] ?? '') : '';
    return mentionsAccount(splitWords(`${others} ${body}`), false);
  });
}
const LOOP = /\b(?:for|forEach|map)\b/;

/** Whether the lines above an item of a list in plain text, `tx: 0x…`, mention keys. */
function isInListOfKeys(text: string, lineStart: number, line: string): boolean {
  if (!ITEM.test(withoutTag(line).replace(TAGS, ''))) return false;
  const above = text
    .slice(Math.max(0, lineStart - NEARBY), lineStart)
    .split('\n')
    .reverse()
    .slice(1, 9);
  const blank = above.findIndex(line => line.trim() === '');
  // With the heading above a blank line.
  const list = blank < 0 ? above : above.slice(0, blank + 3);
  return list.some(
    above => SECRET_STORE.test(above) || DERIVATION_PATH.test(above) || mentionsAccount(splitWords(above), false),
  );
}
/** Without the process that printed the line, also before an item such as `[0] :tx: 0x…`. */
const withoutTag = (line: string) => line.slice(findLogTagEnd(line)).replace(/^\[\w{1,20}\]\s/, '');
const TAGS = /<[^<>\n]{1,200}>/g;

/** `bob: tx 0x…` among messages that mention keys. */
function isInChatAboutKeys(text: string, lineStart: number, line: string): boolean {
  if (!MESSAGE.test(withoutTag(line))) return false;
  const above = text
    .slice(Math.max(0, lineStart - NEARBY), lineStart)
    .split('\n')
    .slice(-4);
  const below = text
    .slice(lineStart, lineStart + NEARBY)
    .split('\n')
    .slice(1, 3);
  return [...above, ...below].map(withoutTag).some(near => {
    const speaker = MESSAGE.exec(near)?.[0].length;
    return speaker === undefined
      ? mentionsAccount(splitWords(near))
      : isAccountName(splitWords(near.slice(speaker - 1)));
  });
}
const MESSAGE =
  /^[\s>*#/-]{0,20}(?:\[[^\]\n]{1,40}\]\s|\d[\d:. -]{3,30}\s)?[*_<]{0,2}\p{L}[\p{L}\d_. @-]{0,40}(?::[*_>]{0,2}|>)\s{1,4}[^\p{L}\n]{0,20}\p{L}/u;

const ITEM =
  /^(?:[\s#/*-]{0,20}[a-z]\|)?[\s>*•|\d.:#/-]{0,40}[`*]{0,2}\p{L}[\p{L}\d_ -]{0,40}[`*]{0,2}\s{0,20}[:–—|-]{0,2}\s{0,40}[`(]?$/u;

const MAX_PATH_LENGTH = 300;

const RELATION = wordSet('for of behind für von para de del da do pour per voor för til для');
const OF_HASH = wordSet(
  'receipt waiting waited status trace logs link details result output number view confirmations',
);

/** `account for tx`, unlike `hash of tx`, `receipt for tx`: the value has another relation to the hash than being it. */
function isRelated(words: readonly string[]): boolean {
  const at = words.findIndex(word => RELATION.has(word));
  const before = words.slice(0, Math.max(0, at));
  return at >= 0 && !isHashName(before) && !isLookupVerb(before) && !before.some(word => OF_HASH.has(word));
}

/** `/tx/0x…/sign`, `/wallet/tx/0x…`, `/import?tx=0x…` */
export function isAmbiguousPath(text: string, scanned: ScannedLiteral): boolean {
  const before =
    text
      .slice(Math.max(0, scanned.start - MAX_PATH_LENGTH), scanned.start)
      .split(/[\s"'`<>]/)
      .at(-1) ?? '';
  const after = /^\/\w{1,40}/.exec(text.slice(scanned.end, scanned.end + 41))?.[0] ?? '';
  // `broadcast/` is Foundry's folder of transactions.
  const path = before.includes('://') ? before : before.replace('broadcast/', '');
  const words = splitWords(`${path} ${after}`);
  return mentionsAccount(words) || isActionName(words) || words.some(word => PATH_ACTION.has(word));
}
