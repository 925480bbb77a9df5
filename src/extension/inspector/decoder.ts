// Decodes logs, calls and revert data with the workspace's ABIs, else with the bundled signatures.
import type { TokenUnit } from '../../api/lookups.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { type Hex, isAddress, isHex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import type { AbiCandidates, AbiRegistry } from '../../decode/abiRegistry.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import { getAmountTokens, getReturnedToken, parseAmountToken } from '../../decode/amountTokens.ts';
import {
  type DecodedItem,
  type DecodedItems,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  findMatchingFunctions,
} from '../../decode/decodeAbi.ts';
import type { DecodedValue } from '../../decode/decodeValues.ts';
import { decodeCallResult } from '../../decode/encodeCall.ts';
import {
  type DecodedItemFormat,
  findHashedTexts,
  formatDecodedError,
  formatDecodedItem,
  formatEncodedBytes,
  formatEnumMember,
  formatReturnedValues,
  getUnitTokens,
  listAddresses,
} from '../../decode/formatDecodedItem.ts';
import { formatTransfer } from '../../decode/formatTransfer.ts';
import { getSeaportTrade, type SeaportItem, type SeaportTrade } from '../../decode/seaportTrade.ts';
import { hasSharedSignature, nameByStandard } from '../../decode/sharedSignatures.ts';
import { type AmountUnit, MAX_UNITS_PER_PAGE, toAmountUnit } from '../../protocol/amountUnits.ts';
import type {
  CallDescription,
  DecodedArgument,
  DecodedCandidate,
  Decoder,
  Decoding,
  RawLog,
  ReturnedCall,
} from '../../protocol/decoderPort.ts';
import { linkAddress, removeMarks, toPlainText } from '../../protocol/linkedText.ts';
import type { IdentifiedContract } from '../../view/contractBuild.ts';
import { decodeOfContract } from '../abi/identifyContract.ts';

export interface DecoderDeps {
  /** The workspace's ABIs as read so far; `null` before reading has begun. */
  current(): AbiRegistry | null;
  /** Resolves when every file has been read. */
  load(): Promise<AbiRegistry>;
  /** Saved or well-known name of an address. */
  getName(address: string, chain: string): string | null;
  /** Which contract of the workspace a contract on a chain is. */
  identify(chain: string, address: Hex): Promise<IdentifiedContract | null>;
  /** Finds names of contracts in the workspace's build, so that `getName` knows them. */
  learnNames?(chain: string, addresses: Iterable<string>): Promise<void>;
  /** What token a contract is; `null` when its node does not answer. */
  fetchToken?(contract: string, chain: string): Promise<TokenUnit | null>;
}

/** Larger data is shown raw. */
const MAX_ARGUMENTS = 500;
const MAX_VALUE_LENGTH = 10_000;

const toChecksummedItem = (item: SeaportItem): SeaportItem => ({
  ...item,
  token: toDisplayAddress(item.token),
  recipient: toDisplayAddress(item.recipient),
});

function toChecksummedTrade(trade: SeaportTrade): SeaportTrade {
  if (trade.kind !== 'fulfilled') return trade;
  const { offerer, offer, consideration } = trade;
  return {
    ...trade,
    offerer: toDisplayAddress(offerer),
    offer: offer.map(toChecksummedItem),
    consideration: consideration.map(toChecksummedItem),
  };
}

/** Names of the addresses that a decoding shows. */
export function collectNames(
  decoding: readonly Pick<DecodedCandidate, 'args' | 'trade'>[],
  chain: string,
  getName: DecoderDeps['getName'],
): Record<string, string> {
  const addresses = decoding.flatMap(({ args, trade }) => [
    ...args.flatMap(({ type, value, isHash }) => (type === 'address' && !isHash ? value : [])),
    ...(trade?.kind === 'fulfilled'
      ? [
          trade.offerer,
          ...[...trade.offer, ...trade.consideration].flatMap(({ token, recipient }) => [token, recipient]),
        ]
      : []),
  ]);
  const names = [...new Set(addresses)].flatMap(address => {
    const name = getName(address, chain);
    return name === null ? [] : [[address.toLowerCase(), name] as const];
  });
  return Object.fromEntries(names);
}

