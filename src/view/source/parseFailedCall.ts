// Finds the call in what a node, a library or a log prints of one that failed: leniently, as each prints it in its own way.

import type { Simulation } from '../../api/traceTarget.ts';
import { type Hex, isAddress, isHex, parseQuantity, toLowerHex, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { encodeCall } from '../../decode/encodeCall.ts';
import { parseFunctionDeclaration } from '../../decode/functionDeclaration.ts';
import { parseWei } from '../../decode/simulationInput.ts';
import { readCastCommand } from './readCastCommand.ts';
import { splitArguments } from './splitArguments.ts';

type Field = 'from' | 'to' | 'data' | 'value' | 'gas' | 'block';

/** How the fields are named: `from: 0x…` and `"from": "0x…"`, `From:` of Hardhat, `--from` of cast, `data=` of ethers. */
const FIELD_NAMES: Readonly<Record<Field, string>> = {
  from: 'from|sender',
  to: 'to|contract(?: call| address)?|address',
  data: 'data|input|calldata',
  value: 'value|amount',
  gas: 'gas(?:limit|[ _]limit)?',
  block: 'block(?:number|tag|[ _]number)?',
};

/** `Error(string)` and `Panic(uint256)`. */
const ERROR_DATA = /^0x(?:08c379a0|4e487b71)/i;
const MAX_TEXT_LENGTH = 400_000;
const AMOUNT = '0x[0-9a-f]{1,64}|[\\d_]{1,78}(?:\\.\\d{1,18})?(?:\\s?(?:wei|gwei|eth(?:er)?))?';
const VALUES: Readonly<Record<Field, string>> = {
  from: '0x[0-9a-f]{40}',
  to: '0x[0-9a-f]{40}',
  data: '0x[0-9a-f]*',
  value: AMOUNT,
  gas: AMOUNT,
  block: '0x[0-9a-f]{1,15}|\\d{1,15}',
};

/** All values of a field, in the order of the text. */
function findValues(text: string, field: Field): readonly string[] {
  const before = '(?<![\\w.-]|-(?!-))';
  // Between name and value: quotes, a colon or an equals sign, Hardhat's name of the contract, `<UnrecognizedContract>`, and
  // `Some(Call(` of Anvil.
  const between =
    '["\']?(?:\\s{0,3}[:=])?\\s{0,30}(?:<?[A-Z][\\w$]{0,60}>?(?:#[\\w$<>-]{0,60})?\\s{0,3}\\(?\\s{0,3})?(?:Call\\()?["\']?';
  const pattern = `${before}(?:--)?(?:${FIELD_NAMES[field]})${between}(${VALUES[field]})(?![\\w])`;
  return [...text.matchAll(new RegExp(pattern, 'gi'))].flatMap(match => match[1] ?? []);
}

/** The data of a function that the text names with its arguments, as viem does; `null` where it names none. */
function encodeNamed(text: string): Hex | null {
  const [, declaration = ''] = /^[ \t]*function:[ \t]+([\w$]+\(.*\))[ \t\r]*$/m.exec(text) ?? [];
  const [, values = ''] = /^[ \t]*args:[ \t]+\((.*)\)[ \t\r]*$/m.exec(text) ?? [];
  return encodeDeclared(declaration, splitArguments(values));
}

function encodeDeclared(declaration: string, values: readonly string[]): Hex | null {
  const item = parseFunctionDeclaration(declaration, '');
  try {
    return item === null ? null : encodeCall(item, values);
  } catch {
    return null; // the text has other arguments than the function
  }
}

/** The data of the call, not that of the error which may be beside it. */
function findData(text: string): string | undefined {
  const datas = findValues(text, 'data').filter(value => value.length % 2 === 0 && !ERROR_DATA.test(value));
  // A log may print a short form too.
  return datas.find(value => value.length >= 10) ?? datas[0];
}

/** The call, with what the text says of it; `null` where it names neither a receiver nor data. */
export function parseFailedCall(text: string): Simulation | null {
  const given = text.slice(0, MAX_TEXT_LENGTH);
  const command = readCastCommand(given);
  if (command === null) return parseFields(given);
  const { signature, args, fields } = command;
  const data = signature.startsWith('0x')
    ? signature
    : signature === ''
      ? '0x'
      : encodeDeclared(signature.replace(/\)\s*\(/, ') returns ('), args);
  return data === null ? null : parseFields(`${fields} data: ${data}`);
}

function parseFields(text: string): Simulation | null {
  // ethers prints the data of the error before the transaction.
  const [, given = text] = /\btransaction=(\{[^{}]*\})/.exec(text) ?? [];
  const find = (field: Field) => findValues(given, field);
  const [from] = find('from');
  const [to] = find('to');
  const data = findData(given) ?? encodeNamed(given) ?? undefined;
  if (data === undefined && to === undefined) return null;
  // Hardhat's log names the function without its data.
  if (data === undefined && /\bcontract call\b|\bfunction\b/i.test(given)) return null;
  // What creates a contract begins with a PUSH; the data of an error alone is no call.
  if (to === undefined && (from === undefined || !/^0x[67][0-9a-f]{9}/i.test(data ?? ''))) return null;
  const amount = (field: 'value' | 'gas'): Hex | null => {
    const wei = find(field).map(parseWei)[0];
    return wei === null || wei === undefined || wei === 0n ? null : toQuantity(wei);
  };
  const [value, gas] = [amount('value'), amount('gas')];
  const [block] = find('block');
  const number = block === undefined ? null : block.startsWith('0x') ? parseQuantity(block) : BigInt(block);
  return {
    from: isAddress(from) ? toLowerHex(from) : ZERO_ADDRESS,
    to: isAddress(to) ? toLowerHex(to) : null,
    data: isHex(data) ? toLowerHex(data) : '0x',
    ...(value !== null && { value }),
    ...(gas !== null && { gas }),
    ...(number !== null && { block: Number(number) }),
  };
}

/** The transaction that the text says failed, as Anvil's log does; `null` where it names none. */
export function findFailedTransaction(text: string): Hex | null {
  const given = text.slice(0, MAX_TEXT_LENGTH);
  const found = [
    ...given.matchAll(
      /\b(?:transaction(?:[ _]?hash)?|tx(?:[ _]?hash)?)["']?(?:\s{0,3}[:=])?\s{0,30}["']?(0x[0-9a-f]{64})\b/gi,
    ),
  ];
  const hashes = new Set(found.map(([, hash = '']) => hash.toLowerCase()));
  const [hash] = hashes;
  return hashes.size === 1 ? (hash as Hex) : null;
}
