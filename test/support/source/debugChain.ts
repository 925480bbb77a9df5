// Runs contracts of a source project in memory, without a node: the trace of a transaction, after those that deploy them.
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem';
import type { MatchedCode } from '../../../src/api/transactionStack.ts';
import { bytesToHex, hexToBytes } from '../../../src/base/hex.ts';
import { Debugger } from '../../../src/decode/debug/debugger.ts';
import type { FindProgram } from '../../../src/decode/source/traceStack.ts';
import type { Trace, TraceFrame } from '../../../src/decode/trace/trace.ts';
import { ReplayMachine } from '../../../src/service/debug/replayMachine.ts';
import type { EvmNode } from '../../../src/service/evm/evmNode.ts';
import { createProgramFinder } from '../../../src/service/trace/createProgramFinder.ts';
import { hashCode } from '../../../src/service/trace/hashCode.ts';
import { type ReplayInput, replayTransaction } from '../../../src/service/trace/replay/replayTransaction.ts';
import type { ReplayTransaction } from '../../../src/service/trace/replay/replayTypes.ts';
import { StepStates } from '../../../src/service/trace/stepStates.ts';
import type { SourceProject } from './sourceProject.ts';

export const SENDER: Hex = '0x00000000000000000000000000000000000a11ce';
const GAS_LIMIT = 1_000_000_000n;
const ZERO = `0x${'00'.repeat(32)}` as const;

export interface TracedRun {
  readonly trace: Trace;
  readonly input: ReplayInput;
  readonly findProgram: FindProgram;
  readonly builds: readonly MatchedCode[];
}

export class DebugChain {
  readonly #project: SourceProject;
  readonly #sent: ReplayTransaction[] = [];
  readonly #addresses = new Map<string, Hex>();

  constructor(project: SourceProject) {
    this.#project = project;
  }

  addressOf(name: string): Hex {
    return this.#addresses.get(name) as Hex;
  }

  /** Addresses by the names of contracts. */
  names(): Readonly<Record<string, Hex>> {
    return Object.fromEntries(this.#addresses);
  }

  #transaction(to: Hex | null, input: Hex, value = 0n): ReplayTransaction {
    return {
      ...{ hash: ZERO, from: SENDER, to, nonce: BigInt(this.#sent.length), gasLimit: GAS_LIMIT, gasPrice: 0n },
      ...{ value, input: hexToBytes(input), accessList: [], authorizations: [], blobVersionedHashes: [] },
      ...{ isDeposit: false, mint: 0n },
    };
  }

  #creation(name: string, args: readonly unknown[]): ReplayTransaction {
    const { abi, evm } = this.#project.contract(name);
    // A placeholder has the hash of the library's qualified name.
    const libraries = new Map(
      [...this.#addresses].map(([library, address]) => [this.#project.placeholderOf(library), address.slice(2)]),
    );
    const object = evm.bytecode.object.replace(/__.{36}__/g, found => libraries.get(found) ?? '0'.repeat(40));
    return this.#transaction(null, encodeDeployData({ abi: abi as Abi, bytecode: `0x${object}`, args: [...args] }));
  }

  deploy(name: string, args: readonly unknown[] = []): this {
    const nonce = BigInt(this.#sent.length);
    this.#sent.push(this.#creation(name, args));
    this.#addresses.set(name, getContractAddress({ from: SENDER, nonce }).toLowerCase() as Hex);
    return this;
  }

  traceDeployment(name: string, args: readonly unknown[] = []): Promise<TracedRun> {
    return this.#trace(this.#creation(name, args));
  }

  /** `name`: of the contract whose function it is. `to`: of the one that is called, by default the same. */
  #call(name: string, functionName: string, args: readonly unknown[], value: bigint, to = name): ReplayTransaction {
    const abi = this.#project.contract(name).abi as Abi;
    return this.#transaction(this.addressOf(to), encodeFunctionData({ abi, functionName, args: [...args] }), value);
  }

  /** A transaction before the one that is traced. */
  send(name: string, functionName: string, args: readonly unknown[] = [], value = 0n, to = name): this {
    this.#sent.push(this.#call(name, functionName, args, value, to));
    return this;
  }

  traceCall(
    name: string,
    functionName: string,
    args: readonly unknown[] = [],
    value = 0n,
    to = name,
  ): Promise<TracedRun> {
    return this.#trace(this.#call(name, functionName, args, value, to));
  }

  traceData(name: string, data: Hex, value = 0n): Promise<TracedRun> {
    return this.#trace(this.#transaction(this.addressOf(name), data, value));
  }

  async #trace(transaction: ReplayTransaction): Promise<TracedRun> {
    const input: ReplayInput = {
      ...{ chainId: 1, hardfork: 'cancun', earlier: [...this.#sent], transaction, hasCodeSizeLimit: false },
      block: {
        ...{ number: 7n, hash: ZERO, parentHash: ZERO, timestamp: 1_700_000_000n, beneficiary: SENDER },
        ...{ gasLimit: GAS_LIMIT, baseFee: 0n, difficulty: 0n, prevRandao: new Uint8Array(32), blobBaseFee: 1n },
        hardforks: ['cancun'],
      },
      source: {
        fetchAccount: async address =>
          address === SENDER ? { nonce: 0n, balance: 10n ** 20n, code: new Uint8Array(0) } : null,
        fetchStorage: async () => new Uint8Array(0),
        fetchBlockHash: async () => new Uint8Array(32),
      },
    };
    const replay = await replayTransaction(input, undefined);
    const trace: Trace = { ...replay, by: 'replay', isVerified: true };
    const builds = await this.#match(trace.frames);
    return { trace, input, builds, findProgram: createProgramFinder(builds) };
  }

  async #declarations(artifact: string) {
    const declarations = await this.#project.builds.declarations(artifact);
    return declarations === null ? {} : { declarations };
  }

  async #match(frames: readonly TraceFrame[]): Promise<readonly MatchedCode[]> {
    const found = new Map<string, MatchedCode>();
    for (const { code, isCreation } of frames) {
      const hash = hashCode(code);
      const build = await this.#project.builds.find(bytesToHex(code), isCreation);
      if (build !== null && build !== 'ambiguous' && 'build' in build.read)
        found.set(`${hash} ${isCreation}`, {
          ...{ hash, isCreation },
          build: { ...build.read.build, ...(await this.#declarations(build.artifact)) },
        });
    }
    return [...found.values()];
  }
}

/** A session on the run. The chain is in memory: a node would only say that the block before is still there. */
export function openDebugger({ trace, input, findProgram }: TracedRun): Debugger {
  const rpc = { send: async () => ({ result: { hash: input.block.parentHash } }) } as unknown as EvmNode['rpc'];
  return new Debugger(trace, findProgram, new ReplayMachine({ rpc } as EvmNode, new StepStates(input), 0n));
}
