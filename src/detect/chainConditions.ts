// The chain of a branch of code: `if (chainId === 31337) { … }`, `block.chainid == 10 ? … : …`, `case 8453:`.
import { type NamedChain, toNamedChain } from './chainKeys.ts';

/** What a condition compares: `chainId`, `block.chainid`, `chain.id`, `network.name`. */
const SUBJECT = String.raw`(?:[\w$]{1,40}\??\.){0,4}(?:chain_?id|chain\.id|chain_?name|network|network\.name|network_?name)(?:\(\))?`;
/** `31337`, `10n`, `'sepolia'`, `mainnet.id` */
const VALUE = String.raw`(?:["'\x60]([\w-]{1,40})["'\x60]|(0x[\da-f]{1,13}|\d{1,15})n?\b|([\w$]{1,40})\.id)`;
/** A condition of one comparison, which is all of it. */
const EQUALS = String.raw`(?:await\s+)?${SUBJECT}\s*={2,3}\s*${VALUE}`;
const BLOCK = new RegExp(String.raw`\bif\s*\(\s*${EQUALS}\s*\)\s*$`, 'i');
const BRANCH = new RegExp(String.raw`^\s*(?:else\s+)?if\s*\(\s*${EQUALS}\s*\)[^?]*$`, 'i');
const CHOICE = new RegExp(String.raw`(?:^|[=(,:]|\breturn)\s*\(?\s*${EQUALS}\s*\)?\s*\?[^?:]*$`, 'i');
const SWITCH = new RegExp(String.raw`\bswitch\s*\(\s*(?:await\s+)?${SUBJECT}\s*\)\s*\{$`, 'i');
const CASE = new RegExp(String.raw`\b(?:case\s+${VALUE}|(default))\s*:`, 'gi');

/** Of one statement, and of one switch. */
const MAX_STATEMENT = 300;
const MAX_TEXT = 1_000;

function readValue(match: readonly (string | undefined)[] | null): NamedChain | null {
  const [, name, id, variable] = match ?? [];
  if (id !== undefined) return toNamedChain(String(Number(id)));
  return toNamedChain(name ?? variable ?? '');
}

/** Of the block that begins after `before`. */
export const readBlockCondition = (before: string): NamedChain | null => readValue(BLOCK.exec(before));

/** Of the statement at `start`, or of the case of a switch that it is in. */
export function findStatementChain(text: string, start: number): NamedChain | null {
  const before = text.slice(Math.max(0, start - MAX_TEXT), start);
  const statement = before.slice(-MAX_STATEMENT).split(/[;{}]/).at(-1) ?? '';
  return readValue(BRANCH.exec(statement)) ?? readValue(CHOICE.exec(statement)) ?? findCase(before);
}

/** `null` also where cases share a body. */
function findCase(before: string): NamedChain | null {
  const open = before.lastIndexOf('{');
  if (open < 0 || !SWITCH.test(before.slice(Math.max(0, open - 120), open + 1))) return null;
  const cases = [...before.slice(open).matchAll(CASE)];
  const last = cases.at(-1);
  const previous = cases.at(-2);
  const isShared =
    previous !== undefined &&
    !/[;}]/.test(before.slice(open + previous.index + previous[0].length, open + (last?.index ?? 0)));
  return isShared || last?.[4] !== undefined ? null : readValue(last ?? null);
}
