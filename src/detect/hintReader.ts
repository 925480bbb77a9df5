// Reads what a literal may be the hash of: from its link, its labels, its use, and remarks about it.
import { isAmongTransactions } from './amongTransactions.ts';
import { findSecretBeside, isBetweenCode, isConverted, isNoteOf } from './besideLiteral.ts';
import { findContainers } from './containers.ts';
import { findDeclaredName, isMappedToLookup } from './declaredNames.ts';
import { type ExplorerLink, findLink } from './explorerLinks.ts';
import { IN_SENTENCE, OF_REMARK, OF_SURROUNDINGS } from './hashClaim.ts';
import { hasPurpose } from './hashNames.ts';
import { isRemarkedHash, isRemarkedShort } from './hashRemark.ts';
import { isAnswer, isInSentence } from './hashSentence.ts';
import {
  findCallHint,
  findCastHint,
  findHashHint,
  type HashHint,
  isConversion,
  isHashName,
  isLookupName,
  isPlainHash,
} from './hintWords.ts';
import { findLoopLabel, isLookedUpNear } from './keyNames.ts';
import { endsHints, findLabelHint, findLabelSecret, isDecisive } from './labelHints.ts';
import { findLabelAfter, findLabelsBefore, type Label } from './labels.ts';
import { isConvertedForLookup } from './lookedUpLiteral.ts';
import { findMapHint, isMapOfHashes, isPlural, mayBeKeyOfMap } from './mapsOfHashes.ts';
import { hasOwnMeaning } from './phrases.ts';
import { isInReportedObject } from './reportedLiteral.ts';
import {
  findCompared,
  findComparedField,
  findExampleLabel,
  findParameter,
  findPrintedName,
  tellsOfTransaction,
} from './reports.ts';
import { findRowColumn, type RowColumn } from './rows.ts';
import { AFTER_PARAMETER, findRpcMethod, isNamedParameter } from './rpcParameter.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretMethodWord, findSecretWord, isAccountName, isActionName } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { type Column, findColumn, findRowName, type TableSource } from './tableColumns.ts';
import { isTopic, TOPIC } from './topics.ts';

