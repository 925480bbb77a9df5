// Evaluates expressions of Solidity over the variables of a frame: names, members, indexes, arithmetic, comparisons and casts.
import type { DebugVariable } from '../../api/debugSession.ts';
import { HexLensError } from '../../base/errors.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { toByteText, tokenize } from '../source/solidityTokens.ts';

/** Where names and members come from. */
export interface ExpressionScope {
  find(name: string): Promise<DebugVariable | null>;
  member(of: DebugVariable, name: string): Promise<DebugVariable | null>;
  element(of: DebugVariable, name: string, key: string): Promise<DebugVariable | null>;
  /** Whether an enum has the member. */
  hasEnumMember(name: string, member: string): boolean;
}

type Plain = bigint | boolean | string;
type Operand = { readonly variable: DebugVariable } | { readonly plain: Plain };

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
const CAST = /^(?:u?int(?:\d{1,3})?|address|bool|bytes(?:[12]?\d|3[0-2])|payable)$/;

const fail = (text: LocalizableText): never => {
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
        value = await this.#member(value, member);
      } else if (this.#accept('[') !== null) {
        const index = await this.#conditional();
        this.#expect(']');
        if (this.#isSkipped) continue;
        const key = String(toPlain(index));
        name += `[${key}]`;
        const variable = 'variable' in value ? await this.#scope.element(value.variable, name, key) : null;
        if (variable === null) return fail(localizable('There is no {0}.', name));
        value = { variable };
      } else return value;
    }
  }

  async #member(value: Operand, name: string): Promise<Operand> {
    if (this.#isSkipped) return value;
    if (!('variable' in value)) return fail(localizable('There is no {0}.', name));
    if (name === 'length' && value.variable.count !== null) return { plain: BigInt(value.variable.count) };
    const variable = await this.#scope.member(value.variable, name);
    return variable === null ? fail(localizable('There is no {0}.', name)) : { variable };
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
      return this.#compute(() => cast(token, toPlain(value)));
    }
    if (token === 'type' && this.#tokens[this.#at] === '(') return this.#limit();
    if (this.#isSkipped) return { plain: 0n };
    const variable = await this.#scope.find(token);
    return variable === null ? this.#enumMember(token) : { variable };
  }

  /** `Status.Open` or `Vault.Status.Open`, whose value is written as its name. */
  #enumMember(first: string): Operand {
    const path = [first];
    for (let at = this.#at; this.#tokens[at] === '.'; at += 2) path.push(this.#tokens[at + 1] ?? '');
    const member = path.at(-1) as string;
    if (path.length === 1 || !this.#scope.hasEnumMember(path.slice(0, -1).join('.'), member))
      return fail(localizable('There is no {0}.', first));
    this.#at += 2 * (path.length - 1);
    return { plain: member };
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

function calculate(operator: string, a: bigint, b: bigint): bigint {
  const isTooLarge = (operator === '**' || operator === '<<' || operator === '>>') && (b < 0n || b > BigInt(MAX_BITS));
  if (isTooLarge) return fail(localizable('The exponent is too large.'));
  if ((operator === '/' || operator === '%') && b === 0n) return fail(localizable('Division by zero.'));
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    case '**':
      return a ** b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

function cast(type: string, value: Plain): Plain {
  if (type === 'bool') return toBoolean(value);
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

const NO_PARTS = { type: null, reference: null, count: null, memory: null, slot: null } as const;

/** Rejects with `bad-input`, whose message says what is wrong with the expression. */
export async function evaluateExpression(expression: string, scope: ExpressionScope): Promise<DebugVariable> {
  if (expression.length > MAX_LENGTH) return fail(localizable('The expression is too long.'));
  const result = await new Evaluator(expression, scope).evaluate();
  if ('variable' in result) return { ...result.variable, name: expression };
  const { plain } = result;
  return { ...NO_PARTS, name: expression, value: String(plain), type: typeof plain === 'boolean' ? 'bool' : null };
}

/** Whether an expression is true. Rejects as `evaluateExpression` does. */
export async function isTrue(expression: string, scope: ExpressionScope): Promise<boolean> {
  const { value, reference } = await evaluateExpression(expression, scope);
  if (value === 'true' || value === 'false') return value === 'true';
  if (typeof value === 'string' || reference !== null) return fail(NO_BOOLEAN);
  return fail(value);
}
