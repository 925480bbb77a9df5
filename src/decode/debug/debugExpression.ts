// Evaluates expressions of Solidity over the variables of a frame: names, members, indexes, arithmetic, comparisons and casts.

import * as AbiParameters from 'ox/AbiParameters';
import { keccak256 } from 'ox/Hash';
import { type DebugVariable, plainVariable } from '../../api/debugSession.ts';
import { HexLensError } from '../../base/errors.ts';
import { bytesToHex, type Hex, hexToBytes, isAddress, isHex, toLowerHex } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { toByteText, tokenize } from '../source/solidityTokens.ts';

/** Where names and members come from. */
export interface ExpressionScope {
  find(name: string): Promise<DebugVariable | null>;
  member(of: DebugVariable, name: string): Promise<DebugVariable | null>;
  element(of: DebugVariable, name: string, key: string): Promise<DebugVariable | null>;
  /** Elements of an array, or members of a struct. */
  members(of: DebugVariable, limit: number): Promise<readonly DebugVariable[]>;
  /** Members of an enum by its name, with or without that of its contract; `null` where there is none. */
  enumMembers(name: string): readonly string[] | null;
  /** Calls a function that changes nothing; `to`: `null` for one of the contract itself, or a cast to a contract. */
  call(to: CalledContract | null, name: string, args: readonly CallArgument[]): Promise<DebugVariable>;
  account(address: Hex): Promise<{ readonly balance: bigint; readonly code: Hex }>;
}

export interface CalledContract {
  readonly address: Hex;
  /** Its type in the source: `null` for a plain address. */
  readonly type: string | null;
}

/** An argument of a call. */
export interface CallArgument {
  /** Lists and objects are those of arrays and structs. */
  readonly value: ArgumentValue;
  /** Of a variable, or the cast: which overload fits best. */
  readonly type: string | null;
}

export type ArgumentValue = string | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue };

export type Plain = bigint | boolean | string;
/** `type`: `null` where the value can be of several. */
export type Operand = { readonly variable: DebugVariable } | { readonly plain: Plain; readonly type?: string | null };

const MAX_LENGTH = 1_000;
const MAX_BITS = 512;
/** From the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const UNITS: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
};
const CAST = /^(?:u?int(?:\d{1,3})?|address|bool|bytes(?:[12]?\d|3[0-2])?|string|payable)$/;
const MAX_ARGUMENTS = 32;
/** Elements and members of one argument. */
const MAX_ELEMENTS = 1_000;

export const fail = (text: LocalizableText): never => {
  throw new HexLensError('bad-input', text);
};

class Evaluator {
  readonly #tokens: readonly string[];
  readonly #scope: ExpressionScope;
  #at = 0;
  /** What is read now has no effect on the result: it is only parsed. */
  #isSkipped = false;

  constructor(text: string, scope: ExpressionScope) {
    this.#tokens = tokenize(toByteText(text)).map(token => token.text);
    this.#scope = scope;
  }

  async evaluate(): Promise<Operand> {
    const result = await this.#conditional();
    if (this.#at < this.#tokens.length) this.#unexpected();
    return result;
  }

  #unexpected(): never {
    const token = this.#tokens[this.#at];
    return fail(
      token === undefined
        ? localizable('The expression is not complete.')
        : localizable('{0} is not expected here.', token),
    );
  }

