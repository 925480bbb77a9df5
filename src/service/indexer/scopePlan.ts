// The plans of sparse indexes: a contract from its deployment on, a wallet from block 0, sales of the last days.
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import type { IndexScope } from '../store/store.ts';
import { fetchDeployment } from './fetchDeployment.ts';
import type { IndexPlan } from './indexPlan.ts';
import { createScopeRangeReader } from './scopeRangeReader.ts';

const SECONDS_PER_DAY = 86_400;

export interface ScopePlan extends IndexPlan {
  readonly scope: IndexScope;
  /** Sales: from now on the index must hold at least so many days before the newest block. */
  requireDays(days: number): void;
}

export function createScopePlan(node: EvmNode, scope: IndexScope, log: Log): ScopePlan {
  let requiredDays = 0;
  /** Unix time from which on the store has sales, once that is known. */
  let reachedTime: number | null = null;
  const getRequiredTime = (headTime: Date) => Math.max(0, headTime.getTime() / 1000 - requiredDays * SECONDS_PER_DAY);

  const fetchFirstBlock: IndexPlan['fetchFirstBlock'] = async (state, signal) => {
    if (scope.kind === 'wallet') return 0;
    if (scope.kind === 'contract') {
      const { block, isExact } = await fetchDeployment(node, scope.address, state.headNumber, signal);
      if (!isExact)
        log.info(
          `The node of ${node.selector} has too little old state to tell when ${scope.address} was deployed: its logs are read from block ${block} on.`,
        );
      return block;
    }
    const time = getRequiredTime(state.head.time);
    const block = await fetchBlockNumberAtTime(node, state, time, signal);
    reachedTime = time;
    return Math.min(block, state.headNumber);
  };

  return {
    scope,
    createReader: tokenContracts => createScopeRangeReader(node, scope, tokenContracts),
    fetchFirstBlock,
    ...(scope.kind === 'trades' && {
      async reachesFarEnough(coverage, state, signal) {
        if (reachedTime !== null && getRequiredTime(state.head.time) >= reachedTime) return true;
        const timeBefore = reachedTime;
        if (coverage.fromBlock <= (await fetchFirstBlock(state, signal))) return true;
        reachedTime = timeBefore;
        return false;
      },
    }),
    requireDays(days) {
      requiredDays = Math.max(requiredDays, days);
    },
  };
}
