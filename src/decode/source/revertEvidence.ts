// What the return data of a failed call says about the statement that failed, and whether a text can be that statement.
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import { ELEMENTARY_TYPE, NOT_CALLED } from './solidityOutline.ts';
import { fromByteText, type Token, toByteText, tokenize } from './solidityTokens.ts';

/** What an arithmetic check was about. `unary`: `++`, `--` or a negation. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | 'unary';

export type RevertEvidence =
  /** `require` or `revert` with a string. */
  | { readonly kind: 'string'; readonly text: string }
  /** `name`: `null` where no build knows the selector. `data`: its arguments, in hex without `0x`. */
  | { readonly kind: 'customError'; readonly name: string | null; readonly selector: string; readonly data: string }
  | { readonly kind: 'panic'; readonly code: number; readonly operator: ArithmeticOperator | null }
  /** A call of another contract, by an instruction: names of the function, or of the created contract. */
  | { readonly kind: 'call'; readonly names: readonly string[]; readonly opcode: number }
  | { readonly kind: 'empty' }
  /** The execution stopped at an instruction, such as for want of gas. */
  | { readonly kind: 'halt'; readonly opcode: number };

/** `exact`: nothing else fits as well; `possible`: nothing speaks against it. */
export interface Fit {
  readonly strength: 'exact' | 'possible';
  /** Offsets within the text. */
  readonly start: number;
  readonly end: number;
}

const ERROR_STRING = '08c379a0';
const PANIC = '4e487b71';

/** `errorName`: of a selector without `0x`. `operator`: what the last arithmetic instruction computes. */
export function toRevertEvidence(
  output: Hex,
  errorName: (selector: string) => string | null,
  operator: ArithmeticOperator | null,
): RevertEvidence {
  if (output === '0x') return { kind: 'empty' };
  const selector = output.slice(2, 10);
  if (selector === PANIC && output.length === 74)
    return { kind: 'panic', code: Number(`0x${output.slice(-8)}`), operator };
  if (selector === ERROR_STRING && output.length >= 138) {
    const length = Number(`0x${output.slice(130, 138).padStart(1, '0')}`);
    const bytes = hexToBytes(`0x${output.slice(138)}`).subarray(0, Number.isSafeInteger(length) ? length : 0);
    return { kind: 'string', text: new TextDecoder().decode(bytes) };
  }
  return { kind: 'customError', name: errorName(selector), selector, data: output.slice(10) };
}

const OPERATORS: ReadonlyMap<number, readonly string[]> = new Map([
  [0x11, ['+', '-', '*', '++', '--', '**', '+=', '-=', '*=']],
  [0x12, ['/', '%', '/=', '%=', 'addmod', 'mulmod']],
  [0x32, ['[']],
]);
/** By the instruction that computes it. */
const OPERATORS_OF: Readonly<Record<ArithmeticOperator, readonly string[]>> = {
  '+': ['+', '+='],
  '-': ['-', '-='],
  '*': ['*', '**', '*='],
  '/': ['/', '/='],
  unary: ['++', '--', '-'],
};

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** The text of a string literal with its quotes. */
function readString(literal: string): string {
  const inner = literal.slice(1, -1);
  const bytes = inner.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, byte, unit, character: string) => {
      if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
      if (unit !== undefined) return toByteText(String.fromCharCode(Number.parseInt(unit, 16)));
      return ESCAPES[character] ?? (character === '\n' ? '' : character);
    },
  );
  return fromByteText(bytes);
}

/** Instructions of inline assembly that may need much gas or halt. */
const MNEMONICS: ReadonlyMap<number, string> = new Map([
  [0x20, 'keccak256'],
  [0x37, 'calldatacopy'],
  [0x39, 'codecopy'],
  [0x3e, 'returndatacopy'],
  [0x51, 'mload'],
  [0x52, 'mstore'],
  [0x54, 'sload'],
  [0x55, 'sstore'],
  [0x5e, 'mcopy'],
  [0xf0, 'create'],
  [0xf1, 'call'],
  [0xf2, 'callcode'],
  [0xf3, 'return'],
  [0xf4, 'delegatecall'],
  [0xf5, 'create2'],
  [0xfa, 'staticcall'],
  [0xfd, 'revert'],
  [0xfe, 'invalid'],
]);

