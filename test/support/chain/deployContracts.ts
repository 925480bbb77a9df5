// The first blocks of the test chain: deploys all contracts in a fixed order, which determines their addresses.
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import type { CompiledContracts } from './compileContracts.ts';
import { constructorArguments, encodeCreationCode } from './contractAbis.ts';
import type { Mine, TestReceipt, TestTransaction } from './mineBlock.ts';
import { seaportBytecode } from './seaport.ts';
import { CONTRACT_NAMES, type ContractName, type TransactionName } from './testChain.ts';

/** Must be shown as text, never interpreted. */
export const HOSTILE_NAME =
  '[**Free** mint](command:workbench.action.quit) <img src=x onerror=alert(1)> | $(alert)\n# x';
export const HOSTILE_SYMBOL = '=1+1';

export const OLD_TOKEN_SUPPLY = 1_000_000n * 10n ** 9n;

/** Mines three blocks. */
export async function deployContracts(
  mine: Mine,
  compiled: CompiledContracts,
  deployer: Hex,
): Promise<Record<ContractName, Hex>> {
  const found: Partial<Record<ContractName, Hex>> = {};
  const artifact = (name: string) => {
    const contract = compiled[name];
    if (contract === undefined) {
      throw new HexLensError('internal', `There is no contract ${name} in test/support/chain/contracts.`, {
        fix: 'Use the name in deployContracts.ts.',
      });
    }
    return contract.bytecode;
  };
  const create = (data: Hex): TestTransaction => ({ from: deployer, data });
  const note = (names: readonly ContractName[], receipts: readonly TestReceipt[]) => {
    names.forEach((name, index) => {
      found[name] = checksumAddress(receipts[index]?.contractAddress ?? '');
    });
  };
  const token = (name: string, symbol: string, decimals: number) =>
    create(encodeCreationCode(artifact('Token'), constructorArguments.token(name, symbol, decimals)));
  const asCreation = ['creation' satisfies TransactionName, create(artifact('Apes'))] as const;
  const seaport = seaportBytecode();

  const first = await mine(
    [
      asCreation,
      create(artifact('Art')),
      create(artifact('Items')),
      token('HexLens Test Coin', 'TEST', 18),
      token('Test Dollar', 'USDX', 6),
    ],
    'first',
  );
  note(['apes', 'art', 'items', 'coin', 'usdx'], first.receipts);

  const second = await mine([
    token(HOSTILE_NAME, HOSTILE_SYMBOL, 18),
    create(encodeCreationCode(artifact('OldToken'), constructorArguments.oldToken(OLD_TOKEN_SUPPLY))),
    create(artifact('Vault')),
    create(artifact('Forwarder')),
    create(artifact('Forwarder')),
    create(artifact('Forwarder')),
    create(artifact('Picky')),
    create(seaport.conduitController),
  ]);
  note(
    ['hostile', 'oldToken', 'vault', 'forwarder1', 'forwarder2', 'forwarder3', 'picky', 'conduitController'],
    second.receipts,
  );

  const controller = found.conduitController ?? '0x';
  const seaportCreation = create(encodeCreationCode(seaport.seaport, constructorArguments.seaport(controller)));
  const third = await mine([['creationOfSeaport', seaportCreation]]);
  note(['seaport'], third.receipts);

  const missing = CONTRACT_NAMES.filter(name => found[name] === undefined);
  if (missing.length > 0) {
    throw new HexLensError('internal', `Not deployed: ${missing.join(', ')}.`, {
      fix: 'Deploy them in deployContracts.ts.',
    });
  }
  return found as Record<ContractName, Hex>; // checked on the line above
}
