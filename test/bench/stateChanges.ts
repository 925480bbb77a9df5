// What a transaction changed and what its lines cost, by CPU time: 10,000 writes, and 500 transactions of a chain.
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import type { SendLookup } from '../../src/api/lookups.ts';
import { mapConcurrently } from '../../src/base/mapConcurrently.ts';
import { TaskPacer } from '../../src/base/taskPacer.ts';
import { findDeclaredValue } from '../../src/decode/source/declaredValue.ts';
import { fetchTransactionGas } from '../../src/decode/source/fetchTransactionSource.ts';
import { readVariable } from '../../src/decode/source/readVariable.ts';
import { parseOutline } from '../../src/decode/source/solidityOutline.ts';
import { toByteText } from '../../src/decode/source/solidityTokens.ts';
import { SourceBuilds } from '../../src/decode/source/sourceBuilds.ts';
import { StateChangeList } from '../../src/decode/source/stateChanges.ts';
import { toTransactionGas } from '../../src/decode/source/traceGas.ts';
import { GasTotals, listLineMarks } from '../../src/view/source/gasReport.ts';
import { renderSourceValues } from '../../src/view/source/sourceValueHover.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { measureAsyncCpuMs } from '../support/cpuTime.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { compileArtifact, createSourceProject, type SourceProject } from '../support/source/sourceProject.ts';
import { traceArtifactCall } from '../support/source/tracedArtifact.ts';
import { type BenchResult, measureLongestTask } from './benchResult.ts';

const WRITES = 10_000;
const TRANSACTIONS = 500;
const DEPLOYMENTS = 8;
const LINES = 10_000;
/** As an editor of 80 lines shows, with 100 more before and after. */
const VISIBLE = { first: 4_900, last: 5_179 };
/** As `HexLens: Show Gas in Source…`. */
const CONCURRENT_TRANSACTIONS = 4;
const SOURCE = `
contract Barn {
    struct Stall { uint128 hay; uint64 since; address owner; }
    mapping(uint256 => mapping(address => Stall)) internal stalls;
    mapping(address => uint256) internal feed;
    uint256[] internal days_;
    function fill(uint256 n) external {
        for (uint256 i = 0; i < n; i++) {
            if (i % 3 == 0) stalls[i][msg.sender].hay = uint128(i + 1);
            else if (i % 3 == 1) feed[address(uint160(i + 5))] = i;
            else days_.push(i);
        }
    }
}`;

async function measureWrites(): Promise<BenchResult['rows']> {
  const call = { functionName: 'fill', args: [BigInt(WRITES)], gas: 1_000_000_000 };
  const { trace, findProgram } = await traceArtifactCall('Barn', SOURCE, {}, call);
  const fixedGas = { transaction: 0, data: 0, accessList: 0, authorizations: 0, refund: 0, floor: 0 };
  const state = () => new StateChangeList(trace, findProgram, new TaskPacer(undefined)).list();
  const gas = () => toTransactionGas({ ...trace, fixedGas }, findProgram, new TaskPacer(undefined));
  const what = `${trace.writes.length.toLocaleString('en')} writes`;
  return [
    { what: `state changes of ${what}`, value: await measureAsyncCpuMs(state), unit: 'ms CPU', target: { max: 300 } },
    { what: 'longest time without a look at other work', ...(await measureLongest(state)) },
    {
      what: `gas of lines, ${trace.steps.length.toLocaleString('en')} steps`,
      value: await measureAsyncCpuMs(gas),
      unit: 'ms CPU',
    },
    { what: 'longest time without a look at other work', ...(await measureLongest(gas)) },
  ];
}

const measureLongest = async (run: () => Promise<unknown>) =>
  ({ value: await measureLongestTask(run()), unit: 'ms CPU', target: { max: 100 } }) as const;

