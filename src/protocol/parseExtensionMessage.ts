// Checks what the host says before the page shows it: a page may outlive the version of the host it was made for.

import type { Progress } from '../api/workerProtocol.ts';
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { SeaportItem, SeaportTrade } from '../decode/seaportTrade.ts';
import type { AmountUnit } from './amountUnits.ts';
import type { DecodedArgument, DecodedCandidate } from './decoding.ts';
import type { HexNames } from './hexNames.ts';
import type { InspectorTarget } from './inspectorTarget.ts';
import type {
  ExtensionMessage,
  FormField,
  HistoryEntry,
  InspectorChain,
  InspectorState,
  ListInfo,
  PlainAddressSummary,
  TableHead,
} from './messages.ts';
import { cellKinds, type PackedRows, type TableCell, type TableColumn } from './table.ts';
import {
  hasProperties,
  isArrayBuffer,
  isArrayOf,
  isBoolean,
  isNonNegativeInteger,
  isNullOr,
  isObject,
  isOneOf,
  isRecordOf,
  isString,
  type TypeGuard,
} from './typeGuards.ts';

const isOptional =
  <T>(check: TypeGuard<T>): TypeGuard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

/** The shape alone: the host has judged it (`readTarget`), and judges it again when it comes back. */
const isTarget: TypeGuard<InspectorTarget> = (value): value is InspectorTarget =>
  isObject(value) && isOneOf('block', 'transaction', 'address', 'operation')(value['kind']);

const isCell: TypeGuard<TableCell> = (value): value is TableCell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isTexts = isArrayOf(isString);
const isNames = hasProperties<HexNames>({
  addresses: isRecordOf(isString),
  events: isRecordOf(isTexts),
  methods: isRecordOf(isTexts),
});
const isColumn = hasProperties<TableColumn>({
  key: isString,
  label: isString,
  kind: isOneOf(...cellKinds),
  decimals: isOptional(isNonNegativeInteger) as TypeGuard<number>,
  unit: isOptional(isString) as TypeGuard<string>,
  detailOnly: isOptional(isBoolean) as TypeGuard<true>,
});

export const isPackedRows = hasProperties<PackedRows>({
  strings: isTexts,
  rows: isArrayOf(isArrayOf(isCell)),
  names: isNames,
});
const isTableHead = hasProperties<TableHead>({
  name: isString,
  columns: isArrayOf(isColumn),
  rowCount: isNonNegativeInteger,
  firstRows: isPackedRows,
});
const isEnvelope = hasProperties<ListInfo>({
  cursor: isNullOr(isString),
  total: isNullOr(isNonNegativeInteger),
  isSyncing: isBoolean,
});
const isStop = hasProperties<HistoryEntry>({ id: isNonNegativeInteger, target: isTarget, title: isString });
const isChain = hasProperties<InspectorChain>({
  selector: isString,
  title: isString,
  coin: isString,
  decimals: isNonNegativeInteger,
});
const isField = hasProperties<FormField>({
  name: isString,
  label: isString,
  placeholder: isString,
  description: isString,
  required: isBoolean,
  isList: isBoolean,
  choices: isNullOr(isTexts),
  value: isString,
});
const isForm = hasProperties<NonNullable<InspectorState['form']>>({
  title: isString,
  summary: isString,
  fields: isArrayOf(isField),
});
const isShow = hasProperties<Omit<InspectorState, 'type'>>({
  stops: isArrayOf(isStop),
  at: isNonNegativeInteger,
  pinned: isBoolean,
  chains: isArrayOf(isChain),
  form: isNullOr(isForm),
  texts: isNullOr(isRecordOf(isString)),
});
const isToken = hasProperties<NonNullable<PlainAddressSummary['token']>>({
  standard: isString,
  name: isNullOr(isString),
  symbol: isNullOr(isString),
  decimals: isNullOr(isNonNegativeInteger),
  totalSupply: isNullOr(isString),
});
const isAddress = hasProperties<PlainAddressSummary>({
  address: isString,
  chain: isString,
  coin: isString,
  decimals: isNonNegativeInteger,
  balance: isString,
  nonce: isNullOr(isNonNegativeInteger),
  codeSize: isNullOr(isNonNegativeInteger),
  delegate: isNullOr(isString),
  implementation: isNullOr(isString),
  name: isNullOr(isString),
  token: isNullOr(isToken),
  blockNumber: isNullOr(isNonNegativeInteger),
});
const isArgument = hasProperties<DecodedArgument>({
  name: isString,
  type: isString,
  value: isString,
  depth: isNonNegativeInteger,
  hashed: isBoolean,
  unit: isOptional(isString) as TypeGuard<string>,
});
const isItem = hasProperties<SeaportItem>({
  kind: isNullOr(isOneOf('native', 'erc20', 'erc721', 'erc1155')),
  token: isString,
  id: isString,
  amount: isString,
  recipient: isString,
});
const isFulfilled = hasProperties<Omit<Extract<SeaportTrade, { kind: 'fulfilled' }>, 'kind'>>({
  offerer: isString,
  offer: isArrayOf(isItem),
  consideration: isArrayOf(isItem),
});
const isTrade: TypeGuard<SeaportTrade> = (value): value is SeaportTrade =>
  isObject(value) && (value['kind'] === 'matched' ? isNonNegativeInteger(value['orders']) : isFulfilled(value));
