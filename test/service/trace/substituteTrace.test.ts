// Transactions of optimized builds on a real node, debugged by an unoptimized build of the same sources.
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunCompiler } from '../../../src/api/compiler.ts';
import type { DebugOpened, DebugRequest, DebugResponse, DebugScope } from '../../../src/api/debugSession.ts';
import { localize } from '../../../src/base/localize.ts';
import { compileUnoptimized } from '../../../src/decode/source/unoptimizedBuilds.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { compile } from '../../support/source/compileSolidity.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

const SENDER_KEY = 'from';
const GAS = '0xf00000';
const SALT = `0x${'07'.repeat(32)}` as const;

const runCompiler: RunCompiler = async ({ input }) => ({ output: new TextEncoder().encode(compile('solc', input)) });

const OPTIMIZER = { optimizer: { enabled: true, runs: 200 } };
const MODES = [
  ['legacy with the optimizer', OPTIMIZER],
  ['via-IR', { viaIR: true }],
  ['via-IR with the optimizer', { viaIR: true, ...OPTIMIZER }],
] as const;

interface Session {
  readonly opened: DebugOpened;
  send(request: DebugRequest): Promise<DebugResponse>;
  /** Values of a scope of the innermost frame, where it stops first at the line of a marker. */
  readAt(marker: string, scope?: DebugScope): Promise<Readonly<Record<string, string>>>;
}

class Deployment {
  readonly #anvil: Anvil;
  readonly #service: ServiceUnderTest;
  readonly #account: Hex;
  readonly project: SourceProject;
  vaults: Hex = '0x';
  rates: Hex = '0x';
  #sessions = 0;

  private constructor(anvil: Anvil, service: ServiceUnderTest, account: Hex, project: SourceProject) {
    this.#anvil = anvil;
    this.#service = service;
    this.#account = account;
    this.project = project;
  }

  static async create(anvil: Anvil, service: ServiceUnderTest, settings: object): Promise<Deployment> {
    const [account] = await anvil.rpc<[Hex]>('eth_accounts');
    const project = await createSourceProject('solc', ['Vaults.sol'], settings);
    const deployment = new Deployment(anvil, service, account, project);
    deployment.rates = await deployment.#created(await deployment.send({ data: deployment.#creation('Rates', []) }));
    deployment.vaults = await deployment.#created(await deployment.deployVaults());
    return deployment;
  }

  deployVaults(): Promise<Hex> {
    return this.send({ data: this.#creation('Vaults', [1_000n]) });
  }

  async send(transaction: object): Promise<Hex> {
    const hash = await this.#anvil.rpc<Hex>('eth_sendTransaction', [
      { [SENDER_KEY]: this.#account, gas: GAS, ...transaction },
    ]);
    await this.#anvil.mine();
    return hash;
  }

  async #created(hash: Hex): Promise<Hex> {
    const { contractAddress } = await this.#anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash]);
    return contractAddress;
  }

  #creation(name: string, args: readonly unknown[]): Hex {
    const { abi, evm } = this.project.contract(name);
    const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, this.rates.slice(2))}` as Hex;
    return encodeDeployData({ abi: abi as Abi, bytecode, args: [...args] });
  }

  call(functionName: string, args: readonly unknown[] = [], sent: object = {}): Promise<Hex> {
    const abi = this.project.contract('Vaults').abi as Abi;
    return this.send({ to: this.vaults, ...sent, data: encodeFunctionData({ abi, functionName, args: [...args] }) });
  }

  /** `isDeployed`: by the code on the chain. */
  async debug(hash: Hex, startStep?: number, isDeployed = false): Promise<Session> {
    const { value: codes } = await this.#service.lookup('tracedCodes', { chain: 'local', hash });
    const { builds } = this.project;
    const { substitutes, skipped } = await compileUnoptimized(builds, isDeployed ? [] : codes, runCompiler);
    expect(skipped).toEqual([]);
    const session = `${hash} ${this.#sessions++}`;
    const send = async (request: DebugRequest): Promise<DebugResponse> =>
      (await this.#service.lookup('debugRequest', { chain: 'local', hash, session, request })).value;
    const { matched } = await builds.match(codes, false);
    const start = startStep === undefined ? {} : { startStep };
    const opened = (await send({ kind: 'open', builds: matched, substitutes, ...start })) as DebugOpened;
    return {
      opened,
      send,
      readAt: async (marker, scope = 'locals') => {
        const line = Number(this.project.lineOf(marker).split(':')[1]) - 1;
        const at = { kind: 'statement', source: 0, line } as const;
        const run = await send({ kind: 'run', step: 0, isBack: false, breakpoints: [{ id: 1, at }], filters: [] });
        const step = ('reason' in run ? run.step : null) ?? -1;
        const reference = { kind: 'scope', scope } as const;
        const read = await send({ kind: 'variables', step, frame: 0, reference });
        const variables = 'variables' in read ? read.variables : [];
        return Object.fromEntries(variables.map(({ name, value }) => [name, localize(value)]));
      },
    };
  }
}

