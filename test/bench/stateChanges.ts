// What a transaction changed and what its lines cost, by CPU time: 10,000 writes, and 500 transactions of a chain.
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import type { SendLookup } from '../../src/api/lookups.ts';
import { mapConcurrently } from '../../src/base/mapConcurrently.ts';
import { TaskPacer } from '../../src/base/taskPacer.ts';
import { fetchTransactionGas } from '../../src/decode/source/fetchTransactionSource.ts';
import { StateChangeList } from '../../src/decode/source/stateChanges.ts';
import { toTransactionGas } from '../../src/decode/source/traceGas.ts';
import { GasTotals } from '../../src/view/source/gasReport.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { measureAsyncCpuMs } from '../support/cpuTime.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { createSourceProject, type SourceProject } from '../support/source/sourceProject.ts';
import { traceArtifactCall } from '../support/source/tracedArtifact.ts';
import { type BenchResult, measureLongestTask } from './benchResult.ts';

const WRITES = 10_000;
const TRANSACTIONS = 500;
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

export async function runStateBench(): Promise<BenchResult> {
  return { title: 'State changes and gas', rows: [...(await measureWrites()), ...(await measureTransactions())] };
}
