// Checks what the page says before the host acts on it: a page shows hostile data and is not trusted.

import { MAX_UNITS_PER_PAGE } from './amountUnits.ts';
import { type InspectorTarget, parseInspectorTarget } from './inspectorTarget.ts';
import type { PageMessage, Question } from './messages.ts';
import {
  hasProperties,
  isArrayBuffer,
  isArrayOf,
  isBoolean,
  isNonNegativeInteger,
  isNullOr,
  isObject,
  isOneOf,
  isStringUpTo,
  type TypeGuard,
} from './typeGuards.ts';

/** As long as a transaction's input may be (128 KiB), in hex and with room. */
const MAX_HEX = 600_000;
const isSelector = isStringUpTo(32);
const isHexText = isStringUpTo(MAX_HEX);
const isContract: TypeGuard<string> = (value): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);

const isLog = hasProperties<{ chain: string; address: string; topics: readonly string[]; data: string }>({
  chain: isSelector,
  address: isStringUpTo(66),
  topics: isArrayOf(isStringUpTo(66), 4),
  data: isHexText,
});
const isCall = hasProperties<{ chain: string; to: string | null; input: string }>({
  chain: isSelector,
  to: isNullOr(isStringUpTo(66)),
  input: isHexText,
});

/** Targets are rebuilt by `readTarget`: nothing else of what the page sent goes on. */
function targetIn(value: unknown): InspectorTarget | null {
  return parseInspectorTarget(value);
}

function readQuestion(value: unknown): Question | null {
  if (!isObject(value)) return null;
  const { kind, include } = value;
  if (kind === 'operation' || kind === 'raw') {
    const target = targetIn(value['target']);
    if (target === null) return null;
    if (kind === 'raw') return { kind, target };
    if (include === undefined) return { kind, target };
    return isArrayOf(isStringUpTo(32), 8)(include) ? { kind, target, include } : null;
  }
  if (kind === 'address') {
    const target = targetIn({ ...value, kind: 'address' });
    return target?.kind === 'address' ? { kind, chain: target.chain, address: target.address } : null;
  }
  if (kind === 'blocks') {
    const target = targetIn({ kind: 'block', chain: value['chain'], block: 'latest' });
    const { before, count } = value;
    if (
      target?.kind !== 'block' ||
      !isNullOr(isNonNegativeInteger)(before) ||
      !isNonNegativeInteger(count) ||
      count < 1 ||
      count > 50
    )
      return null;
    return { kind, chain: target.chain, before, count };
  }
  if (kind === 'revert') {
    const target = targetIn({ ...value, kind: 'transaction' });
    return target?.kind === 'transaction' ? { kind, chain: target.chain, hash: target.hash } : null;
  }
  if (kind === 'picture') {
    const { chain, uri } = value;
    return isSelector(chain) && isStringUpTo(4_000)(uri) ? { kind, chain, uri } : null;
  }
  if (kind === 'units') {
    const { chain, contracts } = value;
    return isSelector(chain) && isArrayOf(isContract, MAX_UNITS_PER_PAGE)(contracts)
      ? { kind, chain, contracts }
      : null;
  }
  if (kind === 'log' && isLog(value['log'])) return { kind, log: value['log'] };
  if (kind === 'call' && isCall(value['call'])) return { kind, call: value['call'] };
  return null;
}

/** The message, or `null` when it is none of ours. */
export function parsePageMessage(value: unknown): PageMessage | null {
  if (!isObject(value)) return null;
  const { type, id, text } = value;
  switch (type) {
    case 'hello':
      return { type };
    case 'ask': {
      const question = readQuestion(value['question']);
      return question !== null && isNonNegativeInteger(id) ? { type, id, question } : null;
    }
    case 'cancel':
      return isNonNegativeInteger(id) ? { type, id } : null;
    case 'navigate': {
      const target = targetIn(value['target']);
      const where = value['where'];
      return target !== null && isOneOf('here', 'side')(where) ? { type, target, where } : null;
    }
    case 'go':
      return isNonNegativeInteger(value['to']) ? { type, to: value['to'] } : null;
    case 'pin':
      return isBoolean(value['pinned']) ? { type, pinned: value['pinned'] } : null;
    case 'find': {
      const chain = value['chain'];
      return isNonNegativeInteger(id) && isSelector(chain) && isStringUpTo(200)(text)
        ? { type, id, chain, text }
        : null;
    }
    case 'copy':
      return isStringUpTo(8_000_000)(text) ? { type, text } : null;
    case 'copyCommand': {
      const target = targetIn(value['target']);
      const form = value['form'];
      return target !== null && isOneOf('cast', 'curl', 'link')(form) ? { type, form, target } : null;
    }
    case 'export': {
      const { format, name, table } = value;
      const growing = value['growing'] === null ? null : targetIn(value['growing']);
      return isOneOf('csv', 'json')(format) && isStringUpTo(200)(name) && isArrayBuffer(table)
        ? { type, format, name, table, growing }
        : null;
    }
    case 'exportAll': {
      const { format, name } = value;
      const target = targetIn(value['target']);
      return isOneOf('csv', 'json')(format) && isStringUpTo(200)(name) && target?.kind === 'operation'
        ? { type, format, name, target }
        : null;
    }
    case 'pause': {
      const { task } = value;
      return isStringUpTo(200)(task) ? { type, task } : null;
    }
    case 'act': {
      const action = value['action'];
      return isOneOf('nodes', 'log')(action) ? { type, action } : null;
    }
    default:
      return null;
  }
}
