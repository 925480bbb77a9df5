// Says what a found literal is, from its digits first and from what surrounds it second.
import { getChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import {
  findErrorSignatures,
  findEventSignatures,
  findFunctionSignatures,
} from '../decode/signatures/findSignatures.ts';
import { getInterfaceName } from '../decode/signatures/interfaceIds.ts';
import { findDevelopmentAccount, findDevelopmentAccountByKey } from './developmentAccounts.ts';
import { countLeadingZeros, countTrailingZeros, decodePaddedText, detectDigitPattern } from './digitPatterns.ts';
import { findExplorerLinkBefore } from './explorerLinks.ts';
import type { AddressLiteral, AddressNature, DataLiteral, HexLiteral, WordLiteral } from './hexLiteral.ts';
import type { HashHint } from './hintWords.ts';
import {
  getAddressContext,
  getLiteralContext,
  getNamedChainId,
  getSelectorContext,
  isLogOutput,
  type TextSource,
} from './literalContext.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { getWellKnownAddress } from './wellKnownAddresses.ts';
import { getWellKnownHashName } from './wellKnownHashes.ts';

/**
 * The subject that `found` (from `scan` or `locate` over the same `text`) is; `null` when it only has the shape of one:
 * a four-byte number, a git hash, digits that stand for nothing.
 */
export function classifyLiteral(text: string, found: ScannedLiteral, source: TextSource = {}): HexLiteral | null {
  switch (found.shape) {
    case 'bytes20':
      return addressSubject(found, normal(found.text), getNamedChainId(text, found));
    case 'bytes32':
      return bytes32Subject(text, found, normal(found.text), source);
    case 'bytes4':
      return selectorSubject(text, found);
    case 'data':
      return dataSubject(text, found);
    case 'odd':
      return nearMiss(text, found);
    case 'truncated':
      return { kind: 'truncated', ...place(found) };
    case 'bare20':
      return bareAddress(text, found);
    case 'bare32':
      return bareHash(text, found);
    case 'blockNumber': {
      const link = findExplorerLinkBefore(text, found.start);
      if (link === null || !link.isExplorer) return null;
      return {
        kind: 'blockNumber',
        ...place(found),
        number: Number(found.text),
        chainId: link.chainId,
        host: link.host,
      };
    }
  }
}

function place({ start, end, text }: ScannedLiteral): { start: number; end: number; text: string } {
  return { start, end, text };
}

/** `0X…` is hex too, but only `0x…` is what everything else expects. */
function normal(text: string): Hex {
  return `0x${text.slice(2)}`;
}

/** Accounts that exist nowhere: nothing is asked about them. */
const NOWHERE: ReadonlySet<AddressNature> = new Set<AddressNature>([
  'zero',
  'burn',
  'sentinel',
  'precompile',
  'mask',
  'placeholder',
]);

function addressFacts(digits: string): { nature: AddressNature; name: string | null; lookup: boolean } {
  const known = getWellKnownAddress(digits);
  const development = known === null ? findDevelopmentAccount(`0x${digits}`) : null;
  const pattern = known === null ? detectDigitPattern(digits) : null;
  const masked = pattern === 'ones' || pattern === 'mask';
  const nature = known?.nature ?? (development ? 'development' : masked ? 'mask' : pattern ? 'placeholder' : 'account');
  const patternName = masked ? 'Bit mask' : pattern ? 'Placeholder' : null;
  return { nature, name: known?.name ?? development?.name ?? patternName, lookup: !NOWHERE.has(nature) };
}

function addressSubject(found: ScannedLiteral, address: Hex, chainId: number | null): AddressLiteral {
  const digits = address.slice(2).toLowerCase();
  const facts = addressFacts(digits);
  const checksum = getChecksumState(address);
  // Nobody types a number padded to 20 bytes wrongly: its few letters are as the writer likes them.
  const warn = checksum === 'invalid' && facts.lookup && countLeadingZeros(digits) < 20;
  return { kind: 'address', ...place(found), address, checksum, shouldWarn: warn, ...facts, chainId };
}

function bytes32Subject(text: string, found: ScannedLiteral, hash: Hex, source: TextSource): HexLiteral {
  const digits = hash.slice(2).toLowerCase();
  const account = findDevelopmentAccountByKey(hash);
  if (account !== null) {
    return { kind: 'developmentKey', ...place(found), address: account.address, name: `${account.name} private key` };
  }
  const inner = paddedAddressIn(digits);
  if (inner !== null) {
    const { chainId, secretWord: secret } = getLiteralContext(text, found);
    return {
      kind: 'paddedAddress',
      ...place(found),
      address: `0x${hash.slice(26)}`,
      ...addressFacts(inner),
      chainId,
      secretWord: secret,
    };
  }
  const word = wordForm(digits);
  if (word !== null) return { kind: 'word', ...place(found), ...word };
  const events = findEventSignatures(hash);
  if (events.length > 0) return { kind: 'topic', ...place(found), topic: hash, events };
  const name = getWellKnownHashName(digits);
  if (name !== null) return { kind: 'constant', ...place(found), hash, name };
  const { hint: evidence, secretWord: secret, chainId } = getLiteralContext(text, found);
  const log = evidence === null && secret === null && isLogOutput(text, found, source);
  return {
    kind: 'hash32',
    ...place(found),
    hash,
    hint:
      evidence !== null
        ? { kind: evidence.kind, word: evidence.word }
        : log
          ? { kind: 'log', word: 'log output' }
          : null,
    secretWord: secret,
    lookupOrder: lookupsOf(evidence),
    chainId,
  };
}

function lookupsOf(evidence: HashHint | null): readonly ('transaction' | 'block')[] {
  if (evidence?.isUnsearchable || evidence?.kind === 'topic') return [];
  return evidence?.kind === 'block' ? ['block', 'transaction'] : ['transaction', 'block'];
}

/** The 40 digits behind 24 zeros, when they are more likely an address than a number. */
function paddedAddressIn(digits: string): string | null {
  const zeros = countLeadingZeros(digits);
  if (zeros < 24) return null;
  const inner = digits.slice(24);
  // A number that needs more than 128 bits and fits 160 is an address; smaller ones only when everybody knows them.
  if (zeros < 32) return detectDigitPattern(inner) === null ? inner : null;
  const nature = getWellKnownAddress(inner)?.nature;
  return nature !== undefined && nature !== 'zero' && nature !== 'precompile' ? inner : null;
}

/** A run of zeros this long does not happen in a hash: 2^-64. */
const NEVER_IN_HASH = 16;

function wordForm(digits: string): Pick<WordLiteral, 'form' | 'value' | 'content'> | null {
  const content = decodePaddedText(digits);
  const form = content !== null ? 'text' : formOf(digits);
  if (form === null) return null;
  const value = BigInt(`0x${digits}`);
  return { form, value: form === 'number' ? BigInt.asIntN(256, value) : value, content };
}

function formOf(digits: string): WordLiteral['form'] | null {
  const zeros = countLeadingZeros(digits);
  if (zeros >= NEVER_IN_HASH) {
    if (zeros === digits.length) return 'zero';
    if (/^[0f]+$/.test(digits)) return 'mask';
    const inner = zeros < 24 ? null : detectDigitPattern(digits.slice(24));
    return inner === 'repeated' || inner === 'sequence' ? 'pattern' : 'number';
  }
  const pattern = detectDigitPattern(digits);
  if (pattern !== null) return pattern === 'ones' ? 'max' : pattern === 'mask' ? 'mask' : 'pattern';
  if (/^f{32}/.test(digits)) return 'number';
  return countTrailingZeros(digits) >= NEVER_IN_HASH ? 'padded' : null;
}

function selectorSubject(text: string, found: ScannedLiteral): HexLiteral | null {
  const selector = normal(found.text);
  const functions = findFunctionSignatures(selector);
  const errors = findErrorSignatures(selector);
  const interfaceName = getInterfaceName(selector);
  const known = functions.length + errors.length > 0 || interfaceName !== null;
  // 0x00000000 is a function too (Seaport's cheapest), but hardly ever meant.
  const telling = known && !/^0x(.)\1+$/.test(selector);
  if (!telling && getSelectorContext(text, found) === null) return null;
  return { kind: 'selector', ...place(found), selector, functions, errors, interfaceName };
}

/** How compilers begin code (Solidity, Vyper), minimal proxies (ERC-1167), EOF. */
const CODE =
  /^(?:60(?:80|60|40|a0|c0|e0)(?:60|80)?(?:40)?(?:52|81|34|51)|3d602d80600a3d39|363d3d373d3d3d363d|5f3560e01c|6003361[01]|ef0001|61[0-9a-f]{4}(?:80)?61)/;
const NAMES_CALLDATA = new Set(['calldata', 'input', 'data', 'call', 'payload', 'initializer']);

function dataSubject(text: string, found: ScannedLiteral): DataLiteral {
  const digits = found.text.slice(2).toLowerCase();
  const size = digits.length / 2;
  const base = {
    kind: 'data',
    ...place(found),
    size,
    selector: null,
    functions: [],
    errors: [],
    address: null,
  } as const;
  if (size === 23 && digits.startsWith('ef0100'))
    return { ...base, form: 'delegation', address: `0x${digits.slice(6)}` };
  if (CODE.test(digits)) return { ...base, form: 'bytecode' };
  const selector: Hex = `0x${digits.slice(0, 8)}`;
  // Arguments are words of 32 bytes; only a name can say that something else is calldata too.
  if (size % 32 === 4 || saysCalldata(text, found)) {
    const functions = findFunctionSignatures(selector);
    const errors = functions.length > 0 ? [] : findErrorSignatures(selector);
    if (errors.length > 0) return { ...base, form: 'revert', selector, errors };
    if ((functions.length > 0 && size % 32 === 4) || saysCalldata(text, found)) {
      const telling = selector === '0x00000000' && size % 32 !== 4 ? [] : functions;
      return { ...base, form: 'calldata', selector, functions: telling };
    }
  }
  if (size === 65 && /(?:00|01|1b|1c)$/.test(digits)) return { ...base, form: 'signature' };
  return { ...base, form: size % 32 === 0 ? 'words' : 'bytes' };
}

function saysCalldata(text: string, found: ScannedLiteral): boolean {
  const before = text.slice(Math.max(0, found.start - 40), found.start);
  return (before.toLowerCase().match(/[a-z]+/g) ?? []).slice(-2).some(word => NAMES_CALLDATA.has(word));
}

function nearMiss(text: string, found: ScannedLiteral): HexLiteral | null {
  const digits = found.text.length - 2;
  const of = digits < 50 ? 'address' : 'hash';
  const off = digits - (of === 'address' ? 40 : 64);
  const meant =
    of === 'address'
      ? getAddressContext(text, found) !== null
      : !isPublicKey(found.text, digits) && getLiteralContext(text, found).hint !== null;
  return meant ? { kind: 'nearMiss', ...place(found), expected: of, digits, difference: off } : null;
}

/** 33 bytes that begin with 02 or 03 are a compressed public key. */
function isPublicKey(text: string, digits: number): boolean {
  return digits === 66 && (text.startsWith('02', 2) || text.startsWith('03', 2));
}

/** Words that a bare run of 40 digits needs: most of them are git hashes. */
const STRICT_ADDRESS = new Set(['address', 'addr', 'wallet', 'contract']);

function bareAddress(text: string, found: ScannedLiteral): HexLiteral | null {
  const address: Hex = `0x${found.text}`;
  const link = findExplorerLinkBefore(text, found.start);
  const linked = link?.isExplorer === true && link.words.some(word => STRICT_ADDRESS.has(word) || word === 'token');
  const word = linked ? 'address' : getAddressContext(text, found);
  if (findDevelopmentAccount(address) === null && (word === null || !STRICT_ADDRESS.has(word))) return null;
  return addressSubject(found, address, link?.chainId ?? null);
}

function bareHash(text: string, found: ScannedLiteral): HexLiteral | null {
  const hash: Hex = `0x${found.text}`;
  if (findDevelopmentAccountByKey(hash) !== null) return bytes32Subject(text, found, hash, {});
  const { hint: evidence, secretWord: secret } = getLiteralContext(text, found);
  const sure = secret === null && (evidence?.kind === 'transaction' || evidence?.kind === 'block');
  return sure ? bytes32Subject(text, found, hash, {}) : null;
}
