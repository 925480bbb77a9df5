// Reads the surroundings of a literal: its link and labels, and what they tell about it.
import { findChainIdByWord } from '../api/chainNames.ts';
import type { Hex } from '../base/hex.ts';
import {
  findConditionalName,
  findSecretBeside,
  isArgumentOfCommand,
  isBetweenCode,
  isConverted,
  isNoteOf,
} from './besideLiteral.ts';
import { findContainers, findFieldsAbove } from './containers.ts';
import { type ExplorerLink, findChainIdBeside, findLink, isAmbiguousPath } from './explorerLinks.ts';
import {
  ACCOUNT_FILE,
  findRule,
  hasPurpose,
  IN_SENTENCE,
  isConvertedForLookup,
  isInReportedObject,
  isOfChain,
  isProof,
  namesHash,
  OF_REMARK,
  OF_SURROUNDINGS,
  RECORDS,
  type RuleName,
  tellsEvent,
} from './hashProof.ts';
import { hasOwnMeaning, isRemarkedHash, isRemarkedOtherwise } from './hashRemark.ts';
import { isInSentence } from './hashSentence.ts';
import {
  findCallHint,
  findCastHint,
  findCheatcodeHint,
  findHashHint,
  type HashHint,
  isConversion,
  isHashName,
  isNeutral,
  isNumberType,
  isPlainHash,
} from './hintWords.ts';
import { isLookedUp, isLookedUpNear, isUsedAsKey } from './keyNames.ts';
import { findLabelAfter, findLabelsBefore, GENERIC_NAMES, type Label } from './labels.ts';
import { findMapHint, isPlural } from './mapsOfHashes.ts';
import { isInFullRecord, isInRecord, isOfContract, readObject } from './nodeRecords.ts';
import { hasOtherValue, isInRowOfOwner, isRemarkedAccount, namesOwner } from './owners.ts';
import { checkRemarks, hasNamedKey, isBesideOwner, isNearKeys, isTaggedByAccount, tellsKey } from './remarks.ts';
import { findRepeats } from './repeats.ts';
import {
  findCompared,
  findComparedField,
  findDeclaredParameter,
  findExampleLabel,
  findParameter,
  findPrintedName,
  tellsOfTransaction,
} from './reports.ts';
import { findRowColumn, type RowColumn } from './rows.ts';
import { AFTER_PARAMETER, findRpcMethod, isNamedParameter } from './rpcParameter.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import {
  findSecretCallWord,
  findSecretMethodWord,
  findSecretWord,
  isAccountName,
  isActionName,
  mentionsAccount,
} from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { type Column, findColumn, findRowName, isInTableOfAccounts, isTableFile } from './tableColumns.ts';
import { isTopic, TOPIC } from './topics.ts';

/** Where the text comes from, as far as known. */
export interface TextSource {
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** VS Code's language id. */
  readonly languageId?: string | undefined;
  /** The whole file mentions Aptos (`mentionsAptos`), even if the text is only a part of it. */
  readonly isAptos?: boolean | undefined;
  /** Named addresses of the Move package that the file belongs to; `null` for one that the package leaves open. */
  readonly moveAddresses?: ReadonlyMap<string, Hex | null> | undefined;
  /** The names of the columns of a CSV file where the text is a part of it; `null` when they were not found. */
  readonly tableHeader?: string | null | undefined;
  /** Whether an ABI of the workspace declares a function or error with this selector: four bytes that equal it are no chance. */
  readonly isKnownSelector?: ((selector: Hex) => boolean) | undefined;
}

export interface LiteralContext {
  readonly link: ExplorerLink | null;
  readonly chainId: number | null;
  readonly labels: readonly Label[];
  readonly hint: HashHint | null;
  /** Whether the text proves that it is the hash that the hint tells of, and why: a bare `tx` may name an account. */
  readonly rule: RuleName;
  readonly secretWord: string | null;
}

function findLabelSecret({ role, words }: Label): string | null {
  return role === 'call' || role === 'among' ? findSecretCallWord(words) : findSecretWord(words);
}

/** Words after which a literal has another relation to the hash than being it: "tx for 0x…", "sent by 0x…". */
const PREPOSITIONS = wordSet('for of in on at by to with as from');

/** A longer heading is a sentence; a comment above a list is rarely about its values. */
const HEADING_WORDS = 4;