type GetUnit = (value: DecodedValue) => string | undefined;
/** What `bytes` encode, and the text that a hash is of; `null` for other values. */
type GetMeaning = (value: DecodedValue) => string | null;

/** Lists nested values in depth-first order, with the units of amounts. */
export function toDecodedArguments(
  values: readonly DecodedValue[],
  getUnit: GetUnit,
  getMeaning: GetMeaning = () => null,
  depth = 0,
  into: DecodedArgument[] = [],
): DecodedArgument[] {
  for (const decoded of values) {
    const { name, type, value, hashed: isHash = false } = decoded;
    if (into.length >= MAX_ARGUMENTS) break;
    const text =
      typeof value !== 'string' ? '' : type === 'address' ? toDisplayAddress(value) : value.slice(0, MAX_VALUE_LENGTH);
    const unit = getUnit(decoded);
    const meaning = getMeaning(decoded);
    into.push({
      name,
      type,
      value: text,
      depth,
      isHash,
      ...(unit !== undefined && { unit }),
      ...(meaning !== null && { meaning }),
    });
    if (typeof value !== 'string') toDecodedArguments(value, getUnit, getMeaning, depth + 1, into);
  }
  return into;
}

const describeValue = (value: DecodedValue, format: DecodedItemFormat): string | null =>
  formatEncodedBytes(value, format) ?? formatEnumMember(value, format);

/** `contract` emitted the log or was called; amounts may be in its units. */
const toDecoding = (items: DecodedItems, format: DecodedItemFormat, contract: string | null = null): Decoding =>
  items.map(bare => {
    const decoded = nameByStandard(bare, contract === null ? null : (format.getStandard?.(contract) ?? null));
    const units = getAmountTokens(decoded, contract);
    const trade = getSeaportTrade(decoded);
    const texts = findHashedTexts(decoded.values, format.texts);
    return {
      signature: formatAbiItem(decoded.item),
      source: decoded.item.source,
      args: toDecodedArguments(
        decoded.values,
        value => units.get(value),
        value => (value.hashed ? (texts.get(String(value.value)) ?? null) : describeValue(value, format)),
      ),
      text:
        decoded.item.kind === 'error'
          ? formatDecodedError(decoded, format)
          : formatDecodedItem(decoded, format, contract),
      ...(trade !== null && { trade: toChecksummedTrade(trade) }),
    };
  });

function formatLogValues(item: DecodedItem, { address }: RawLog, format: DecodedItemFormat): string {
  const transfer = formatTransfer(item, address, format);
  if (transfer !== null) return `${transfer.from} → ${transfer.to} · ${transfer.amount}`;
  const text = formatDecodedItem(item, format, address);
  return text.slice(text.indexOf('(') + 1, -1);
}

/** The same format with marks around addresses. */
const toLinkedFormat = (format: DecodedItemFormat): DecodedItemFormat => ({
  ...format,
  getName: address => linkAddress(format.getName(address) ?? toShortDisplayAddress(address), address),
  getUnit(token) {
    const unit = format.getUnit?.(token) ?? null;
    return unit === null ? null : { ...unit, symbol: unit.symbol === null ? null : removeMarks(unit.symbol) };
  },
});

const toSignatures = ({ workspace, bundled }: AbiCandidates): readonly string[] => {
  const items = workspace.length > 0 ? workspace : bundled;
  return [...new Set(items.map(({ canonical }) => canonical))];
};

/** An error that no ABI declares; `null` for less than a selector. */
const formatUnknownError = (data: string): string | null =>
  data.length < 10 ? null : t('custom error {0}', data.slice(0, 10));