const FIELD_OF_LOOKUP =
  /(?<![\w.])(transaction|block|tx)s?\s?\(\s{0,4}(?:where\s?:\s?\{\s?)?(?:id|hash)\s{0,2}:\s?\\{0,3}["']$/;

/** `cast wallet address 0x…` */
const KEY_COMMAND =
  /\bcast[ \t]{1,20}(?:wallet|w)[ \t]{1,20}(?:address|addr|a|public-key|pubkey|import|i|private-key|pk)(?:[ \t]-{1,2}[\w-]{1,20}){0,2}[ \t]{1,8}["'`]?$/;

/** `…/transactions/by_hash/` of an API, `eth_getTransaction(byHash: "0x…")` of Swift, `(get-transaction-receipt web3 "0x…")` of Clojure. */
const PATH_OF_LOOKUP =
  /\b(transaction|block)s?\/by_hash\/$|get_?(transaction|block)\w{0,8}\(by\w{0,12}Hash: "$|\((?:[\w.]{1,12}\/)?get-(transaction|block)(?:-receipt|-by-hash)? (?:(?:web3|w3|client|provider|eth|node|conn) )?"$/i;
/** Types of the values of a map. */
const OF_TYPE = wordSet('record map string str hex hash number');

/** `"transaction": { "id": "0x…"`, `fieldEquals("Transaction", "0x…"` of a subgraph. */
const OBJECT_WITH_ID =
  /(?:["']?\b(?=(?:transaction|block|tx)["']?(?:\s?:\s?)?\{\s{0,8}["']?id["']?\s?:\s{0,12}["']$)|\bfieldEquals\("(?=[TB]\w{1,10}", "$))(transaction|block|tx)/i;
/** `fieldEquals("Transfer", "0x…-0"`: the hash and the index of the log. */
const ID_OF_LOG = /\bfieldEquals\("\w{1,40}", "$/;

/** `"id": "0x…", "tx": {` of a history. */
const BESIDE_TRANSACTION = /^",\s{0,40}"tx"\s?:\s?\{/;

const REPLACED = /^(?:old|new|orphaned|canonical|stale|reorged|expected|actual)$/;
/** An item of a list that is numbered or marked. */
const STEP = /(?:^|\n)\s{0,8}(?:\d{1,2}[.)]|[-*])\s(?:\*{0,2}\d\d:\d\d(?: UTC)?\*{0,2} )?[^\n:]{0,40}: ?[`"']?$/;

/** What a node returns for a transaction that was sent, or sends to who subscribed to pending transactions. */
const isResultOfSend = (before: string): boolean =>
  /\bresult["']?\s?:\s?["'`]$/.test(before) &&
  (/^Transaction["'](?![\s\S]*"method")/.test(before.split(/eth_send(?:Raw)?/).at(-1) ?? '') ||
    /"eth_subscription",\s?"params":\s?\{\s?"subscription":\s?"0x[\da-f]{1,64}",\s?"result":\s?"$/.test(before));
const SENT_HASH: Label = { role: 'name', words: ['transaction', 'hash'] };
const MAX_NOTE_WORDS = 4;
const LIST_FILE = /(?:^|[\\/])([\w-]{1,60})\.(?:txt|csv|tsv|lst|list)$/i;

/** `1: '0x…'`, `"10": "0x…"` */
const AFTER_ID = /(?:[{,\n])\s{0,8}["']?\d{1,12}["']?\s?:\s?["'`]?$/;

/** What the text around a literal says that it may be the hash of. */
export interface HintReading {
  readonly link: ExplorerLink | null;
  readonly labels: readonly Label[];
  /** The column of a table that it is in. */
  readonly column: Column | null;
  readonly columnLabel: Label | null;
  /** The column of a row of different things that it is in. */
  readonly rowColumn: RowColumn | undefined;
  readonly hint: HashHint | null;
  /** The label that gave the hint; `null` for that of a link or command. */
  readonly hintLabel: Label | null;
  readonly secretWord: string | null;
  /** It is an argument of a function. */
  readonly isPassed: boolean;
  /** It is the example of a schema. */
  readonly isExample: boolean;
  /** It is compared with a field of a transaction or block. */
  readonly isCompared: boolean;
}

export const readHint = (text: string, scanned: ScannedLiteral, source: TableSource): HintReading =>
  new HintReader(text, scanned, source).read();

/** Collects the hint of one literal; the first label that tells of a hash decides. */
class HintReader {
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

  constructor(text: string, scanned: ScannedLiteral, source: TableSource) {
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
    // `client.getTransactionByHash("0x…").map(…)`
    const isOfLookup =
      this.#labels[0]?.role === 'call' &&
      isLookupName(this.#labels[0].words) &&
      /^["'`]\)/.test(text.slice(scanned.end));
    this.#hasEnded = this.#link === null && !isOfLookup && isConverted(text, scanned.end);
  }

  read(): HintReading {
    this.#readLabels();
    this.#readField();
    this.#readSentence();
    this.#readComment();
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
    return {
      link: this.#link,
      labels: this.#labels,
      column: this.#column,
      columnLabel: this.#columnLabel,
      rowColumn: this.#rowColumn,
      hint: this.#hint,
      hintLabel: this.#hintLabel,
      secretWord: this.#secretWord,
      isPassed: this.#isPassed,
      isExample: this.#isExample,
      isCompared: this.#isCompared,
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
      // What converts the value of a column, or is in the one before it, tells less than the column's name and type.
      const isOfColumn =
        ownLabels.length > 0 && (label.role === 'argument' || (label.role === 'call' && isConversion(label.words)));
      if (!this.#hasEnded && isOpen && !isOfColumn && !(isMixedList && !isPlural(label))) this.#readHint(label);
      // `faucet := common.HexToHash("0x…")`
      if (this.#isOfConversion && label.role === 'name' && isAccountName(label.words))
        [this.#hint, this.#hintLabel] = [null, null];
      this.#hasEnded ||= label === column || endsHints(label);
    }
  }

  /** `transaction(id: "0x…")` of GraphQL. */
  #readField(): void {
    const before = this.#textBefore(50);
    const [, first, second, third] = FIELD_OF_LOOKUP.exec(before) ?? PATH_OF_LOOKUP.exec(before) ?? [];
    const kind = (first ?? second ?? third)?.toLowerCase();
    if (kind !== undefined) this.#setHint({ role: 'call', words: ['get', kind, 'by hash'] }, findHashHint([kind]));
    if (this.#link !== null) return;
    const isOfLog = ID_OF_LOG.test(before) && /^-\d/.test(this.#text.slice(this.#scanned.end, this.#scanned.end + 2));
    const isOfHistory =
      /"id"\s?:\s?"$/.test(before) &&
      BESIDE_TRANSACTION.test(this.#text.slice(this.#scanned.end, this.#scanned.end + 60));
    const object = isOfLog || isOfHistory ? 'transaction' : OBJECT_WITH_ID.exec(before)?.[1];
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
      label.words.every(
        word => hasPurpose([word], false) || /^(?:on|of|the|l|l1|l2|utc|first|second|third|last)$/.test(word),
      ) &&
      hasPurpose(label.words, false);
    if (isReplaced || isStep) this.#setHint(OF_SURROUNDINGS, findHashHint([isReplaced ? 'block' : 'transaction']));
  }

  /** `waiting for 0x… to be mined` */
  #readSentence(): void {
    if (!this.#isUnknown) return;
    if (isInSentence(this.#text, this.#scanned)) this.#setHint(IN_SENTENCE, findHashHint(IN_SENTENCE.words));
    else if (
      tellsOfTransaction(this.#text, this.#scanned) ||
      isAnswer(this.#text, this.#scanned) ||
      (this.#column === null && isAmongTransactions(this.#text, this.#scanned, this.#fileName))
    )
      this.#setHint(OF_SURROUNDINGS, findHashHint(OF_SURROUNDINGS.words));
  }

  /** `// tx: 0x…` between lines of code. */
  #readComment(): void {
    if (this.#link === null && isBetweenCode(this.#text, this.#scanned))
      this.#setHint(OF_SURROUNDINGS, findHashHint(OF_SURROUNDINGS.words));
  }

  /** `const first = '0x…'` above `getTransaction(first)`. */
  #readUse(): void {
    const isOfConversion = ({ role, words }: Label) => role === 'call' && isConversion(words);
    const isOpen = this.#isUnknown || (this.#link === null && this.#isOfConversion);
    const label = isOpen
      ? (this.#labels.find(candidate => !isOfConversion(candidate)) ?? findLoopLabel(this.#text, this.#scanned.start))
      : undefined;
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
    // `flag.String("tx", "0x…", "transaction to trace")`
    if (!this.#isUnknown && this.#hintLabel?.role !== 'argument' && !this.#isOfConversion) return;
    const isLookedUpEach = isMappedToLookup(this.#text, this.#scanned);
    const declared = isLookedUpEach ? ['transaction', 'hashes'] : findDeclaredName(this.#text, this.#scanned);
    if (declared !== null) this.#readHint({ role: 'name', words: declared });
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
    if (caller === undefined) return;
    const compared = findCompared(this.#text, this.#scanned.end, caller);
    if (compared !== null) this.#readHint(compared);
  }

  /** `{"method":"eth_getTransactionByHash","params":["0x…"]}` */
  #readMethod(): void {
    const isResult = this.#isUnknown && this.#labels[0]?.words.join() === 'result';
    if (isResult && isResultOfSend(this.#textBefore(400))) {
      this.#setHint(SENT_HASH, findHashHint(SENT_HASH.words));
      return;
    }
    const method = findRpcMethod(this.#text, this.#scanned, this.#labels);
    if (method === null) return;
    this.#secretWord ??= findSecretMethodWord(method);
    const hint = findCallHint(method) ?? findHashHint(method);
    const isFirst = !AFTER_PARAMETER.test(this.#textBefore(80));
    const label = this.#hintLabel === this.#labels[0] ? this.#hintLabel : null;
    if (!isNamedParameter(this.#hint, label) && (hint === null || isFirst)) this.#hint = hint && (this.#hint ?? hint);
  }

  /** `cast receipt 0x…` */
  #readCommand(): void {
    const hint = findCastHint(this.#text, this.#scanned.start);
    if (hint !== null) [this.#hint, this.#hintLabel] = [hint, null];
    else if (KEY_COMMAND.test(this.#textBefore(60))) this.#secretWord ??= 'wallet';
  }

  /** `GENESIS_HASHES = { 1: '0x…' }`, by the ids of chains or numbers of blocks. */
  #readNumbered(): void {
    if (!this.#isUnknown || !AFTER_ID.test(this.#textBefore(30))) return;
    const [list] = findContainers(this.#text, this.#scanned.start);
    // `const executedIn: Record<number, Hash> = {`
    const isEvents = list?.length === 2 && list[1] === 'in' && hasPurpose(list, false);
    if (isEvents && /In: (?:Record|Map)<\w{1,20}, Hash> = \{[^{}]*$/.test(this.#textBefore(1_000))) {
      const words = [...list, 'transaction'];
      this.#setHint({ role: 'name', words }, findHashHint(words));
      return;
    }
    // `DEPLOYMENT_TXS`
    const isList = list?.at(-1)?.endsWith('s') && (isHashName(list) || (list.length > 1 && hasPurpose(list, false)));
    if (list === undefined || !isList || isAccountName(list)) return;
    this.#setHint({ role: 'name', words: list }, findHashHint(list));
  }

  /** Whatever the keys of `txHashes = { vault: '0x…' }` are, the values are hashes. */
  #readMap(): void {
    const [key, around] = this.#labels;
    if (this.#hint !== null || key === undefined) return;
    // `const deployTxs: Record<string, Hash> = {`, `[tx_hashes]` of TOML, `tx_hashes:` of YAML
    const isType = around === undefined || around.words.every(word => OF_TYPE.has(word));
    const isKey = isType && mayBeKeyOfMap(key) && !isConverted(this.#text, this.#scanned.end);
    const [list] = isKey ? findContainers(this.#text, this.#scanned.start) : [];
    const isList = list === undefined || list.join() === key.words.join();
    const map: Label | undefined = isList ? around : { role: 'around', words: list };
    if (map === undefined || ((this.#hasEnded || around === undefined) && !isMapOfHashes(key, map))) return;
    const hint = findMapHint([key, map]);
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
    const isHash =
      isRemarkedHash(this.#text, this.#scanned) || (this.#hint !== null && isRemarkedShort(this.#text, this.#scanned));
    if (isHash) this.#setHint(OF_REMARK, findHashHint(OF_REMARK.words));
  }
}
