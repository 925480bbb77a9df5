// Which contracts the scenarios need, and how each scenario's stack compares with the one that was found.
import { type Abi, encodeDeployData, encodeFunctionData, getAbiItem, type Hex } from 'viem';
import type { DebugRequests } from '../../../src/api/debugSession.ts';
import type { LookupId, SendLookup } from '../../../src/api/lookups.ts';
import type { MatchedCode, StackFrame } from '../../../src/api/transactionStack.ts';
import { Debugger } from '../../../src/decode/debug/debugger.ts';
import type { ContractProgram } from '../../../src/decode/source/contractProgram.ts';
import { fetchTransactionSource } from '../../../src/decode/source/fetchTransactionSource.ts';
import type { Trace } from '../../../src/decode/trace/trace.ts';
import { findSource, listCodes } from '../../../src/service/lookups/transactionSource.ts';
import { createProgramFinder } from '../../../src/service/trace/createProgramFinder.ts';
import { DEPOT_SCENARIOS } from './depotScenarios.ts';
import { MemoryChain, type SentTransaction } from './memoryChain.ts';
import { MERGED_SCENARIOS } from './mergedScenarios.ts';
import { LEDGER_SCENARIOS, MARKET_SCENARIOS, OLD_SCENARIOS, type Scenario } from './scenarios.ts';
import { type Compiler, type CompilerSettings, createSourceProject, type SourceProject } from './sourceProject.ts';
import { EXCHANGE_SCENARIOS, STAKING_SCENARIOS, WALLET_SCENARIOS } from './styleScenarios.ts';
import { TWIN_SCENARIOS } from './twinScenarios.ts';

