// Reads the surroundings of a literal: its link and labels, and what they tell about it.
import type { Hex } from '../base/hex.ts';
import { findContainers, findFieldsAbove } from './containers.ts';
import { readEscapedText } from './escapedText.ts';
import { type ExplorerLink, findChainIdBeside, findLink } from './explorerLinks.ts';
import { OF_REMARK } from './hashClaim.ts';
import { isAccountFile, isOfChain, isSettingsFile, namesHash, RECORDS, tellsEvent } from './hashNames.ts';
import { findRule } from './hashProof.ts';
import { isCommentedOtherwise, isNotedOtherwise, isRemarkedOtherwise, tellsOtherwise } from './hashRemark.ts';
import { isUsedOtherwise } from './hashUses.ts';
import { type HintReading, readHint } from './hintReader.ts';
import { type HashHint, isHashName, isPlainHash } from './hintWords.ts';
import { isLookedUp, isUsedAsKey } from './keyNames.ts';
import type { Label } from './labels.ts';
import { readWithoutRows } from './longRuns.ts';
import { findObjectStart, isInFullRecord, isInRecord, isOfContract, readObject } from './nodeRecords.ts';
import { hasOtherValue, isInRowOfOwner, isRemarkedAccount, namesOwner } from './owners.ts';
import type { RemarkVerdict } from './remarkLine.ts';
import {
  checkRemarks,
  hasNamedKey,
  isBesideOwner,
  isNearKeys,
  isNearTextAboutKeys,
  isOnLineOfOwner,
  isTaggedByAccount,
  tellsKey,
  tellsOfMistake,
} from './remarks.ts';
import { findRepeats } from './repeats.ts';
import { findDeclaredParameter } from './reports.ts';
import { isProof, type RuleName } from './rules.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';
import { isInTableOfAccounts, isTableFile } from './tableColumns.ts';

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
  /** A remark about it names an account. */
  readonly namesAccount: boolean;
}

/** An account that has a column there took part in what is in the block: `block_time,tx_hash,amount,trader`. */
const [OF_BLOCK, OF_VALUE] = [/\bblock_?(?:time|date|number)\b/i, /\b(?:amount|token|value)/i];
/** Those that only a list of transactions has. */
const OF_EVENT = /block|gas|contract|nonce|\bfrom\b|\bto\b|method|event|log|\baction|step|explorer|url|link/i;

/** Lines above and below that may tell of a key: more where nothing but a name tells that it is a hash. */
const [LINES_NEAR, LINES_BESIDE] = [12, 3];

/**
 * The context of a 32-byte value. Where the text has the same bytes in other places, a word for a secret in one of them forbids
 * to send them, and a proof in one of them is one for a place without names.
 */
export function getLiteralContext(text: string, scanned: ScannedLiteral, source: TextSource): LiteralContext {
  const own = readContext(text, scanned, source);
  if (own.secretWord !== null) return own;
  const others = findRepeats(text, scanned).map(place => readContext(text, place, source));
  const secretWord = others.find(other => other.secretWord !== null)?.secretWord ?? null;
  if (secretWord !== null) return { ...own, secretWord };
  const isOpen = ({ rule }: LiteralContext) => rule === 'nothing' || isProof(rule);
  const proven = own.rule === 'nothing' && others.every(isOpen) ? others.find(({ rule }) => isProof(rule)) : undefined;
  return proven === undefined ? own : { ...own, hint: proven.hint, rule: 'surroundings' };
}

/** In a long run of rows what is around the run forbids too, and what that does not prove is not proven. */
function readContext(text: string, scanned: ScannedLiteral, source: TextSource): LiteralContext {
  const own = readHeldContext(text, scanned, source);
  const short = own.secretWord === null && isProof(own.rule) ? readWithoutRows(text, scanned) : null;
  if (short === null) return own;
  const { secretWord, rule } = readHeldContext(short.text, short.scanned, source);
  return { ...own, secretWord, rule };
}

/** `\\"0x…` */
const isQuotedInText = (text: string, { start }: ScannedLiteral): boolean => text.slice(start - 2, start) === '\\"';

/** In a string with escapes the text that it holds forbids too, and what that does not prove is not proven. */
function readHeldContext(text: string, scanned: ScannedLiteral, source: TextSource): LiteralContext {
  const own = new ContextReader(text, scanned, source).read();
  if (own.secretWord !== null || !(isProof(own.rule) || (own.rule === 'nothing' && isQuotedInText(text, scanned))))
    return own;
  const held = readEscapedText(text, scanned);
  if (held === null) return own;
  const { secretWord, rule, hint } = new ContextReader(held.text, held.scanned, {}).read();
  return { ...own, hint: own.hint ?? hint, secretWord, rule };
}

