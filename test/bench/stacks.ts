// Stacks of failed transactions beside those of Hardhat and of @truffle/debugger: how many are right, and how long each takes.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StackFrame } from '../../src/api/transactionStack.ts';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { fetchTrace } from '../../src/service/trace/fetchTrace.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { compileSolidity } from '../support/source/compileSolidity.ts';
import type { SentTransaction } from '../support/source/memoryChain.ts';
import { findSourceOf, LEDGER, Sender } from '../support/source/scenarioSuites.ts';
import { type CompilerSettings, createSourceProject, type SourceProject } from '../support/source/sourceProject.ts';
import { openNode } from '../support/traceFixture.ts';
import { type BenchRow, median } from './benchResult.ts';
import { installPeer } from './installPeer.ts';
import type { PeerJob, PeerStack, PeerTransaction } from './stackPeers.ts';

const OPTIMIZER = { enabled: true, runs: 200 };
/** An EVM that all of them have. */
const EVM = { evmVersion: 'shanghai' };
const BUILDS: Readonly<Record<string, CompilerSettings>> = {
  legacy: EVM,
  optimizer: { ...EVM, optimizer: OPTIMIZER },
  'via-IR': { ...EVM, viaIR: true },
  'via-IR, optimizer': { ...EVM, viaIR: true, optimizer: OPTIMIZER },
};

export const TRUFFLE = { '@truffle/debugger': '12.1.5', '@truffle/codec': '0.17.3' };

/** Truffle's debugger walks for seconds, and knows nothing of via-IR: it explains every fourth failure. */
const PEERS = {
  hardhat: { title: "Hardhat's stack", packages: { hardhat: '2.29.1' }, every: 1, builds: Object.keys(BUILDS) },
  truffle: {
    ...{ title: '@truffle/debugger', packages: TRUFFLE },
    ...{ every: 4, builds: ['legacy', 'optimizer'] },
  },
};
type Peer = keyof typeof PEERS;

const ACCOUNTS: readonly Hex[] = [`0x${'a0'.repeat(20)}`, `0x${'a1'.repeat(20)}`];
const PEER_MS = 600_000;

/** Sends what the scenarios send to an Anvil without settings, and keeps it for the others. */
class RecordedChain {
  readonly #anvil: Anvil;
  readonly transactions: PeerTransaction[] = [];
  /** Of each failure: from the first request to the whole trace. */
  traceMs = 0;

  constructor(anvil: Anvil) {
    this.#anvil = anvil;
  }

  async #send({ from, to, input, value = 0n, gas = 0xe00000 }: SentTransaction, isFailure: boolean): Promise<Hex> {
    const transaction = { from, to, data: input, value: toQuantity(value), gas: toQuantity(gas) };
    this.transactions.push({ ...transaction, isFailure });
    const hash = await this.#anvil.rpc<Hex>('eth_sendTransaction', [transaction]);
    await this.#anvil.mine();
    return hash;
  }

  async send(transaction: SentTransaction): Promise<Hex | null> {
    const hash = await this.#send(transaction, false);
    const receipt = await this.#anvil.rpc<{ contractAddress: Hex | null }>('eth_getTransactionReceipt', [hash]);
    return receipt.contractAddress;
  }

  async trace(transaction: SentTransaction) {
    const hash = await this.#send(transaction, true);
    const { node, stop } = openNode(this.#anvil.url);
    await node.getState();
    const start = performance.now();
    const { result } = await fetchTrace(node, hash, undefined);
    this.traceMs = performance.now() - start;
    await stop();
    if (!('trace' in result)) throw new Error('There is no trace.');
    return result.trace;
  }
}

const describeFrame = ({ functionName, location }: StackFrame): string =>
  `${functionName} ${location === null ? '' : `${location.file}:${location.start.line + 1}`}`;

/** Hardhat names functions without a name by what they are in the source. */
const normalize = (frame: string): string => frame.replace(/^<(\w+)>/, '$1');

interface Score {
  readonly whole: number;
  readonly last: number;
  readonly ms: number;
}

/** `expected`: by failure, without names of contracts, which each tool has others of. */
function score(stacks: readonly PeerStack[], expected: readonly (readonly string[])[]): Score {
  const found = stacks.map(({ frames }) => frames.map(normalize));
  const toLine = (frame: string | undefined) => frame?.split(' ')[1];
  return {
    whole: found.filter((frames, i) => frames.join() === expected[i]?.join()).length,
    last: found.filter((frames, i) => toLine(frames.at(-1)) === toLine(expected[i]?.at(-1))).length,
    ms: median(stacks.map(({ ms }) => ms)),
  };
}

