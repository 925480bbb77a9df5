// Compiles and deploys Ledger.sol behind an ERC-1967 proxy: a contract with every kind of result and revert.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem';
import type { Hex } from '../../../src/base/hex.ts';
import type { JsonRpc } from '../chain/jsonRpc.ts';
import { mineBlock, type TestTransaction } from '../chain/mineBlock.ts';
import type { Mining } from '../chain/testNode.ts';
import { compileSolidity } from '../source/compileSolidity.ts';

const SOURCE = 'src/Ledger.sol';

interface SolcContract {
  readonly abi: Abi;
  readonly metadata: string;
  readonly evm: Readonly<Record<'bytecode' | 'deployedBytecode', { readonly object: string }>>;
}

export const treasurer: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** A label that looks like a link, with a character that turns its direction. */
export const HOSTILE_LABEL = '[x](command:evil)\u202e';

export interface DeployedLedger {
  readonly proxy: Hex;
  /** The block of the first account; the second one came later. */
  readonly firstBlock: number;
  readonly abi: Abi;
  /** As Foundry writes it into `out/`. */
  readonly artifact: { readonly abi: Abi; readonly deployedBytecode: { readonly object: Hex } };
}

function compile(): Readonly<Record<string, SolcContract>> {
  const content = readFileSync(fileURLToPath(new URL('Ledger.sol', import.meta.url)), 'utf8');
  const { contracts } = compileSolidity<SolcContract>({
    sources: { [SOURCE]: { content } },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  });
  return { ...contracts[SOURCE], ...contracts['@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol'] };
}

/** On a development chain with unlocked accounts that mines only on request. */
export async function deployLedger(node: JsonRpc & Mining): Promise<DeployedLedger> {
  const contracts = compile();
  const { abi, metadata, evm } = contracts['Ledger'] as SolcContract;
  const proxy = contracts['ERC1967Proxy'] as SolcContract;
  const [from = '0x'] = await node.rpc<readonly Hex[]>('eth_accounts');
  async function send(transaction: Pick<TestTransaction, 'to' | 'data'>) {
    const { number, receipts } = await mineBlock(node, [{ from, ...transaction }]);
    return { number, contractAddress: receipts[0]?.contractAddress ?? '0x' };
  }
  const deploy = (contract: SolcContract, args: readonly unknown[] = []) =>
    send({ data: encodeDeployData({ abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}`, args }) });
  const encodeAdd = (owner: Hex, amount: bigint, label: string): Hex =>
    encodeFunctionData({ abi, functionName: 'add', args: [owner, amount, label] });

  const { contractAddress: implementation } = await deploy(contracts['Ledger'] as SolcContract);
  const deployed = await deploy(proxy, [implementation, encodeAdd(treasurer, 5n, HOSTILE_LABEL)]);
  const address = deployed.contractAddress.toLowerCase() as Hex;
  await send({ to: address, data: encodeAdd(`0x${'2'.repeat(40)}`, 2n ** 200n, 'second') });
  const object: Hex = `0x${evm.deployedBytecode.object}`;
  return {
    proxy: address,
    firstBlock: deployed.number,
    abi,
    artifact: { abi, deployedBytecode: { object }, ...{ metadata: JSON.parse(metadata) as unknown } },
  };
}