const isReading = hasProperties<DecodedCandidate>({
  signature: isString,
  source: isString,
  args: isArrayOf(isArgument),
  trade: isOptional(isTrade) as TypeGuard<SeaportTrade>,
});
const isUnit = hasProperties<AmountUnit>({ symbol: isNullOr(isString), decimals: isNonNegativeInteger });
const isDescription = isArrayOf(isReading);
const isFault = hasProperties<Pick<PlainFault, 'code' | 'message'>>({
  code: isString as TypeGuard<PlainFault['code']>,
  message: isString,
});
const isReplaced = hasProperties<{ number: number; hash: string }>({ number: isNonNegativeInteger, hash: isString });
const isNews = hasProperties<{ chain: string; head: number | null; problem: string | null; replaced: unknown }>({
  chain: isString,
  head: isNullOr(isNonNegativeInteger),
  problem: isNullOr(isString),
  replaced: isNullOr(isReplaced),
});

const isWork = hasProperties<Progress>({
  task: isString,
  kind: isOneOf('index', 'logs'),
  chain: isNullOr(isString),
  address: isNullOr(isString as TypeGuard<Hex>),
  scope: isOptional(isOneOf('contract', 'wallet', 'trades')),
  done: isNonNegativeInteger,
  total: isNullOr(isNonNegativeInteger),
  isRunning: isBoolean,
});

const checks: { readonly [T in ExtensionMessage['type']]: (value: Readonly<Record<string, unknown>>) => boolean } = {
  show: isShow,
  news: isNews,
  work: value => isWork(value['work']),
  tables: value =>
    isArrayOf(isTableHead)(value['tables']) && isNullOr(isEnvelope)(value['envelope']) && isTexts(value['notes']),
  rows: value => isString(value['table']) && isArrayBuffer(value['bytes']),
  text: value => isArrayBuffer(value['bytes']),
  address: value => isAddress(value['summary']),
  description: value => isDescription(value['description']) && isRecordOf(isString)(value['names']),
  units: value => isRecordOf(isNullOr(isUnit))(value['units']),
  revert: value =>
    isNullOr(isString)(value['output']) &&
    isNullOr(isString)(value['error']) &&
    isBoolean(value['exact']) &&
    isDescription(value['description']),
  picture: value => isNullOr(isString)(value['source']) && isNullOr(isString)(value['problem']),
  done: () => true,
  fault: value => isFault(value['fault']),
};

const UNASKED: readonly string[] = ['show', 'news', 'work'] satisfies readonly ExtensionMessage['type'][];

/** The message, or `null` when it is none of ours. */
export function parseExtensionMessage(value: unknown): ExtensionMessage | null {
  if (!isObject(value)) return null;
  const { type, id } = value;
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) return null;
  if (!UNASKED.includes(type) && !isNonNegativeInteger(id)) return null;
  const known = type as ExtensionMessage['type']; // its own key of the table
  return checks[known](value) ? (value as unknown as ExtensionMessage) : null; // checked by the table's entry
}