/** A decoded log, call or error, and the contract whose units its amounts may be in. */
interface PlacedItem {
  readonly item: DecodedItem;
  readonly contract: string | null;
}

/** Contracts whose units or standard decide how the items read. */
function listUnitContracts(items: readonly PlacedItem[]): ReadonlySet<string> {
  const found = items.flatMap(({ item, contract }) => [
    ...getUnitTokens(item, contract),
    ...(contract !== null && hasSharedSignature(item) ? [contract.toLowerCase()] : []),
    getReturnedToken(item.item, contract) ?? '',
  ]);
  return new Set(found.filter(token => isAddress(parseAmountToken(token).contract)).slice(0, MAX_UNITS_PER_PAGE));
}

function toLogCandidate(item: DecodedItem, log: RawLog, format: DecodedItemFormat): DecodedCandidate | undefined {
  const [candidate] = toDecoding([item], format, log.address);
  if (candidate === undefined) return undefined;
  const linkedValues = formatLogValues(item, log, toLinkedFormat(format));
  return { ...candidate, values: toPlainText(linkedValues), linkedValues };
}

/** Decodes what contracts emitted, were called with or returned, and finds how to show it. */
function createItemDecoder({ load, getName, identify, learnNames, fetchToken }: DecoderDeps) {
  const createFormat = (registry: AbiRegistry, chain: string): DecodedItemFormat => ({
    registry,
    getName: address => getName(address, chain),
  });
  /** The format of a call, with the standard of the called contract where that decides about names. */
  const createCallFormat = async (
    registry: AbiRegistry,
    chain: string,
    to: string | null,
    calls: DecodedItems,
  ): Promise<DecodedItemFormat> => {
    const format = createFormat(registry, chain);
    if (to === null || fetchToken === undefined || !calls.some(hasSharedSignature)) return format;
    const standard = (await fetchToken(to, chain))?.standard ?? null;
    return { ...format, getStandard: () => standard };
  };
  const decodeLogItems = async (log: RawLog): Promise<DecodedItems> =>
    decodeOfContract(log.chain, log.address, await load(), identify, one => decodeEventLog(one, log));
  /** The format of a table, which knows the names and units of all its items. */
  const createTableFormat = async (items: readonly PlacedItem[], chain: string): Promise<DecodedItemFormat> => {
    const tokens = new Map<string, TokenUnit | null>();
    const fetchOne = async (contract: string) => {
      tokens.set(contract, (await fetchToken?.(contract, chain)) ?? null);
    };
    const registry = await load();
    await Promise.all([
      ...[...listUnitContracts(items)].map(fetchOne),
      learnNames?.(
        chain,
        items.flatMap(({ item }) => listAddresses(item.values, registry)),
      ),
    ]);
    const getToken = (contract: string) => tokens.get(contract) ?? null;
    return {
      ...createFormat(registry, chain),
      getStandard: contract => getToken(contract)?.standard ?? null,
      getUnit(contract) {
        const token = getToken(contract);
        return token === null ? null : toAmountUnit(token, contract);
      },
    };
  };
  /** The call and its error. */
  async function decodeReturnedCall({ chain, to, input, output, hasFailed }: ReturnedCall) {
    const registry = await load();
    const decode = (of: (one: AbiRegistry) => DecodedItems) => decodeOfContract(chain, to, registry, identify, of);
    const [call] = to === null ? [] : await decode(one => decodeFunctionData(one, input));
    const [error] = hasFailed ? await decode(one => decodeErrorResult(one, output ?? '0x')) : [];
    return { call, error };
  }
  return { createFormat, createCallFormat, createTableFormat, decodeLogItems, decodeReturnedCall };
}

