// Logs and calls in words, by the workspace's ABIs first and the bundled well-known signatures after them.
import { checksumAddress } from '../../base/checksumAddress.ts';
import { isAddress } from '../../base/hex.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import type { AbiCandidates, AbiRegistry } from '../../decode/abiRegistry.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import { getAmountUnits } from '../../decode/amountUnits.ts';
import {
  type DecodedItems,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  findMatchingFunctions,
} from '../../decode/decodeAbi.ts';
import type { DecodedValue } from '../../decode/decodeValues.ts';
import { getSeaportTrade, type SeaportItem, type SeaportTrade } from '../../decode/seaportTrade.ts';
import type { DecodedArgument, Decoder, Decoding } from '../../protocol/decoding.ts';

export interface DecoderDeps {
  /** The workspace's ABIs as far as they are read; `null` while none are. */
  current(): AbiRegistry | null;
  /** The same when every file was read. */
  load(): Promise<AbiRegistry>;
}

/** More arguments than a person reads; the raw data is beside them. */
const MOST_ARGUMENTS = 500;
const LONGEST = 10_000;

const eip55 = (address: string): string => (isAddress(address) ? checksumAddress(address) : address);

const withChecksum = (item: SeaportItem): SeaportItem => ({
  ...item,
  token: eip55(item.token),
  recipient: eip55(item.recipient),
});

function shownTrade(trade: SeaportTrade): SeaportTrade {
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
export function collectAddresses(description: Decoding): ReadonlySet<string> {
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
const described = (readings: DecodedItems, contract: string | null = null): Decoding =>
  readings.map(reading => {
    const units = getAmountUnits(reading, contract);
    const trade = getSeaportTrade(reading);
    return {
      signature: formatAbiItem(reading.item),
      source: reading.item.source,
      args: flatten(reading.values, value => units.get(value)),
      ...(trade !== null && { trade: shownTrade(trade) }),
    };
  });

const textsOf = ({ workspace, bundled }: AbiCandidates): readonly string[] => {
  const items = workspace.length > 0 ? workspace : bundled;
  return [...new Set(items.map(({ canonical }) => canonical))];
};

export function createDecoder({ current, load: book }: DecoderDeps): Decoder {
  /** The bundled signatures alone, until the workspace's files are read. */
  const bundled = createAbiRegistry();
  const now = () => current() ?? bundled;
  return {
    getEventSignatures: topic0 => (topic0.length === 66 ? textsOf(now().events(topic0)) : []),
    getFunctionSignatures: selector => (selector.length === 10 ? textsOf(now().functions(selector)) : []),
    isPossibleCall(input) {
      const { workspace, bundled: known } = now().functions(input.slice(0, 10));
      return workspace.length + known.length === 0 || findMatchingFunctions(now(), input).length > 0;
    },
    decodeLog: async log => described(decodeEventLog(await book(), log), log.address),
    decodeRevert: async output => described(decodeErrorResult(await book(), output)),
    decodeCall: async ({ input, to }) => described(decodeFunctionData(await book(), input), to),
  };
}
