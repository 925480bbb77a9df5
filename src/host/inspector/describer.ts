// Logs and calls in words, by the workspace's ABIs first and the bundled well-known signatures after them.
import type { DecodedArgument, Describer, Description } from '../../panels/decoding.ts';
import type { AbiBook, Candidates } from '../../view/abi/abiBook.ts';
import { createAbiBook } from '../../view/abi/abiBook.ts';
import type { DecodedValue } from '../../view/abi/decode.ts';
import { type Readings, readingsOfCall, readingsOfLog, readingsOfRevert } from '../../view/abi/describe.ts';
import { signatureText } from '../../view/abi/item.ts';
import { tradeOf } from '../../view/abi/trade.ts';
import { unitsOf } from '../../view/abi/units.ts';

export interface DescriberDeps {
  /** The workspace's ABIs as far as they are read; `null` while none are. */
  current(): AbiBook | null;
  /** The same when every file was read. */
  book(): Promise<AbiBook>;
}

/** More arguments than a person reads; the raw data is beside them. */
const MOST_ARGUMENTS = 500;
const LONGEST = 10_000;

type UnitOf = (value: DecodedValue) => string | undefined;

function flatten(
  values: readonly DecodedValue[],
  unitOf: UnitOf,
  depth = 0,
  into: DecodedArgument[] = [],
): DecodedArgument[] {
  for (const decoded of values) {
    const { name, type, value, hashed = false } = decoded;
    if (into.length >= MOST_ARGUMENTS) break;
    const text = typeof value === 'string' ? value.slice(0, LONGEST) : '';
    const unit = unitOf(decoded);
    into.push({ name, type, value: text, depth, hashed, ...(unit !== undefined && { unit }) });
    if (typeof value !== 'string') flatten(value, unitOf, depth + 1, into);
  }
  return into;
}

/** `contract` is the one that logged or was called: amounts may be its own. */
const described = (readings: Readings, contract: string | null = null): Description =>
  readings.map(reading => {
    const units = unitsOf(reading, contract);
    const trade = tradeOf(reading);
    return {
      signature: signatureText(reading.item),
      source: reading.item.source,
      args: flatten(reading.values, value => units.get(value)),
      ...(trade !== null && { trade }),
    };
  });

const textsOf = ({ workspace, bundled }: Candidates): readonly string[] => {
  const items = workspace.length > 0 ? workspace : bundled;
  return [...new Set(items.map(({ canonical }) => canonical))];
};

export function createDescriber({ current, book }: DescriberDeps): Describer {
  /** The bundled signatures alone, until the workspace's files are read. */
  const bundled = createAbiBook();
  const now = () => current() ?? bundled;
  return {
    eventsOf: topic0 => (topic0.length === 66 ? textsOf(now().events(topic0)) : []),
    methodsOf: selector => (selector.length === 10 ? textsOf(now().functions(selector)) : []),
    describeLog: async log => described(readingsOfLog(await book(), log), log.address),
    describeRevert: async output => described(readingsOfRevert(await book(), output)),
    describeCall: async ({ input, to }) => described(readingsOfCall(await book(), input), to),
  };
}
