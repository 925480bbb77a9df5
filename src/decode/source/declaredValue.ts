// Which state variable, constant or view function of a contract a name in Solidity is.
import type { Outline, SourceContract, SourceFunction, SourceVariable } from './solidityOutline.ts';
import { type Token, tokenize } from './solidityTokens.ts';

export interface DeclaredValue {
  readonly name: string;
  readonly contract: SourceContract;
  /** `null` for a function. */
  readonly variable: SourceVariable | null;
  /** Of the name at the offset. */
  readonly start: number;
  readonly end: number;
}

const NAME = /^[A-Za-z_$][\w$]*$/;
/** Words before a name that do not declare it. */
const NO_TYPES = new Set('return delete emit new else do is revert throw assembly in switch case default'.split(' '));

const contains = ({ start, end }: { start: number; end: number }, at: number): boolean => start <= at && at <= end;

/** Whether the token at `index` is a parameter or local variable, or the declaration of one. */
function isDeclaredAt(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text ?? '';
  return before === ']' || (NAME.test(before) && !NO_TYPES.has(before));
}

/** Whether the function has a parameter or a variable of this name: it may be meant then. */
function isShadowed(source: string, { start, end }: SourceFunction, name: string): boolean {
  const tokens = tokenize(source.slice(start, end));
  return tokens.some(({ text }, index) => text === name && index > 1 && isDeclaredAt(tokens, index));
}

/** `a.name`, `{name: 1}`: the name of something else. */
function isMember(source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - 200), start).trimEnd();
  if (before.endsWith('.')) return !/(?<![\w$.])(?:this|super)\s*\.$/.test(before);
  return /[{,]$/.test(before) && /^\s*:/.test(source.slice(end, end + 200));
}

const isReadOnly = (source: string, { start, end, body }: SourceFunction): boolean =>
  /\b(?:view|pure|constant)\b/.test(source.slice(start, body?.start ?? end));

/** The contract and those of its bases that the same file declares, as far as names tell. */
function listBases(outline: Outline, contract: SourceContract): readonly SourceContract[] {
  const found = new Set([contract]);
  for (const each of found)
    for (const { name } of each.bases) {
      const base = outline.contracts.find(other => other.name === name);
      if (base !== undefined) found.add(base);
    }
  return [...found];
}

/** The function without parameters that is declared or called at the name. */
function findFunction(source: string, outline: Outline, contracts: readonly SourceContract[], name: string, at: Token) {
  const ofName = ({ kind, name: other }: SourceFunction) => kind === 'function' && other === name;
  const usable = (each: SourceFunction) => ofName(each) && each.parameterTypes.length === 0 && isReadOnly(source, each);
  const declared = outline.functions.find(each => ofName(each) && isNameOf(source, each, at));
  if (declared !== undefined) return usable(declared) ? declared : null;
  if (!/^\s*\(\s*\)/.test(source.slice(at.end, at.end + 200))) return null;
  return contracts.flatMap(({ functions }) => functions).find(usable) ?? null;
}

const isNameOf = (source: string, { start }: SourceFunction, at: Token): boolean =>
  start < at.start && /^function\s+$/.test(source.slice(start, at.start));

/**
 * What the name at an offset is, where the file declares it in a contract. `source` is the byte text of `outline`. `null` also
 * for what may be a parameter, a local variable or a member of something else.
 */
export function findDeclaredValue(source: string, outline: Outline, offset: number): DeclaredValue | null {
  const contract = outline.contracts.find(each => contains(each, offset));
  if (contract === undefined) return null;
  let from = offset;
  while (/[\w$]/.test(source[from - 1] ?? '')) from--;
  const text = /^[\w$]*/.exec(source.slice(from))?.[0] ?? '';
  if (!NAME.test(text)) return null;
  const at: Token = { text, start: from, end: from + text.length };
  const isComment = !tokenize(source.slice(contract.start, contract.end)).some(
    token => token.text === text && token.start + contract.start === from,
  );
  if (isComment) return null;
  const own = outline.variables.find(({ nameStart }) => nameStart === from);
  if (own !== undefined) return own.contract && { name: text, contract: own.contract, variable: own, ...toSpan(at) };
  const contracts = listBases(outline, contract);
  const within = contract.functions.find(each => each.kind !== 'getter' && contains(each, from));
  const isDeclaration = within !== undefined && isNameOf(source, within, at);
  const isInValue = outline.variables.some(({ value }) => value !== null && contains(value, from));
  if ((within === undefined && !isInValue) || isMember(source, at.start, at.end)) return null;
  if (within !== undefined && !isDeclaration && isShadowed(source, within, text)) return null;
  const variable = isDeclaration
    ? undefined
    : outline.variables.find(each => each.name === text && each.contract !== null && contracts.includes(each.contract));
  if (variable?.contract) return { name: text, contract: variable.contract, variable, ...toSpan(at) };
  const called = findFunction(source, outline, contracts, text, at);
  return called?.contract ? { name: text, contract: called.contract, variable: null, ...toSpan(at) } : null;
}

const toSpan = ({ start, end }: Token) => ({ start, end });