const DEPLOYER: Hex = `0x${'a0'.repeat(20)}`;
const CALLER: Hex = `0x${'a1'.repeat(20)}`;
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`;

/** Where a suite's transactions are sent. */
type SuiteChain = Pick<MemoryChain, 'send' | 'trace'>;

/** Sends transactions to a chain and keeps the addresses of contracts by name. */
export class Sender {
  readonly #chain: SuiteChain;
  readonly #project: SourceProject;
  /** What `$name` in arguments means. */
  readonly values: Record<string, Hex> = { caller: CALLER };

  constructor(chain: SuiteChain, project: SourceProject) {
    this.#chain = chain;
    this.#project = project;
  }

  #toValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(this.#toValue);
    return typeof value === 'string' && value.startsWith('$') ? this.values[value.slice(1)] : value;
  };

  #creation(name: string, args: readonly unknown[]): Hex {
    const { abi, evm } = this.#project.contract(name);
    const linked = (this.values['linked'] ?? ZERO_ADDRESS).slice(2);
    const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, linked)}` as Hex;
    return encodeDeployData({ abi: abi as Abi, bytecode, args: args.map(this.#toValue) });
  }

  async deploy(name: string, args: readonly unknown[], as: string, value = 0n): Promise<void> {
    const created = await this.#chain.send({ from: DEPLOYER, to: null, input: this.#creation(name, args), value });
    this.values[as] = created as Hex;
  }

  /** `call` as in a scenario; `contract`: whose function it is where the call does not say. */
  encode(contract: string, call: string, args: readonly unknown[] = []): Hex {
    const [, of = contract, name = '', types] = /^(?:(\w+)\.)?(\w*)(\(.*\))?/.exec(call) ?? [];
    if (name === '') return '0x';
    const abi = this.#project.contract(of).abi as Abi;
    const values = args.map(this.#toValue);
    const item = abi.find(
      each => each.type === 'function' && each.name === name && `(${each.inputs.map(({ type }) => type)})` === types,
    );
    const found = item ?? (getAbiItem({ abi, name, args: values } as never) as Abi[number]);
    return encodeFunctionData({ abi: [found], functionName: name, args: values });
  }

  #transaction(contract: string, scenario: SentScenario): SentTransaction {
    const { to, call, args = [], value = 0n, gas } = scenario;
    if (call.startsWith('new ')) return { from: CALLER, to: null, input: this.#creation(call.slice(4), args) };
    const input = this.encode(contract, call, args);
    return { from: CALLER, to: this.values[to] as Hex, input, value, ...(gas !== undefined && { gas }) };
  }

  async call(contract: string, scenario: SentScenario): Promise<void> {
    await this.#chain.send(this.#transaction(contract, scenario));
  }

  trace(contract: string, scenario: SentScenario) {
    return this.#chain.trace(this.#transaction(contract, scenario));
  }
}

type SentScenario = Omit<Scenario, 'name' | 'stack'>;

export interface ScenarioSuite {
  readonly files: readonly string[];
  /** Whose functions the scenarios call. */
  readonly contract: string;
  readonly scenarios: readonly Scenario[];
  prepare(sender: Sender): Promise<void>;
}

export const LEDGER: ScenarioSuite = {
  files: ['Ledger.sol', 'Fees.sol', 'Proxy.sol'],
  contract: 'Ledger',
  scenarios: LEDGER_SCENARIOS,
  async prepare(sender) {
    await sender.deploy('Linked', [], 'linked');
    await sender.deploy('Oracle', [], 'oracle');
    await sender.deploy('Blunt', [], 'bluntOracle');
    await sender.deploy('Refuser', [], 'refuser');
    await sender.deploy('Ledger', ['$oracle', 3n], 'ledger');
    await sender.deploy('Ledger', [`0x${'99'.repeat(20)}`, 3n], 'blank');
    await sender.deploy('Ledger', ['$bluntOracle', 3n], 'blunt');
    await sender.deploy('Ledger', ['$oracle', 3n], 'pausedLedger');
    await sender.deploy('Proxy', ['$ledger'], 'proxy');
    await sender.call('Ledger', { to: 'pausedLedger', call: 'pause', args: [true] });
  },
};

export const MARKET: ScenarioSuite = {
  files: ['Market.sol'],
  contract: 'Market',
  scenarios: MARKET_SCENARIOS,
  async prepare(sender) {
    await sender.deploy('Token', ['T'], 'token');
    await sender.deploy('Market', ['$token'], 'market');
    await sender.deploy('Market', ['$token'], 'marketListed');
    await sender.call('Market', { to: 'marketListed', call: 'list', args: [1n, 50n, [1n, 2n]] });
  },
};

export const STAKING: ScenarioSuite = {
  files: ['Staking.sol'],
  contract: 'Staking',
  scenarios: STAKING_SCENARIOS,
  async prepare(sender) {
    for (const as of ['staking', 'crowded', 'guarded', 'armed']) await sender.deploy('Staking', [2000n, 500n, 2n], as);
    for (const to of ['crowded', 'crowded', 'guarded'])
      await sender.call('Staking', { to, call: 'set(address)', args: ['$caller'] });
    await sender.call('Staking', { to: 'armed', call: 'arm', args: ['0x01020304'] });
  },
};

export const WALLET: ScenarioSuite = {
  files: ['Wallet.sol'],
  contract: 'Wallet',
  scenarios: WALLET_SCENARIOS,
  async prepare(sender) {
    const { values } = sender;
    for (const name of ['Feed', 'ShortFeed', 'Sink', 'Deaf', 'Receiver', 'Gate', 'Maker', 'Cutter', 'Counter'])
      await sender.deploy(name, [], name.charAt(0).toLowerCase() + name.slice(1));
    await sender.deploy('Plugin', [], 'linked');
    await sender.deploy('Coin', [0n], 'coin');
    await sender.deploy('Coin', [2n], 'taxedCoin');
    await sender.deploy('Wallet', ['$coin', '$feed', '$linked'], 'wallet', 100n);
    await sender.deploy('Wallet', ['$taxedCoin', '$feed', '$linked'], 'taxed');
    await sender.deploy('Wallet', ['$coin', '$shortFeed', '$linked'], 'short');
    await sender.deploy('Diamond', ['$cutter', '$counter'], 'diamond');
    values['transferOne'] = sender.encode('Wallet', 'transferOut', ['$caller', 1n]);
    values['transferToZero'] = sender.encode('Wallet', 'transferOut', [ZERO_ADDRESS, 1n]);
    values['transferMuch'] = sender.encode('Wallet', 'transferOut', ['$caller', 1000n]);
    values['initialize'] = sender.encode('Shares4626', 'initialize', ['$coin']);
    values['initAgain'] = sender.encode('Shares4626', 'initAgain', ['$coin']);
    await sender.deploy('Shares4626', [], 'implementation');
    await sender.deploy('Upgraded', ['$implementation', '$initialize'], 'vault');
    await sender.deploy('Upgraded', ['$implementation', '$initialize'], 'rich');
    await sender.deploy('Upgraded', ['$implementation', '0x'], 'owned');
    await sender.call('Shares4626', { to: 'owned', call: 'initialize', args: ['$coin'] });
    await sender.call('Coin', { to: 'coin', call: 'mint', args: ['$wallet', 100n] });
    await sender.call('Coin', { to: 'coin', call: 'mint', args: ['$rich', 1000n] });
    await sender.call('Coin', { to: 'taxedCoin', call: 'mint', args: ['$taxed', 100n] });
  },
};

export const EXCHANGE: ScenarioSuite = {
  files: ['Exchange.sol'],
  contract: 'Exchange',
  scenarios: EXCHANGE_SCENARIOS,
  async prepare(sender) {
    await sender.deploy('Venue', [100n], 'deep');
    await sender.deploy('Venue', [50n], 'shallow');
    for (const as of ['exchange', 'placed']) await sender.deploy('Exchange', [['$deep', '$shallow']], as, 10n);
    await sender.call('Exchange', { to: 'placed', call: 'place', args: [1n, 10n] });
    await sender.deploy('Attacker', [], 'attacker');
    await sender.deploy('Builder', [], 'builder');
  },
};

export const DEPOT: ScenarioSuite = {
  files: ['Depot.sol', 'Fees.sol'],
  contract: 'Depot',
  scenarios: DEPOT_SCENARIOS,
  async prepare(sender) {
    for (const name of ['Depot', 'Scale', 'Silo']) await sender.deploy(name, [], name.toLowerCase());
    await sender.deploy('Router', ['$scale'], 'router');
  },
};

export const TWINS: ScenarioSuite = {
  files: ['Twins.sol'],
  contract: 'Twin',
  scenarios: TWIN_SCENARIOS,
  async prepare(sender) {
    const { values } = sender;
    for (const as of ['t', 'three']) await sender.deploy('Twin', [], as);
    await sender.deploy('TwinChild', [], 'child');
    await sender.call('Twin', { to: 'three', call: 'fill', args: [3n, 0n] });
    await sender.call('Twin', { to: 'child', call: 'fill', args: [1n, 0n] });
    values['g9'] = sender.encode('Twin', 'viaGet', [9n]);
    values['g0'] = sender.encode('Twin', 'viaGet', [0n]);
    values['f9'] = sender.encode('Twin', 'viaFetch', [9n]);
  },
};

export const MERGED: ScenarioSuite = {
  files: ['Merged.sol'],
  contract: 'Merged',
  scenarios: MERGED_SCENARIOS,
  async prepare(sender) {
    await sender.deploy('Merged', [], 'merged');
    sender.values['refuseTwo'] = sender.encode('Merged', 'refuse', [2n]);
  },
};

export const OLD: ScenarioSuite = {
  files: ['Old.sol'],
  contract: 'Old',
  scenarios: OLD_SCENARIOS,
  prepare: sender => sender.deploy('Old', [`0x${'99'.repeat(20)}`], 'old'),
};

const describeFrame = ({ contract, functionName, location }: StackFrame): string => {
  const name = [contract, functionName].filter(part => part !== null).join('.');
  return `${name} ${location === null ? 'unknown line' : `${location.file}:${location.start.line + 1}`}`;
};

export interface SuiteResult {
  /** Whole stacks that are right. */
  readonly whole: number;
  /** Last lines that are right. */
  readonly last: number;
  /** Stacks with a wrong line that is not marked as inferred. */
  readonly wrong: readonly Mismatch[];
  /** All that are not right. */
  readonly mismatches: readonly Mismatch[];
}

export interface Mismatch {
  readonly name: string;
  readonly frames: readonly string[];
  readonly expected: readonly string[];
}

/** The contracts of a suite on a chain of their own, or on `chain`. */
export async function openSuite(
  { files, prepare }: ScenarioSuite,
  compiler: Compiler,
  settings: CompilerSettings,
  chain?: MemoryChain,
): Promise<{ readonly project: SourceProject; readonly sender: Sender; readonly chain: MemoryChain }> {
  const project = await createSourceProject(compiler, files, settings);
  const used = chain ?? (await MemoryChain.create([DEPLOYER, CALLER]));
  const sender = new Sender(used, project);
  await prepare(sender);
  return { project, sender, chain: used };
}

/** Of the codes of a project: their source maps and tokens are the same in all traces. */
type Programs = Map<string, ContractProgram>;

export function findSourceOf(
  trace: Trace,
  { builds }: Pick<SourceProject, 'builds'>,
  hasInternalCalls = false,
  programs?: Programs,
) {
  const find = (matched: readonly MatchedCode[] = []) =>
    findSource(trace, createProgramFinder(matched, programs), { hasInternalCalls }, undefined);
  const lookup = async (id: LookupId, input: { readonly builds?: readonly MatchedCode[] }) =>
    id === 'tracedCodes' ? listCodes(trace) : find(input.builds);
  return fetchTransactionSource(lookup as SendLookup, builds, { chain: 'local', hash: '0x' });
}

/** Where the debugger stops at the failure, the outermost first; what is inferred ends in `?`. */
async function stackOfDebugger(
  trace: Trace,
  { builds }: SourceProject,
  programs: Programs,
): Promise<readonly string[]> {
  const { matched } = await builds.match(listCodes(trace), true);
  const session = new Debugger(trace, createProgramFinder(matched, programs), null);
  const { sources, failedStep } = await session.opened();
  if (failedStep === null) return [];
  const { frames } = (await session.handle({ kind: 'stack', step: failedStep })) as DebugRequests['stack']['output'];
  return frames.toReversed().flatMap(({ contract, functionName, place, isInferred }) => {
    if (place === null) return [];
    const line = `${sources[place.source]?.file}:${place.start.line + 1}`;
    const name = [contract, functionName].filter(part => part !== null).join('.');
    return `${name} ${line}${isInferred ? '?' : ''}`;
  });
}

/** Runs the scenarios of a suite in one kind of build. */
export async function runSuite(
  suite: ScenarioSuite,
  compiler: Compiler,
  settings: CompilerSettings,
): Promise<SuiteResult> {
  const { project, sender } = await openSuite(suite, compiler, settings);
  // The debugger's have declarations, those of stacks do not.
  const [programs, debugged]: readonly [Programs, Programs] = [new Map(), new Map()];
  const result = { whole: 0, last: 0, wrong: [] as Mismatch[], mismatches: [] as Mismatch[] };
  for (const { name, stack, ...sent } of suite.scenarios) {
    const trace = await sender.trace(suite.contract, sent);
    if (trace.frames[0]?.status === 'success') throw new Error(`${name} is successful`);
    const source = await findSourceOf(trace, project, false, programs);
    const found = source?.stack?.frames ?? [];
    const expected = stack.map(each => each.replace(/~(\w+)/, (_, marker: string) => project.lineOf(marker)));
    const frames = found.map(describeFrame);
    const stopped = await stackOfDebugger(trace, project, debugged);
    if (stopped.some(each => !each.endsWith('?') && !expected.includes(each)))
      result.wrong.push({ name: `${name}, in the debugger`, frames: stopped, expected });
    if (frames.at(-1) === expected.at(-1)) result.last++;
    if (frames.join() === expected.join()) {
      result.whole++;
      continue;
    }
    const marked = found.map(frame => `${describeFrame(frame)}${frame.isInferred ? '?' : ''}`);
    const mismatch = { name, frames: marked, expected };
    result.mismatches.push(mismatch);
    const isWrong = (frame: StackFrame) =>
      !frame.isInferred && frame.location !== null && !expected.includes(describeFrame(frame));
    if (found.some(isWrong)) result.wrong.push(mismatch);
  }
  return result;
}