const MIN_PART_OF_REASON = 4;

const isString = ({ text }: Pick<Token, 'text'>): boolean => /^["'].*["']$/s.test(text);

/** Index behind the parenthesis that closes the one at `open`. */
function findClose(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const text = tokens[i]?.text;
    if (text === '(' || text === '{' || text === '[') depth++;
    else if ((text === ')' || text === '}' || text === ']') && --depth === 0) return i + 1;
  }
  return tokens.length;
}

interface Clause {
  readonly word: string;
  readonly tokens: readonly Token[];
}

/** `require(…)`, `revert(…)`, `revert Name(…)`, `assert(…)` and `throw` in the tokens. */
function findClauses(tokens: readonly Token[]): readonly Clause[] {
  return tokens.flatMap(({ text }, i) => {
    if (text === 'throw') return [{ word: text, tokens: tokens.slice(i, i + 1) }];
    if (!/^(?:require|revert|assert)$/.test(text) || tokens[i - 1]?.text === '.') return [];
    let open = i + 1;
    while (open < tokens.length && /^[\w$.]+$/.test(tokens[open]?.text ?? '')) open++;
    if (tokens[open]?.text !== '(') return [];
    return [{ word: text, tokens: tokens.slice(i, findClose(tokens, open)) }];
  });
}

const span = (tokens: readonly Token[], strength: Fit['strength']): Fit => ({
  strength,
  start: tokens[0]?.start ?? 0,
  end: tokens.at(-1)?.end ?? 0,
});

/** Arguments of the clause at its own level. */
function countCommas({ tokens }: Clause): number {
  let depth = 0;
  let count = 0;
  for (const { text } of tokens) {
    if (/^[([{]$/.test(text)) depth++;
    else if (/^[)\]}]$/.test(text)) depth--;
    else if (text === ',' && depth === 1) count++;
  }
  return count;
}

/** Whether the clause has a reason that is no literal: a constant, a variable or the result of a function. */
const hasComputedReason = (clause: Clause): boolean =>
  clause.word === 'require' ? countCommas(clause) > 0 : clause.tokens[1]?.text === '(' && clause.tokens.length > 3;

/** The reason where it is a literal, which may be of several parts: `"a" "b"`. */
function readReason({ tokens }: Clause): string | null {
  const parts: string[] = [];
  for (let i = tokens.length - 2; i > 0 && isString(tokens[i] as Token); i--)
    parts.unshift(readString(tokens[i]?.text ?? ''));
  return parts.length === 0 ? null : parts.join('');
}

/** A reason that is put together has a part of it. */
const hasPart = ({ tokens }: Clause, text: string): boolean =>
  tokens.filter(isString).some(token => {
    const part = readString(token.text);
    return part.length >= MIN_PART_OF_REASON && text.includes(part);
  });

function fitString(clauses: readonly Clause[], text: string): Fit | null {
  const exact =
    clauses.find(clause => readReason(clause) === text) ??
    clauses.find(clause => readReason(clause) === null && hasPart(clause, text));
  if (exact !== undefined) return span(exact.tokens, 'exact');
  const isPossible = (clause: Clause) =>
    isAssembly(clause.tokens)
      ? isAssemblyOfSize(clause.tokens, null)
      : clause.word !== 'assert' && hasComputedReason(clause) && readReason(clause) === null;
  const possible = clauses.find(isPossible);
  return possible === undefined ? null : span(possible.tokens, 'possible');
}

