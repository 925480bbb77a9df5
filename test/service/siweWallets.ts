// Contract wallets on a real Anvil: compiles and deploys the Solidity of authContracts/ and knows where each one is.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, serializeErc6492Signature } from 'viem';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type CompiledContract, compileSolidity } from '../support/source/compileSolidity.ts';
import { alice, bob } from './siweStage.ts';

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const SOURCE = 'authContracts/Wallets.sol';
const NAMES = ['OwnedWallet', 'StrangeWallet', 'OddWallet', 'Deaf', 'WalletFactory'] as const;
type Name = (typeof NAMES)[number];

function compile(): Readonly<Record<Name, Compiled>> {
  const { contracts } = compileSolidity<CompiledContract>({
    sources: { [SOURCE]: { content: readFileSync(fileURLToPath(new URL(SOURCE, import.meta.url)), 'utf8') } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  });
  const ofSource = contracts[SOURCE] ?? {};
  const compiled = NAMES.map(name => {
    const { abi, evm } = ofSource[name] as CompiledContract;
    return [name, { abi, bytecode: `0x${evm.bytecode.object}` }];
  });
  return Object.fromEntries(compiled) as Record<Name, Compiled>;
}

/** The modes of an OddWallet. */
export const ODD_WAYS = [
  'reverts',
  'answers the magic with more behind it',
  'answers four bytes only',
  'runs into an invalid instruction',
  'answers nothing',
  'answers the magic at the wrong end',
  'answers the magic of an older draft',
] as const;

export interface Wallets {
  readonly anvil: Anvil;
  readonly owned: Hex;
  readonly strange: Hex;
  readonly odd: readonly Hex[];
  readonly deaf: Hex;
  readonly factory: Hex;
  /** The address at which the factory would deploy a wallet of `bob`, and the call for it. */
  future(salt: number): Promise<{ readonly address: Hex; readonly call: Hex }>;
  /** Deploys it with the factory. */
  deploy(salt: number): Promise<Hex>;
  /** The signature in the ERC-6492 form for a wallet that is not deployed yet. */
  wrap(signature: Hex, call: Hex, factory?: Hex): Hex;
  /** Gives the account `address` code of its own (EIP-7702). */
  delegate(address: Hex, to: Hex): Promise<void>;
  stop(): Promise<void>;
}

export async function startWallets(): Promise<Wallets> {
  const [contracts, anvil] = await Promise.all([compile(), startAnvil()]);
  const send = async (transaction: { to?: Hex; data: Hex }): Promise<Hex> => {
    const { receipts } = await mineBlock(anvil, [{ from: alice.address, gas: 6_000_000, ...transaction }]);
    return receipts[0]?.contractAddress ?? '0x';
  };
  const create = async (name: Name, args: readonly unknown[] = []): Promise<Hex> => {
    const { abi, bytecode } = contracts[name];
    return send({ data: encodeDeployData({ abi, bytecode, args }) });
  };
  const owned = await create('OwnedWallet', [bob.address]);
  const strange = await create('StrangeWallet');
  const odd: Hex[] = [];
  for (const way of ODD_WAYS.keys()) odd.push(await create('OddWallet', [way]));
  const deaf = await create('Deaf');
  const factory = await create('WalletFactory');
  const callOf = (salt: number) =>
    encodeFunctionData({
      abi: contracts.WalletFactory.abi,
      functionName: 'deploy',
      args: [bob.address, `0x${salt.toString(16).padStart(64, '0')}`],
    });
  const future = async (salt: number) => {
    const call = callOf(salt);
    const word = await anvil.rpc<Hex>('eth_call', [{ to: factory, data: call }, 'latest']);
    return { address: `0x${word.slice(-40)}` as const, call };
  };
  return {
    anvil,
    owned,
    strange,
    odd,
    deaf,
    factory,
    future,
    async deploy(salt) {
      const { address, call } = await future(salt);
      await send({ to: factory, data: call });
      return address;
    },
    wrap: (signature, data, address = factory) => serializeErc6492Signature({ address, data, signature }),
    async delegate(address, to) {
      await anvil.rpc('anvil_setCode', [address, `0xef0100${to.slice(2)}`]);
    },
    stop: () => anvil.stop(),
  };
}
