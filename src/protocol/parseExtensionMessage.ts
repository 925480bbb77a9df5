// Checks messages of the extension before the page shows them: a page may outlive the extension's version it came from.

import type { ContractProxy, NftMetadata } from '../api/lookups.ts';
import { parseSimulationJson } from '../api/parseSimulationJson.ts';
import type { Simulation } from '../api/traceTarget.ts';
import type { CallSource, InternalCall, SourceExcerpt, StackFrame } from '../api/transactionStack.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import type { DeploymentTool } from '../decode/artifactOrigin.ts';
import type { SeaportItem, SeaportTrade } from '../decode/seaportTrade.ts';
import type { KnownCode } from '../detect/knownCode.ts';
import type { FoundBuild, IdentifiedContract } from '../view/contractBuild.ts';
import type { FailureText } from '../view/failureText.ts';
import type { StateAccount, StateRow } from '../view/source/stateTable.ts';
import type { AmountUnit } from './amountUnits.ts';
import type { ContractFunction, FunctionParameter, FunctionResult } from './contractReads.ts';
import type { DecodedArgument, DecodedCandidate } from './decoderPort.ts';
import type { HexNames } from './hexNames.ts';
import type { InspectorTarget } from './inspectorTarget.ts';
import type {
  AddressTab,
  CallMethod,
  CallPart,
  CallSources,
  ChainEvent,
  CreationDetails,
  ExtensionMessage,
  ExtensionNotifications,
  FormField,
  HistoryEntry,
  InspectorChain,
  InspectorState,
  ListInfo,
  LoadedImage,
  MovedText,
  NamedDecoding,
  OperationView,
  PlainAddressSummary,
  RevertDetails,
  RowsPart,
  SimulationDetails,
  StackDetails,
  StateDetails,
  TableHead,
  TablesPart,
} from './messages.ts';
import { isSourceLocation } from './sourceLocation.ts';
import { cellKinds, type PackedRows, type TableColumn } from './table.ts';
import {
  hasProperties,
  isArrayBuffer,
  isArrayOf,
  isBoolean,
  isCell,
  isNonNegativeInteger,
  isNullOr,
  isOneOf,
  isOptional,
  isRecordOf,
  isString,
  type TypeGuard,
} from './typeGuards.ts';

/** The kind alone: the extension has parsed it, and parses it again when it comes back. */
const isTarget: TypeGuard<InspectorTarget> = (value): value is InspectorTarget =>
  isObject(value) && isOneOf('block', 'transaction', 'simulation', 'address', 'operation')(value['kind']);

const isStrings = isArrayOf(isString);
const isStackFrame = hasProperties<StackFrame>({
  contract: isNullOr(isString),
  functionName: isNullOr(isString),
  address: isString as TypeGuard<Hex>,
  location: isNullOr(isSourceLocation),
  isInferred: isBoolean,
  excerpt: isNullOr(hasProperties<SourceExcerpt>({ firstLine: isNonNegativeInteger, lines: isStrings })),
});
const isStateAccount = hasProperties<StateAccount>({
  address: isString,
  name: isNullOr(isString),
  contract: isNullOr(isString),
  rows: isArrayOf(
    hasProperties<StateRow>({
      label: isString,
      title: isString,
      before: isString,
      after: isString,
      location: isNullOr(isSourceLocation),
      note: isNullOr(isString),
    }),
  ),
});
const isCallSource = hasProperties<CallSource>({
  call: isNonNegativeInteger,
  contract: isNullOr(isString),
  functionName: isNullOr(isString),
  definition: isNullOr(isSourceLocation),
  callSite: isNullOr(isSourceLocation),
});
const isInternalCall = hasProperties<InternalCall>({
  call: isNonNegativeInteger,
  depth: isNonNegativeInteger,
  step: isNonNegativeInteger,
  contract: isNullOr(isString),
  functionName: isString,
  definition: isNullOr(isSourceLocation),
  callSite: isNullOr(isSourceLocation),
});
const isHexNames = hasProperties<HexNames>({
  addresses: isRecordOf(isString),
  events: isRecordOf(isStrings),
  methods: isRecordOf(isStrings),
});
const isColumn = hasProperties<TableColumn>({
  key: isString,
  label: isString,
  kind: isOneOf(...cellKinds),
  decimals: isOptional(isNonNegativeInteger) as TypeGuard<number>,
  unit: isOptional(isString) as TypeGuard<string>,
  detailOnly: isOptional(isBoolean) as TypeGuard<true>,
  isDecoded: isOptional(isBoolean) as TypeGuard<true>,
  isSecondary: isOptional(isBoolean) as TypeGuard<true>,
});