/** What the data has of an argument that is a literal; `null` for other arguments. */
function encodeLiteral(text: string): string | null {
  if (text === 'true' || text === 'false') return (text === 'true' ? '1' : '0').padStart(64, '0');
  if (/^\d+$/.test(text)) return BigInt(text).toString(16).padStart(64, '0');
  if (/^0x[0-9a-fA-F]+$/.test(text)) return text.slice(2).toLowerCase();
  return isString({ text }) ? bytesToHex(new TextEncoder().encode(readString(text))).slice(2) : null;
}

/** Whether the data has each argument that is a literal; `open`: of the parenthesis before the arguments. */
function allowsData(tokens: readonly Token[], open: number, data: string): boolean {
  const close = findClose(tokens, open) - 1;
  let depth = 0;
  for (let i = open; i < close; i++) {
    const text = tokens[i]?.text ?? '';
    if (/^[([{]$/.test(text)) depth++;
    else if (/^[)\]}]$/.test(text)) depth--;
    const isArgument = /^[(,]$/.test(tokens[i - 1]?.text ?? '') && /^[,)]$/.test(tokens[i + 1]?.text ?? '');
    const literal = depth === 1 && isArgument ? encodeLiteral(text) : null;
    if (literal !== null && !data.includes(literal)) return false;
  }
  return true;
}

function fitCustomError(
  clauses: readonly Clause[],
  { name, data }: Extract<RevertEvidence, { kind: 'customError' }>,
): Fit | null {
  const isNamed = ({ tokens }: Clause) =>
    tokens.some(({ text }, i) => text === name && tokens[i + 1]?.text === '(' && allowsData(tokens, i + 1, data));
  const exact = name === null ? undefined : clauses.find(isNamed);
  if (exact !== undefined) return span(exact.tokens, 'exact');
  const isUnknown = ({ word, tokens }: Clause) => word === 'revert' && tokens[1]?.text !== '(' && name === null;
  const possible =
    clauses.find(isUnknown) ?? clauses.find(({ tokens }) => isAssemblyOfSize(tokens, 4 + data.length / 2));
  return possible === undefined ? null : span(possible.tokens, 'possible');
}

/** `revert(offset, size)` of inline assembly. */
const isAssembly = (tokens: readonly Token[]): boolean =>
  tokens[0]?.text === 'revert' && tokens[1]?.text === '(' && countCommas({ word: 'revert', tokens }) === 1;

/** Bytes of the data, or `null` where only that there are some is known. */
function getDataSize(evidence: RevertEvidence): number | null {
  if (evidence.kind === 'empty') return 0;
  if (evidence.kind === 'panic') return 36;
  return evidence.kind === 'customError' ? 4 + evidence.data.length / 2 : null;
}

/** Whether it is a `revert` of inline assembly whose size is not another number. */
function isAssemblyOfSize(tokens: readonly Token[], size: number | null): boolean {
  const [before, literal] = tokens.slice(-3, -1).map(({ text }) => text);
  if (!isAssembly(tokens)) return false;
  if (before !== ',' || literal === undefined || !/^(?:0x[\da-fA-F]+|\d+)$/.test(literal)) return true;
  return size === null ? Number(literal) > 0 : Number(literal) === size;
}

/**
 * The expression or statement, from the operator on where that is on a later line: in an expression the failing operator is
 * the last one outside of brackets; in a statement with several on several lines nothing says which it is.
 */
function fitOperator(
  source: string,
  tokens: readonly Token[],
  symbols: readonly string[],
  operator: ArithmeticOperator | null,
): Fit | null {
  // A division by a number that is written there never fails.
  const isSafe = (i: number) => /^[/%]=?$/.test(tokens[i]?.text ?? '') && isPositive(tokens[i + 1]?.text ?? '');
  const isNegation = (i: number) => tokens[i]?.text === '-' && !/^[\w$)\]]+$/.test(tokens[i - 1]?.text ?? '');
  const matching = tokens.filter(
    ({ text }, i) =>
      symbols.includes(text) &&
      !isSafe(i) &&
      (operator === null || text !== '-' || isNegation(i) === (operator === 'unary')),
  );
  const last = matching.at(-1);
  if (last === undefined) return null;
  const whole = span(tokens, 'exact');
  if (!source.slice(whole.start, last.start).includes('\n')) return whole;
  if (matching.length === 1) return { ...whole, start: last.start };
  if (tokens.some(({ text }) => text === ';' || text === 'return' || /^[^=!<>]?=$/.test(text)))
    return { ...whole, strength: 'possible' };
  const isOutside = (token: Token) => countOpen(tokens.slice(0, tokens.indexOf(token))) === 0;
  return { ...whole, start: (matching.findLast(isOutside) ?? last).start };
}

