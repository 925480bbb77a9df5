// Logs and calls in words, by the workspace's ABIs first and the bundled well-known signatures after them.
import type { DecodedArgument, Describer, Description } from '../../panels/decoding.ts';
import type { AbiBook, Candidates } from '../../view/abi/abiBook.ts';
import { createAbiBook } from '../../view/abi/abiBook.ts';
import type { DecodedValue } from '../../view/abi/decode.ts';
import { type Readings, readingsOfCall, readingsOfLog, readingsOfRevert } from '../../view/abi/describe.ts';
import { signatureText } from '../../view/abi/item.ts';

export interface DescriberDeps {
  /** The workspace's ABIs as far as they are read; `null` while none are. */
  current(): AbiBook | null;
  /** The same when every file was read. */
  book(): Promise<AbiBook>;
}

/** More arguments than a person reads; the raw data is beside them. */
const MOST_ARGUMENTS = 500;
const LONGEST = 10_000;

function flatten(values: readonly DecodedValue[], depth: number, into: DecodedArgument[]): DecodedArgument[] {
  for (const { name, type, value, hashed = false } of values) {
    if (into.length >= MOST_ARGUMENTS) break;
    const text = typeof value === 'string' ? value.slice(0, LONGEST) : '';
    into.push({ name, type, value: text, depth, hashed });
    if (typeof value !== 'string') flatten(value, depth + 1, into);
  }
  return into;
}

const described = (readings: Readings): Description =>
  readings.map(({ item, values }) => ({
    signature: signatureText(item),
    source: item.source,
    args: flatten(values, 0, []),
  }));

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
    describeLog: async log => described(readingsOfLog(await book(), log)),
    describeRevert: async output => described(readingsOfRevert(await book(), output)),
    describeCall: async ({ input }) => described(readingsOfCall(await book(), input)),
  };
}
