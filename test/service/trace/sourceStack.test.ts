// The stacks of real transactions that failed, in every kind of build: the same lines in each.
import { type Abi, encodeDeployData, encodeFunctionData, getAbiItem, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StackFrame } from '../../../src/api/transactionStack.ts';
import { fetchTransactionSource, type SourceLookups } from '../../../src/decode/source/fetchTransactionSource.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { LEDGER_SCENARIOS, MARKET_SCENARIOS, OLD_SCENARIOS, type Scenario } from '../../support/source/scenarios.ts';
import {
  type Compiler,
  type CompilerSettings,
  createSourceProject,
  type SourceProject,
} from '../../support/source/sourceProject.ts';

const OPTIMIZER = { enabled: true, runs: 200 };
const DEPLOY_GAS = '0xe00000';
const SENDER_KEY = 'from';

/** Sends transactions to a chain and keeps the addresses of contracts by name. */
class Sender {
  readonly #anvil: Anvil;
  readonly #project: SourceProject;
  readonly #accounts: readonly Hex[];
  readonly addresses: Record<string, string> = {};

  constructor(anvil: Anvil, project: SourceProject, accounts: readonly Hex[]) {
    this.#anvil = anvil;
    this.#project = project;
    this.#accounts = accounts;
    this.addresses['caller'] = accounts[1] as string;
  }