const isPositive = (text: string): boolean => /^\d/.test(text) && Number(text.replaceAll('_', '')) > 0;

const countOpen = (tokens: readonly Token[]): number =>
  tokens.reduce((depth, { text }) => depth + (/^[([{]$/.test(text) ? 1 : /^[)\]}]$/.test(text) ? -1 : 0), 0);

/** Whether a bracket is that of an element: not of a slice, or of the type of an array. */
function isElement(tokens: readonly Token[], open: number): boolean {
  if (tokens[open]?.text !== '[' || TYPE_OF_ELEMENTS.test(tokens[open - 1]?.text ?? '(')) return false;
  const index = tokens.slice(open + 1, findClose(tokens, open) - 1);
  const count = (sign: string) => index.filter(({ text }) => text === sign).length;
  return index.length > 0 && count(':') === count('?');
}

const TYPE_OF_ELEMENTS = /^(?:[^\w$)\]}]*|address|bool|string|bytes\d*|u?int\d*|return)$/;

function fitPanic(
  source: string,
  tokens: readonly Token[],
  code: number,
  operator: ArithmeticOperator | null,
): Fit | null {
  const of = code === 0x11 && operator !== null ? OPERATORS_OF[operator] : OPERATORS.get(code);
  const find = (matches: (token: Token, next: Token | undefined, before: Token | undefined) => boolean) => {
    const at = tokens.findIndex((token, i) => matches(token, tokens[i + 1], tokens[i - 1]));
    return at < 0 ? null : span(tokens, 'exact');
  };
  if (of !== undefined && code === 0x32)
    return tokens.some((_, i) => isElement(tokens, i)) ? span(tokens, 'exact') : null;
  if (of !== undefined) return fitOperator(source, tokens, of, operator);
  switch (code) {
    case 0x01: {
      const clause = findClauses(tokens).find(({ word }) => word === 'assert');
      return clause === undefined ? null : span(clause.tokens, 'exact');
    }
    case 0x21:
      return find(
        ({ text }, next, before) =>
          /^[A-Z_$][\w$]*$/.test(text) && !/^(?:revert|emit|new)$/.test(before?.text ?? '') && next?.text === '(',
      );
    case 0x31:
      return find(({ text }, next) => text === 'pop' && next?.text === '(');
    case 0x41:
      return find(({ text }) => text === 'new' || text === 'memory' || text === 'abi');
    case 0x51:
      return find(
        ({ text }, next, before) =>
          /^[\w$)\]]+$/.test(text) &&
          !NOT_POINTER.test(text) &&
          !/^(?:\.|revert|emit|new)$/.test(before?.text ?? '') &&
          next?.text === '(',
      );
    default:
      return tokens.length === 0 ? null : span(tokens, 'possible');
  }
}

/** Names before a parenthesis that are no function pointers. */
const NOT_POINTER = new RegExp(
  `^(?:${[...NOT_CALLED].join('|')}|require|revert|assert|keccak256|type)$|${ELEMENTARY_TYPE.source}`,
);

/** The compiler may give all instructions of inline assembly the place of the whole: its only one with the opcode. */
function fitHalt(tokens: readonly Token[], opcode: number): Fit | null {
  if (tokens.length === 0) return null;
  if (tokens[0]?.text !== 'assembly') return span(tokens, 'exact');
  const name = MNEMONICS.get(opcode);
  const at = tokens.flatMap(({ text }, i) => (text === name ? [i] : []));
  return at.length === 1
    ? span(tokens.slice(at[0], findClose(tokens, (at[0] as number) + 1)), 'exact')
    : span(tokens, 'possible');
}