/** Decides by which rule one literal is sent or not: what it may be the hash of, what proves that, and what forbids it. */
class ContextReader {
  readonly #text: string;
  readonly #scanned: ScannedLiteral;
  readonly #fileName: string | undefined;
  readonly #reading: HintReading;
  #secretWord: string | null;

  constructor(text: string, scanned: ScannedLiteral, source: TextSource) {
    this.#text = text;
    this.#scanned = scanned;
    this.#fileName = source.fileName;
    this.#reading = readHint(text, scanned, source);
    this.#secretWord = this.#reading.secretWord;
  }

  read(): LiteralContext {
    const { link, labels, hint } = this.#reading;
    const remarks = checkRemarks(this.#text, this.#scanned, this.#isNamed);
    this.#secretWord ??= remarks.secretWord;
    const found = this.#findRule(remarks);
    const rule = isProof(found) && tellsOfMistake(this.#text, this.#scanned) ? 'accountRemark' : found;
    const chainId = findChainId(this.#text, this.#scanned, link);
    return { link, chainId, labels, hint, rule, secretWord: this.#secretWord, namesAccount: remarks.namesAccount };
  }

  #findRule(remarks: RemarkVerdict): RuleName {
    const [text, scanned, hint, label] = [this.#text, this.#scanned, this.#reading.hint, this.#reading.hintLabel];
    if (hint === null) return 'nothing';
    const isCommand = label === null && this.#reading.link === null && !hint.isUnsearchable;
    if ((isCommand || this.#reading.link !== null) && this.#isExplainedOtherwise(LINES_BESIDE)) return 'accountRemark';
    if (this.#reading.link !== null) {
      if (isRemarkedAccount(text, scanned) || remarks.isOwn) return 'accountRemark';
      return this.#reading.link.isPlain ? 'link' : 'otherPlace';
    }
    const containers = findContainers(text, scanned.start);
    for (const words of containers) this.#secretWord ??= findSecretWord(words);
    if (label === null || hint.isUnsearchable || hint.kind === 'topic') return 'lookup';
    if (this.#readParameterOfKey()) return 'aboutAccounts';
    const header = label === this.#reading.columnLabel ? (this.#reading.column?.header ?? '') : null;
    let inRecord: boolean | undefined;
    const isOfRecord = () => (inRecord ??= isInRecord(text, scanned));
    const [rowColumn, fileName] = [this.#reading.rowColumn, this.#fileName];
    const claim = { label, hint, isInRecord: isOfRecord, header, containers, rowColumn, fileName };
    const rule = findRule(text, scanned, claim);
    if (!isProof(rule)) return rule;
    const isExplained = this.#isNamed && hasNamedKey(text, scanned, header !== null);
    // Nothing but its name tells that it is a hash.
    const isOnlyNamed =
      (rule === 'hashName' || rule === 'type' || rule === 'surroundings' || (rule === 'report' && isPlainHash(hint))) &&
      !(this.#reading.isCompared || isOfRecord() || isLookedUp(text, scanned, label));
    const isReport = rule === 'report' || rule === 'surroundings';
    // `admin: "0x…"` beside `tx: "0x…"`
    const isBareTx = isReport && label.role === 'name' && !this.#isNamed && !isPlainHash(hint) && !isOfRecord();
    if (isBareTx && hasNamedKey(text, scanned, header !== null)) return 'aboutAccounts';
    if (isReport && isTaggedByAccount(text, scanned)) return 'aboutAccounts';
    if (!isOfRecord() && (isUsedAsKey(text, scanned, this.#reading.labels) || isUsedOtherwise(text, scanned, label)))
      return 'usedAsKey';
    const isFull = isOfRecord() && isInFullRecord(text, scanned);
    // Fields as nodes return them, and what tools write about contracts.
    const isRecorded =
      this.#reading.isCompared ||
      isOfRecord() ||
      (isOnlyNamed && (RECORDS.test(fileName ?? '') || this.#reading.isExample || isOfContract(text, scanned)));
    const lines = isRecorded ? 0 : isOnlyNamed || header !== null ? LINES_NEAR : LINES_BESIDE;
    const isRemarked = remarks.namesAccount && (remarks.isOwn || !isExplained);
    if (!isFull && (isRemarked || this.#isExplainedOtherwise(lines))) return 'accountRemark';
    if (
      isOnlyNamed &&
      isNotedOtherwise(
        text,
        scanned,
        !(findObjectStart(text, scanned.start) < 0 ? isExplained : this.#isBesideOther) && !isOfContract(text, scanned),
      )
    )
      return 'accountRemark';
    if (header !== null && tellsOtherwise(this.#reading.column?.remark ?? '')) return 'accountRemark';
    if (!isOfRecord() && this.#isAboutAccounts(rule, header, isExplained)) return 'aboutAccounts';
    if (rule === 'report' && !isPlainHash(hint) && tellsKey(text, scanned)) return 'aboutAccounts';
    // `{"bot": "mm", "tx": "0x…", "status": "success"}`
    const isBare = rule === 'report' && label.role === 'name' && label.words.length === 1;
    if (isBare && !isOfRecord() && !isOfContract(text, scanned) && namesOwner(readObject(text, scanned), false))
      return 'aboutAccounts';
    if (!isOnlyNamed || isRecorded) return rule;
    if (isSettingsFile(fileName) && !isOfChain(label.words)) return 'aboutAccounts';
    const isBeside = !isExplained && isBesideOwner(text, scanned, tellsEvent(label.words) || isOfChain(label.words));
    return isBeside || isNearKeys(text, scanned, rule === 'surroundings' && label !== OF_REMARK)
      ? 'aboutAccounts'
      : rule;
  }

  /** A comment or what is behind it tells of no hash, or one of so many lines above or below it tells of keys. */
  #isExplainedOtherwise(lines: number): boolean {
    const [text, scanned] = [this.#text, this.#scanned];
    return (
      isCommentedOtherwise(text, scanned) ||
      isRemarkedOtherwise(text, scanned) ||
      (lines > 0 && isNearTextAboutKeys(text, scanned, lines, lines === LINES_BESIDE)) ||
      (lines === LINES_BESIDE && isOnLineOfOwner(text, scanned, this.#reading.link !== null))
    );
  }

  /** Its own name is that of a hash. */
  get #isNamed(): boolean {
    const label = this.#reading.hintLabel;
    if (label === null || this.#reading.hint === null) return false;
    return (
      (label.role === 'name' && namesHash(label, this.#reading.hint)) ||
      label === OF_REMARK ||
      (label.role === 'prose' && isHashName(label.words) && !isPlainHash(this.#reading.hint))
    );
  }

  /** `getTx('0x…')` where the text has `function getTx(key)`: what the function takes decides before its name. */
  #readParameterOfKey(): boolean {
    const label = this.#reading.hintLabel;
    const isCall = label !== null && (this.#reading.isPassed || label.role === 'prose' || label.role === 'name');
    const parameter = isCall ? findDeclaredParameter(this.#text, this.#scanned) : null;
    if (parameter === null) return false;
    this.#secretWord ??= findSecretWord(splitWords(parameter));
    const names = parameter.match(/\w+/g)?.map((name): Label => ({ role: 'name', words: splitWords(name) })) ?? [];
    return isAccountName(splitWords(parameter)) || isUsedAsKey(this.#text, this.#scanned, names);
  }

  /** Its object has other 32 bytes that have no name of a hash. */
  get #isBesideOther(): boolean {
    return this.#isNamed && hasOtherValue(readObject(this.#text, this.#scanned), this.#scanned);
  }

  #isAboutAccounts(rule: RuleName, header: string | null, isExplained: boolean): boolean {
    const [text, scanned] = [this.#text, this.#scanned];
    const isInFile = isAccountFile(this.#fileName) && ['hashName', 'type', 'column'].includes(rule);
    // A list in it has other values of the same kind.
    if (isInFile && header === null && !isExplained) return true;
    if (isExplained || this.#isBesideOther) return false;
    // Its own column tells nothing of those beside it.
    const isOfEvents = OF_EVENT.test(header?.replace(this.#reading.column?.name ?? '', '') ?? '');
    const isRow = header !== null || isTableFile({ fileName: this.#fileName });
    const isInRow = isRow && isInRowOfOwner(text, scanned);
    if (!isOfEvents && (isInFile || isInRow)) return true;
    const isOfTransfers = header !== null && OF_BLOCK.test(header) && OF_VALUE.test(header);
    if (header !== null && !isOfTransfers && isInTableOfAccounts(this.#reading.column)) return true;
    if (this.#reading.hintLabel !== null && isOfChain(this.#reading.hintLabel.words)) return false;
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