export const isPackedRows = hasProperties<PackedRows>({
  strings: isStrings,
  rows: isArrayOf(isArrayOf(isCell)),
  names: isHexNames,
});
const isTableHead = hasProperties<TableHead>({
  name: isString,
  columns: isArrayOf(isColumn),
  rowCount: isNonNegativeInteger,
  firstRows: isPackedRows,
});
const isListInfo = hasProperties<ListInfo>({
  cursor: isNullOr(isString),
  total: isNullOr(isNonNegativeInteger),
  isSyncing: isBoolean,
});
const isTablesPart = hasProperties<TablesPart>({
  kind: isOneOf('tables'),
  tables: isArrayOf(isTableHead),
  listInfo: isNullOr(isListInfo),
  notes: isStrings,
});
const isRowsPart = hasProperties<RowsPart>({ kind: isOneOf('rows'), table: isString, bytes: isArrayBuffer });
const isTablePart: TypeGuard<TablesPart | RowsPart> = (value): value is TablesPart | RowsPart =>
  isTablesPart(value) || isRowsPart(value);

const isHistoryEntry = hasProperties<HistoryEntry>({ id: isNonNegativeInteger, target: isTarget, title: isString });
const isChain = hasProperties<InspectorChain>({ selector: isString, title: isString, isOnLoopback: isBoolean });
const isFormField = hasProperties<FormField>({
  name: isString,
  label: isString,
  placeholder: isString,
  description: isString,
  required: isBoolean,
  isList: isBoolean,
  choices: isNullOr(isStrings),
  value: isString,
});
const isForm = hasProperties<NonNullable<InspectorState['form']>>({
  title: isString,
  summary: isString,
  fields: isArrayOf(isFormField),
});
const isOperationView = hasProperties<OperationView>({
  isLive: isBoolean,
  hasImages: isBoolean,
  histogram: isNullOr(isOneOf('logs', 'transfers')),
  taskKind: isNullOr(isOneOf('index', 'logs')),
});
const isAddressTab = hasProperties<AddressTab>({
  id: isString,
  label: isString,
  addresses: isOneOf('all', 'contract', 'nft', 'erc20', 'holder'),
  operation: isString as TypeGuard<AddressTab['operation']>,
  parameters: isObject as TypeGuard<AddressTab['parameters']>,
  view: isOperationView,
});
const isInspectorState = hasProperties<InspectorState>({
  history: isArrayOf(isHistoryEntry),
  historyIndex: isNonNegativeInteger,
  isPinned: isBoolean,
  chain: isNullOr(isString),
  chains: isArrayOf(isChain),
  form: isNullOr(isForm),
  operationView: isNullOr(isOperationView),
  addressTabs: isArrayOf(isAddressTab),
  commands: isArrayOf(isOneOf('cast', 'curl')),
  translations: isNullOr(isRecordOf(isString)),
});

const isToken = hasProperties<NonNullable<PlainAddressSummary['token']>>({
  standard: isString,
  name: isNullOr(isString),
  symbol: isNullOr(isString),
  decimals: isNullOr(isNonNegativeInteger),
  totalSupply: isNullOr(isString),
});
const isHexText = isString as TypeGuard<Hex>; // written by the extension
const isProxy = hasProperties<ContractProxy>({
  kind: isString as TypeGuard<ContractProxy['kind']>,
  implementations: isArrayOf(isHexText),
  beacon: isNullOr(isHexText),
});
const isBuild = hasProperties<FoundBuild>({
  name: isString,
  source: isNullOr(isString),
  ids: isArrayOf(isString),
  difference: isNullOr(
    hasProperties<NonNullable<FoundBuild['difference']>>({
      bytes: isNullOr(isNonNegativeInteger),
      size: isNonNegativeInteger,
      builtSize: isNonNegativeInteger,
    }),
  ),
  copy: isNullOr(
    hasProperties<NonNullable<FoundBuild['copy']>>({
      tool: isNullOr(isString as TypeGuard<DeploymentTool>),
      path: isString,
      deployedAt: isNullOr(isNonNegativeInteger),
      hasBuild: isBoolean,
    }),
  ),
});
const isContract = hasProperties<IdentifiedContract>({
  address: isHexText,
  build: isNullOr(isBuild),
  proxy: isNullOr(isProxy),
  implementations: isArrayOf(
    hasProperties<IdentifiedContract['implementations'][number]>({ address: isHexText, build: isNullOr(isBuild) }),
  ),
  abiIds: isArrayOf(isString),
});
const isAddressSummary = hasProperties<PlainAddressSummary>({
  address: isString,
  chain: isString,
  coin: isString,
  decimals: isNonNegativeInteger,
  balance: isString,
  nonce: isNullOr(isNonNegativeInteger),
  codeSize: isNullOr(isNonNegativeInteger),
  isCodeMissing: isBoolean,
  delegate: isNullOr(isString),
  proxy: isNullOr(isProxy),
  contract: isNullOr(isContract),
  knownCode: isNullOr(hasProperties<KnownCode>({ name: isString, relation: isOneOf('copy', 'differs') })),
  name: isNullOr(isString),
  token: isNullOr(isToken),
  blockNumber: isNullOr(isNonNegativeInteger),
  ensName: isNullOr(isString),
  emptyTabs: isArrayOf(isString),
});

