// Checks what the page says before the host acts on it: a page shows hostile data and is not trusted.

import { MOST_UNITS } from './amountUnits.ts';
import { type InspectorTarget, readTarget } from './inspectorTarget.ts';
import type { PageMessage, Question } from './messages.ts';
import {
  type Check,
  has,
  isBytes,
  isFlag,
  isListOf,
  isNullOr,
  isObject,
  isOneOf,
  isShort,
  isWhole,
} from './typeGuards.ts';

/** As long as a transaction's input may be (128 KiB), in hex and with room. */
const MAX_HEX = 600_000;
const isSelector = isShort(32);
const isHexText = isShort(MAX_HEX);
const isContract: Check<string> = (value): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);

const isLog = has<{ chain: string; address: string; topics: readonly string[]; data: string }>({
  chain: isSelector,
  address: isShort(66),
  topics: isListOf(isShort(66), 4),
  data: isHexText,
});
const isCall = has<{ chain: string; to: string | null; input: string }>({
  chain: isSelector,
  to: isNullOr(isShort(66)),
  input: isHexText,
});

/** Targets are rebuilt by `readTarget`: nothing else of what the page sent goes on. */
function targetIn(value: unknown): InspectorTarget | null {
  return readTarget(value);
}

function readQuestion(value: unknown): Question | null {
  if (!isObject(value)) return null;
  const { kind, include } = value;
  if (kind === 'operation' || kind === 'raw') {
    const target = targetIn(value['target']);
    if (target === null) return null;
    if (kind === 'raw') return { kind, target };
    if (include === undefined) return { kind, target };
    return isListOf(isShort(32), 8)(include) ? { kind, target, include } : null;
  }
  if (kind === 'address') {
    const target = targetIn({ ...value, kind: 'address' });
    return target?.kind === 'address' ? { kind, chain: target.chain, address: target.address } : null;
  }
  if (kind === 'blocks') {
    const target = targetIn({ kind: 'block', chain: value['chain'], block: 'latest' });
    const { before, count } = value;
    if (target?.kind !== 'block' || !isNullOr(isWhole)(before) || !isWhole(count) || count < 1 || count > 50)
      return null;
    return { kind, chain: target.chain, before, count };
  }
  if (kind === 'revert') {
    const target = targetIn({ ...value, kind: 'transaction' });
    return target?.kind === 'transaction' ? { kind, chain: target.chain, hash: target.hash } : null;
  }
  if (kind === 'picture') {
    const { chain, uri } = value;
    return isSelector(chain) && isShort(4_000)(uri) ? { kind, chain, uri } : null;
  }
  if (kind === 'units') {
    const { chain, contracts } = value;
    return isSelector(chain) && isListOf(isContract, MOST_UNITS)(contracts) ? { kind, chain, contracts } : null;
  }
  if (kind === 'log' && isLog(value['log'])) return { kind, log: value['log'] };
  if (kind === 'call' && isCall(value['call'])) return { kind, call: value['call'] };
  return null;
}

/** The message, or `null` when it is none of ours. */
export function readPageMessage(value: unknown): PageMessage | null {
  if (!isObject(value)) return null;
  const { type, id, text } = value;
  switch (type) {
    case 'hello':
      return { type };
    case 'ask': {
      const question = readQuestion(value['question']);
      return question !== null && isWhole(id) ? { type, id, question } : null;
    }
    case 'cancel':
      return isWhole(id) ? { type, id } : null;
    case 'navigate': {
      const target = targetIn(value['target']);
      const where = value['where'];
      return target !== null && isOneOf('here', 'side')(where) ? { type, target, where } : null;
    }
    case 'go':
      return isWhole(value['to']) ? { type, to: value['to'] } : null;
    case 'pin':
      return isFlag(value['pinned']) ? { type, pinned: value['pinned'] } : null;
    case 'find': {
      const chain = value['chain'];
      return isWhole(id) && isSelector(chain) && isShort(200)(text) ? { type, id, chain, text } : null;
    }
    case 'copy':
      return isShort(8_000_000)(text) ? { type, text } : null;
    case 'copyCommand': {
      const target = targetIn(value['target']);
      const form = value['form'];
      return target !== null && isOneOf('cast', 'curl', 'link')(form) ? { type, form, target } : null;
    }
    case 'export': {
      const { format, name, table } = value;
      const growing = value['growing'] === null ? null : targetIn(value['growing']);
      return isOneOf('csv', 'json')(format) && isShort(200)(name) && isBytes(table)
        ? { type, format, name, table, growing }
        : null;
    }
    case 'exportAll': {
      const { format, name } = value;
      const target = targetIn(value['target']);
      return isOneOf('csv', 'json')(format) && isShort(200)(name) && target?.kind === 'operation'
        ? { type, format, name, target }
        : null;
    }
    case 'pause': {
      const { task } = value;
      return isShort(200)(task) ? { type, task } : null;
    }
    case 'act': {
      const action = value['action'];
      return isOneOf('nodes', 'log')(action) ? { type, action } : null;
    }
    default:
      return null;
  }
}
