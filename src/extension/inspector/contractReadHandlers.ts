// Lists the functions of a contract, and calls the read-only ones with `eth_call`, several in one request; others are simulated.

import { isForChain } from '../../api/configuration.ts';
import type { ContractCallResult } from '../../api/lookups.ts';
import type { TransactionTrace } from '../../api/transactionTrace.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatFault, HexLensError, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localize, t } from '../../base/localize.ts';
import { toBatches } from '../../base/toBatches.ts';
import { type AbiItem, getAbiFields } from '../../decode/abiItem.ts';
import { type AbiParameter, formatFieldType, parseAbiParameters } from '../../decode/abiType.ts';
import { getReturnedToken } from '../../decode/amountTokens.ts';
import type { DecodedValue } from '../../decode/decodeValues.ts';
import { decodeCallResult, encodeCall, validateArgument } from '../../decode/encodeCall.ts';
import { formatRevertData } from '../../decode/formatDecodedItem.ts';
import { parseFunctionDeclaration } from '../../decode/functionDeclaration.ts';
import { toChecksummed, toPlainValues } from '../../decode/plainValues.ts';
import { parseSimulation } from '../../decode/simulationInput.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';
import type {
  ContractFunction,
  FunctionCall,
  FunctionParameter,
  FunctionResult,
} from '../../protocol/contractReads.ts';
import type { PageCallHandlers } from '../../protocol/messages.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { type ContractFunctions, findContractFunctions } from '../abi/contractFunctions.ts';
import { describeVerifiedContract, type VerifiedContract } from '../abi/verifiedAbis.ts';
import { isDevelopmentNode } from '../worker/configuredChains.ts';
import { collectNames, toDecodedArguments } from './decoder.ts';
import type { DataPorts } from './inspectorPorts.ts';

const MAX_SENDERS = 200;
/** As many as Anvil starts. */
const MAX_DEVELOPMENT_ACCOUNTS = 10;
/** Calls of one request to the node: results are shown as they arrive. */
const CALLS_PER_BATCH = 8;

export type ContractReadPorts = Pick<
  DataPorts,
  'lookup' | 'identify' | 'loadAbis' | 'getName' | 'getNameSources' | 'getVerifiedHosts' | 'addVerifiedAbis'
>;

/** Implementations whose ABIs are loaded with that of their proxy. */
const MAX_VERIFIED_IMPLEMENTATIONS = 8;

/** Loads the ABI of a contract, and of what is behind it, from a host that has verified it; says in a sentence what came. */
async function loadVerifiedAbis(
  chain: string,
  address: Hex,
  { lookup, addVerifiedAbis, getVerifiedHosts }: ContractReadPorts,
  signal: AbortSignal,
): Promise<string> {
  const hosts = await getVerifiedHosts(chain);
  if (hosts.length === 0)
    throw new HexLensError('bad-input', t('No host of the settings may be asked about this chain.'));
  const { proxy, delegate } = await lookup('contractCode', { chain, address }, signal);
  const behind = [...(delegate === null ? [] : [delegate]), ...(proxy?.implementations ?? [])];
  const contracts: VerifiedContract[] = [];
  const problems: unknown[] = [];
  for (const one of [address, ...behind.slice(0, MAX_VERIFIED_IMPLEMENTATIONS)]) {
    const reply = await lookup('verifiedAbi', { chain, address: one }, signal).catch((error: unknown) => {
      if (isFault(error, 'cancelled')) throw error;
      problems.push(error);
      return null;
    });
    if (reply === null || reply.found === null) continue;
    contracts.push({ chain, address: checksumAddress(one), ...reply.found });
  }
  if (contracts.length === 0 && problems.length > 0) throw problems[0];
  await addVerifiedAbis(contracts);
  // What was loaded stays when another part of the contract could not be.
  if (contracts.length > 0)
    return [...contracts.map(describeVerifiedContract), ...new Set(problems.map(formatFault))].join(' · ');
  return t('{0} does not know this contract.', hosts.join(', '));
}

