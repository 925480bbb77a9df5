// What other debuggers say of a transaction: `node stackPeers.ts hardhat|truffle|truffle-values FOLDER JOB`, in a process of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Truffle's debugger never ends where one of its tasks fails. */
const MAX_WALK_MS = 60_000;

export interface PeerTransaction {
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
  readonly value: string;
  readonly gas: string;
  readonly isFailure: boolean;
}

/** A run of the compiler, and what is sent to a new chain. */
export interface PeerJob {
  readonly version: string;
  readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
  readonly output: PeerOutput;
  readonly accounts: readonly string[];
  /** Address of the only library. */
  readonly linked: string;
  readonly transactions: readonly PeerTransaction[];
}

interface PeerCode {
  readonly object: string;
  readonly sourceMap: string;
  readonly immutableReferences?: unknown;
  readonly generatedSources?: unknown;
}

interface PeerOutput {
  readonly sources: Readonly<Record<string, { readonly id: number; readonly ast: unknown }>>;
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly abi: unknown; readonly evm: Readonly<Record<string, PeerCode>> }>>
    >
  >;
}

/** Of one failure: its frames `function path:line`, the outermost first. */
export interface PeerStack {
  readonly ms: number;
  readonly frames: readonly string[];
}

interface Provider {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>;
}

async function fund(provider: Provider, { accounts }: PeerJob, method: string): Promise<void> {
  for (const account of accounts) await provider.request({ method, params: [account, '0xd3c21bcecceda1000000'] });
}

/** The stack that Hardhat makes in the process that sends the transaction. */
async function runHardhat(folder: string, job: PeerJob): Promise<readonly PeerStack[]> {
  const network = { hardhat: { initialBaseFeePerGas: 0, hardfork: 'cancun', allowUnlimitedContractSize: true } };
  writeFileSync(join(folder, 'hardhat.config.cjs'), `module.exports = ${JSON.stringify({ networks: network })};`);
  process.chdir(folder);
  process.env['HARDHAT_CONFIG'] = join(folder, 'hardhat.config.cjs');
  const { provider } = (createRequire(join(folder, 'package.json'))('hardhat') as { network: { provider: Provider } })
    .network;
  const added = [job.version, job.input, job.output];
  await provider.request({ method: 'hardhat_addCompilationResult', params: added });
  await fund(provider, job, 'hardhat_setBalance');
  for (const account of job.accounts)
    await provider.request({ method: 'hardhat_impersonateAccount', params: [account] });
  const stacks: PeerStack[] = [];
  for (const { isFailure, ...transaction } of job.transactions) {
    const start = performance.now();
    const sent = provider.request({ method: 'eth_sendTransaction', params: [{ ...transaction, gasPrice: '0x0' }] });
    const failure = await sent.then(
      () => null,
      (error: HardhatError) => error,
    );
    if (isFailure) stacks.push({ ms: performance.now() - start, frames: readHardhatFrames(failure) });
    else if (failure !== null) throw failure;
  }
  return stacks;
}

interface HardhatError extends Error {
  readonly stackTrace?: readonly {
    readonly sourceReference?: { readonly sourceName: string; readonly function?: string; readonly line: number };
  }[];
}

const readHardhatFrames = (error: HardhatError | null): readonly string[] =>
  (error?.stackTrace ?? []).flatMap(({ sourceReference: at }) =>
    at === undefined ? [] : [`${at.function ?? ''} ${at.sourceName}:${at.line}`],
  );