export function createDecoder(deps: DecoderDeps): Decoder {
  const { current, load, identify, fetchToken } = deps;
  const { createFormat, createCallFormat, createTableFormat, decodeLogItems, decodeReturnedCall } =
    createItemDecoder(deps);
  /** Only the bundled signatures, until the workspace's files are read. */
  const bundledRegistry = createAbiRegistry();
  const getRegistry = () => current() ?? bundledRegistry;
  return {
    getEventSignatures: topic0 => (topic0.length === 66 ? toSignatures(getRegistry().events(topic0)) : []),
    getFunctionSignatures: selector => (selector.length === 10 ? toSignatures(getRegistry().functions(selector)) : []),
    isPossibleCall(input) {
      const { workspace, bundled } = getRegistry().functions(input.slice(0, 10));
      return workspace.length + bundled.length === 0 || findMatchingFunctions(getRegistry(), input).length > 0;
    },
    async decodeLog(log) {
      const format = createFormat(await load(), log.chain);
      const items = await decodeLogItems(log);
      return items.flatMap(item => toLogCandidate(item, log, format) ?? []);
    },
    async decodeLogs(logs, texts = []) {
      const items: (DecodedItem | undefined)[] = [];
      for (const log of logs) items.push((await decodeLogItems(log))[0]);
      const placed = items.flatMap((item, index) =>
        item === undefined ? [] : [{ item, contract: logs[index]?.address ?? null }],
      );
      const format = { ...(await createTableFormat(placed, logs[0]?.chain ?? '')), texts };
      return logs.map((log, index) => {
        const item = items[index];
        return item === undefined ? undefined : toLogCandidate(item, log, format);
      });
    },
    readLog: async log => (await decodeLogItems(log))[0] ?? null,
    async readCall(raw) {
      const { call: bare = null, error = null } = await decodeReturnedCall(raw);
      const { chain, to, output, hasFailed } = raw;
      const calls = bare === null ? [] : [bare];
      const { getStandard } = await createCallFormat(await load(), chain, to, calls);
      const call = bare === null ? null : nameByStandard(bare, to === null ? null : (getStandard?.(to) ?? null));
      const isReturned = call !== null && !hasFailed && output !== null && isHex(output);
      return { call, error, returned: isReturned ? decodeCallResult(call.item, output) : null };
    },
    async fetchUnits(contracts, chain) {
      const fetchUnit = async (contract: string): Promise<[string, AmountUnit | null]> => {
        const token = (await fetchToken?.(contract, chain)) ?? null;
        return [contract.toLowerCase(), token === null ? null : toAmountUnit(token, contract)];
      };
      return Object.fromEntries(await Promise.all([...contracts].slice(0, MAX_UNITS_PER_PAGE).map(fetchUnit)));
    },
    async decodeCall({ chain, input, to }) {
      const registry = await load();
      const calls = await decodeOfContract(chain, to, registry, identify, one => decodeFunctionData(one, input));
      return toDecoding(calls, await createCallFormat(registry, chain, to, calls), to);
    },
    async describeCalls(calls) {
      const decoded: (Awaited<ReturnType<typeof decodeReturnedCall>> & { readonly contract: string | null })[] = [];
      for (const one of calls) decoded.push({ ...(await decodeReturnedCall(one)), contract: one.account ?? one.to });
      const placed = decoded.flatMap(({ call, error, contract }) =>
        [call, error].flatMap(item => (item === undefined ? [] : [{ item, contract }])),
      );
      const format = await createTableFormat(placed, calls[0]?.chain ?? '');
      return decoded.map(({ call, error, contract }, index): CallDescription => {
        const { output = null, hasFailed = false } = calls[index] ?? {};
        const data = output ?? '0x';
        const returned = call === undefined || hasFailed ? null : formatReturnedValues(call, data, format, contract);
        return {
          call: call === undefined ? null : formatDecodedItem(call, format, contract),
          result:
            error !== undefined
              ? formatDecodedError(error, format, contract)
              : hasFailed
                ? formatUnknownError(data)
                : returned,
        };
      });
    },
  };
}