const toParameters = (parameters: readonly AbiParameter[]): readonly FunctionParameter[] =>
  (parseAbiParameters(parameters) ?? []).map(field => ({ name: field.name, type: formatFieldType(field) }));

const toContractFunction = (item: AbiItem): ContractFunction => ({
  signature: item.canonical,
  name: item.name,
  source: item.source,
  inputs: toParameters(item.inputs),
  outputs: toParameters(item.outputs ?? []),
  isWriting: !item.isReadOnly,
});

const createResult = (
  signature: string,
  outcome: FunctionResult['outcome'],
  rest: Partial<FunctionResult>,
): FunctionResult => ({
  signature,
  outcome,
  values: [],
  names: {},
  message: '',
  issues: [],
  omitted: 0,
  text: rest.message ?? '',
  ...rest,
});

/** One value as it is; several, or a list, as JSON. */
function formatForClipboard(values: readonly DecodedValue[]): string {
  const checksummed = values.map(toChecksummed);
  const [only] = checksummed;
  if (checksummed.length === 1 && only !== undefined)
    return typeof only.value === 'string' ? only.value : JSON.stringify(toPlainValues(only.value), null, 2);
  return JSON.stringify(toPlainValues(checksummed), null, 2);
}

/** The address that is saved under a typed name; the text itself when it is an address, or the name is not of exactly one. */
async function resolveName(text: string, chain: string, { getNameSources }: ContractReadPorts): Promise<string> {
  const name = text.trim().toLowerCase();
  if (name === '' || name.startsWith('0x')) return text;
  const { saved } = await getNameSources();
  const named = saved.filter(
    entry => entry.kind !== 'aptos' && isForChain(entry.chains, chain) && entry.name.toLowerCase() === name,
  );
  const [address, ...others] = new Set(named.map(entry => entry.address));
  return others.length > 0 ? text : (address ?? text);
}

/** Address book names that were typed for addresses become these addresses. */
function resolveNames(
  item: AbiItem,
  args: readonly string[],
  chain: string,
  ports: ContractReadPorts,
): Promise<string[]> {
  const fields = getAbiFields(item);
  return Promise.all(
    args.map((text, index) => (fields[index]?.type.kind === 'address' ? resolveName(text, chain, ports) : text)),
  );
}

/** What is wrong with each argument; `null` when they all can be sent. */
function findIssues(item: AbiItem, args: readonly string[]): readonly (string | null)[] | null {
  const issues = getAbiFields(item).map(
    (field, index) => validateArgument(field, index, args[index] ?? '') ?? findSecretReason([args[index] ?? '']),
  );
  return issues.some(issue => issue !== null) ? issues : null;
}

/** With nested ones, as `toDecodedArguments` lists them. */
const countValues = (values: readonly DecodedValue[]): number =>
  values.reduce((sum, { value }) => sum + 1 + (typeof value === 'string' ? 0 : countValues(value)), 0);

function toFunctionResult(
  signature: string,
  item: AbiItem,
  result: ContractCallResult,
  { registry }: ContractFunctions,
  { chain, address }: { readonly chain: string; readonly address: string },
  getName: DataPorts['getName'],
): FunctionResult {
  if (result.outcome === 'failed') return createResult(signature, 'failed', { message: result.message });
  if (result.outcome === 'reverted') {
    if (result.data === null)
      return createResult(signature, 'reverted', { message: result.message, text: result.message });
    const { text, error } = formatRevertData(result.data, { registry, getName: named => getName(named, chain) });
    return createResult(
      signature,
      'reverted',
      error === null ? { message: text, text: result.data } : { message: text },
    );
  }
  const { output } = result;
  if (item.outputs?.length === 0) return createResult(signature, 'returned', { text: output });
  if (output === '0x') {
    const message = t('Nothing was returned: the contract does not have this function at this block.');
    return createResult(signature, 'failed', { message });
  }
  const decoded = decodeCallResult(item, output);
  if (decoded === null) {
    const message = t('What was returned is not of the declared types: {0}', shortenHex(output));
    return createResult(signature, 'failed', { message, text: output });
  }
  const token = getReturnedToken(item, address) ?? undefined;
  const values = toDecodedArguments(decoded, value => (value === decoded[0] ? token : undefined));
  const names = collectNames([{ args: values }], chain, getName);
  const omitted = countValues(decoded) - values.length;
  return createResult(signature, 'returned', { values, names, omitted, text: formatForClipboard(decoded) });
}