const isArgument = hasProperties<DecodedArgument>({
  name: isString,
  type: isString,
  value: isString,
  depth: isNonNegativeInteger,
  isHash: isBoolean,
  meaning: isOptional(isString) as TypeGuard<string>,
  unit: isOptional(isString) as TypeGuard<string>,
});
const isTradeItem = hasProperties<SeaportItem>({
  kind: isNullOr(isOneOf('native', 'erc20', 'erc721', 'erc1155')),
  token: isString,
  id: isString,
  amount: isString,
  recipient: isString,
});
const isFulfilledTrade = hasProperties<Omit<Extract<SeaportTrade, { kind: 'fulfilled' }>, 'kind'>>({
  offerer: isString,
  offer: isArrayOf(isTradeItem),
  consideration: isArrayOf(isTradeItem),
});
const isTrade: TypeGuard<SeaportTrade> = (value): value is SeaportTrade =>
  isObject(value) && (value['kind'] === 'matched' ? isNonNegativeInteger(value['orders']) : isFulfilledTrade(value));
const isCandidate = hasProperties<DecodedCandidate>({
  signature: isString,
  source: isString,
  args: isArrayOf(isArgument),
  text: isString,
  values: isOptional(isString),
  linkedValues: isOptional(isString),
  trade: isOptional(isTrade) as TypeGuard<SeaportTrade>,
});
const isDecoding = isArrayOf(isCandidate);
const isParameter = hasProperties<FunctionParameter>({ name: isString, type: isString });
const isContractFunction = hasProperties<ContractFunction>({
  signature: isString,
  name: isString,
  source: isNullOr(isString),
  inputs: isArrayOf(isParameter),
  outputs: isArrayOf(isParameter),
  isWriting: isBoolean,
});
const isAmountUnit = hasProperties<AmountUnit>({ symbol: isNullOr(isString), decimals: isNonNegativeInteger });

const isMeaning = hasProperties<{ readonly meaning: string }>({ meaning: isString });

const isFailureText = hasProperties<FailureText>({
  reason: isNullOr(isString),
  isHalt: isBoolean,
  isUnknownError: isBoolean,
  place: isNullOr(isString),
  caller: isNullOr(isString),
});

const isNftMetadata = hasProperties<NftMetadata>({
  contract: isString as TypeGuard<Hex>,
  tokenId: isString,
  tokenUri: isNullOr(isString),
  isRemote: isBoolean,
  isRead: isBoolean,
  name: isNullOr(isString),
  description: isNullOr(isString),
  image: isNullOr(isString),
  attributes: isArrayOf(
    hasProperties<NftMetadata['attributes'][number]>({ trait: isNullOr(isString), value: isString }),
  ),
});

/** The extension's own, which the page sends back as a link's target; it is checked there. */
const isSimulation: TypeGuard<Simulation> = (value): value is Simulation => parseSimulationJson(value) !== null;
const isMovedText = hasProperties<MovedText>({
  account: isString,
  name: isNullOr(isString),
  amount: isString,
  asset: isString,
  token: isNullOr(isString),
});
const isFunctionResult = hasProperties<FunctionResult>({
  signature: isString,
  outcome: isOneOf('returned', 'reverted', 'failed', 'invalid'),
  values: isArrayOf(isArgument),
  names: isRecordOf(isString),
  message: isString,
  issues: isArrayOf(isNullOr(isString)),
  omitted: isNonNegativeInteger,
  text: isString,
  simulation: isOptional(isSimulation),
  gasUsed: isOptional(isString),
});