  #accept(...texts: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !texts.includes(token)) return null;
    this.#at++;
    return token;
  }

  #expect(text: string): void {
    if (this.#accept(text) === null) this.#unexpected();
  }

  /** Parses without looking anything up. */
  async #skip(parse: () => Promise<Operand>): Promise<Operand> {
    const before = this.#isSkipped;
    this.#isSkipped = true;
    const result = await parse();
    this.#isSkipped = before;
    return result;
  }

  #skipUnless(isNeeded: boolean, parse: () => Promise<Operand>): Promise<Operand> {
    return isNeeded ? parse() : this.#skip(parse);
  }

  #compute(compute: () => Plain): Operand {
    return { plain: this.#isSkipped ? 0n : compute() };
  }

  async #conditional(): Promise<Operand> {
    const condition = await this.#level(0);
    if (this.#accept('?') === null) return condition;
    const isTrue = this.#isSkipped || toBoolean(toPlain(condition));
    const whenTrue = await this.#skipUnless(isTrue, () => this.#conditional());
    this.#expect(':');
    const whenFalse = await this.#skipUnless(!isTrue, () => this.#conditional());
    return isTrue ? whenTrue : whenFalse;
  }

  async #level(level: number): Promise<Operand> {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#power();
    let left = await this.#level(level + 1);
    for (let operator = this.#accept(...operators); operator !== null; operator = this.#accept(...operators)) {
      const used = operator;
      const a = this.#isSkipped ? false : toPlain(left);
      // The right side of `false &&` and `true ||` is not evaluated.
      const isDecided = (used === '&&' || used === '||') && !this.#isSkipped && toBoolean(a) === (used === '||');
      const right = await this.#skipUnless(!isDecided, () => this.#level(level + 1));
      left = isDecided ? { plain: a } : this.#compute(() => apply(used, a, toPlain(right)));
    }
    return left;
  }

  async #power(): Promise<Operand> {
    const base = await this.#unary();
    if (this.#accept('**') === null) return base;
    const exponent = await this.#power();
    return this.#compute(() => apply('**', toPlain(base), toPlain(exponent)));
  }

  async #unary(): Promise<Operand> {
    const operator = this.#accept('-', '!', '~');
    if (operator === null) return this.#postfix();
    const operand = await this.#unary();
    return this.#compute(() => {
      const value = toPlain(operand);
      if (operator === '!') return !toBoolean(value);
      return operator === '-' ? -toNumber(value) : BigInt.asUintN(256, ~toNumber(value));
    });
  }

  async #postfix(): Promise<Operand> {
    let value = await this.#primary();
    let name = this.#tokens[this.#at - 1] ?? '';
    for (;;) {
      if (this.#accept('.') !== null) {
        const member = this.#tokens[this.#at++] ?? '';
        name += `.${member}`;
        value = this.#tokens[this.#at] === '(' ? await this.#callOf(value, member) : await this.#member(value, member);
      } else if (this.#accept('[') !== null) {
        const index = await this.#conditional();
        this.#expect(']');
        if (this.#isSkipped) continue;
        const key = String(toPlain(index));
        name += `[${key}]`;
        value = (await this.#element(value, name, key)) ?? fail(localizable('There is no "{0}".', name));
      } else return value;
    }
  }

  async #element(value: Operand, name: string, key: string): Promise<Operand | null> {
    const variable = 'variable' in value ? await this.#scope.element(value.variable, name, key) : null;
    if (variable !== null) return { variable };
    if ('variable' in value && value.variable.reference !== null) return null;
    const bytes = toByteDigits(value);
    const at = /^\d{1,9}$/.test(key) ? 2 + 2 * Number(key) : Number.NaN;
    return bytes !== null && at < bytes.length ? { plain: `0x${bytes.slice(at, at + 2)}`, type: 'bytes1' } : null;
  }

  async #member(value: Operand, name: string): Promise<Operand> {
    if (this.#isSkipped) return value;
    const found = 'variable' in value ? await this.#memberOf(value.variable, name) : null;
    if (found !== null) return found;
    const bytes = name === 'length' ? toByteDigits(value) : null;
    if (bytes !== null) return { plain: BigInt(bytes.length / 2 - 1), type: 'uint256' };
    const address = name === 'balance' || name === 'code' ? toAddress(value) : null;
    if (address === null) return fail(localizable('There is no "{0}".', name));
    const { balance, code } = await this.#scope.account(address);
    return name === 'balance' ? { plain: balance, type: 'uint256' } : { plain: code, type: 'bytes' };
  }

  async #memberOf(variable: DebugVariable, name: string): Promise<Operand | null> {
    if (name === 'length' && variable.count !== null) return { plain: BigInt(variable.count), type: 'uint256' };
    const found = await this.#scope.member(variable, name);
    if (found === null && typeof variable.value !== 'string') return fail(variable.value);
    return found === null ? null : { variable: found };
  }

  /** Behind the parenthesis that opens. */
  async #list(): Promise<readonly Operand[]> {
    const list: Operand[] = [];
    if (this.#accept(')') !== null) return list;
    do {
      if (list.push(await this.#conditional()) > MAX_ARGUMENTS) this.#unexpected();
    } while (this.#accept(',') !== null);
    this.#expect(')');
    return list;
  }

  /** A function of the contract at an address. */
  async #callOf(value: Operand, name: string): Promise<Operand> {
    this.#expect('(');
    const list = await this.#list();
    if (this.#isSkipped) return value;
    const address = toAddress(value);
    if (address === null) return fail(localizable('{0} cannot be called: what is before it is no contract.', name));
    const type = 'variable' in value ? value.variable.type : (value.type ?? null);
    return { variable: await this.#scope.call({ address, type }, name, await this.#toArguments(list)) };
  }

  /** A function of the contract itself, of the language, or a cast to a contract or an enum. */
  async #callByName(name: string): Promise<Operand> {
    const list = await this.#list();
    if (this.#isSkipped) return { plain: 0n };
    const [first, ...others] = list;
    const members = first === undefined || others.length > 0 ? null : this.#scope.enumMembers(name);
    if (members !== null && first !== undefined) {
      const index = Number(toNumber(this.#withoutEnum(first)));
      return { plain: members[index] ?? fail(localizable('{0} has no member {1}.', name, index)), type: name };
    }
    if (name !== 'keccak256') return { variable: await this.#scope.call(null, name, await this.#toArguments(list)) };
    const bytes = first === undefined || others.length > 0 ? null : toByteDigits(first);
    if (bytes === null) return fail(localizable('keccak256 needs bytes.'));
    return { plain: keccak256(bytes, { as: 'Hex' }), type: 'bytes32' };
  }

  async #toArguments(list: readonly Operand[]): Promise<readonly CallArgument[]> {
    const budget = { elements: MAX_ELEMENTS };
    return Promise.all(
      list.map(async operand => ({
        value: await this.#toArgument(operand, budget),
        type: 'variable' in operand ? operand.variable.type : (operand.type ?? null),
      })),
    );
  }

  async #toArgument(operand: Operand, budget: { elements: number }): Promise<ArgumentValue> {
    if (--budget.elements < 0) return fail(localizable('The argument is too large.'));
    if ('plain' in operand || operand.variable.reference === null) return String(this.#withoutEnum(operand));
    const members = await this.#scope.members(operand.variable, MAX_ELEMENTS);
    const values: [string, ArgumentValue][] = [];
    for (const variable of members) values.push([variable.name, await this.#toArgument({ variable }, budget)]);
    return operand.variable.count === null ? Object.fromEntries(values) : values.map(([, value]) => value);
  }

  /** Members of enums are numbers in casts and calls. */
  #withoutEnum(operand: Operand): Plain {
    const value = toPlain(operand);
    const type = 'variable' in operand ? operand.variable.type : operand.type;
    const index = typeof value === 'string' && type != null ? this.#scope.enumMembers(type)?.indexOf(value) : undefined;
    return index === undefined || index < 0 ? value : BigInt(index);
  }

  /** `abi.encode` and `abi.encodePacked`. */
  async #encoded(): Promise<Operand> {
    this.#expect('.');
    const name = this.#accept('encode', 'encodePacked') ?? this.#unexpected();
    this.#expect('(');
    const list = await this.#list();
    if (this.#isSkipped) return { plain: 0n };
    const values = list.map(operand => {
      const value = this.#withoutEnum(operand);
      const type = getEncodedType(value, 'variable' in operand ? operand.variable.type : (operand.type ?? null));
      return type === null ? fail(localizable('The type of an argument is not clear: cast it.')) : { value, type };
    });
    const types = values.map(({ type }) => type);
    try {
      const plain =
        name === 'encode'
          ? AbiParameters.encode(
              types.map(type => ({ type })),
              values.map(({ value }) => value),
            )
          : AbiParameters.encodePacked(types, values.map(({ value }) => value) as never);
      return { plain, type: 'bytes' };
    } catch {
      return fail(localizable('An argument does not fit its type: cast it.'));
    }
  }

  async #primary(): Promise<Operand> {
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.#unexpected();
    this.#at++;
    if (token === '(') {
      const value = await this.#conditional();
      this.#expect(')');
      return value;
    }
    if (/^0x[\da-f]*$/i.test(token)) return { plain: token.toLowerCase() };
    if (/^\d/.test(token)) return { plain: this.#number(token) };
    if (/^["']/.test(token)) return { plain: token.slice(1, -1) };
    if (token === 'true' || token === 'false') return { plain: token === 'true' };
    if (!/^[A-Za-z_$]/.test(token)) {
      this.#at--;
      return this.#unexpected();
    }
    if (CAST.test(token) && this.#accept('(') !== null) {
      const value = await this.#conditional();
      this.#expect(')');
      if (this.#isSkipped) return { plain: 0n };
      return { plain: cast(token, value, this.#withoutEnum(value)), type: token === 'payable' ? 'address' : token };
    }
    if (token === 'type' && this.#tokens[this.#at] === '(') return this.#limit();
    if (token === 'abi' && this.#tokens[this.#at] === '.') return this.#encoded();
    if (this.#accept('(') !== null) return this.#callByName(token);
    if (this.#isSkipped) return { plain: 0n };
    const variable = await this.#scope.find(token);
    return variable === null ? ((await this.#qualified(token)) ?? this.#enumMember(token)) : { variable };
  }

  /** `Base.total`: a variable of a contract by both names. */
  async #qualified(contract: string): Promise<Operand | null> {
    const name = this.#tokens[this.#at] === '.' ? this.#tokens[this.#at + 1] : undefined;
    const variable = name === undefined ? null : await this.#scope.find(`${contract}.${name}`);
    if (variable === null) return null;
    this.#at += 2;
    return { variable };
  }

  /** `Status.Open` or `Vault.Status.Open`, whose value is written as its name. */
  #enumMember(first: string): Operand {
    const path = [first];
    for (let at = this.#at; this.#tokens[at] === '.'; at += 2) path.push(this.#tokens[at + 1] ?? '');
    const member = path.at(-1) as string;
    const type = path.slice(0, -1).join('.');
    if (path.length === 1 || this.#scope.enumMembers(type)?.includes(member) !== true)
      return fail(localizable('There is no variable "{0}" here: the view Variables has those that there are.', first));
    this.#at += 2 * (path.length - 1);
    return { plain: member, type };
  }

  /** `type(uint8).max`. */
  #limit(): Operand {
    this.#expect('(');
    const [, sign = '', bits = '256'] =
      /^(u?)int(\d{1,3})?$/.exec(this.#tokens[this.#at++] ?? '') ?? this.#unexpected();
    this.#expect(')');
    this.#expect('.');
    const limit = this.#accept('max', 'min') ?? this.#unexpected();
    const range = 1n << BigInt(sign === 'u' ? bits : Number(bits) - 1);
    return { plain: limit === 'max' ? range - 1n : sign === 'u' ? 0n : -range };
  }

  #number(token: string): bigint {
    const [, digits, fraction = '', exponent = '0'] = /^([\d_]+)(?:\.(\d+))?(?:e(\d{1,2}))?$/i.exec(token) ?? [];
    if (digits === undefined) return fail(NO_NUMBER);
    const unit = UNITS[this.#tokens[this.#at] ?? ''];
    if (unit !== undefined) this.#at++;
    const scaled = BigInt(`${digits}${fraction}`.replaceAll('_', '') || '0') * 10n ** BigInt(exponent) * (unit ?? 1n);
    const divisor = 10n ** BigInt(fraction.length);
    return scaled % divisor === 0n ? scaled / divisor : fail(localizable('{0} is no whole number.', token));
  }
}

const NO_NUMBER = localizable('The value is not a number.');
const NO_BOOLEAN = localizable('The value is neither true nor false.');

function toPlain(operand: Operand): Plain {
  if ('plain' in operand) return operand.plain;
  const { value, type, reference } = operand.variable;
  if (reference !== null) return fail(localizable('{0} has no single value.', operand.variable.name));
  // Says why there is none.
  if (typeof value !== 'string') return fail(value);
  if (type === 'string') return JSON.parse(value) as string;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+$/.test(value) ? BigInt(value) : value;
}

const toBoolean = (value: Plain): boolean => (typeof value === 'boolean' ? value : fail(NO_BOOLEAN));

function toNumber(value: Plain): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^0x[\da-f]+$/i.test(value)) return BigInt(value);
  return fail(NO_NUMBER);
}

function compare(a: Plain, b: Plain): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === b;
  const isHexText = (value: Plain) => typeof value === 'string' && /^0x/i.test(value);
  if (typeof a === 'string' && typeof b === 'string')
    return isHexText(a) ? a.toLowerCase() === b.toLowerCase() : a === b;
  return toNumber(a) === toNumber(b);
}

function apply(operator: string, a: Plain, b: Plain): Plain {
  if (operator === '==' || operator === '!=') return compare(a, b) === (operator === '==');
  if (operator === '&&' || operator === '||') {
    const [left, right] = [toBoolean(a), toBoolean(b)];
    return operator === '&&' ? left && right : left || right;
  }
  const [left, right] = [toNumber(a), toNumber(b)];
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return calculate(operator, left, right);
  }
}

const calculations: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
};

function calculate(operator: string, a: bigint, b: bigint): bigint {
  const isTooLarge = (operator === '**' || operator === '<<' || operator === '>>') && (b < 0n || b > BigInt(MAX_BITS));
  if (isTooLarge) return fail(localizable('The exponent is too large.'));
  if ((operator === '/' || operator === '%') && b === 0n) return fail(localizable('Division by zero.'));
  return calculations[operator]?.(a, b) ?? a ^ b;
}

/** As 0x hex: of bytes of any size, and of text; `null` for other values. */
function toByteDigits(operand: Operand): Hex | null {
  const value = toPlain(operand);
  if (typeof value !== 'string') return null;
  const type = 'variable' in operand ? operand.variable.type : operand.type;
  const isHexText = type !== 'string' && isHex(value) && value.length % 2 === 0;
  return isHexText ? value : bytesToHex(new TextEncoder().encode(value));
}

/** Of an address or a contract; `null` for other values. */
function toAddress(operand: Operand): Hex | null {
  const value = 'variable' in operand && operand.variable.reference !== null ? null : toPlain(operand);
  return typeof value === 'string' && isAddress(value) ? toLowerHex(value) : null;
}

/** The type of the ABI; `null` where it could be several. */
function getEncodedType(value: Plain, type: string | null): string | null {
  const written = type?.replace(/^(u?int)$/, '$1256').replace(/ payable$/, '') ?? '';
  if (/^(?:u?int\d+|bytes\d*|address|bool|string)$/.test(written)) return written;
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return type === null ? (value < 0n ? 'int256' : 'uint256') : null;
  if (isAddress(value)) return 'address';
  return type === null && !isHex(value) ? 'string' : null;
}

function cast(type: string, operand: Operand, value: Plain): Plain {
  if (type === 'bool') return toBoolean(value);
  if (type === 'bytes' || type === 'string') {
    const digits = toByteDigits(operand) ?? fail(localizable('The value has no bytes.'));
    return type === 'bytes' ? digits : new TextDecoder().decode(hexToBytes(digits));
  }
  const number = toNumber(value);
  const toHex = (bytes: number) =>
    `0x${BigInt.asUintN(8 * bytes, number)
      .toString(16)
      .padStart(2 * bytes, '0')}`;
  if (type === 'address' || type === 'payable') return toHex(20);
  if (type.startsWith('bytes')) {
    const bytes = Number(type.slice(5));
    // Bytes are cut, and filled up, at their end; numbers at their beginning.
    return typeof value === 'string' && value.length % 2 === 0
      ? value.slice(0, 2 + 2 * bytes).padEnd(2 + 2 * bytes, '0')
      : toHex(bytes);
  }
  const bits = Number(type.replace(/^u?int/, '') || 256);
  return type.startsWith('u') ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number);
}

/** Rejects with `bad-input`, whose message says what is wrong with the expression. */
export async function evaluateExpression(expression: string, scope: ExpressionScope): Promise<DebugVariable> {
  if (expression.length > MAX_LENGTH) return fail(localizable('The expression is too long.'));
  const result = await new Evaluator(expression, scope).evaluate();
  if ('variable' in result) return { ...result.variable, name: expression };
  const { plain, type = null } = result;
  const value = type === 'string' ? JSON.stringify(plain) : String(plain);
  return plainVariable(expression, value, typeof plain === 'boolean' ? 'bool' : type);
}

/** Whether an expression is true. Rejects as `evaluateExpression` does. */
export async function isTrue(expression: string, scope: ExpressionScope): Promise<boolean> {
  const { value, reference } = await evaluateExpression(expression, scope);
  if (value === 'true' || value === 'false') return value === 'true';
  if (typeof value === 'string' || reference !== null) return fail(NO_BOOLEAN);
  return fail(value);
}