  #toArguments(args: readonly unknown[]): unknown[] {
    const toValue = (value: unknown) =>
      typeof value === 'string' && value.startsWith('$') ? this.addresses[value.slice(1)] : value;
    return args.map(toValue);
  }

  /** The hash of the mined transaction. */
  async #send(transaction: Readonly<Record<string, unknown>>, account: number): Promise<Hex> {
    const hash = await this.#anvil.rpc<Hex>('eth_sendTransaction', [
      { [SENDER_KEY]: this.#accounts[account], gas: DEPLOY_GAS, ...transaction },
    ]);
    await this.#anvil.mine();
    return hash;
  }

  async deploy(name: string, args: readonly unknown[] = [], as: string | null = null): Promise<Hex> {
    const { abi, evm } = this.#project.contract(name);
    const linked = (this.addresses['linked'] ?? `0x${'00'.repeat(20)}`).slice(2);
    const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, linked)}` as Hex;
    const data = encodeDeployData({ abi: abi as Abi, bytecode, args: this.#toArguments(args) });
    const hash = await this.#send({ data }, 0);
    if (as === null) return hash;
    const receipt = await this.#anvil.rpc<{ readonly contractAddress: string; readonly status: string }>(
      'eth_getTransactionReceipt',
      [hash],
    );
    if (receipt.status !== '0x1') throw new Error(`${name} was not deployed`);
    this.addresses[as] = receipt.contractAddress;
    return hash;
  }

  async call(
    contract: string,
    { to, call, args = [], value = 0n, gas }: Omit<Scenario, 'name' | 'stack'>,
  ): Promise<Hex> {
    if (call.startsWith('new ')) return this.deploy(call.slice(4), args);
    const [, of = contract, functionName = ''] = /^(?:(\w+)\.)?(\w*)/.exec(call) ?? [];
    const abi = this.#project.contract(of).abi as Abi;
    const item = getAbiItem({ abi, name: functionName, args: this.#toArguments(args) } as never) as Abi[number];
    const data = call === '' ? '0x' : encodeFunctionData({ abi: [item], functionName, args: this.#toArguments(args) });
    const limit = gas === undefined ? {} : { gas: `0x${gas.toString(16)}` };
    return this.#send({ to: this.addresses[to], data, value: `0x${value.toString(16)}`, ...limit }, 1);
  }
}

const describeFrame = ({ contract, functionName, location }: StackFrame): string => {
  const name = [contract, functionName].filter(part => part !== null).join('.');
  return `${name} ${location === null ? 'unknown line' : `${location.file}:${location.start.line + 1}`}`;
};

interface Result {
  readonly name: string;
  readonly expected: readonly string[];
  readonly frames: readonly StackFrame[];
}

interface Build {
  readonly title: string;
  readonly compiler: Compiler;
  readonly settings: CompilerSettings;
}

/** Whole stacks that are right, last lines that are right, and lines that are wrong without being marked as inferred. */
function count(results: readonly Result[]) {
  const isWrong = ({ frames, expected }: Result) =>
    frames.some(frame => !frame.isInferred && frame.location !== null && !expected.includes(describeFrame(frame)));
  return {
    whole: results.filter(({ frames, expected }) => frames.map(describeFrame).join() === expected.join()).length,
    last: results.filter(({ frames, expected }) => frames.slice(-1).map(describeFrame)[0] === expected.at(-1)).length,
    wrong: results
      .filter(isWrong)
      .map(({ name, frames, expected }) => ({ name, frames: frames.map(describeFrame), expected })),
  };
}

describe('lines of Solidity', () => {
  let anvil: Anvil;
  let service: ServiceUnderTest;
  let accounts: readonly Hex[];
  let lookups: SourceLookups;
  beforeAll(async () => {
    anvil = await startAnvil();
    accounts = await anvil.rpc<readonly Hex[]>('eth_accounts');
    service = startService({ local: anvil.url });
    lookups = {
      tracedCodes: async input => (await service.lookup('tracedCodes', input)).value,
      transactionSource: async input => (await service.lookup('transactionSource', input)).value,
    };
  });
  afterAll(async () => {
    await service.stop();
    await anvil.stop();
  });

  async function run(
    { compiler, settings }: Build,
    names: readonly string[],
    contract: string,
    scenarios: readonly Scenario[],
    prepare: (sender: Sender) => Promise<unknown>,
  ): Promise<readonly Result[]> {
    const project = await createSourceProject(compiler, names, settings);
    const sender = new Sender(anvil, project, accounts);
    await prepare(sender);
    const results: Result[] = [];
    for (const { name, stack, ...sent } of scenarios) {
      const hash = await sender.call(contract, sent);
      const source = await fetchTransactionSource(lookups, project.builds, { chain: 'local', hash });
      const expected = stack.map(each => each.replace(/~(\w+)/, (_, marker: string) => project.lineOf(marker)));
      results.push({ name, expected, frames: source?.stack?.frames ?? [] });
    }
    return results;
  }

  const runLedger = (build: Build) =>
    run(build, ['Ledger.sol', 'Fees.sol', 'Proxy.sol'], 'Ledger', LEDGER_SCENARIOS, async sender => {
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
    });
  const runMarket = (build: Build) =>
    run(build, ['Market.sol'], 'Market', MARKET_SCENARIOS, async sender => {
      await sender.deploy('Token', ['T'], 'token');
      await sender.deploy('Market', ['$token'], 'market');
      await sender.deploy('Market', ['$token'], 'marketListed');
      await sender.call('Market', { to: 'marketListed', call: 'list', args: [1n, 50n, [1n, 2n]] });
    });

  test.each<Build & { readonly ledger: number; readonly market: number }>([
    { title: 'legacy', compiler: 'solc', settings: {}, ledger: 48, market: 34 },
    {
      title: 'legacy with the optimizer',
      compiler: 'solc',
      settings: { optimizer: OPTIMIZER },
      ledger: 48,
      market: 34,
    },
    { title: 'via-IR', compiler: 'solc', settings: { viaIR: true }, ledger: 48, market: 34 },
    {
      title: 'via-IR with the optimizer',
      compiler: 'solc',
      settings: { viaIR: true, optimizer: OPTIMIZER },
      ledger: 47,
      market: 30,
    },
  ])(
    '$title: finds whole stacks, and no wrong line that is not marked as inferred',
    async ({ ledger, market, ...build }) => {
      const [ofLedger, ofMarket] = [count(await runLedger(build)), count(await runMarket(build))];
      expect([...ofLedger.wrong, ...ofMarket.wrong]).toEqual([]);
      expect({ ledger: ofLedger.whole, market: ofMarket.whole }).toEqual({ ledger, market });
      expect(ofLedger.last).toBe(LEDGER_SCENARIOS.length);
    },
  );

  test.each<Build>([
    { title: 'solc 0.8.19, legacy', compiler: 'solc-0.8.19', settings: {} },
    { title: 'solc 0.8.37, legacy with the optimizer', compiler: 'solc-0.8.37', settings: { optimizer: OPTIMIZER } },
  ])('$title: finds the same stacks', async build => {
    expect(count(await runLedger(build))).toEqual({ whole: 48, last: 48, wrong: [] });
  });

  test('solc 0.6: finds the stacks of contracts without custom errors and panics', async () => {
    const build: Build = { title: '', compiler: 'solc-0.6', settings: { optimizer: OPTIMIZER } };
    const results = await run(build, ['Old.sol'], 'Old', OLD_SCENARIOS, sender =>
      sender.deploy('Old', [`0x${'99'.repeat(20)}`], 'old'),
    );
    expect(count(results)).toEqual({ whole: 11, last: 11, wrong: [] });
  });
});
