// Finds the names whose values a text uses as keys, as `tx` of `new Wallet(tx)` and `--private-key $TX`, or looks up.
import { findCloser, findElementStart } from './elements.ts';
import { findHashHint, isConversion, isLookupName, isLookupVerb } from './hintWords.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findCalleeStart, findLineStart, findOpenerBefore, isWordChar } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName, mentionsAccount, SECRET_STORE } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { TextCache } from './textCache.ts';

/** Longer texts are read in parts of this length. */
const PART_LENGTH = 500_000;
/** Characters of lines in a part that may use keys; more are data. */
const MAX_KEY_LINES_LENGTH = 100_000;
const MAX_LINE_LENGTH = 400;
/** Assignments from the key of a call back to the literal: `secret = tx`, `raw = secret.slice(2)`. */
const MAX_ASSIGNMENTS = 3;
const MAX_CALLS = 4;

/** Words of lines that may use a key; what they really say is decided by `secretWords.ts`. */
const KEY_WORD =
  /derive|neuter|pub_?key|cipher|hmac|priv|secret|key|passw|passphrase|wallet|sign|account|mnemonic|seed|credential|ecdsa|broadcast|addr|burner|(?<![a-z])[ps]ks?(?![a-z])|(?:set|put|stub)_?env|env["'\]}.[]|\bcast\s{1,8}w\b|\b(?:gpg|sops|vault|pass|op|bw|doppler)\s|put-parameter|keyring|\*\s?G\b|\bG\s?\*|multipl|scalar|\bmul\(|generator|\b(?:aes|chacha|ecdh|jwt|hkdf|pbkdf|scrypt|fernet|x25519)|secretbox|transactor|\bpair::|getpass|operator|deployer|relayer|sender|\bfrom["']?\s?[:=]|-from\b|\b(?:send|transfer|sweep|pay)(?:_?from|async)?\(|\bmac\(/gi;
/** Also `tx-hash` of Lisp. */
const IDENTIFIER = /[A-Za-z_$][\w$]{0,80}(?:-[a-z]\w{0,40}){0,4}/g;
const HEX = /\b0x[0-9a-f]{6,}/gi;
/** `tx.parse::<PrivateKeySigner>()`, `tx.slice(2).toPrivateKey()`, `tx.parse().expect("private key")` */
const CONVERTED = /^(?:\(\))?((?:[!?]?\.\w{1,60}(?:::<[\w:<>, ]{1,80}>)?\([^()\n]{0,80}\)[!?]?){1,4})/;
const COMMENT = /^\s*(?:-\s)?(?:\/\/|#|\*|--|;|<!--|>)/;
const ASSIGNMENT =
  /([A-Za-z_$][\w$]{0,80})[\])]?(?:, (?:_|err|ok))?(?:\s?:\s?[^=\n;(]{1,60})?\s{0,8}[:?+]?=\s{0,8}([^=\n>][^\n]{0,200})/g;
/** `tx` of `const tx = getenv('TX') or '0x…'`, whatever the nearest name is. */
const TARGET = /^[^=\n"'`]{0,120}?([A-Za-z_$][\w$]{0,80})[\])]?(?:\s?:\s?[^=\n]{1,60})?\s{0,8}[:?+]?=(?![=>])/;
/** `for (const tx of txs)`, `for _, tx := range txs`, `txs.map(`, `(map f txs)`, unlike `a tool for analysis`. */
const LOOP =
  /\bfor(?:each|\sawait)?\s?\(|\bfor(?:each)?\s(?:\w{3,5}\s)?[&*$]?\w{1,40}(?:\s?,\s?\w{1,40}){0,3}\s(?:in|of|<-|:?=\s?range)\s|[.|]\s?(?:forEach|map|flatMap|each\w{0,12}|iter\w{0,8}|select)\b|\b(?:map|each|select)\s?\(|\((?:mapv?|doseq|for)\s|\bmapM_\s|[#{]\s?(?:each|range)\s/i;

/** Characters that begin a line of a comment or a list. */
const MARKS = /^[\s#/*>]{0,20}(?:-\s{1,20})?/;
const FUNCTION = /\b(?:def|function|func|fn|fun)\s(\w{1,60})/;
const RETURN = /\breturn\s([A-Za-z_$][\w$.]{0,80})\s{0,4};?\s{0,4}\}?$/;

interface Uses {
  /** Where the part of the text starts. */
  readonly from: number;
  /** The names of keys: the words of each, joined by blanks. */
  readonly names: ReadonlySet<string>;
  /** Where the names are whose values are looked up, and where these are assigned. */
  readonly lookedUp: ReadonlyMap<string, readonly number[]>;
  readonly assigned: ReadonlyMap<string, readonly number[]>;
}

const uses = new TextCache<Uses>(PART_LENGTH, (text, from) => {
  const part = text.slice(from, from + PART_LENGTH);
  const lookedUp = findLookedUpNames(part);
  return { from, names: findKeyNames(part), lookedUp, assigned: findAssignments(part, lookedUp) };
});

/** The name, also where it is converted: `common.HexToHash(hash)`, `HASH.parse()?`, `@tx` of Elixir. */
const CONVERTED_NAME = String.raw`(?:(?:\w{1,20}[.:]{1,2}){0,2}(?:hex_?to_?hash|from_?hex|hex_?bytes|hex_?to_?bytes|from_?str)\(|[$&@]){0,2}(\w{1,60})(?=\s?[,)}]|\.(?:parse|into|clone|to_?\w{1,12}|as_?\w{1,12})\()`;
/** `getTransaction(tx)`, `getTransactionReceipt({ hash })`, `cast receipt $TX`, `vm.transact(TX)` */
const LOOKUP = new RegExp(
  [
    String.raw`\bcast\s(?:tx|receipt|run|block)\s["']?(?:\$[({]?|\{\{\s?|%)(\w{1,60})`,
    String.raw`\b(?:(?:\w{1,30}_)?(?:transaction|block|receipt|header)_?by_?hash|transaction(?:receipt|details))\((?:ctx,\s)?${CONVERTED_NAME}`,
    String.raw`(?:get|wait|fetch|trace|replay)\w{0,20}(?:transaction|tx|receipt|block)(?:_?(?:receipt|by_?hash|confirmations|trace))?(?:\.send\w{1,20})?\((?:\w{1,30}, )?(?:\{\s?(?:(?:block|transaction)?hash: ?)?)?${CONVERTED_NAME}`,
    String.raw`\bgetLogs\(\{\s{1,20}(blockHash)\s?[,:}]`,
    String.raw`\b(?:eth_get|debug_trace|trace_)(?:transaction|block)\w{0,30}\\?["'],\s?(?:\\?"?params\\?"?:\s?)?\[\s?(?:[\\"']{0,3}\$\{?)?(\w{1,60})`,
    String.raw`\bhash_to_(?:transaction|block)\(${CONVERTED_NAME}`,
    String.raw`\bvm\.(?:transact|rollFork|createFork|createSelectFork)\((?:[^,()\n]{1,60},\s?)?(\w{1,60})\)`,
    String.raw`(?:https?:\/\/[\w.-]{4,60}|["'\`])\/(?:tx|transaction|block)\/(?:\$?\{|\$)(\w{1,60})\b`,
  ].join('|'),
  'gi',
);

/** `for tx in bundles`, `for (const tx of bundles)`, `for h in (first, second)`, `hashes.map(hash => ` */
const EACH =
  /\b(?<mapped>\w{1,60})\.(?:map|forEach|flatMap)\((?:async\s)?\(?(?<item>\w{1,60})\)?\s=>|\bfor\s\(?(?:const\s|let\s|var\s|\w{1,20},\s)?(?<each>\w{1,60})\s(?:in|of|:=\srange)\s["']?(?:\$\{?)?(?:(?<list>\w{1,60})\}?["')]?\s?[:;{\]\n]|[[(](?<elements>[\w,\s]{1,200})[\])])/g;

/** `expect(block.parentHash).to.equal(PARENT)`, `client.get_block(0).hash.hex() == GENESIS` */
const COMPARED =
  /\b(?:block|tx|transaction|receipt|parent|header|head|get_?block|get_?transaction)\w{0,20}(?:\([^()\n]{0,40}\))?\)?\.(?:get_?)?(?:hash|parent_?hash|block_?hash|transaction_?hash)(?:\(\))?(?:\.\w{2,12}\(\))?\)?(?:\s?[!=]==?\s?|\.(?:not\.)?to\.?\w{2,20}\(|,\s?)(\w{1,60})\b(?![.([])|\b\w{1,30} := (?:block|header|genesis|tx|receipt)\.\w{0,5}Hash(?:\(\))?; \w{1,30} != (\w{1,60})\b/gi;

/** The label of a later value of `for tx in 0x… 0x…`. */
export function findLoopLabel(text: string, start: number): Label | undefined {
  const name =
    LOOP_OF_VALUES.exec(text.slice(findLineStart(text, start, Math.max(0, start - MAX_LINE_LENGTH)), start))?.[1] ??
    (/\\\n[ \t]{0,12}$/.test(text.slice(Math.max(0, start - 14), start))
      ? LOOP_OF_LINES.exec(text.slice(Math.max(0, start - 500), start))?.[1]
      : undefined);
  return name === undefined ? undefined : { role: 'name', words: ['for', ...splitWords(name), 'in'] };
}
/** The same with one value a line. */
const LOOP_OF_LINES = /(?:^|\n)[ \t]{0,20}for (\w{1,40}) in \\\n(?:[ \t]{0,12}0x[\da-f]{64} \\\n){0,5}[ \t]{0,12}$/i;
const LOOP_OF_VALUES = /^[ \t]{0,20}for (\w{1,40}) in (?:0x[\da-f]{64} ){1,4}$/i;

/** The looked-up names, and where. */
function findLookedUpNames(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const add = (name: string, at: number) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  };
  for (const expression of [LOOKUP, COMPARED])
    for (const match of text.matchAll(expression))
      for (const name of match.slice(1)) if (name !== undefined) add(getName(name), match.index);
  // What a loop takes from a list.
  for (const { groups = {}, index } of places.size === 0 ? [] : text.matchAll(EACH)) {
    const { item, each = item, list, mapped = list, elements = '' } = groups;
    if (places.has(getName(each ?? '')))
      for (const name of mapped === undefined ? elements.split(',') : [mapped]) add(getName(name), index);
  }
  return places;
}

/** `tx = `, `tx :=`, `const tx: Hash = `, `for tx in` */
const ASSIGNS =
  /(?<![\w$.-])([A-Za-z_$][\w$]{1,80})(?:\s?:\s?[\w.<>&' ]{1,40})?\s{0,4}:?=(?![=>])|\bfor\s\(?(?:const\s|let\s|var\s)?(\w{1,60})\s(?:in|of)\s/g;

/** Where the looked-up names are assigned. */
function findAssignments(text: string, names: Uses['lookedUp']): Uses['assigned'] {
  const places = new Map<string, number[]>();
  for (const { 1: target, 2: element, index } of names.size === 0 ? [] : text.matchAll(ASSIGNS)) {
    const name = getName(target ?? element ?? '');
    if (names.has(name)) places.set(name, [...(places.get(name) ?? []), index]);
  }
  return places;
}

/**
 * Whether the text looks up the value of the name of the literal, as `getTransaction(tx)` does that of `const tx = '0x…'`: where the
 * name gets several values, before the next one.
 */
export function isLookedUp(text: string, { start }: ScannedLiteral, label: Label): boolean {
  const { from, lookedUp, assigned } = uses.get(text, start);
  const name = getLookedUpName(label);
  const lookups = lookedUp.get(name);
  const values = assigned.get(name) ?? [];
  if (lookups === undefined || values.length < 2) return lookups !== undefined;
  const at = start - from;
  const next = values.find(value => value > at) ?? PART_LENGTH;
  return lookups.some(lookup => lookup > at && lookup < next);
}

function getLookedUpName({ role, words }: Label): string {
  const name = role === 'name' || role === 'prose' ? words.join(' ') : '';
  return name.replace(TYPE, '').replace(/ (?:in|of)$/, '');
}

/** The text below a literal is read in parts of this length, and the next one. */
const NEAR_LENGTH = 700;
const near = new TextCache(NEAR_LENGTH, (text, from) => {
  const part = text.slice(from, from + 2 * NEAR_LENGTH);
  const topics = part.includes('opic') ? part.matchAll(TOPIC) : [];
  return {
    lookedUp: findLookedUpNames(part),
    topics: new Set(Array.from(topics, ([, name = '']) => getName(name))),
  };
});

/** `topics: [TRANSFER]`, `topics[0] === TRANSFER` */
const TOPIC = /\btopics?\d?["']?(?:\[0\]\s?[!=]==?|\s?[:=]\s?\[{1,2})\s?([A-Za-z_]\w{1,60})(?!\w|\()/g;

/** The same in the lines below it only: for names of which not each one may be looked up. */
export const isLookedUpNear = (text: string, { start }: ScannedLiteral, label: Label): boolean =>
  near.get(text, start).lookedUp.has(getLookedUpName(label));

/** Whether the lines below it use the name as the topic of an event. */
export const isTopicNear = (text: string, { start }: ScannedLiteral, label: Label): boolean =>
  near.get(text, start).topics.has(getLookedUpName(label));

/** Whether the text uses the value of a name among the labels of the literal as a key. */
export function isUsedAsKey(text: string, { start }: ScannedLiteral, labels: readonly Label[]): boolean {
  const line = text.slice(findLineStart(text, start, 0), start);
  const { names } = uses.get(text, start);
  if (names.size === 0) return false;
  // `const tx = getTransaction('0x…')` is what the node returns, unlike `parseTransaction('0x…')`.
  const isResult =
    labels[0]?.role === 'call' &&
    isLookupName(labels[0].words) &&
    /\b(?:get|fetch|wait)\b/.test(labels[0].words.join(' '));
  const target = isResult ? undefined : TARGET.exec(line)?.[1];
  if (target !== undefined && names.has(getName(target))) return true;
  // Names further away than a function are of what it returns.
  const call = labels.findIndex(({ role, words }) => role === 'call' && !isConversion(words));
  return labels.slice(0, call < 0 ? undefined : call).some(({ role, words }) => {
    if (!NAMING.has(role)) return false;
    // After a type or another word that names no hash, as in `bytes32 constant tx`.
    for (let at = 0; at < words.length; at++) {
      if (names.has(words.slice(at).join(' '))) return true;
      if (findHashHint(words.slice(0, at + 1)) !== null) return false;
    }
    return false;
  });
}
const NAMING: ReadonlySet<string> = new Set(['name', 'around', 'among', 'argument', 'prose']);

/** `bytes32 constant TX` */
const TYPE = /^(?:(?:private|public|internal|bytes|string|32|set|export|let|trace|for) ){1,3}/;

const getName = (identifier: string) => splitWords(identifier).join(' ');

function findKeyNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  let end = -1;
  let length = 0;
  for (const { index } of text.matchAll(KEY_WORD)) {
    if (index < end) continue;
    const start = findLineStart(text, index, 0);
    end = findLineEnd(text, index);
    if (returnsKey(text.slice(start, end))) addResult(text.slice(end, end + MAX_LINE_LENGTH), names);
    // `privateKeyToAccount(` above its argument, `--private-key \` above its value.
    for (let lines = 0; lines < MAX_CONTINUED && CONTINUED.test(text.slice(end - 3, end)); lines++)
      end = findLineEnd(text, end + 1);
    length += end - start;
    if (length > MAX_KEY_LINES_LENGTH) break;
    addKeys(text.slice(start, end), names);
  }
  addArgumentsOfAliases(text, names);
  addReplaced(text, names);
  let flows = names.size === 0 ? [] : findFlows(text);
  for (let hops = 0, size = 0; names.size > size && hops < MAX_ASSIGNMENTS; hops++) {
    size = names.size;
    const sources = new Set<string>();
    flows = flows.filter(({ target, source }) => {
      const isKey = typeof target === 'string' ? names.has(target) : target.some(name => names.has(name));
      if (isKey) sources.add(source);
      return !isKey;
    });
    for (const source of sources) for (const name of readNames(source)) names.add(name);
  }
  return names;
}

/** The first line of a function or property, without its parameters. */
const DECLARATION =
  /^(?!.*\b(?:if|for|while|switch|catch|else|elif|unless|with|describe|it|test)\b)[^\n=]{1,200}(?:[{:]|=>|->|\bdo)\s{0,4}$|^\s{0,40}def\s[\w?!.]{1,60}\s{0,4}$|^\s{0,40}(?:export\s)?(?:const|let|var|val)\s\w{1,60}\s=\s(?:async\s)?(?:\([^()\n]{0,100}\)[^()\n=]{0,60}=>|function[^\n{]{0,120})\s{0,4}\{?\s{0,4}$/;
const RETURN_TYPE = /(?:->|:)\s?[^{]{0,60}(?:Key|Wallet|Signer|Account|Credential)/;
const RETURNED_BELOW = /^[ \t]{0,40}return\s([^\n]{1,120})/m;
/** The last expression of a function. */
const LAST_EXPRESSION = /^[ \t]{0,40}([@$*&]?[A-Za-z_][\w.$]{0,80}(?:\.[^\n]{1,120})?)$/m;

/** Whether a line begins what returns a key: `def private_key`, `fn signer() -> PrivateKeySigner {`. */
function returnsKey(line: string): boolean {
  if (!DECLARATION.test(line)) return false;
  const declared = line.replace(/\([^()]*\)/g, ' ');
  const word = findSecretWord(splitWords(declared));
  // `def get_deployer():`
  if (isAccountName(splitWords(FUNCTION.exec(line)?.[1] ?? '').slice(-1))) return true;
  return (word !== null && !/^(?:get )?keys?$/.test(word)) || RETURN_TYPE.test(declared);
}

/** Adds what the first of the lines below returns. */
function addResult(below: string, names: Set<string>): void {
  const lines = below.split('\n', MAX_CONTINUED + 1).join('\n');
  const result = (RETURNED_BELOW.exec(lines) ?? LAST_EXPRESSION.exec(lines))?.[1] ?? '';
  if (isSameValue(result)) for (const name of readNames(result)) names.add(name);
}

/** `import { privateKeyToAccount as load }` */
const ALIAS = /\b([A-Za-z]\w{1,60}) as ([A-Za-z_]\w{0,40})/g;
const MAX_ALIASES = 20;

/** Adds what a function gets that is imported under another name than that of keys. */
function addArgumentsOfAliases(text: string, names: Set<string>): void {
  const aliases = [...text.matchAll(ALIAS)].filter(([, source = '']) => mentionsAccount(splitWords(source), false));
  for (const [, , alias = ''] of aliases.slice(0, MAX_ALIASES))
    for (const [, name = ''] of text.matchAll(new RegExp(`\\b${alias}\\([&\\s]{0,4}([A-Za-z_]\\w{0,80})`, 'g')))
      names.add(getName(name));
}

/** Removed lines of a diff, and the added ones below them. */
const REPLACED = /((?:^-(?!--)[^\n]{0,400}\n){1,20})((?:^\+(?!\+\+)[^\n]{0,400}(?:\n|$)){1,20})/gm;
const ASSIGNED = /([A-Za-z_$][\w$]{0,80})["'\])]?\s{0,8}:?[=:](?![=:])/g;

/** `process.env.MINTER` */
const VARIABLE = /\benv(?:iron)?(?:\.|[[(]["'])(\w{2,60})/gi;

/** Adds the names in a diff that replace one of a key, and those whose value an account of the environment replaces. */
function addReplaced(text: string, names: Set<string>): void {
  const isKey = (name: string) => findSecretWord(splitWords(name)) !== null;
  for (const [, removed = '', added = ''] of text.includes('\n+') ? text.matchAll(REPLACED) : []) {
    const [before, after] = [removed, added].map(lines =>
      Array.from(lines.matchAll(ASSIGNED), ([, name = '']) => name),
    );
    if (before?.some(isKey) && !after?.some(isKey)) for (const name of after ?? []) names.add(getName(name));
    if (Array.from(added.matchAll(VARIABLE)).some(([, name = '']) => isAccountName(splitWords(name))))
      for (const name of before ?? []) names.add(getName(name));
  }
}

const CONTINUED = /[\\(,=:]\s{0,2}$/;
/** Lines that continue one with a word for keys. */
const MAX_CONTINUED = 3;

function findLineEnd(text: string, at: number): number {
  const newLine = text.indexOf('\n', at);
  return Math.min(newLine < 0 ? text.length : newLine, at + MAX_LINE_LENGTH);
}

/** Adds what one line, with the one below that continues it, uses as a key. */
function addKeys(line: string, names: Set<string>): void {
  const isComment = COMMENT.test(line);
  const lines = line.split('\n').map(part => part.slice(findLogTagEnd(part)).replace(MARKS, ' '));
  const text = lines.join('\n').replace(HEX, '');
  if (MULTIPLIES.test(text) || SECRET_STORE.test(text)) for (const name of readNames(text)) names.add(name);
  // `const pk = condition ? tx : other`
  for (const [, name = '', value = ''] of text.matchAll(ASSIGNMENT))
    if (isCertainSecret(splitWords(name)) && isSameValue(value))
      for (const source of readNames(value)) names.add(source);
  for (const { 0: identifier, index } of text.matchAll(IDENTIFIER)) {
    const end = index + identifier.length;
    // Assigned or called, so not used here.
    if (/^\s{0,8}(?:[:?]?=(?![=>])|\((?!\)))/.test(text.slice(end, end + 12))) continue;
    const name = getName(identifier);
    if (!names.has(name) && new NameUse(text, index, end, isComment).isKey()) names.add(name);
  }
}

/** `int(tx, 16) * G`, `ec.g.mul(tx)`, `ScalarBaseMult(tx)`: from a key, the generator of the curve makes the public key. */
const MULTIPLIES =
  /\*\s?(?:\w{1,20}\.)?G\b|\bG\s?\*|\bGENERATOR\b|\bgenerator\s?\*|\*\s?generator|\.[gG]\.mul|(?:[sS]calar|[bB]ase|BASE|[pP]oint)[_.]?[mM]ul|\bmul\w{0,5}\((?:\w{1,20}\.)?G\b/;

/** Between what names a value and the value: quotes, sigils, `new`, `await`, the objects of a field. */
const PREFIX = /(?:\$env:|[\s&*"'`$%@{(<[\\+]|\.\.|\b(?:new|await|typeof)\s|[\w$]\??\.)$/i;
const COMPARISON = /[!=]==?\s*$|\s-eq\s*$/;
const BOUNDARY = /&&|\|\||[;,{}()|?<\n]|\b(?:if|while|return)\b/;
/** Options of a command with values of their own. */
const OPTION = /\s--?[A-Za-z][\w-]{0,40}(?:=|\s)[^\s|-][^\s|]{0,200}/g;
const COMPARES = /(?:assert|equals?|\beq|same|compare)/i;
/** `def private_key(): return tx`, `const getPrivateKey = () => tx`, `def private_key, do: @tx`, `var privateKey: Data { tx }` */
const RETURNED = /^([^\n]{0,200})(?:\breturn\s\w{0,20}\(?|=>\s?|\sdo:\s|[\w)]\s\{\s|\)\s=\s|\]\s)[@$]?$/;
/** `Rename PRIVATE_KEY to TX_HASH` */
const RENAMED = /\brenam\w{0,4}\b[^\n]{0,80}?([\w$]{2,60})[`"']{0,2}\s(?:->|=>|→|to|into|as)\s[`"']{0,2}$/i;
/** `rename TX_HASH to PRIVATE_KEY` */
const RENAMES = /\brenam\w{0,4}\b[^\n]{0,40}$/i;
const RENAMED_TO = /^[`"']{0,2}\s(?:->|=>|→|to|into|as)\s[`"']{0,2}([\w$]{2,60})/;
/** A call of Lisp, unlike `(signer or tx)`. */
const LISP_CALL =
  /^\(([a-z>*-][\w*!?/.>-]{0,60})\s(?!(?:or|and|in|is|not|if|else|as|of)\s)([\w*:"[(-][^,;=&|]{0,200})$/;
const SETTINGS = wordSet('env cfg conf config settings opts options');
/** Commands without an option or sigil whose names have several words: `importKey tx`, `wallet/from-private-key tx`. */
const JOINED_NAME = /\w[-_/.]\w|[a-z][A-Z]/;
const PRINTS = /\b(?:echo|printf?|puts|console|log|logger|info|debug|warn|cat|write-(?:host|output))\b/i;
/** `with open("key.txt", "w") as file:` above what is written to it. */
const OPENED = /\bopen\w{0,20}\(\s?["']([^"'\n]{1,80})/;
/** Functions that get a function for each value: `[tx].map(privateKeyToAccount)`. */
const CALLBACK =
  /^["'`)\]}]{0,4}\??\.(?:map|flatMap|forEach|each|then|let|also|pipe|reduce)\b[\s({|]{1,4}([^\n;]{1,80})/;
/** `… | gpg -c` */
const ENCRYPTS = /^\s{0,4}(?:gpg|sops)\s/;
const REDIRECT = /(?:\s|["'}])>{1,2}\s?["']?([\w~$./{}-]{1,120})/;
/** `key.txt` of `fs.writeFileSync('key.txt', tx)`, `PRIVATE_KEY` of `os.Setenv("PRIVATE_KEY", tx)`. */
const QUOTED = /["'`]([^"'`\n]{1,80})["'`]/g;
/** A name in a sentence, unlike its words. */
const IDENTIFIER_ONLY = /[\d_$]|[a-z][A-Z]/;

/**
 * One use of a name. Its value is a key where the text beside it, or around the brackets that it is in, has words for keys:
 * what it is assigned to, passed to, converted to, renamed to, printed into, compared with.
 */
class NameUse {
  readonly #line: string;
  readonly #isComment: boolean;
  /** What is looked at: the name, then the brackets around it. */
  #start: number;
  #end: number;

  constructor(line: string, start: number, end: number, isComment: boolean) {
    this.#line = line;
    this.#start = start;
    this.#end = end;
    this.#isComment = isComment;
  }

  isKey(): boolean {
    let isPassed = false;
    for (let depth = 0; depth < MAX_CALLS; depth++) {
      const opener = findOpenerBefore(this.#line, this.#start, MAX_LINE_LENGTH);
      const elementStart = findElementStart(this.#line, this.#start, opener);
      if (!isPassed && (this.#isKeyBefore(elementStart) || this.#isKeyBehind())) return true;
      if (opener < 0) return false;
      const char = this.#line[opener];
      const isIndex = char === '[' && /[\w$)\]]/.test(this.#line.charAt(opener - 1));
      if (isIndex && !/["'`]/.test(this.#line.charAt(opener + 1))) return false; // `keys[tx]`, unlike `env["TX"]`
      const calleeStart = char === '(' || isIndex ? findCalleeStart(this.#line, opener, 0) : opener;
      // `$(TX)` of make and shells and `<(echo $TX)` are no calls.
      if (!isIndex && calleeStart < opener && !'$<>'.includes(this.#line.charAt(opener - 1))) {
        const verdict = this.#isKeyCall(this.#line.slice(calleeStart, opener), opener, elementStart);
        if (verdict !== null) return verdict;
        isPassed ||= !isConversion(splitWords(this.#line.slice(calleeStart, opener)));
      } else if (char === '(' && this.#isKeyOfLisp(opener)) return true;
      else if (char !== '(' && this.#isAfterKey(opener, elementStart, char === '{')) return true;
      this.#start = calleeStart;
      this.#end = findCloser(this.#line, this.#end);
    }
    return false;
  }

  /** `new Wallet(tx)`, `os.Setenv("PRIVATE_KEY", tx)`, unlike `wallet.getTransaction(tx)`; `null` if it does not tell. */
  #isKeyCall(callee: string, opener: number, elementStart: number): boolean | null {
    const method = splitWords(callee.split(/[.:>]/).at(-1) ?? '');
    if (isKeyCall(method) || (mentionsAccount(method, false) && findHashHint(method) === null)) return true;
    if (isConversion(splitWords(callee))) return null;
    const opened = method[0] === 'write' ? OPENED.exec(this.#line)?.[1] : undefined;
    if (opened !== undefined && mentionsAccount(splitWords(opened), false)) return true;
    // `getString("txHash")` of settings gets its value.
    const isLookup = isLookupVerb(method) && !/["'`]/.test(this.#line.charAt(this.#start - 1));
    if ((isLookup && !DECODES.test(method.join(' '))) || method.includes('verify')) return false;
    const generic = /\w{1,40}::<[^<>\n]{0,60}>(?:::)?$/.exec(this.#line.slice(0, opener - callee.length))?.[0] ?? '';
    if (DERIVES.test(splitWords(`${generic}${callee}`).join(' '))) return true;
    const others = this.#line.slice(this.#end, findCloser(this.#line, this.#end));
    if (COMPARES.test(callee) && findSecretWord(splitWords(others)) !== null) return true;
    if (mentionsAccount(splitWords(callee), false)) return true;
    // `send(tx, to, amount)`
    if (
      /^(?:send|transfer|sweep|pay)(?: from| async)?$/.test(method.join(' ')) &&
      /^[\s&*]*$/.test(this.#line.slice(opener + 1, this.#start)) &&
      /^\s*,/.test(others)
    )
      return true;
    const isPrinted = PRINTS.test(callee);
    if (this.#isAfterKey(opener, elementStart, isPrinted)) return true;
    return isPrinted ? false : null;
  }

  /** `(sign tx tx-hash)`, `(-> tx-hash ->bytes ec/private-key)` */
  #isKeyOfLisp(opener: number): boolean {
    const group = this.#line.slice(opener, findCloser(this.#line, this.#end));
    const [, callee = '', others = ''] = LISP_CALL.exec(group) ?? [];
    const words = splitWords(/^[a-z]*->>?$/.test(callee) ? others : callee);
    return isOfKey(words) && findHashHint(words) === null;
  }

  /** `PRIVATE_KEY` of `os.Setenv("PRIVATE_KEY", tx)`, `--dev-key` of `['--dev-key', tx]`; `isCertain` is for secrets only. */
  #isAfterKey(opener: number, elementStart: number, isCertain: boolean): boolean {
    for (const [, text = ''] of this.#line.slice(opener + 1, elementStart).matchAll(QUOTED)) {
      const words = splitWords(text);
      if (isCertain ? findSecretWord(words) !== null : isAccountName(words) && findHashHint(words) === null)
        return true;
    }
    return false;
  }

  #isKeyBefore(elementStart: number): boolean {
    const returning = RETURNED.exec(this.#line.slice(0, this.#start))?.[1];
    if (returning !== undefined && isCertainSecret(splitWords(returning))) return true;
    const renamed =
      RENAMED.exec(this.#line.slice(0, this.#start))?.[1] ??
      (RENAMES.test(this.#line.slice(0, this.#start)) ? RENAMED_TO.exec(this.#line.slice(this.#end))?.[1] : undefined);
    if (renamed !== undefined && isCertainSecret(splitWords(renamed))) return true;
    let left = this.#line.slice(elementStart, this.#start);
    const isVariable =
      this.#line[this.#start] === '$' ||
      this.#line.startsWith('{{', this.#start) ||
      /[$%]\{{0,2}\(?$|\$env:$|["'`]\s{0,2}(?:\.\.|\+|<>|\.)\s{0,2}$/i.test(left);
    for (let match = PREFIX.exec(left); match !== null; match = PREFIX.exec(left)) {
      left = left.slice(0, match.index);
      if (match[0].endsWith('.')) left = left.replace(/[\w$]{1,80}$/, '');
    }
    if (COMPARISON.test(left)) return findSecretWord(splitWords(lastPart(left.replace(COMPARISON, '')))) !== null;
    if (/[:=]>?$/.test(left)) {
      const assigned = left.replace(/[:?+|&]{0,2}=>?$/, '').replace(/[\s"'`\])}]{1,8}$/, '');
      const target = splitWords(left.endsWith(':') ? readNameBefore(left) : lastPart(assigned));
      return (
        isOfKey(target) ||
        target.join(' ') === 'from' ||
        (target.some(word => SETTINGS.has(word)) && isAccountName(target))
      );
    }
    const option = /(?:^|\s)(--?\w[\w-]*)$/.exec(left)?.[1];
    // `openssl enc -aes-256-cbc -K $tx`
    if (option !== undefined && (isOfKey(splitWords(option)) || /^(?:-K|-{1,2}[Ff][Rr][Oo][Mm])$/.test(option)))
      return true;
    // `read -r PRIVATE_KEY <<< "$TX"`
    if (this.#line.slice(elementStart, this.#start).includes('<<<') && isOfKey(splitWords(left))) return true;
    const command = lastPart(` ${left}`.replace(OPTION, ' ')).replace(/\bcast\s{1,8}w\b/, 'cast wallet');
    if (PRINTS.test(command)) return false;
    if (!isVariable && (this.#isComment || !JOINED_NAME.test(command.trimEnd().split(/\s/).at(-1) ?? ''))) return false;
    return isOfKey(splitWords(command));
  }

  #isKeyBehind(): boolean {
    const right = this.#line.slice(this.#end, this.#end + MAX_LINE_LENGTH / 2);
    const methods = splitWords(CONVERTED.exec(right)?.[1] ?? '');
    if (isOfKey(methods) && findHashHint(methods) === null) return true;
    const receiver = CALLBACK.exec(right)?.[1] ?? /^["'`)\s]{0,4}\|>?([^;\n]{1,120})/.exec(right)?.[1];
    if (receiver !== undefined) {
      const words = splitWords(receiver);
      if (ENCRYPTS.test(receiver) || (!isLookupVerb(words) && mentionsAccount(words, false))) return true;
    }
    const element = right.split(/[,;)\]}\n]/, 1)[0] ?? '';
    const renamed = /^["'`]?\s{1,4}(?:as|->|=>)\s{1,4}(.{1,80})/.exec(element)?.[1];
    if (renamed !== undefined && isOfKey(splitWords(renamed))) return true;
    const other =
      /^["'`]?\s{0,4}(?:[!=]==?|:|\s=\s|-eq\s|\s\(?(?:was|formerly|previously|instead of|replaces)\s)(?!:)([^&|?]{1,80})/.exec(
        element,
      )?.[1];
    if (other !== undefined && findSecretWord(splitWords(other)) !== null) return true;
    if (this.#isComment && IDENTIFIER_ONLY.test(this.#line.slice(this.#start, this.#end))) {
      const stated = /^["'`]?\s(?:is|was|has|holds|contains|=)\s(.{1,80})/.exec(right)?.[1];
      const words = splitWords(stated ?? '');
      if (findSecretWord(words) !== null || (mentionsAccount(words, false) && findHashHint(words) === null))
        return true;
    }
    const file = REDIRECT.exec(right.split(/[;\n]/, 1)[0] ?? '')?.[1];
    return (
      file !== undefined && PRINTS.test(this.#line.slice(0, this.#start)) && mentionsAccount(splitWords(file), false)
    );
  }
}

const DERIVES =
  /\b(?:aes\w{0,4}|chacha\w{0,8}|\w{0,12}secretbox\w{0,4}|ecdh\w{0,4}|x25519|jwt|hkdf|pbkdf|scrypt|fernet|crypto mac|transactor|pair from|(?:set|with) (?:operator|signer|sender|deployer|relayer|owner|from)|cipher\w{0,4}|decipher\w{0,4}|hmac\w{0,6}|pub(?:lic)? ?key|to address|compute address|to ecdsa|from key)\b/;

/** `hex.DecodeString(`, `Base.decode16(`: to bytes, unlike `decodeTransaction(`. */
const DECODES = /^(?:hex )?(?:decode|un ?hexlify)(?: string| hex| bytes)?$/;

/** `pk`, `private key`, unlike the `key` of a cache. */
function isCertainSecret(name: readonly string[]): boolean {
  const word = findSecretWord(name);
  return word !== null && (!/keys?$/.test(word) || /^(?:priv|secret|sign)/.test(word) || mentionsAccount(name, false));
}

/** What gets the value names an account or a key, be it that of an API. */
const isOfKey = (words: readonly string[]): boolean => findSecretWord(words) !== null || mentionsAccount(words, false);

function isKeyCall(method: readonly string[]): boolean {
  return DERIVES.test(method.join(' ')) || findSecretWord(method) !== null;
}

/** The text behind the last boundary of expressions or commands, without blanks at its end. */
const lastPart = (text: string): string => text.trimEnd().split(BOUNDARY).at(-1) ?? '';

/** The name before a colon. */
function readNameBefore(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s"'`\])}\\:=]/.test(text.charAt(end - 1))) end--;
  let start = end;
  while (start > 0 && end - start < 80 && (isWordChar(text[start - 1]) || text[start - 1] === '-')) start--;
  return text.slice(start, end);
}

/** If the target is a key, or one of several is, the names in the source are too. */
interface Flow {
  readonly target: string | readonly string[];
  readonly source: string;
}

/** What assignments, loops and functions get their values from. */
function findFlows(text: string): readonly Flow[] {
  const flows: Flow[] = [];
  let [loop, callable] = ['', ''];
  for (const line of text.split('\n')) {
    if (line.includes('='))
      for (const [, name = '', value = ''] of line.matchAll(ASSIGNMENT))
        if (isSameValue(value)) flows.push({ target: getName(name), source: value });
    if (line.length > MAX_LINE_LENGTH) continue;
    callable = FUNCTION.exec(line)?.[1] ?? callable;
    const returned = RETURN.exec(line)?.[1];
    if (returned !== undefined) flows.push({ target: getName(callable), source: returned });
    const isLoop = LOOP.test(line);
    if (isLoop || loop !== '') flows.push({ target: readNames(line), source: isLoop ? line : loop });
    loop = isLoop ? line : '';
  }
  return flows;
}

const readNames = (expression: string): readonly string[] =>
  Array.from(expression.replace(HEX, '').matchAll(IDENTIFIER), ([identifier]) => getName(identifier)).filter(
    name => !KEYWORDS.has(name),
  );
/** Of loops and conditions. */
const KEYWORDS = wordSet(
  'for in of if else not and or is do then let const var new await return lambda true false null none nil undefined',
);

/** Whether an expression only converts its values, unlike one that requests or signs something. */
function isSameValue(expression: string): boolean {
  if (/\bawait\b/.test(expression)) return false;
  if (!expression.includes('(')) return true;
  const callees = expression.replace(/\.expect\(/g, '').matchAll(/(\w{1,80})\s?\(/g);
  for (const [, callee = ''] of callees) {
    const words = splitWords(callee);
    if (
      (isLookupVerb(words) && !DECODES.test(words.join(' '))) ||
      words.some(word => /^(?:send|sign|broadcast)$/.test(word))
    )
      return false;
  }
  return true;
}