async function runPeer(peer: Peer, job: PeerJob): Promise<readonly PeerStack[] | string> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-stacks-'));
  try {
    const installed = await installPeer(peer, PEERS[peer].packages);
    const file = join(folder, 'job.json');
    await writeFile(file, JSON.stringify(job));
    const script = fileURLToPath(new URL('stackPeers.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [script, peer, installed, file], { timeout: PEER_MS });
    return JSON.parse(await readFile(`${file}.stacks`, 'utf8')) as readonly PeerStack[];
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return (stderr ?? message).split('\n').find(line => line.includes('Error')) ?? message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function toJob(
  { files, version }: SourceProject,
  settings: CompilerSettings,
  transactions: readonly PeerTransaction[],
  linked: Hex,
): PeerJob {
  const sources = Object.fromEntries(
    [...files].flatMap(([path, bytes]) =>
      path.endsWith('.sol') ? [[path, { content: new TextDecoder().decode(bytes) }] as const] : [],
    ),
  );
  const outputs = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'];
  const input = {
    language: 'Solidity',
    sources,
    settings: { ...settings, outputSelection: { '*': { '*': outputs, '': ['ast'] } } },
  };
  const output = compileSolidity(input) as unknown as PeerJob['output'];
  return { version, input, output, accounts: ACCOUNTS, transactions, linked };
}

/** Three tools beside each other in one kind of build. */
async function runBuild(title: string, settings: CompilerSettings): Promise<readonly BenchRow[]> {
  const anvil = await startAnvil();
  try {
    for (const account of ACCOUNTS) {
      await anvil.rpc('anvil_impersonateAccount', [account]);
      await anvil.rpc('anvil_setBalance', [account, '0xd3c21bcecceda1000000']);
    }
    const project = await createSourceProject('solc', LEDGER.files, settings);
    const chain = new RecordedChain(anvil);
    const sender = new Sender(chain, project);
    await LEDGER.prepare(sender);
    const own: PeerStack[] = [];
    const expected: string[][] = [];
    for (const { name: _name, stack, ...sent } of LEDGER.scenarios) {
      const trace = await sender.trace(LEDGER.contract, sent);
      const start = performance.now();
      const found = await findSourceOf(trace, project);
      const ms = chain.traceMs + performance.now() - start;
      own.push({ ms, frames: (found?.stack?.frames ?? []).map(describeFrame) });
      expected.push(
        stack.map(each => each.replace(/^\w+\./, '').replace(/~(\w+)/, (_, marker: string) => project.lineOf(marker))),
      );
    }
    const ours = score(own, expected);
    const rows: BenchRow[] = toRows('hexlens', title, ours, expected.length);
    for (const peer of Object.keys(PEERS) as Peer[]) {
      const { every, builds, title: tool } = PEERS[peer];
      if (!builds.includes(title)) continue;
      const isChosen = (failure: number) => failure % every === 0;
      let failures = 0;
      const chosen = chain.transactions.filter(({ isFailure }) => !isFailure || isChosen(failures++));
      const stacks = await runPeer(peer, toJob(project, settings, chosen, sender.values['linked'] as Hex));
      if (typeof stacks === 'string') {
        console.log(`${tool}, ${title}: not measured, ${stacks}`);
        continue;
      }
      const theirs = score(
        stacks,
        expected.filter((_, i) => isChosen(i)),
      );
      rows.push(...toRows(tool, title, theirs, stacks.length));
      rows.push({ what: `time of ${tool} / hexlens, ${title}`, value: theirs.ms / ours.ms, unit: 'x' });
    }
    return rows;
  } finally {
    await anvil.stop();
  }
}

const toRows = (tool: string, build: string, { whole, last, ms }: Score, count: number): BenchRow[] => [
  { what: `${tool}, ${build}: whole stacks right of ${count}`, value: whole, unit: '' },
  { what: `${tool}, ${build}: last lines right of ${count}`, value: last, unit: '' },
  { what: `${tool}, ${build}: time of a stack`, value: ms, unit: 'ms' },
];

/** `builds`: titles of kinds of builds. */
export async function runStacks(builds = Object.keys(BUILDS)): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const title of builds) rows.push(...(await runBuild(title, BUILDS[title] ?? EVM)));
  return rows;
}