describe.each(MODES)('an unoptimized build in place of a deployment that is %s', (_, settings) => {
  let anvil: Anvil;
  let service: ServiceUnderTest;
  let deployment: Deployment;
  beforeAll(async () => {
    anvil = await startAnvil();
    service = startService({ local: anvil.url });
    deployment = await Deployment.create(anvil, service, settings);
  });
  afterAll(async () => {
    await service.stop();
    await anvil.stop();
  });

  const used = (...contracts: readonly string[]) => ({ isUsed: true, contracts });

  test('gives locals, immutables, linked libraries, and variables that the optimizer removed', async () => {
    const session = await deployment.debug(await deployment.call('fund', [500n]));
    expect(session.opened.substitution).toEqual(used('Vaults', 'Rates'));
    expect(await session.readAt('balance')).toEqual({
      amount: '500',
      unused: '0',
      fee: '25',
      left: '475',
      return: '0',
    });
    expect(await session.readAt('result')).toMatchObject({ value: '475' });
    expect(await session.readAt('balance', 'state')).toMatchObject({ limit: '1100', spent: '0' });
    expect(await session.readAt('scaled')).toMatchObject({ amount: '500', percent: '5' });
  });

  test('begins where the failure of the code on the chain is, and at its own step where the build is not used', async () => {
    const failing = await deployment.call('fund', [5_000n]);
    const { failedStep } = (await deployment.debug(failing, undefined, true)).opened;
    const { opened } = await deployment.debug(failing, failedStep ?? -1);
    expect(opened.start).toEqual({ step: opened.failedStep, isCertain: true });
    expect(opened.failedStep).not.toBe(failedStep);
    const refused = await deployment.debug(await deployment.call('branchOnGas'), 7);
    expect(refused.opened.start).toEqual({ step: 7, isCertain: true });
  });

  test('shows the gas of the transaction, of calls', async () => {
    const session = await deployment.debug(await deployment.call('fund', [400n]));
    const { 'gas limit of the call': limit, gas } = await session.readAt('scaled', 'machine');
    expect(gas).toBeUndefined();
    expect(Number(limit)).toBeLessThan(Number(GAS));
  });

  test('shows a failure with its values, also where it was caught', async () => {
    const failed = await deployment.debug(await deployment.call('fund', [5_000n]));
    expect(failed.opened.substitution).toMatchObject({ isUsed: true });
    expect(await failed.readAt('tooMuch')).toMatchObject({ amount: '5000', left: '4750' });
    const caught = await deployment.debug(await deployment.call('attempt', [5_000n]));
    expect(caught.opened.substitution).toMatchObject({ isUsed: true });
  });

  test('creates contracts at the addresses that they have, also by CREATE2', async () => {
    const session = await deployment.debug(await deployment.call('openChild', [21n, SALT]));
    expect(session.opened.substitution).toEqual(used('Vaults', 'Child'));
    expect(await session.readAt('value')).toMatchObject({ first: '21' });
    expect(await session.readAt('opened')).toMatchObject({ first: '21', doubled: '42' });
  });

  test('gives contracts that are created and destroyed the gas that they need, and the size of the code on the chain', async () => {
    const session = await deployment.debug(await deployment.call('openPlain', [3n], { value: '0x64' }));
    expect(session.opened.substitution).toEqual(used('Vaults', 'Child'));
    const size = await session.readAt('close');
    const { evm } = deployment.project.contract('Child');
    expect(size['size']).toBe(`${evm.deployedBytecode.object.length / 2}`);
  });

  test('runs the constructor of the transaction itself', async () => {
    const session = await deployment.debug(await deployment.deployVaults());
    expect(session.opened.substitution).toEqual(used('Vaults'));
    expect(await session.readAt('margin')).toMatchObject({ limit_: '1000' });
  });

  test('reads hashes of codes as they are on the chain', async () => {
    const session = await deployment.debug(await deployment.call('checkHash', [deployment.vaults]));
    expect(session.opened.substitution).toMatchObject({ isUsed: true });
  });

  test.each([
    ['branchOnGas', [], 'it reads the gas that is left, which depends on the build'],
    ['burnGas', [], 'a call has another result'],
    ['ownSize', [], 'a call has another result'],
    ['predict', [SALT, 1n], 'a call has another result'],
    ['useUp', [], 'it runs out of gas, which depends on the build'],
  ] as const)('is refused for %s', async (name, args, reason) => {
    const session = await deployment.debug(await deployment.call(name, args, { gas: '0x40000' }));
    const { substitution } = session.opened;
    expect(substitution?.isUsed === false && localize(substitution.reason)).toBe(reason);
    expect(session.opened.steps).toBeGreaterThan(0);
  });
});