/** Variables where a debugger stops; members of values as `a.b[0]`. */
export interface PeerStop {
  /** From 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

interface TruffleLocation {
  readonly source: { readonly sourcePath?: string };
  readonly sourceRange: { readonly lines: { readonly start: { readonly line: number } } };
}

interface TruffleSession {
  readonly selectors: {
    readonly stacktrace: { readonly current: Readonly<Record<string, unknown>> };
    readonly controller: { readonly current: { readonly location: unknown } };
    readonly trace: { readonly finished: unknown };
  };
  continueUntilBreakpoint(): Promise<void>;
  stepNext(): Promise<void>;
  variables(): Promise<Readonly<Record<string, TruffleValue>>>;
  view<T>(selector: unknown): T;
}

/** Of Truffle's codec; only what is read of it. */
interface TruffleValue {
  readonly kind: string;
  readonly type: { readonly typeClass: string };
  readonly value: unknown;
}

/** Truffle's debugger reads the steps that Ganache recorded; `read` reads what is compared of each transaction that counts. */
async function runTruffle<T>(
  folder: string,
  job: PeerJob,
  read: (session: TruffleSession) => Promise<readonly T[]>,
): Promise<readonly { readonly ms: number; readonly frames: readonly T[] }[]> {
  const ofPeer = createRequire(join(folder, 'package.json'));
  const ganache = createRequire(import.meta.url)('ganache') as { provider(options: object): Provider };
  const provider = ganache.provider({
    chain: { hardfork: 'shanghai', allowUnlimitedContractSize: true },
    logging: { quiet: true },
    miner: { blockGasLimit: 30_000_000, defaultGasPrice: 0 },
    wallet: { unlockedAccounts: job.accounts },
  });
  await fund(provider, job, 'evm_setAccountBalance');
  const debug = ofPeer('@truffle/debugger') as {
    forTx(hash: unknown, options: { provider: Provider; compilations: unknown }): Promise<TruffleSession>;
  };
  const { Compilations } = ofPeer('@truffle/codec') as {
    Compilations: { Utils: { shimArtifacts(contracts: readonly unknown[], files: readonly string[]): unknown } };
  };
  const compilations = Compilations.Utils.shimArtifacts(toArtifacts(job), toFiles(job));
  const stacks: { readonly ms: number; readonly frames: readonly T[] }[] = [];
  for (const { isFailure, ...transaction } of job.transactions) {
    const price = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' };
    const sent = provider.request({ method: 'eth_sendTransaction', params: [{ ...transaction, ...price }] });
    const hash = await sent.catch((error: { data?: { hash?: string } }) => error.data?.hash);
    if (!isFailure) continue;
    const start = performance.now();
    const walk = debug.forTx(hash, { provider, compilations }).then(read, () => []);
    const frames = await Promise.race([walk, sleep<readonly T[]>(MAX_WALK_MS, [])]);
    stacks.push({ ms: performance.now() - start, frames });
  }
  return stacks;
}

/** By source id. */
const toFiles = ({ output }: PeerJob): readonly string[] =>
  Object.entries(output.sources)
    .sort(([, a], [, b]) => a.id - b.id)
    .map(([path]) => path);

function toArtifacts({ version, input, output, linked }: PeerJob): readonly object[] {
  const link = (code: PeerCode | undefined) =>
    code === undefined ? undefined : `0x${code.object.replace(/__\$.{34}\$__/g, linked.slice(2))}`;
  // It finds sources by their contracts: a file without one needs a name too.
  const none = { '': { abi: [], evm: {} } };
  return Object.keys(output.sources).flatMap(path =>
    Object.entries(output.contracts[path] ?? none).map(([contractName, { abi, evm }]) => ({
      ...{ contractName, abi, sourcePath: path, source: input.sources[path]?.content, ast: output.sources[path]?.ast },
      bytecode: link(evm['bytecode']),
      deployedBytecode: link(evm['deployedBytecode']),
      sourceMap: evm['bytecode']?.sourceMap,
      deployedSourceMap: evm['deployedBytecode']?.sourceMap,
      immutableReferences: evm['deployedBytecode']?.immutableReferences,
      generatedSources: evm['bytecode']?.generatedSources,
      deployedGeneratedSources: evm['deployedBytecode']?.generatedSources,
      compiler: { name: 'solc', version },
    })),
  );
}

async function readTruffleFrames(session: TruffleSession): Promise<readonly string[]> {
  await session.continueUntilBreakpoint();
  type Report = readonly { readonly functionName?: string; readonly location?: TruffleLocation }[];
  const report = session.view<Report | undefined>(session.selectors.stacktrace.current['finalReport']) ?? [];
  return report.flatMap(({ functionName, location }) =>
    location?.source.sourcePath === undefined
      ? []
      : [`${functionName ?? ''} ${location.source.sourcePath}:${location.sourceRange.lines.start.line + 1}`],
  );
}

/** At each line, as it steps in. */
async function readTruffleValues(session: TruffleSession): Promise<readonly PeerStop[]> {
  const stops: PeerStop[] = [];
  while (!session.view<boolean>(session.selectors.trace.finished)) {
    const location = session.view<TruffleLocation>(session.selectors.controller.current.location);
    const line = location.sourceRange.lines.start.line + 1;
    if (stops.at(-1)?.line !== line) {
      const values: Record<string, string> = {};
      for (const [name, value] of Object.entries(await session.variables())) addTruffleValue(values, name, value);
      stops.push({ line, values });
    }
    await session.stepNext();
  }
  return stops;
}

function addTruffleValue(values: Record<string, string>, name: string, { kind, type, value }: TruffleValue): void {
  if (kind !== 'value') return;
  const members = value as readonly (TruffleValue & { name: string; key: TruffleValue; value: TruffleValue })[];
  const one = value as Readonly<Record<string, unknown>>;
  switch (type.typeClass) {
    case 'array':
      for (const [i, each] of members.entries()) addTruffleValue(values, `${name}[${i}]`, each);
      return;
    case 'struct':
      for (const each of members) addTruffleValue(values, `${name}.${each.name}`, each.value);
      return;
    case 'mapping':
      for (const each of members) {
        const key: Record<string, string> = {};
        addTruffleValue(key, '', each.key);
        addTruffleValue(values, `${name}[${key['']}]`, each.value);
      }
      return;
    case 'string':
      values[name] = JSON.stringify(one['asString']);
      return;
    case 'enum':
      values[name] = String(one['name']);
      return;
    default: {
      const text = one['asBN'] ?? one['asBoolean'] ?? one['asHex'] ?? one['asAddress'] ?? one['address'];
      if (text !== undefined) values[name] = String(text).toLowerCase();
    }
  }
}

const [peer, folder, file] = process.argv.slice(2);
if (folder !== undefined && file !== undefined) {
  const job = JSON.parse(readFileSync(file, 'utf8')) as PeerJob;
  const isOfValues = peer === 'truffle-values';
  const stacks = await (peer === 'hardhat'
    ? runHardhat(folder, job)
    : runTruffle<string | PeerStop>(folder, job, isOfValues ? readTruffleValues : readTruffleFrames));
  writeFileSync(`${file}.stacks`, JSON.stringify(stacks));
  process.exit(0);
}