/** Calls by `.name(`, by `.name{value: …}(` and, for a creation, by `new Name`. */
function fitCall(tokens: readonly Token[], names: readonly string[], opcode: number): Fit | null {
  const isCalled = (i: number) => names.includes(tokens[i]?.text ?? '') && /^[({]$/.test(tokens[i + 1]?.text ?? '');
  const isOfObject = (i: number) => tokens[i - 1]?.text === '.' || tokens[i - 1]?.text === 'new';
  if (tokens.some((_, i) => isCalled(i) && isOfObject(i))) return span(tokens, 'exact');
  // In assembly
  const name = MNEMONICS.get(opcode);
  const at = tokens.flatMap(({ text }, i) =>
    text === name && tokens[i + 1]?.text === '(' && tokens[i - 1]?.text !== '.' ? [i] : [],
  );
  const [first] = at;
  if (first === undefined) return null;
  return at.length === 1 ? span(tokens.slice(first, findClose(tokens, first + 1)), 'exact') : span(tokens, 'possible');
}

function fitEmpty(tokens: readonly Token[], clauses: readonly Clause[]): Fit | null {
  const [clause, ...others] = clauses.filter(
    each =>
      isAssemblyOfSize(each.tokens, 0) ||
      (each.word === 'require' && countCommas(each) === 0) ||
      (each.word === 'revert' && each.tokens.length === 3) ||
      each.word === 'throw',
  );
  if (clause !== undefined) return span(clause.tokens, others.length === 0 ? 'exact' : 'possible');
  const decodes = tokens.some(({ text }, i) => text === 'decode' && tokens[i - 2]?.text === 'abi');
  const slices = tokens.some(
    ({ text }, i) => text === '[' && tokens.slice(i, findClose(tokens, i)).some(each => each.text === ':'),
  );
  return decodes || slices ? span(tokens, 'exact') : null;
}

/** `revert` of inline assembly: the only statement itself, or what follows the selector, a literal. */
function fitAssemblyRevert(tokens: readonly Token[], selector: string, size: number | null): Fit | null {
  const isRevert = (i: number) =>
    tokens[i]?.text === 'revert' && isAssemblyOfSize(tokens.slice(i, findClose(tokens, i + 1)), size);
  if (isRevert(0) && findClose(tokens, 1) === tokens.length) return span(tokens, 'exact');
  const literal = new RegExp(`^0x${selector}0*$`, 'i');
  const reverts = new Set(
    tokens.flatMap(({ text }, at) => (literal.test(text) ? [tokens.findIndex((_, i) => i > at && isRevert(i))] : [])),
  );
  const [first = -1] = reverts;
  if (first < 0) return null;
  return span(tokens.slice(first, findClose(tokens, first + 1)), reverts.size === 1 ? 'exact' : 'possible');
}

/** Whether the statement or expression, a byte text, can have failed with this evidence, and which part of it. */
export function fitEvidence(source: string, evidence: RevertEvidence): Fit | null {
  const tokens = tokenize(source);
  const size = getDataSize(evidence);
  switch (evidence.kind) {
    case 'string':
      return fitString(findClauses(tokens), evidence.text) ?? fitAssemblyRevert(tokens, ERROR_STRING, size);
    case 'customError':
      return fitAssemblyRevert(tokens, evidence.selector, size) ?? fitCustomError(findClauses(tokens), evidence);
    case 'panic':
      return fitPanic(source, tokens, evidence.code, evidence.operator) ?? fitAssemblyRevert(tokens, PANIC, size);
    case 'call':
      return fitCall(tokens, evidence.names, evidence.opcode);
    case 'empty':
      return fitEmpty(tokens, findClauses(tokens));
    case 'halt':
      return fitHalt(tokens, evidence.opcode);
  }
}
