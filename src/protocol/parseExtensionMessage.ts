// Checks what the host says before the page shows it: a page may outlive the version of the host it was made for.

import type { Progress } from '../api/workerProtocol.ts';
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { Trade, TradeItem } from '../decode/seaportTrade.ts';
import type { Unit } from './amountUnits.ts';
import type { DecodedArgument, DecodedReading } from './decoding.ts';
import type { Names } from './hexNames.ts';
import type { InspectorTarget } from './inspectorTarget.ts';
import type { Envelope, Field, HostMessage, PanelChain, PlainAddress, Show, Stop, TableHead } from './messages.ts';
import { type Cell, type Column, cellKinds, type PackedRows } from './table.ts';
import {
  type Check,
  has,
  isBytes,
  isFlag,
  isListOf,
  isNullOr,
  isObject,
  isOneOf,
  isRecordOf,
  isText,
  isWhole,
} from './typeGuards.ts';

const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

/** The shape alone: the host has judged it (`readTarget`), and judges it again when it comes back. */
const isTarget: Check<InspectorTarget> = (value): value is InspectorTarget =>
  isObject(value) && isOneOf('block', 'transaction', 'address', 'operation')(value['kind']);

const isCell: Check<Cell> = (value): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isTexts = isListOf(isText);
const isNames = has<Names>({
  addresses: isRecordOf(isText),
  events: isRecordOf(isTexts),
  methods: isRecordOf(isTexts),
});
const isColumn = has<Column>({
  key: isText,
  label: isText,
  kind: isOneOf(...cellKinds),
  decimals: isOptional(isWhole) as Check<number>,
  unit: isOptional(isText) as Check<string>,
  detail: isOptional(isFlag) as Check<true>,
});

export const isPackedRows = has<PackedRows>({ strings: isTexts, rows: isListOf(isListOf(isCell)), names: isNames });
const isTableHead = has<TableHead>({ name: isText, columns: isListOf(isColumn), count: isWhole, first: isPackedRows });
const isEnvelope = has<Envelope>({ cursor: isNullOr(isText), total: isNullOr(isWhole), syncing: isFlag });
const isStop = has<Stop>({ id: isWhole, target: isTarget, title: isText });
const isChain = has<PanelChain>({ selector: isText, title: isText, coin: isText, decimals: isWhole });
const isField = has<Field>({
  name: isText,
  label: isText,
  hint: isText,
  doc: isText,
  required: isFlag,
  list: isFlag,
  choices: isNullOr(isTexts),
  text: isText,
});
const isForm = has<NonNullable<Show['form']>>({ title: isText, summary: isText, fields: isListOf(isField) });
const isShow = has<Omit<Show, 'type'>>({
  stops: isListOf(isStop),
  at: isWhole,
  pinned: isFlag,
  chains: isListOf(isChain),
  form: isNullOr(isForm),
  texts: isNullOr(isRecordOf(isText)),
});
const isToken = has<NonNullable<PlainAddress['token']>>({
  standard: isText,
  name: isNullOr(isText),
  symbol: isNullOr(isText),
  decimals: isNullOr(isWhole),
  totalSupply: isNullOr(isText),
});
const isAddress = has<PlainAddress>({
  address: isText,
  chain: isText,
  coin: isText,
  decimals: isWhole,
  balance: isText,
  nonce: isNullOr(isWhole),
  codeSize: isNullOr(isWhole),
  delegate: isNullOr(isText),
  implementation: isNullOr(isText),
  name: isNullOr(isText),
  token: isNullOr(isToken),
  blockNumber: isNullOr(isWhole),
});
const isArgument = has<DecodedArgument>({
  name: isText,
  type: isText,
  value: isText,
  depth: isWhole,
  hashed: isFlag,
  unit: isOptional(isText) as Check<string>,
});
const isItem = has<TradeItem>({
  kind: isNullOr(isOneOf('native', 'erc20', 'erc721', 'erc1155')),
  token: isText,
  id: isText,
  amount: isText,
  recipient: isText,
});
const isFulfilled = has<Omit<Extract<Trade, { kind: 'fulfilled' }>, 'kind'>>({
  offerer: isText,
  offer: isListOf(isItem),
  consideration: isListOf(isItem),
});
const isTrade: Check<Trade> = (value): value is Trade =>
  isObject(value) && (value['kind'] === 'matched' ? isWhole(value['orders']) : isFulfilled(value));
const isReading = has<DecodedReading>({
  signature: isText,
  source: isText,
  args: isListOf(isArgument),
  trade: isOptional(isTrade) as Check<Trade>,
});
const isUnit = has<Unit>({ symbol: isNullOr(isText), decimals: isWhole });
const isDescription = isListOf(isReading);
const isFault = has<Pick<PlainFault, 'code' | 'message'>>({
  code: isText as Check<PlainFault['code']>,
  message: isText,
});
const isReplaced = has<{ number: number; hash: string }>({ number: isWhole, hash: isText });
const isNews = has<{ chain: string; head: number | null; problem: string | null; replaced: unknown }>({
  chain: isText,
  head: isNullOr(isWhole),
  problem: isNullOr(isText),
  replaced: isNullOr(isReplaced),
});

const isWork = has<Progress>({
  task: isText,
  what: isOneOf('index', 'logs'),
  chain: isNullOr(isText),
  subject: isNullOr(isText as Check<Hex>),
  about: isOptional(isOneOf('contract', 'wallet', 'trades')),
  done: isWhole,
  total: isNullOr(isWhole),
  running: isFlag,
});

const checks: { readonly [T in HostMessage['type']]: (value: Readonly<Record<string, unknown>>) => boolean } = {
  show: isShow,
  news: isNews,
  work: value => isWork(value['work']),
  tables: value =>
    isListOf(isTableHead)(value['tables']) && isNullOr(isEnvelope)(value['envelope']) && isTexts(value['notes']),
  rows: value => isText(value['table']) && isBytes(value['bytes']),
  text: value => isBytes(value['bytes']),
  address: value => isAddress(value['summary']),
  description: value => isDescription(value['description']) && isRecordOf(isText)(value['names']),
  units: value => isRecordOf(isNullOr(isUnit))(value['units']),
  revert: value =>
    isNullOr(isText)(value['output']) &&
    isNullOr(isText)(value['error']) &&
    isFlag(value['exact']) &&
    isDescription(value['description']),
  picture: value => isNullOr(isText)(value['source']) && isNullOr(isText)(value['problem']),
  done: () => true,
  fault: value => isFault(value['fault']),
};

const UNASKED: readonly string[] = ['show', 'news', 'work'] satisfies readonly HostMessage['type'][];

/** The message, or `null` when it is none of ours. */
export function readHostMessage(value: unknown): HostMessage | null {
  if (!isObject(value)) return null;
  const { type, id } = value;
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) return null;
  if (!UNASKED.includes(type) && !isWhole(id)) return null;
  const known = type as HostMessage['type']; // its own key of the table
  return checks[known](value) ? (value as unknown as HostMessage) : null; // checked by the table's entry
}
