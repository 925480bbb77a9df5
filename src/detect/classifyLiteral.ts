// Classifies a scanned literal by its digits first and its surroundings second.
import { getChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import {
  findErrorSignatures,
  findEventSignatures,
  findFunctionSignatures,
  getInterfaceName,
} from '../decode/signatures/findSignatures.ts';
import { findDevelopmentAccount, findDevelopmentAccountByKey } from './developmentAccounts.ts';
import { countLeadingZeros, countTrailingZeros, decodePaddedText, detectDigitPattern } from './digitPatterns.ts';
import { findExplorerLinkBefore } from './explorerLinks.ts';
import type { AddressLiteral, AddressNature, DataLiteral, HexLiteral, WordLiteral } from './hexLiteral.ts';
import { type HashHint, namesPaddedWords } from './hintWords.ts';
import { getLiteralContext, getNamedChainId, type TextSource } from './literalContext.ts';
import { getAddressContext, getSelectorContext } from './nameContext.ts';
import { isProof } from './rules.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName } from './secretWords.ts';
import { getWellKnownAddress } from './wellKnownAddresses.ts';
import { findWellKnownHash } from './wellKnownHashes.ts';

/**
 * What `scanned` (from `scanLiterals` or `scanLiteralAt` on the same `text`) is; `null` when it only has the shape of a
 * literal: a four-byte number, a git hash, arbitrary digits.
 */
export function classifyLiteral(text: string, scanned: ScannedLiteral, source: TextSource = {}): HexLiteral | null {
  switch (scanned.shape) {
    case 'bytes20':
      return toAddressLiteral(scanned, normalizePrefix(scanned.text), getNamedChainId(text, scanned));
    case 'bytes32':
      return classify32Bytes(text, scanned, normalizePrefix(scanned.text), source);
    case 'bytes4':
      return classifySelector(text, scanned, source);
    case 'data':
      return classifyData(text, scanned);
    case 'odd':
      return classifyNearMiss(text, scanned, source);
    case 'truncated':
      return { kind: 'truncated', ...toRange(scanned) };
    case 'bare20':
      return classifyBareAddress(text, scanned);
    case 'bare32':
      return classifyBareHash(text, scanned, source);
    case 'blockNumber': {
      const link = findExplorerLinkBefore(text, scanned.start);
      if (link === null || !link.isExplorer) return null;
      return {
        kind: 'blockNumber',
        ...toRange(scanned),
        number: Number(scanned.text),
        chainId: link.chainId,
        host: link.host,
      };
    }
  }
}

function toRange({ start, end, text }: ScannedLiteral): { start: number; end: number; text: string } {
  return { start, end, text };
}

/** `0X…` is valid in many languages, but `Hex` is `0x…`. */
function normalizePrefix(text: string): Hex {
  return `0x${text.slice(2)}`;
}

/** Addresses that are not accounts of any chain. */
const WITHOUT_LOOKUP: ReadonlySet<AddressNature> = new Set<AddressNature>([
  'zero',
  'burn',
  'sentinel',
  'precompile',
  'mask',
  'placeholder',
]);

function getAddressFacts(digits: string): { nature: AddressNature; name: string | null; canLookUp: boolean } {
  const wellKnown = getWellKnownAddress(digits);
  const development = wellKnown === null ? findDevelopmentAccount(`0x${digits}`) : null;
  const pattern = wellKnown === null ? detectDigitPattern(digits) : null;
  const masked = pattern === 'ones' || pattern === 'mask';
  const nature =
    wellKnown?.nature ?? (development ? 'development' : masked ? 'mask' : pattern ? 'placeholder' : 'account');
  const patternName = masked ? 'Bit mask' : pattern ? 'Placeholder' : null;
  return { nature, name: wellKnown?.name ?? development?.name ?? patternName, canLookUp: !WITHOUT_LOOKUP.has(nature) };
}

function toAddressLiteral(scanned: ScannedLiteral, address: Hex, chainId: number | null): AddressLiteral {
  const digits = address.slice(2).toLowerCase();
  const facts = getAddressFacts(digits);
  const checksum = getChecksumState(address);
  // A number padded to 20 bytes is not a typed address: the case of its few letters means nothing.
  const shouldWarn = checksum === 'invalid' && facts.canLookUp && countLeadingZeros(digits) < 20;
  return { kind: 'address', ...toRange(scanned), address, checksum, shouldWarn, ...facts, chainId };
}

function classify32Bytes(text: string, scanned: ScannedLiteral, hash: Hex, source: TextSource): HexLiteral {
  const digits = hash.slice(2).toLowerCase();
  const account = findDevelopmentAccountByKey(hash);
  if (account !== null) {
    return {
      kind: 'developmentKey',
      ...toRange(scanned),
      address: account.address,
      name: t('{0} private key', account.name),
    };
  }
  const inner = findPaddedAddress(digits);
  if (inner !== null) {
    const { chainId, labels, secretWord } = getLiteralContext(text, scanned, source);
    const facts = getAddressFacts(inner);
    return {
      kind: 'paddedAddress',
      ...toRange(scanned),
      address: `0x${hash.slice(26)}`,
      ...facts,
      isCertain:
        facts.nature !== 'account' || labels.some(({ words }) => namesPaddedWords(words) && !isAccountName(words)),
      chainId,
      secretWord,
    };
  }
  const word = classifyWord(digits);
  if (word !== null) return { kind: 'word', ...toRange(scanned), ...word };
  const events = findEventSignatures(hash);
  if (events.length > 0) return { kind: 'topic', ...toRange(scanned), topic: hash, events };
  const wellKnown = findWellKnownHash(digits);
  if (wellKnown !== null) return { kind: 'constant', ...toRange(scanned), hash, ...wellKnown };
  const { hint, rule, secretWord, chainId } = getLiteralContext(text, scanned, source);
  return {
    kind: 'hash32',
    ...toRange(scanned),
    hash,
    hint: hint !== null && isProof(rule) ? { kind: hint.kind, word: hint.word } : null,
    rule,
    secretWord,
    lookupOrder: getLookupOrder(hint),
    chainId,
  };
}

function getLookupOrder(hint: HashHint | null): readonly ('transaction' | 'block')[] {
  if (hint?.isUnsearchable || hint?.kind === 'topic') return [];
  return hint?.kind === 'block' ? ['block', 'transaction'] : ['transaction', 'block'];
}

/** The 40 digits behind 24 zeros, when they are more likely an address than a number. */
function findPaddedAddress(digits: string): string | null {
  const zeros = countLeadingZeros(digits);
  if (zeros < 24) return null;
  const inner = digits.slice(24);
  // A number that needs more than 128 bits and fits 160 is an address; smaller ones only when they are well known.
  if (zeros < 32)
    return detectDigitPattern(inner) === null && countTrailingZeros(inner) < MIN_PADDING_ZEROS ? inner : null;
  const nature = getWellKnownAddress(inner)?.nature;
  return nature !== undefined && nature !== 'zero' && nature !== 'precompile' ? inner : null;
}

/** A run of zeros this long does not occur in a hash (probability 2^-64). */
const MIN_PADDING_ZEROS = 16;

function classifyWord(digits: string): Pick<WordLiteral, 'form' | 'value' | 'content'> | null {
  const content = decodePaddedText(digits);
  const form = content !== null ? 'text' : getWordForm(digits);
  if (form === null) return null;
  const value = BigInt(`0x${digits}`);
  return { form, value: form === 'number' ? BigInt.asIntN(256, value) : value, content };
}

function getWordForm(digits: string): WordLiteral['form'] | null {
  const zeros = countLeadingZeros(digits);
  if (zeros >= MIN_PADDING_ZEROS) {
    if (zeros === digits.length) return 'zero';
    if (/^[0f]+$/.test(digits)) return 'mask';
    const inner = zeros < 24 ? null : detectDigitPattern(digits.slice(24));
    return inner === 'repeated' || inner === 'sequence' ? 'pattern' : 'number';
  }
  const pattern = detectDigitPattern(digits);
  if (pattern !== null) return pattern === 'ones' ? 'max' : pattern === 'mask' ? 'mask' : 'pattern';
  if (/^f{32}/.test(digits)) return 'number';
  return countTrailingZeros(digits) >= MIN_PADDING_ZEROS ? 'padded' : null;
}

function classifySelector(text: string, scanned: ScannedLiteral, source: TextSource): HexLiteral | null {
  const selector = normalizePrefix(scanned.text);
  const functions = findFunctionSignatures(selector);
  const errors = findErrorSignatures(selector);
  const interfaceName = getInterfaceName(selector);
  const isDeclared = source.isKnownSelector?.(selector) === true;
  const wellKnown = functions.length + errors.length > 0 || interfaceName !== null || isDeclared;
  // 0x00000000 is a function too (Seaport's cheapest), but hardly ever meant.
  const isMeaningful = wellKnown && !/^0x(.)\1+$/.test(selector);
  if (!isMeaningful && getSelectorContext(text, scanned) === null) return null;
  return { kind: 'selector', ...toRange(scanned), selector, functions, errors, interfaceName };
}

/** First bytes of code from Solidity and Vyper, of minimal proxies (ERC-1167) and of EOF containers. */
const CODE_START =
  /^(?:60(?:80|60|40|a0|c0|e0)(?:60|80)?(?:40)?(?:52|81|34|51)|3d602d80600a3d39|363d3d373d3d3d363d|5f3560e01c|6003361[01]|ef0001|61[0-9a-f]{4}(?:80)?61)/;
const CALLDATA_NAMES = new Set(['calldata', 'input', 'data', 'call', 'payload', 'initializer']);

function classifyData(text: string, scanned: ScannedLiteral): DataLiteral {
  const digits = scanned.text.slice(2).toLowerCase();
  const size = digits.length / 2;
  const base = {
    kind: 'data',
    ...toRange(scanned),
    size,
    selector: null,
    functions: [],
    errors: [],
    address: null,
  } as const;
  if (size === 23 && digits.startsWith('ef0100'))
    return { ...base, form: 'delegation', address: `0x${digits.slice(6)}` };
  if (CODE_START.test(digits)) return { ...base, form: 'bytecode' };
  const selector: Hex = `0x${digits.slice(0, 8)}`;
  // Arguments are words of 32 bytes; only a name can say that something else is calldata too.
  if (size % 32 === 4 || isNamedCalldata(text, scanned)) {
    const functions = findFunctionSignatures(selector);
    const errors = functions.length > 0 ? [] : findErrorSignatures(selector);
    if (errors.length > 0) return { ...base, form: 'revert', selector, errors };
    if ((functions.length > 0 && size % 32 === 4) || isNamedCalldata(text, scanned)) {
      const isZeroPadding = selector === '0x00000000' && size % 32 !== 4;
      return { ...base, form: 'calldata', selector, functions: isZeroPadding ? [] : functions };
    }
  }
  if (size === 65 && /(?:00|01|1b|1c)$/.test(digits)) return { ...base, form: 'signature' };
  return { ...base, form: size % 32 === 0 ? 'words' : 'bytes' };
}

function isNamedCalldata(text: string, scanned: ScannedLiteral): boolean {
  const before = text.slice(Math.max(0, scanned.start - 40), scanned.start);
  return (before.toLowerCase().match(/[a-z]+/g) ?? []).slice(-2).some(word => CALLDATA_NAMES.has(word));
}

function classifyNearMiss(text: string, scanned: ScannedLiteral, source: TextSource): HexLiteral | null {
  const digits = scanned.text.length - 2;
  const expected = digits < 50 ? 'address' : 'hash';
  const difference = digits - (expected === 'address' ? 40 : 64);
  const isIntended =
    expected === 'address'
      ? getAddressContext(text, scanned) !== null
      : !isPublicKey(scanned.text, digits) && getLiteralContext(text, scanned, source).hint !== null;
  return isIntended ? { kind: 'nearMiss', ...toRange(scanned), expected, digits, difference } : null;
}

/** 33 bytes that begin with 02 or 03 are a compressed public key. */
function isPublicKey(text: string, digits: number): boolean {
  return digits === 66 && (text.startsWith('02', 2) || text.startsWith('03', 2));
}

/** One of these words must precede 40 bare digits: most of those are git hashes. */
const BARE_ADDRESS_WORDS = new Set(['address', 'addr', 'wallet', 'contract']);

function classifyBareAddress(text: string, scanned: ScannedLiteral): HexLiteral | null {
  const address: Hex = `0x${scanned.text}`;
  const link = findExplorerLinkBefore(text, scanned.start);
  const isInLink =
    link?.isExplorer === true && link.words.some(word => BARE_ADDRESS_WORDS.has(word) || word === 'token');
  const isBytes = BYTES.test(text.slice(Math.max(0, scanned.start - 40), scanned.start));
  const word = isInLink || isBytes ? 'address' : getAddressContext(text, scanned);
  if (findDevelopmentAccount(address) === null && (word === null || !BARE_ADDRESS_WORDS.has(word))) return null;
  return toAddressLiteral(scanned, address, link?.chainId ?? null);
}

/** What only bytes in hexadecimal digits are in: `b256!("…")` and `hex!("…")` of Rust, `'\\x…'` of PostgreSQL, and `X'…'` of SQL. */
const BYTES = /(?<![\w$])[xX]'$|\b(?:b256|fixed_bytes|bytes|hex|h256|address)!\s?[({[]\s{0,20}"$|['"]\\{1,2}x$/;

function classifyBareHash(text: string, scanned: ScannedLiteral, source: TextSource): HexLiteral | null {
  const hash: Hex = `0x${scanned.text}`;
  if (findDevelopmentAccountByKey(hash) !== null) return classify32Bytes(text, scanned, hash, source);
  if (BYTES.test(text.slice(Math.max(0, scanned.start - 40), scanned.start)))
    return classify32Bytes(text, scanned, hash, source);
  const { hint, secretWord } = getLiteralContext(text, scanned, source);
  const isCertain = secretWord === null && (hint?.kind === 'transaction' || hint?.kind === 'block');
  return isCertain ? classify32Bytes(text, scanned, hash, source) : null;
}
