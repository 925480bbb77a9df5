// Logs and calls in words, by the workspace's ABIs first and the bundled well-known signatures after them.
import { checksumAddress } from '../../base/checksumAddress.ts';
import { isAddress } from '../../base/hex.ts';
import { signatureText } from '../../decode/abiItem.ts';
import type { AbiBook, Candidates } from '../../decode/abiRegistry.ts';
import { createAbiBook } from '../../decode/abiRegistry.ts';
import { unitsOf } from '../../decode/amountUnits.ts';
import {
  functionsOfCall,
  type Readings,
  readingsOfCall,
  readingsOfLog,
  readingsOfRevert,
} from '../../decode/decodeAbi.ts';
import type { DecodedValue } from '../../decode/decodeValues.ts';
import { type Trade, type TradeItem, tradeOf } from '../../decode/seaportTrade.ts';
import type { DecodedArgument, Describer, Description } from '../../protocol/decoding.ts';

export interface DescriberDeps {
  /** The workspace's ABIs as far as they are read; `null` while none are. */
  current(): AbiBook | null;
  /** The same when every file was read. */
  book(): Promise<AbiBook>;
}

/** More arguments than a person reads; the raw data is beside them. */
const MOST_ARGUMENTS = 500;
const LONGEST = 10_000;

const eip55 = (address: string): string => (isAddress(address) ? checksumAddress(address) : address);

const withChecksum = (item: TradeItem): TradeItem => ({
  ...item,
  token: eip55(item.token),
  recipient: eip55(item.recipient),
});

function shownTrade(trade: Trade): Trade {
  if (trade.kind !== 'fulfilled') return trade;
  const { offerer, offer, consideration } = trade;
  return {
    ...trade,
    offerer: eip55(offerer),
    offer: offer.map(withChecksum),
    consideration: consideration.map(withChecksum),
  };
}

/** Every address that a description shows. */
export function addressesIn(description: Description): ReadonlySet<string> {
  const found = description.flatMap(({ args, trade }) => [
    ...args.flatMap(({ type, value, hashed }) => (type === 'address' && !hashed ? value : [])),
    ...(trade?.kind === 'fulfilled'
      ? [
          trade.offerer,
          ...[...trade.offer, ...trade.consideration].flatMap(({ token, recipient }) => [token, recipient]),
        ]
      : []),
  ]);
  return new Set(found);
}

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
    const text = typeof value !== 'string' ? '' : type === 'address' ? eip55(value) : value.slice(0, LONGEST);
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
      ...(trade !== null && { trade: shownTrade(trade) }),
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
    mayCall(input) {
      const { workspace, bundled: known } = now().functions(input.slice(0, 10));
      return workspace.length + known.length === 0 || functionsOfCall(now(), input).length > 0;
    },
    describeLog: async log => described(readingsOfLog(await book(), log), log.address),
    describeRevert: async output => described(readingsOfRevert(await book(), output)),
    describeCall: async ({ input, to }) => described(readingsOfCall(await book(), input), to),
  };
}
