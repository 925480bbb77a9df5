// Why calls failed, and in which function of which contract: by the ABIs of the contract that threw.

import type { RevertReason, TokenUnit } from '../../api/lookups.ts';
import type { Output } from '../../api/operations/operations.ts';
import type { TransactionTrace } from '../../api/transactionTrace.ts';
import { systemClock } from '../../base/clock.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { type Hex, isAddress, ZERO_ADDRESS } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { createClient } from '../../client/client.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import { parseAmountToken } from '../../decode/amountTokens.ts';
import { decodeErrorResult, decodeFunctionData } from '../../decode/decodeAbi.ts';
import { findFailurePath, findSwallowedFailures, isHalt } from '../../decode/failedCalls.ts';
import { formatRevertData, getUnitTokens, listAddresses } from '../../decode/formatDecodedItem.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import type { IdentifiedContract } from '../../view/contractBuild.ts';
import type { FailureText } from '../../view/failureText.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { fetchInTime } from './fetchInTime.ts';
import { findContractRegistry, getArtifactIds } from './identifyContract.ts';

export interface DescribeFailureDeps {
  loadAbis(): Promise<AbiRegistry>;
  identify(chain: string, address: Hex): Promise<IdentifiedContract | null>;
  /** Saved or well-known name of an address. */
  getName(address: Hex, chain: string): string | null;
  /** Names of these addresses by the build, such as `Vault (build)`. */
  learnBuildNames?(chain: string, addresses: Iterable<string>): Promise<(address: string) => string | null>;
  /** The unit of the token that a contract is, or counts in; amounts of errors stay raw numbers without it. */
  fetchUnit?(token: Hex, chain: string): Promise<TokenUnit | null>;
}

/** What contracts count in; `null` where the node does not tell. */
export const createUnitSource =
  (lookup: WorkerClient['lookup'], signal?: AbortSignal) =>
  (address: Hex, chain: string): Promise<TokenUnit | null> =>
    lookup('tokenUnit', { chain, address }, signal).catch(() => null);

type Transaction = Output<'transaction'>;
type InternalCall = NonNullable<Transaction['internalTransactions']>[number];

/** With its internal calls; without them only the reason of its own call is known. */
type FailedTransaction = Pick<Transaction, 'toAddress' | 'input' | 'gas' | 'internalTransactions'>;

const UNKNOWN_TRANSACTION: FailedTransaction = { toAddress: null, input: '0x', gas: 0n, internalTransactions: null };

export const REVERTED = 'execution reverted';
/** A node that takes longer to trace does not delay the rest. */
const MAX_TRACE_MS = 2_000;

/** The calls that a failure went through: the first is the transaction's own call, unless it is missing, the last one threw. */
type FailurePath = readonly (Pick<InternalCall, 'to' | 'input' | 'output' | 'error'> & {
  /** Whose storage the call used: behind a proxy not that of the code. */
  readonly account: string | null;
})[];

const toPathCall = (call: InternalCall): FailurePath[number] => ({
  ...call,
  account: /^(?:delegatecall|callcode)$/i.test(call.type ?? '') ? call.from : call.to,
});

/** False where the node leaves out what reverted calls returned: nothing tells then where the error came from. */
export const hasOutcomes = (calls: readonly Pick<InternalCall, 'error' | 'gasUsed'>[]): boolean =>
  !calls.some(({ error, gasUsed }) => error !== null && !isHalt(error) && gasUsed === null);

function getTracedCalls({ internalTransactions }: Pick<Transaction, 'internalTransactions'>): readonly InternalCall[] {
  const calls = internalTransactions ?? [];
  return hasOutcomes(calls) ? calls : [];
}

const hasCode = (to: string | null): to is Hex => isAddress(to) && to !== ZERO_ADDRESS;

async function nameContract(to: string | null, chain: string, deps: DescribeFailureDeps): Promise<string> {
  if (!hasCode(to)) return t('a new contract');
  const saved = deps.getName(to, chain);
  if (saved !== null) return saved;
  const contract = await deps.identify(chain, to).catch(() => null);
  const short = toShortDisplayAddress(to);
  if (contract === null || contract.build !== null) return contract?.build?.name ?? short;
  return contract.implementations.length === 0 ? short : t('proxy {0}', short);
}