const partGuards: { readonly [M in CallMethod]: TypeGuard<CallPart<M>> } = {
  operation: isTablePart,
  raw: hasProperties<CallPart<'raw'>>({ bytes: isArrayBuffer }),
  nftMetadata: hasProperties<CallPart<'nftMetadata'>>({ tokens: isArrayOf(isNftMetadata) }),
  nodeTransaction: isTablePart,
  address: isAddressSummary,
  blocks: isTablePart,
  image: hasProperties<LoadedImage>({ source: isNullOr(isString), problem: isNullOr(isString) }),
  revertReason: hasProperties<RevertDetails>({
    output: isNullOr(isString),
    exact: isBoolean,
    failure: isNullOr(isFailureText),
  }),
  callSources: hasProperties<CallSources>({
    calls: isArrayOf(isCallSource),
    count: isNonNegativeInteger,
    precompiles: isArrayOf(isNonNegativeInteger),
  }),
  internalCalls: hasProperties<CallPart<'internalCalls'>>({ calls: isArrayOf(isInternalCall) }),
  stack: hasProperties<StackDetails>({ frames: isArrayOf(isStackFrame), notes: isStrings }),
  contractCreation: hasProperties<CallPart<'contractCreation'>>({
    creation: isNullOr(
      hasProperties<CreationDetails>({
        hash: isString,
        from: isString,
        creator: isString,
        names: isRecordOf(isString),
        location: isNullOr(isSourceLocation),
      }),
    ),
  }),
  stateChanges: hasProperties<StateDetails>({
    accounts: isArrayOf(isStateAccount),
    lacksNames: isBoolean,
    notes: isStrings,
  }),
  innerFailures: hasProperties<CallPart<'innerFailures'>>({ failures: isArrayOf(isFailureText) }),
  decode: hasProperties<NamedDecoding>({ decoding: isDecoding, names: isRecordOf(isString) }),
  contractFunctions: hasProperties<CallPart<'contractFunctions'>>({
    functions: isArrayOf(isContractFunction),
    verifiedHosts: isArrayOf(isString),
    senders: isArrayOf(
      hasProperties<CallPart<'contractFunctions'>['senders'][number]>({ address: isString, name: isString }),
    ),
  }),
  loadVerifiedAbi: hasProperties<CallPart<'loadVerifiedAbi'>>({ message: isString }),
  readContract: isFunctionResult,
  simulateCall: isFunctionResult,
  simulationResult: hasProperties<SimulationDetails>({
    returned: isNullOr(isString),
    movements: isArrayOf(isMovedText),
  }),
  amountUnits: isRecordOf(isNullOr(isAmountUnit)),
  lookUp: (part): part is CallPart<'lookUp'> => isTarget(part) || isMeaning(part),
  resolveNames: (part): part is CallPart<'resolveNames'> => isTarget(part) && part.kind === 'operation',
};

/** The part is one of that method's. */
export const isCallPart = <M extends CallMethod>(method: M, part: unknown): part is CallPart<M> =>
  partGuards[method](part);

const isBlockId = hasProperties<NonNullable<ChainEvent['replaced']>>({ number: isNonNegativeInteger, hash: isString });

const notificationGuards: {
  readonly [M in keyof ExtensionNotifications]: TypeGuard<ExtensionNotifications[M]>;
} = {
  state: isInspectorState,
  artifactsChanged: hasProperties<ExtensionNotifications['artifactsChanged']>({}),
  chainEvent: hasProperties<ChainEvent>({
    chain: isString,
    head: isNullOr(isNonNegativeInteger),
    problem: isNullOr(isString),
    identity: isNullOr(isString),
    replaced: isNullOr(isBlockId),
  }),
  progress: hasProperties<Progress>({
    task: isString,
    kind: isOneOf('index', 'logs'),
    chain: isNullOr(isString),
    aptosNetwork: isOptional(isString),
    address: isNullOr(isString as TypeGuard<Hex>),
    scope: isOptional(isOneOf('contract', 'wallet', 'trades')) as TypeGuard<NonNullable<Progress['scope']>>,
    unit: isOptional(isOneOf('transactions')) as TypeGuard<NonNullable<Progress['unit']>>,
    done: isNonNegativeInteger,
    total: isNullOr(isNonNegativeInteger),
    isRunning: isBoolean,
    isPaused: isOptional(isBoolean),
  }),
};

const isFault = hasProperties<Pick<PlainFault, 'code' | 'message'>>({
  code: isString as TypeGuard<PlainFault['code']>,
  message: isString,
});

/** The message, or `null` when it is not one of the protocol. Parts are checked by `isCallPart`, which knows the call. */
export function parseExtensionMessage(value: unknown): ExtensionMessage | null {
  if (!isObject(value)) return null;
  const { type, id, method } = value;
  let isValid = false;
  if (type === 'notify') {
    const isMethod = typeof method === 'string' && Object.hasOwn(notificationGuards, method);
    isValid = isMethod && notificationGuards[method as keyof ExtensionNotifications](value['params']);
  } else if (isNonNegativeInteger(id)) {
    isValid = type === 'part' || type === 'done' || (type === 'fault' && isFault(value['fault']));
  }
  return isValid ? (value as unknown as ExtensionMessage) : null; // checked above
}