/** A declaration that says what the function returns. */
function parseCompleteDeclaration(text: string): AbiItem | null {
  const item = parseFunctionDeclaration(text, text);
  return (item?.outputs?.length ?? 0) > 0 ? item : null;
}

interface PreparedCall {
  readonly signature: string;
  readonly item: AbiItem;
  readonly data: Hex;
}

/** The functions of the contract that the page shows; cached for its next call. */
class ShownFunctions {
  readonly #ports: ContractReadPorts;
  #shown: { readonly key: string; readonly functions: Promise<ContractFunctions> } | null = null;

  constructor(ports: ContractReadPorts) {
    this.#ports = ports;
  }

  /** Not cancelled with one of the calls that wait for it. */
  find(chain: string, address: string, isRefresh = false): Promise<ContractFunctions> {
    const key = `${chain} ${address}`;
    if (this.#shown?.key === key && !isRefresh) return this.#shown.functions;
    const functions = findContractFunctions(chain, address as Hex, this.#ports);
    const own = { key, functions };
    this.#shown = own;
    functions.catch(() => {
      if (this.#shown === own) this.#shown = null;
    });
    return functions;
  }
}

async function prepare(
  chain: string,
  { signature, args }: FunctionCall,
  { functions, writes }: ContractFunctions,
  ports: ContractReadPorts,
): Promise<PreparedCall | FunctionResult> {
  const item =
    [...functions, ...writes].find(({ canonical }) => canonical === signature) ?? parseCompleteDeclaration(signature);
  if (item === null) {
    const message = t('This contract no longer has the function {0}.', signature.slice(0, 120));
    return createResult(signature, 'failed', { message });
  }
  const resolved = await resolveNames(item, args, chain, ports);
  const issues = findIssues(item, resolved);
  if (issues !== null) {
    const message = issues.filter(issue => issue !== null).join(', ');
    return createResult(signature, 'invalid', { message, issues });
  }
  return { signature, item, data: encodeCall(item, resolved) };
}

export function createContractReadHandlers(
  ports: ContractReadPorts,
): Pick<PageCallHandlers, 'contractFunctions' | 'loadVerifiedAbi' | 'readContract' | 'simulateCall'> {
  const shown = new ShownFunctions(ports);
  return {
    async contractFunctions({ chain, address, declared }, { sendPart, signal }) {
      const [{ functions, writes }, verifiedHosts, senders] = await Promise.all([
        shown.find(chain, address, true),
        ports.getVerifiedHosts(chain),
        listSenders(chain, ports, signal),
      ]);
      signal.throwIfAborted();
      const own = declared.flatMap(text => {
        const item = parseCompleteDeclaration(text);
        return item === null ? [] : [{ ...toContractFunction(item), signature: text, source: null, isWriting: false }];
      });
      sendPart({ functions: [...own, ...[...functions, ...writes].map(toContractFunction)], verifiedHosts, senders });
    },
    async loadVerifiedAbi({ chain, address }, { sendPart, signal }) {
      sendPart({ message: await loadVerifiedAbis(chain, address as Hex, ports, signal) });
    },
    async simulateCall({ chain, address, block, call, from, value }, { sendPart, signal }) {
      const found = await shown.find(chain, address);
      const prepared = await prepare(chain, call, found, ports);
      if ('outcome' in prepared) return sendPart(prepared);
      const { signature, item, data } = prepared;
      const simulation = parseSimulation(
        { from: await resolveName(from, chain, ports), to: address, data, value, block },
        null,
      );
      const trace = await ports.lookup('transactionTrace', { chain, simulation }, signal);
      if (trace.kind === 'noTrace')
        return sendPart(createResult(signature, 'failed', { message: localize(trace.reason) }));
      const result = toFunctionResult(signature, item, toCallResult(trace), found, { chain, address }, ports.getName);
      sendPart({
        ...result,
        gasUsed: String(trace.gasUsed),
        ...(trace.simulation && { simulation: trace.simulation }),
      });
    },
    async readContract({ chain, address, block, calls }, { sendPart, signal }) {
      const found = await shown.find(chain, address);
      const prepared: PreparedCall[] = [];
      for (const call of calls) {
        signal.throwIfAborted();
        const one = await prepare(chain, call, found, ports);
        if ('outcome' in one) sendPart(one);
        else prepared.push(one);
      }
      for (const batch of toBatches(prepared, CALLS_PER_BATCH)) {
        const input = {
          chain,
          address: address as Hex,
          data: batch.map(({ data }) => data),
          ...(block !== 'latest' && { block: Number(block) }),
        };
        const results = await fetchResults(input, ports, signal);
        for (const [index, { signature, item }] of batch.entries()) {
          const result = results[index];
          if (result !== undefined)
            sendPart(toFunctionResult(signature, item, result, found, { chain, address }, ports.getName));
        }
      }
    },
  };
}

/** What a simulated call gave, as a call of the node would. */
function toCallResult({ calls, failure }: TransactionTrace): ContractCallResult {
  if (failure === null) return { outcome: 'returned', output: calls[0]?.output ?? '0x' };
  const halt = calls[0]?.haltReason ?? null;
  if (halt !== null) return { outcome: 'failed', message: halt === 'outOfGas' ? t('Out of gas') : halt };
  return {
    outcome: 'reverted',
    data: failure.data === '0x' ? null : failure.data,
    message: t('Reverted without a reason'),
  };
}

/** Accounts of a development node, and what the user has saved. */
async function listSenders(chain: string, { lookup, getNameSources }: ContractReadPorts, signal: AbortSignal) {
  const [{ saved }, status] = await Promise.all([
    getNameSources(),
    lookup('chainStatus', { chain }, signal).catch(() => null),
  ]);
  const own =
    status !== null && isDevelopmentNode(status) ? getDevelopmentAccounts().slice(0, MAX_DEVELOPMENT_ACCOUNTS) : [];
  const entries = saved.filter(({ kind, chains }) => kind !== 'aptos' && isForChain(chains, chain));
  return [...own, ...entries].slice(0, MAX_SENDERS).map(({ address, name }) => ({ address, name }));
}

async function fetchResults(
  input: { readonly chain: string; readonly address: Hex; readonly data: readonly Hex[]; readonly block?: number },
  { lookup }: ContractReadPorts,
  signal: AbortSignal,
): Promise<readonly ContractCallResult[]> {
  try {
    return (await lookup('contractCalls', input, signal)).results;
  } catch (error) {
    if (!isFault(error, 'node-error') || input.block === undefined) throw error;
    const { head } = await lookup('chainStatus', { chain: input.chain }, signal);
    if (head !== null && input.block > head)
      throw new HexLensError('bad-input', t('There is no block {0} yet: the newest one is {1}.', input.block, head), {
        fix: t('Choose a block up to {0}, or latest.', head),
        cause: error,
      });
    // Most nodes hold the state of the newest blocks only.
    throw new HexLensError('node-error', t('The node could not read the contract at block {0}.', input.block), {
      fix: t('Most nodes have the state of the newest blocks only: choose a newer block, or use an archive node.'),
      cause: error,
    });
  }
}