/** Its build declares all its functions, or those of all contracts behind it do. */
const isKnownWhole = ({ build, proxy, implementations }: IdentifiedContract): boolean =>
  implementations.length === 0
    ? build !== null && proxy === null
    : implementations.every(inner => inner.build !== null);

/** `Oracle.read`; without the function where its name is unknown. */
export async function nameCall(
  { to, input }: { readonly to: string | null; readonly input: string | null },
  chain: string,
  deps: DescribeFailureDeps,
): Promise<string> {
  const contract = await nameContract(to, chain, deps);
  if (!hasCode(to) || input === null) return contract;
  const registry = await deps.loadAbis();
  const identified = await deps.identify(chain, to).catch(() => null);
  const ids = identified === null ? [] : [...getArtifactIds(identified)];
  const [call] = decodeFunctionData(registry.prefer(new Set(ids)), input);
  // A function that only other contracts have would be claimed of this one.
  const isDeclared = call !== undefined && ids.some(id => registry.items(id).includes(call.item));
  return call === undefined || (identified !== null && isKnownWhole(identified) && !isDeclared)
    ? contract
    : `${contract}.${call.item.name}`;
}

type Reason = Pick<FailureText, 'reason' | 'isHalt' | 'isUnknownError'>;

async function describeReason(
  { to, account, output, error }: FailurePath[number],
  chain: string,
  deps: DescribeFailureDeps,
): Promise<Reason> {
  const known = { isHalt: isHalt(error), isUnknownError: false };
  if (output !== null && output !== '0x') {
    const decode = (registry: AbiRegistry) => decodeErrorResult(registry, output);
    const registry = await findContractRegistry(chain, to, await deps.loadAbis(), deps.identify, decode);
    const [decoded] = decode(registry);
    const addresses = decoded === undefined ? [] : listAddresses(decoded.values, registry);
    const getBuildName = addresses.length === 0 ? null : await deps.learnBuildNames?.(chain, addresses);
    const getName = (address: Hex) => deps.getName(address, chain) ?? getBuildName?.(address) ?? null;
    const hasAmounts = decoded !== undefined && getUnitTokens(decoded, account).size > 0;
    const unit = hasAmounts && isAddress(account) ? ((await deps.fetchUnit?.(account, chain)) ?? null) : null;
    const getUnit = (token: string) =>
      unit !== null && parseAmountToken(token).contract === account?.toLowerCase() ? toAmountUnit(unit, token) : null;
    const format = { registry, getName, getUnit };
    const { text, error: declared } = formatRevertData(output, format, account);
    return { ...known, isUnknownError: declared === null, reason: text };
  }
  if (error !== null && /out ?of ?gas/i.test(error)) return { ...known, reason: t('Out of gas') };
  return { ...known, reason: known.isHalt ? error : null };
}

async function describePath(path: FailurePath, chain: string, deps: DescribeFailureDeps): Promise<FailureText> {
  const thrown = path.at(-1);
  const caller = path.at(-2);
  if (thrown === undefined) return { reason: null, isHalt: false, isUnknownError: false, place: null, caller: null };
  const [reason, place, callerName] = await Promise.all([
    describeReason(thrown, chain, deps),
    nameCall(thrown, chain, deps),
    caller === undefined ? null : nameContract(caller.to, chain, deps),
  ]);
  return { ...reason, place, caller: callerName };
}

/** The calls inside the transaction's own that the failure went through, by its steps; `null` where these are not known. */
export function getTracedPath(trace: TransactionTrace | null): readonly TransactionTrace['calls'][number][] | null {
  if (trace === null || trace.failure === null || trace.steps === 0) return null;
  const path: TransactionTrace['calls'][number][] = [];
  for (let call = trace.calls[trace.failure.call]; call !== undefined; call = trace.calls[call.parent])
    if (call.parent >= 0) path.unshift(call);
  return path;
}

const HALTED: Partial<Record<string, string>> = { outOfGas: 'out of gas' };

