// What a traced transaction moved, from its own calls and logs: also of one that is not on the chain.
import type { TransactionTrace } from '../../api/transactionTrace.ts';
import type { CoinTransfer, MovementSource } from '../assetMovements.ts';

/** Coins and logs of the calls whose effects last. */
export function toMovementSource({ calls }: TransactionTrace): Pick<MovementSource, 'coins' | 'logs'> {
  const lasting = calls.filter(({ isUndone }) => !isUndone);
  const logs = lasting.flatMap(call => call.logs).sort((a, b) => a.step - b.step);
  const coins = lasting.flatMap(({ kind, caller, address, value, selfDestructs }): readonly CoinTransfer[] => [
    ...(kind === 'CALL' || kind === 'CREATE' || kind === 'CREATE2' ? [{ from: caller, to: address, value }] : []),
    ...selfDestructs.map(({ beneficiary, value: left }) => ({ from: address ?? '', to: beneficiary, value: left })),
  ]);
  return { coins, logs };
}
