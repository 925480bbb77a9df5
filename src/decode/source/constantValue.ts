// Values of constant expressions: lengths of arrays, base slots of layouts, constants.

import { hexToBytes, toWordHex } from '../../base/hex.ts';
import { hashBytes } from './storageValues.ts';
import { getTypeText, type SyntaxNode, type SyntaxTrees, toName, toNode, toNodes } from './syntaxTree.ts';

/** Text is that of a string, one character for each byte. */
export type ConstantValue = bigint | boolean | string;

const MAX_DEPTH = 64;
const MAX_SHIFT = 4_096n;

export const toBytes = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));
const toWord = (value: bigint): Uint8Array => hexToBytes(toWordHex(BigInt.asUintN(256, value)));

/** The slot of a namespace (ERC-7201). */
export const getNamespaceSlot = (id: string): bigint =>
  hashBytes(toWord(hashBytes(new TextEncoder().encode(id)) - 1n)) & ~0xffn;

const isSmall = (value: bigint): boolean => value >= 0n && value <= MAX_SHIFT;

const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint | null>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? null : a / b),
  '%': (a, b) => (b === 0n ? null : a % b),
  '**': (a, b) => (isSmall(b) ? a ** b : null),
  '<<': (a, b) => (isSmall(b) ? a << b : null),
  '>>': (a, b) => (isSmall(b) ? a >> b : null),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

/** An integer's bits by its type (`t_uint128`, `t_int8`, `t_bytes4`, `t_address`); `null` for other types. */
function getBits(identifier: string): { readonly bits: number; readonly isSigned: boolean } | null {
  const [, kind, digits] = /^t_(uint|int|bytes)(\d+)$/.exec(identifier) ?? [];
  if (kind !== undefined) return { bits: Number(digits) * (kind === 'bytes' ? 8 : 1), isSigned: kind === 'int' };
  return /^t_address|^t_contract/.test(identifier) ? { bits: 160, isSigned: false } : null;
}

/** `null` where it takes more than arithmetic, hashes of literals and conversions to know it. */
export function evaluateConstant(node: SyntaxNode | null, trees: SyntaxTrees, depth = 0): ConstantValue | null {
  if (node === null || depth > MAX_DEPTH) return null;
  const identifier = getTypeText(node, 'typeIdentifier');
  const [, sign, digits] = /^t_rational_(minus_)?(\d+)_by_1$/.exec(identifier) ?? [];
  if (digits !== undefined) return sign === undefined ? BigInt(digits) : -BigInt(digits);
  const evaluate = (value: unknown): ConstantValue | null => evaluateConstant(toNode(value), trees, depth + 1);
  switch (node['nodeType']) {
    case 'Literal':
      return evaluateLiteral(node);
    case 'Identifier':
    case 'MemberAccess': {
      const declaration = trees.definition(node['referencedDeclaration']);
      return declaration?.['constant'] === true ? evaluate(declaration['value']) : evaluateMember(node);
    }
    case 'TupleExpression': {
      const [only, ...others] = toNodes(node['components']);
      return others.length === 0 ? evaluate(only) : null;
    }
    case 'UnaryOperation':
      return evaluateUnary(node, evaluate(node['subExpression']), identifier);
    case 'BinaryOperation': {
      const [left, right] = [evaluate(node['leftExpression']), evaluate(node['rightExpression'])];
      const operation = OPERATIONS[toName(node['operator'])];
      return typeof left === 'bigint' && typeof right === 'bigint' ? (operation?.(left, right) ?? null) : null;
    }
    case 'FunctionCall':
      return evaluateCall(node, evaluate, identifier);
    default:
      return null;
  }
}

function evaluateLiteral({ kind, value, hexValue }: SyntaxNode): ConstantValue | null {
  if (kind === 'bool') return value === 'true';
  if (kind === 'number') return /^0x[\da-f]+$/i.test(toName(value)) ? BigInt(toName(value)) : null;
  const digits = toName(hexValue);
  return /^(?:[\da-f]{2})*$/i.test(digits) ? String.fromCharCode(...hexToBytes(`0x${digits}`)) : null;
}

/** `type(uint128).max` */
function evaluateMember({ memberName, expression }: SyntaxNode): bigint | null {
  const [, type = ''] =
    /^t_magic_meta_type_(t_u?int\d+)$/.exec(getTypeText(toNode(expression), 'typeIdentifier')) ?? [];
  const integer = getBits(type);
  if (integer === null) return null;
  const { bits, isSigned } = integer;
  const half = 1n << BigInt(bits - 1);
  if (memberName === 'max') return isSigned ? half - 1n : 2n * half - 1n;
  return memberName === 'min' ? (isSigned ? -half : 0n) : null;
}

function evaluateUnary(
  { operator }: SyntaxNode,
  value: ConstantValue | null,
  identifier: string,
): ConstantValue | null {
  if (operator === '!' && typeof value === 'boolean') return !value;
  if (typeof value !== 'bigint') return null;
  if (operator === '-') return -value;
  return operator === '~' ? convert(~value, identifier) : null;
}

function convert(value: ConstantValue, identifier: string): ConstantValue | null {
  const target = getBits(identifier);
  if (target === null || typeof value === 'boolean') return value;
  const { bits, isSigned } = target;
  if (typeof value === 'bigint') return isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  // Text in `bytes4` begins at the left.
  return value.length > bits / 8 ? null : BigInt(`0x${toHexDigits(value).padEnd(bits / 4, '0')}`);
}

export const toHexDigits = (text: string): string =>
  [...text].map(character => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

function evaluateCall(
  { kind, expression, arguments: list }: SyntaxNode,
  evaluate: (value: unknown) => ConstantValue | null,
  identifier: string,
): ConstantValue | null {
  const [argument, ...others] = toNodes(list);
  const value = argument === undefined || others.length > 0 ? null : evaluate(argument);
  if (value === null) return null;
  if (kind === 'typeConversion') return convertFrom(value, getTypeText(argument ?? null, 'typeIdentifier'), identifier);
  const name = toName(toNode(expression)?.['name']);
  // Of a type that the user named: `Rate.wrap(5)`.
  const isNamed = /^(?:un)?wrap$/.test(toName(toNode(expression)?.['memberName']));
  if (typeof value !== 'string') return isNamed ? value : null;
  if (name === 'keccak256') return hashBytes(toBytes(value));
  return name === 'erc7201' ? getNamespaceSlot(new TextDecoder().decode(toBytes(value))) : null;
}

/** Bytes of a fixed size are cut and extended at the right, numbers at the left. */
function convertFrom(value: ConstantValue, from: string, to: string): ConstantValue | null {
  const [, fromSize] = /^t_bytes(\d+)$/.exec(from) ?? [];
  const [, toSize] = /^t_bytes(\d+)$/.exec(to) ?? [];
  if (typeof value !== 'bigint' || fromSize === undefined || toSize === undefined) return convert(value, to);
  const shift = BigInt(8 * (Number(toSize) - Number(fromSize)));
  return shift >= 0n ? value << shift : value >> -shift;
}