function findLabelHint({ role, words }: Label): HashHint | null {
  if (role === 'around' || role === 'comment' || role === 'tag' || role === 'sibling') return null;
  // `for txHash of ['0x…']`
  if (words[0] === 'for' && /^(?:in|of)$/.test(words.at(-1) ?? '')) return findHashHint(words.slice(1, -1));
  if ((role === 'prose' || role === 'name' || role === 'heading') && PREPOSITIONS.has(words.at(-1) ?? '')) return null;
  if (role === 'heading' && words.length > HEADING_WORDS) return null;
  if (role === 'among') return findCheatcodeHint(words) ?? (READS.test(words.join(' ')) ? findCallHint(words) : null);
  // `block hash of the testnet`, `tx_hash_safe`, `blockHashFromNumber`
  const of = role === 'name' && WITH_SUFFIX.test(words.join(' ')) ? 2 : words.indexOf('of');
  if (of > 0 && role !== 'call' && isHashName(words.slice(0, of)) && !isAccountName(words) && !isActionName(words))
    return findHashHint(words.slice(0, of));
  if (role === 'prose') return findHashHint(words, true);
  return role === 'call' ? findCallHint(words) : findHashHint(words);
}

/** Behind the name of a hash: what it is of. */
const WITH_SUFFIX =
  /^(?:tx|transaction|block) hash (?:(?:from|by) )?(?:safe|dao|value|old|new|first|second|last|ok|bad|good|[a-z]?usd[a-z]?|w?eth|number|hash|string|hex)$/;
/** `// touched at block 1, in tx 0x…` */
const IN_TRANSACTION = /^in (?:the )?(?:tx|transaction)$/;
/** `waitForTransactionReceipt(client, '0x…')`, `fetch_receipt(w3, "0x…")` */
const READS =
  /\b(?:wait for|get|fetch|find|load|trace|replay|debug|decode|inspect|explain|lookup|query) (?:raw )?(?:tx|transaction|block|receipt)(?: (?:receipt|status|trace|info|details|by hash))?(?: for \w+)?$/;

/**
 * Whether labels further away tell nothing about the literal: it is an argument of a function, and they name the result,
 * as in `const tx = deploy('0x…')`.
 */
const endsHints = (label: Label): boolean => isOtherName(label) || endsLabels(label);

/** `by` of `log('tx hash', { by: '0x…' })`: it has a name, which says nothing of a hash. */
const isOtherName = (label: Label): boolean =>
  label.role === 'name' &&
  findLabelHint(label) === null &&
  !hasPurpose(label.words) &&
  !label.words.every(word => UNSPECIFIC.has(word) || GENERIC_NAMES.has(word) || findChainIdByWord(word) !== null);
/** Elements of HTML, arguments of programs. */
const UNSPECIFIC = wordSet('process sys argv code dd td p span strong b');

const endsLabels = ({ role, words }: Label): boolean =>
  (role === 'prose' && (!isNeutral(words) || PREPOSITIONS.has(words.at(-1) ?? ''))) ||
  words.at(-1) === 'in' ||
  (role === 'type' && isNumberType(words)) ||
  ((role === 'argument' || role === 'sibling' || role === 'comment') && isAccountName(words)) ||
  (role === 'call' && words.every(word => /^(?:hash|of)$/.test(word))) ||
  ((role === 'call' || role === 'among') && (!isConversion(words) || LONE_VERBS.has(words.join(' '))));

/** Functions of these names make anything of a value. */
const LONE_VERBS = wordSet('parse from decode to path require of data id w');

/** After a mere `hash:` the search continues, because it may be in an object named `secrets`. */
function isDecisive(label: Label): boolean {
  const hint = findLabelHint(label);
  return findLabelSecret(label) !== null || (hint !== null && !isPlainHash(hint));
}