/** Transactions of several kinds, ten a block. */
async function sendTransactions(anvil: Anvil, project: SourceProject): Promise<readonly Hex[]> {
  const [from] = await anvil.rpc<readonly Hex[]>('eth_accounts');
  const { abi: written, evm } = project.contract('OldLedger');
  const abi = written as Abi;
  const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}` });
  const created = await anvil.rpc<Hex>('eth_sendTransaction', [{ from, data, gas: '0xe00000' }]);
  await anvil.mine();
  const { contractAddress: to } = await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [created]);
  const hashes: Hex[] = [];
  for (let i = 0; i < TRANSACTIONS; i++) {
    const input = encodeFunctionData({ abi, functionName: 'setData', args: [`0x${'ab'.repeat(i % 100)}`] });
    hashes.push(await anvil.rpc<Hex>('eth_sendTransaction', [{ from, to, data: input, gas: '0x200000' }]));
    if (i % 10 === 9) await anvil.mine();
  }
  return hashes;
}

async function readGas(service: ServiceUnderTest, project: SourceProject, hashes: readonly Hex[]): Promise<GasTotals> {
  const totals = new GasTotals();
  const lookup: SendLookup = async (id, input) => (await service.lookup(id, input)).value;
  await mapConcurrently(hashes, CONCURRENT_TRANSACTIONS, async hash => {
    const gas = await fetchTransactionGas(lookup, project.builds, { chain: 'local', hash });
    if (gas.kind === 'gas') totals.add(gas);
  });
  return totals;
}

async function measureTransactions(): Promise<BenchResult['rows']> {
  const anvil = await startAnvil();
  const service = startService({ local: anvil.url });
  try {
    const project = await createSourceProject('solc-0.6', ['OldLedger.sol'], {});
    const hashes = await sendTransactions(anvil, project);
    let totals = new GasTotals();
    const run = async () => {
      totals = await readGas(service, project, hashes);
    };
    const value = await measureAsyncCpuMs(run, 1);
    if (totals.transactions !== TRANSACTIONS) throw new Error(`Only ${totals.transactions} transactions have gas.`);
    return [{ what: `gas of ${TRANSACTIONS} transactions`, value, unit: 'ms CPU', target: { max: 10_000 } }];
  } finally {
    await service.stop();
    await anvil.stop();
  }
}

/** A hover of a state variable once the node has responded: the name in the file, the build of the code, the value, the text. */
async function measureLiveHover(): Promise<BenchResult['rows']> {
  const functions = Array.from(
    { length: 400 },
    (_, i) => `    function f${i}(uint256 x) external { total += x * ${i}; }`,
  );
  const text = `contract Shed {\n    uint256 internal total;\n${functions.join('\n')}\n}`;
  const { files, artifact, code } = compileArtifact('Shed', text, {});
  const withoutCode = 'artifacts/contracts/IShed.sol/IShed.json';
  files.set(withoutCode, new TextEncoder().encode('{"contractName":"IShed","abi":[],"deployedBytecode":"0x"}'));
  const builds = new SourceBuilds({ read: async path => files.get(path) ?? null });
  const artifacts = new Map([artifact, withoutCode].map(path => [path, '1']));
  const source = toByteText(text);
  const deployments = Array.from(
    { length: DEPLOYMENTS },
    (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as const,
  );
  const hover = async () => {
    const declared = findDeclaredValue(source, parseOutline(source), source.lastIndexOf('total'));
    const values = await Promise.all(
      deployments.map(async address => {
        await builds.update(artifacts);
        const found = await builds.find(`0x${code}`, false);
        const declarations = found === null || found === 'ambiguous' ? null : await builds.declarations(found.artifact);
        const place = declarations?.storage.find(({ name }) => name === declared?.name);
        if (declarations === null || place === undefined) throw new Error('The variable was not found.');
        const value = await readVariable(declarations.types, place, async slots => slots.map(() => 7n));
        const names = { chain: 'local', chainTitle: 'Local dev chain', name: 'shed' };
        return { ...names, address, value, failure: null, block: 1, before: null, isChanged: false };
      }),
    );
    return renderSourceValues(values, []);
  };
  const what = `hover of a variable after the node's answer, ${DEPLOYMENTS} deployments, ${functions.length} functions`;
  return [{ what, value: await measureAsyncCpuMs(hover), unit: 'ms CPU', target: { max: 50 } }];
}

/** The marks of gas in a file that is opened or scrolled far; none are computed while its user types. */
async function measureDecorations(): Promise<BenchResult['rows']> {
  const share = { gas: 0, helpers: 10, coldAccess: 2_100, memory: 3 };
  const lines = new Map(Array.from({ length: LINES }, (_, line) => [line, { ...share, line, gas: line }]));
  const file = { source: 'Shed.sol', file: null, isChanged: false, lines, unreached: new Set<number>() };
  const value = await measureAsyncCpuMs(async () => listLineMarks(file, (LINES * LINES) / 2, [VISIBLE]));
  const what = `decorations of ${VISIBLE.last - VISIBLE.first + 1} visible lines of ${LINES.toLocaleString('en')}`;
  return [{ what, value, unit: 'ms CPU', target: { max: 5 } }];
}

export async function runStateBench(): Promise<BenchResult> {
  const rows = [
    ...(await measureWrites()),
    ...(await measureTransactions()),
    ...(await measureLiveHover()),
    ...(await measureDecorations()),
  ];
  return { title: 'State changes, gas and live values', rows };
}