/** Where nothing was returned, only the steps tell which call threw: they are fetched then. */
type FetchTrace = () => Promise<TransactionTrace | null>;

/** Why the transaction failed, whose own call ended with `outcome`. */
export async function describeFailure(
  { output, error }: Pick<RevertReason, 'output' | 'error'>,
  transaction: FailedTransaction,
  chain: string,
  deps: DescribeFailureDeps,
  fetchTrace: FetchTrace = async () => null,
): Promise<FailureText> {
  const { toAddress: to, input, gas } = transaction;
  const calls = getTracedCalls(transaction);
  const own = { to, account: to, gas, input, output, error: error ?? REVERTED };
  const sure = findFailurePath(own, calls, { isSure: true });
  const isUnclear = findFailurePath(own, calls).length > sure.length;
  const traced = isUnclear ? getTracedPath(await fetchTrace()) : null;
  const path =
    traced?.map(({ address, codeAddress, input: data, output: returned, status, haltReason }) => ({
      to: codeAddress,
      account: address,
      input: data,
      output: returned,
      error: status === 'exceptional' ? (HALTED[haltReason ?? ''] ?? haltReason) : REVERTED,
    })) ?? sure.flatMap(index => calls[index] ?? []).map(toPathCall);
  const described = await describePath([own, ...path], chain, deps);
  // The hover and the page say themselves what the transaction called.
  return path.length === 0 ? { ...described, place: null } : described;
}

/** Where the node does not trace in time, only the reason of its own call is known. Rejects with a `HexLensError`. */
export async function fetchFailure(
  hash: Hex,
  chain: string,
  worker: Pick<WorkerClient, 'lookup' | 'transport' | 'chains'>,
  deps: DescribeFailureDeps,
  signal: AbortSignal,
  untraced: FailedTransaction = UNKNOWN_TRANSACTION,
): Promise<RevertReason & { readonly failure: FailureText | null }> {
  const { lookup, transport, chains } = worker;
  const input = { hash, chain, include: 'internal_transactions' } as const;
  const continues = chains().some(({ selector, isOnLoopback }) => selector === chain && isOnLoopback);
  const inTime = <T>(fetch: (signal: AbortSignal) => Promise<T>) =>
    fetchInTime(fetch, { clock: systemClock, maxMs: MAX_TRACE_MS, continues }, signal).then(fetched =>
      fetched === 'late' ? null : fetched,
    );
  const [outcome, transaction] = await Promise.all([
    lookup('revertReason', { chain, hash }, signal),
    inTime(tracing => createClient(transport).call('transaction', input, { signal: tracing })),
  ]);
  const isUnknown = outcome.output === null && outcome.error === null;
  if (isUnknown) return { ...outcome, failure: null };
  const trace = () => inTime(tracing => fetchLocalTrace(hash, chain, worker, tracing));
  return { ...outcome, failure: await describeFailure(outcome, transaction ?? untraced, chain, deps, trace) };
}

/** Only of a chain of this machine, whose node is not paid by request. */
export async function fetchLocalTrace(
  hash: Hex,
  chain: string,
  { lookup, chains }: Pick<WorkerClient, 'lookup' | 'chains'>,
  signal: AbortSignal,
): Promise<TransactionTrace | null> {
  if (!chains().some(({ selector, isOnLoopback }) => selector === chain && isOnLoopback)) return null;
  const trace = await lookup('transactionTrace', { chain, hash }, signal).catch(() => null);
  return trace?.kind === 'trace' ? trace : null;
}

/** Failures that a transaction went on after, in the order of the calls. */
export async function describeSwallowedFailures(
  transaction: Transaction,
  chain: string,
  deps: DescribeFailureDeps,
): Promise<readonly FailureText[]> {
  const { toAddress, receiptContractAddress, gas } = transaction;
  const calls = getTracedCalls(transaction);
  const paths = findSwallowedFailures({ to: toAddress ?? receiptContractAddress, gas }, calls);
  const describe = (path: readonly number[]) =>
    describePath(path.flatMap(index => calls[index] ?? []).map(toPathCall), chain, deps);
  return Promise.all(paths.map(describe));
}