const FIELD_OF_LOOKUP =
  /(?<![\w.])(transaction|block|tx)s?\s?\(\s{0,4}(?:where\s?:\s?\{\s?)?(?:id|hash)\s{0,2}:\s?\\{0,3}["']$/;

/** `…/transactions/by_hash/` of an API. */
const PATH_OF_LOOKUP = /\b(transaction|block)s?\/by_hash\/$/;

const OBJECT_WITH_ID = /["']?\b(transaction|block|tx)["']?(?:\s?:\s?)?\{\s{0,8}["']?id["']?\s?:\s{0,12}["']$/i;

const REPLACED = /^(?:old|new|orphaned|canonical|stale|reorged|expected|actual)$/;
/** An item of a list that is numbered or marked. */
const STEP = /(?:^|\n)\s{0,8}(?:\d{1,2}[.)]|[-*])\s[^\n:]{0,40}: ?[`"']?$/;

const MAX_NOTE_WORDS = 4;
const LIST_FILE = /(?:^|[\\/])([\w-]{1,60})\.(?:txt|csv|tsv|lst|list)$/i;

/** `1: '0x…'`, `"10": "0x…"` */
const AFTER_ID = /(?:[{,\n])\s{0,8}["']?\d{1,12}["']?\s?:\s?["'`]?$/;

/** Those that only a list of transactions has. */
const OF_EVENT = /block|gas|contract|nonce|\bfrom\b|\bto\b|method|event|log|\baction|step|explorer|url|link/i;

/**
 * The context of a 32-byte value. Where the text has the same bytes in other places, a word for a secret in one of them forbids
 * to send them, and a proof in one of them is one for a place without names.
 */
export function getLiteralContext(text: string, scanned: ScannedLiteral, source: TextSource): LiteralContext {
  const own = new ContextReader(text, scanned, source).read();
  if (own.secretWord !== null) return own;
  const others = findRepeats(text, scanned).map(place => new ContextReader(text, place, source).read());
  const secretWord = others.find(other => other.secretWord !== null)?.secretWord ?? null;
  if (secretWord !== null) return { ...own, secretWord };
  const isOpen = ({ rule }: LiteralContext) => rule === 'nothing' || isProof(rule);
  const proven = own.rule === 'nothing' && others.every(isOpen) ? others.find(({ rule }) => isProof(rule)) : undefined;
  return proven === undefined ? own : { ...own, hint: proven.hint, rule: 'surroundings' };
}

/** Reads what is around one literal: what it may be the hash of, what of it proves that, and what forbids it. */
class ContextReader {
  readonly #text: string;
  readonly #scanned: ScannedLiteral;
  readonly #fileName: string | undefined;
  readonly #link: ExplorerLink | null;
  readonly #labels: readonly Label[];
  /** The column of a table that it is in. */
  readonly #column: Column | null;
  readonly #columnLabel: Label | null;
  /** The column of a row of different things that it is in. */
  readonly #rowColumn: RowColumn | undefined;
  /** What it may be the hash of. */
  #hint: HashHint | null;
  /** The label that gave the hint; `null` for that of a link or command. */
  #hintLabel: Label | null = null;
  #secretWord: string | null;
  /** It is the example of a schema. */
  #isExample = false;
  /** It is compared with a field of a transaction or block. */
  #isCompared = false;
  /** Labels further away are of something else. */
  #hasEnded: boolean;

  constructor(text: string, scanned: ScannedLiteral, source: TextSource) {
    this.#text = text;
    this.#scanned = scanned;
    this.#fileName = source.fileName;
    this.#link = findLink(text, scanned);
    this.#labels = findLabelsBefore(text, scanned.start, isDecisive);
    this.#column = findColumn(text, scanned, source);
    const words = splitWords(
      this.#column === null ? '' : (findRowName(text, scanned, this.#column) ?? this.#column.name),
    );
    // `Deployed in`
    const isEvent = words.length === 2 && words[1] === 'in' && hasPurpose(words, false);
    this.#columnLabel =
      words.length === 0 ? null : { role: 'name', words: isEvent ? [...words, 'transaction'] : words };
    this.#rowColumn = this.#column === null ? findRowColumn(text, scanned) : undefined;
    this.#hint = this.#link === null ? null : findHashHint(this.#link.words);
    this.#secretWord = this.#link === null ? null : findSecretWord(this.#link.words);
    this.#hasEnded = this.#link === null && isConverted(text, scanned.end);
  }

  read(): LiteralContext {
    this.#readLabels();
    this.#readField();
    this.#readSentence();
    this.#readComment();
    this.#readConditional();
    this.#readStep();
    if (this.#isUnknown && isTopic(this.#text, this.#scanned, this.#labels[0])) this.#hint = TOPIC;
    this.#readUse();
    this.#readPrinted();
    this.#readParameter();
    this.#readCall();
    this.#readExample();
    this.#readComparison();
    this.#readMethod();
    this.#readCommand();
    this.#readMap();
    this.#readNumbered();
    this.#readBehind();
    this.#readFileName();
    this.#readRemark();
    const remarks = checkRemarks(this.#text, this.#scanned, this.#isNamed);
    this.#secretWord ??= remarks.secretWord;
    const rule = this.#findRule(remarks.namesAccount);
    return {
      link: this.#link,
      chainId: findChainId(this.#text, this.#scanned, this.#link),
      labels: this.#labels,
      hint: this.#hint,
      rule,
      secretWord: this.#secretWord,
    };
  }

  /** Only the name of a conversion tells of a hash. */
  get #isOfConversion(): boolean {
    const label = this.#hintLabel;
    return label?.role === 'call' && this.#hint !== null && (isPlainHash(this.#hint) || isConversion(label.words));
  }

  #setHint(label: Label, hint: HashHint | null): void {
    [this.#hint, this.#hintLabel] = [hint, label];
  }

  #readHint(label: Label): void {
    const hint = findLabelHint(label);
    if (hint !== null) this.#setHint(label, hint);
  }

  /** There is no link, and nothing known yet of what it may be the hash of. */
  get #isUnknown(): boolean {
    return this.#link === null && this.#hint === null;
  }

  #textBefore(length: number): string {
    return this.#text.slice(Math.max(0, this.#scanned.start - length), this.#scanned.start);
  }

  /** Names, calls, headings: nearest first. */
  #readLabels(): void {
    const column = this.#columnLabel;
    const rowWords = splitWords(this.#rowColumn?.name ?? '');
    const ownLabels = rowWords.length === 0 ? [] : [{ role: 'name', words: rowWords } as const];
    let isMixedList = false;
    for (const label of column === null ? [...ownLabels, ...this.#labels] : [column, ...this.#labels]) {
      const secretWord = findLabelSecret(label);
      // `Key: 'trace/1/0x….json'` of a storage
      if (secretWord !== 'key' || this.#labels[0]?.role !== 'path') this.#secretWord ??= secretWord;
      isMixedList ||= label.role === 'sibling';
      // `txHash := common.HexToHash("0x…")`: the nearer label is less specific. The name of `tx = [to, '0x…']` is of the whole.
      const isOpen = this.#hint === null || isPlainHash(this.#hint) || this.#isOfConversion;
      if (!this.#hasEnded && isOpen && !(isMixedList && !isPlural(label))) this.#readHint(label);
      // `faucet := common.HexToHash("0x…")`
      if (this.#isOfConversion && label.role === 'name' && isAccountName(label.words))
        [this.#hint, this.#hintLabel] = [null, null];
      this.#hasEnded ||= label === column || endsHints(label);
    }
  }

  /** `transaction(id: "0x…")` of GraphQL. */
  #readField(): void {
    const before = this.#textBefore(60);
    const kind = (FIELD_OF_LOOKUP.exec(before) ?? PATH_OF_LOOKUP.exec(before))?.[1];
    if (kind !== undefined) this.#setHint({ role: 'call', words: ['get', kind, 'by hash'] }, findHashHint([kind]));
    // `"transaction": { "id": "0x…"`
    const object = this.#link === null ? OBJECT_WITH_ID.exec(before)?.[1] : undefined;
    if (object !== undefined)
      this.#setHint({ role: 'name', words: [object.toLowerCase(), 'id'] }, findHashHint([object.toLowerCase()]));
  }

  /** `{ height: 5, old: '0x…', new: '0x…' }`, `1. deposit: 0x…` */
  #readStep(): void {
    const label = this.#isUnknown ? this.#labels[0] : undefined;
    if (label === undefined || !(label.role === 'name' || label.role === 'prose')) return;
    const isReplaced = REPLACED.test(label.words.join(' ')) && isInReportedObject(this.#text, this.#scanned);
    const isStep =
      STEP.test(this.#textBefore(80)) &&
      label.words.every(word => hasPurpose([word], false) || /^(?:on|of|the|l|l1|l2)$/.test(word)) &&
      hasPurpose(label.words, false);
    if (isReplaced || isStep) this.#setHint(OF_SURROUNDINGS, findHashHint([isReplaced ? 'block' : 'transaction']));
  }

  /** `waiting for 0x… to be mined` */
  #readSentence(): void {
    if (!this.#isUnknown) return;
    if (isInSentence(this.#text, this.#scanned)) this.#setHint(IN_SENTENCE, findHashHint(IN_SENTENCE.words));
    else if (tellsOfTransaction(this.#text, this.#scanned))
      this.#setHint(OF_SURROUNDINGS, findHashHint(OF_SURROUNDINGS.words));
  }

  /** `// tx: 0x…` between lines of code. */
  #readComment(): void {
    if (this.#link === null && isBetweenCode(this.#text, this.#scanned))
      this.#setHint(OF_SURROUNDINGS, findHashHint(OF_SURROUNDINGS.words));
  }

  /** `blockHash: isTestnet ? '0x…' : '0x…'` */
  #readConditional(): void {
    if (!this.#isUnknown || this.#labels.length > 0) return;
    const words = findConditionalName(this.#text, this.#scanned);
    if (words !== null) this.#readHint({ role: 'name', words });
  }

  /** `const first = '0x…'` above `getTransaction(first)`. */
  #readUse(): void {
    const isOfConversion = ({ role, words }: Label) => role === 'call' && isConversion(words);
    const label = this.#isUnknown ? this.#labels.find(candidate => !isOfConversion(candidate)) : undefined;
    if (
      label === undefined ||
      (label.role !== 'name' && label.words[0] !== 'for') ||
      isConverted(this.#text, this.#scanned.end)
    )
      return;
    if (isLookedUpNear(this.#text, this.#scanned, label)) this.#setHint(label, findHashHint(['transaction']));
  }

  /** What a prompt printed. */
  #readPrinted(): void {
    const words = this.#isUnknown ? findPrintedName(this.#text, this.#scanned) : null;
    if (words !== null) this.#setHint({ role: 'name', words }, findHashHint(words));
  }

  /** It is an argument of a function. */
  get #isPassed(): boolean {
    return this.#labels.some(({ role }) => role === 'call' || role === 'among');
  }

  /** `decode('0x…')` where `function decode(txHash)` is. */
  #readParameter(): void {
    const words = this.#isUnknown && this.#isPassed ? findParameter(this.#text, this.#scanned) : null;
    if (words !== null && isHashName(words)) this.#readHint({ role: 'name', words });
  }

  /** `web3.eth.transactionReceipt(Data.fromHex("0x…"))` */
  #readCall(): void {
    if (this.#isUnknown && this.#isPassed && isConvertedForLookup(this.#text, this.#scanned))
      this.#setHint({ role: 'name', words: ['transaction'] }, findHashHint(['transaction']));
  }

  /** The example of a schema. */
  #readExample(): void {
    const label = this.#hint === null ? findExampleLabel(this.#text, this.#scanned) : null;
    if (label === null) return;
    this.#readHint(label);
    this.#isExample = true;
  }

  /** `assertEquals("0x…", receipt.blockHash)` */
  #readComparison(): void {
    const field = this.#link === null ? findComparedField(this.#text, this.#scanned) : null;
    if (field !== null) {
      this.#isCompared = true;
      this.#readHint({ role: 'name', words: field });
      return;
    }
    if (this.#hint !== null && !isPlainHash(this.#hint)) return;
    const isCaller = ({ role, words }: Label) => (role === 'call' || role === 'among') && !isConversion(words);
    const caller = this.#labels.find(isCaller);
    if (caller === undefined && this.#labels[0]?.role !== 'call') return;
    const compared = findCompared(this.#text, this.#scanned.end, caller);
    if (compared !== null) this.#readHint(compared);
  }

  /** `getTx('0x…')` where the text has `function getTx(key)`: what the function takes decides before its name. */
  #readParameterOfKey(): boolean {
    const label = this.#hintLabel;
    const isCall = label !== null && (this.#isPassed || label.role === 'prose' || label.role === 'name');
    const words = isCall ? findDeclaredParameter(this.#text, this.#scanned) : null;
    if (words === null) return false;
    this.#secretWord ??= findSecretWord(words);
    return isAccountName(words);
  }

  /** `{"method":"eth_getTransactionByHash","params":["0x…"]}` */
  #readMethod(): void {
    const method = findRpcMethod(this.#text, this.#scanned, this.#labels);
    if (method === null) return;
    this.#secretWord ??= findSecretMethodWord(method);
    const hint = findHashHint(method);
    const isFirst = !AFTER_PARAMETER.test(this.#textBefore(80));
    const label = this.#hintLabel === this.#labels[0] ? this.#hintLabel : null;
    if (!isNamedParameter(this.#hint, label) && (hint === null || isFirst)) this.#hint = hint && (this.#hint ?? hint);
  }

  /** `cast receipt 0x…` */
  #readCommand(): void {
    const hint = findCastHint(this.#text, this.#scanned.start);
    if (hint !== null) [this.#hint, this.#hintLabel] = [hint, null];
    if (!this.#isUnknown || !isArgumentOfCommand(this.#text, this.#scanned)) return;
    const words = ['get', 'transaction'];
    this.#setHint({ role: 'prose', words }, findHashHint(words));
  }

  /** `GENESIS_HASHES = { 1: '0x…' }`, by the ids of chains or numbers of blocks. */
  #readNumbered(): void {
    if (!this.#isUnknown || !AFTER_ID.test(this.#textBefore(30))) return;
    const [list] = findContainers(this.#text, this.#scanned.start);
    if (list === undefined || !list.at(-1)?.endsWith('s') || !isHashName(list) || isAccountName(list)) return;
    this.#setHint({ role: 'name', words: list }, findHashHint(list));
  }

  /** Whatever the keys of `txHashes = { vault: '0x…' }` are, the values are hashes. */
  #readMap(): void {
    const map = this.#labels[1];
    if (this.#hint !== null || map === undefined) return;
    if (this.#hasEnded && !isHashName(map.words) && !hasPurpose(map.words, false)) return;
    const hint = findMapHint(this.#labels);
    if (hint !== null) this.#setHint(map, hint);
  }

  /** What is behind it in its line: a condition, other elements, a comment. */
  #readBehind(): void {
    this.#secretWord ??= findSecretBeside(this.#text, this.#scanned);
    const note = this.#secretWord === null ? findLabelAfter(this.#text, this.#scanned.end) : null;
    if (note === null) return;
    this.#secretWord = findLabelSecret(note);
    // `GENESIS: constant(bytes32) = 0x…  # L1 block hash`
    if (this.#hint?.kind === 'block' && note.words.length <= MAX_NOTE_WORDS && isHashName(note.words))
      this.#setHint(OF_SURROUNDINGS, this.#hint);
    // `accounts: ['0x…'] // sends tx` has a name, and the comment is about something else.
    if (this.#hint === null && this.#labels.length === 0 && isNoteOf(this.#text, this.#scanned)) this.#readHint(note);
  }

  /** `tx_hashes.txt`, `failed_txs.csv`: a list without names. */
  #readFileName(): void {
    const name = LIST_FILE.exec(this.#fileName ?? '')?.[1];
    if (name === undefined || !this.#isUnknown || this.#labels.length > 0) return;
    const words = splitWords(name);
    const label: Label = { role: 'name', words: words.join(' ') === 'hashes' ? ['transaction', ...words] : words };
    if (/(?:^|\n)$/.test(this.#textBefore(1)) && isPlural(label)) this.#readHint(label);
  }

  /** `// hash of the transaction that …` above `const last = '0x…'` */
  #readRemark(): void {
    const isPlain = this.#hint === null || (this.#link === null && isPlainHash(this.#hint));
    const label = this.#labels.find(({ role, words }) => role !== 'type' && !(role === 'call' && isConversion(words)));
    if (
      !isPlain ||
      label?.role !== 'name' ||
      label.words.join('').length < 2 ||
      hasOwnMeaning(label.words) ||
      isAccountName(label.words) ||
      isActionName(label.words)
    )
      return;
    const caller = this.#labels.find(
      ({ role, words }) => (role === 'call' || role === 'among') && !isConversion(words),
    );
    if (caller !== undefined) return;
    if (isRemarkedHash(this.#text, this.#scanned)) this.#setHint(OF_REMARK, findHashHint(OF_REMARK.words));
  }

  #findRule(remarksNameAccount: boolean): RuleName {
    const [text, scanned, hint, label] = [this.#text, this.#scanned, this.#hint, this.#hintLabel];
    if (hint === null) return 'nothing';
    if (this.#link !== null) {
      if (isRemarkedAccount(text, scanned)) return 'accountRemark';
      return !this.#link.isPlain || isAmbiguousPath(text, scanned) ? 'otherPlace' : 'link';
    }
    const containers = findContainers(text, scanned.start);
    for (const words of containers) this.#secretWord ??= findSecretWord(words);
    if (label === null || hint.isUnsearchable || hint.kind === 'topic') return 'lookup';
    if (this.#readParameterOfKey()) return 'aboutAccounts';
    const header = label === this.#columnLabel ? (this.#column?.header ?? '') : null;
    let inRecord: boolean | undefined;
    const isOfRecord = () => (inRecord ??= isInRecord(text, scanned));
    const [rowColumn, fileName] = [this.#rowColumn, this.#fileName];
    const claim = { label, hint, isInRecord: isOfRecord, header, containers, rowColumn, fileName };
    const rule = findRule(text, scanned, claim);
    if (!isProof(rule)) return rule;
    const isExplained = this.#isNamed && hasNamedKey(text, scanned, header !== null);
    // Nothing but its name tells that it is a hash.
    const isOnlyNamed =
      (rule === 'hashName' || rule === 'type' || rule === 'surroundings' || (rule === 'report' && isPlainHash(hint))) &&
      !(this.#isCompared || isOfRecord() || isLookedUp(text, scanned, label));
    const isReport = rule === 'report' || rule === 'surroundings';
    if (isReport && isTaggedByAccount(text, scanned)) return 'aboutAccounts';
    const isRemarked =
      remarksNameAccount &&
      !isExplained &&
      label !== IN_SENTENCE &&
      !(label.role === 'prose' && IN_TRANSACTION.test(label.words.join(' '))) &&
      !(isOfRecord() && isInFullRecord(text, scanned));
    if (isRemarked || (isOnlyNamed && isRemarkedOtherwise(text, scanned))) return 'accountRemark';
    if (!isOfRecord() && isUsedAsKey(text, scanned, this.#labels)) return 'usedAsKey';
    if (this.#isCompared) return 'report';
    if (!isOfRecord() && this.#isAboutAccounts(rule, header, isExplained)) return 'aboutAccounts';
    if (rule === 'report' && !isPlainHash(hint) && tellsKey(text, scanned)) return 'aboutAccounts';
    // `{"bot": "mm", "tx": "0x…", "status": "success"}`
    const isBare = rule === 'report' && label.role === 'name' && label.words.length === 1;
    if (isBare && !isOfRecord() && namesOwner(readObject(text, scanned), false)) return 'aboutAccounts';
    if (!isOnlyNamed || RECORDS.test(this.#fileName ?? '')) return rule;
    if (this.#isExample || isOfContract(text, scanned)) return rule;
    const isBeside = !isExplained && isBesideOwner(text, scanned, tellsEvent(label.words));
    return isBeside || isNearKeys(text, scanned, rule === 'surroundings' && label !== OF_REMARK)
      ? 'aboutAccounts'
      : rule;
  }

  /** Its own name is that of a hash. */
  get #isNamed(): boolean {
    const label = this.#hintLabel;
    if (label === null || this.#hint === null) return false;
    return (
      (label.role === 'name' && namesHash(label, this.#hint)) ||
      label === OF_REMARK ||
      (label.role === 'prose' && isHashName(label.words) && !isPlainHash(this.#hint))
    );
  }

  #isAboutAccounts(rule: RuleName, header: string | null, isExplained: boolean): boolean {
    const [text, scanned] = [this.#text, this.#scanned];
    if (isExplained || (this.#isNamed && hasOtherValue(readObject(text, scanned), scanned))) return false;
    // Its own column tells nothing of those beside it.
    const isOfEvents = OF_EVENT.test(header?.replace(this.#column?.name ?? '', '') ?? '');
    const isInFile = ACCOUNT_FILE.test(this.#fileName ?? '') && ['hashName', 'type', 'column'].includes(rule);
    const isRow = header !== null || isTableFile({ fileName: this.#fileName });
    const isInRow = isRow && isInRowOfOwner(text, scanned);
    if (!isOfEvents && (isInFile || isInRow)) return true;
    if (header !== null && isInTableOfAccounts(this.#column)) return true;
    if (this.#hintLabel !== null && isOfChain(this.#hintLabel.words)) return false;
    return mentionsAccount(findFieldsAbove(text, scanned.start), false);
  }
}

/** The chain that the surroundings of a literal name. */
export function getNamedChainId(text: string, scanned: ScannedLiteral): number | null {
  return findChainId(text, scanned, findLink(text, scanned));
}

function findChainId(text: string, scanned: ScannedLiteral, link: ExplorerLink | null): number | null {
  return link?.chainId ?? findChainIdBeside(text, scanned.start, scanned.end);
}
