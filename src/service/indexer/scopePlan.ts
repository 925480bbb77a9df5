// The plans of sparse indexes: a contract from its deployment on, a wallet from the beginning, sales of the last days.
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import type { IndexScope } from '../store/store.ts';
import { fetchDeployment } from './fetchDeployment.ts';
import type { IndexPlan } from './indexPlan.ts';
import { createScopeRangeReader } from './scopeRangeReader.ts';

const DAY = 86_400;

export interface ScopePlan extends IndexPlan {
  readonly scope: IndexScope;
  /** Sales: so many days before the newest block must be in the index from now on. */
  requireDays(days: number): void;
}

export function createScopePlan(node: EvmNode, subject: IndexScope, log: Log): ScopePlan {
  let days = 0;
  const since = (headTime: Date) => Math.max(0, headTime.getTime() / 1000 - days * DAY);
  /** From when on the store has sales, once that was worked out. */
  let reached: number | null = null;

  const first: IndexPlan['fetchFirstBlock'] = async (state, signal) => {
    if (subject.kind === 'wallet') return 0;
    if (subject.kind === 'contract') {
      const { block, isExact: exact } = await fetchDeployment(node, subject.address, state.headNumber, signal);
      if (!exact)
        log.info(
          `The node of ${node.selector} keeps too little old state to tell when ${subject.address} was deployed: its logs are looked for from block ${block} on.`,
        );
      return block;
    }
    const wanted = since(state.head.time);
    const block = await fetchBlockNumberAtTime(node, state, wanted, signal);
    reached = wanted;
    return Math.min(block, state.headNumber);
  };

  return {
    scope: subject,
    createReader: book => createScopeRangeReader(node, subject, book),
    fetchFirstBlock: first,
    ...(subject.kind === 'trades' && {
      async reachesFarEnough(coverage, state, signal) {
        if (reached !== null && since(state.head.time) >= reached) return true;
        const before = reached;
        if (coverage.fromBlock <= (await first(state, signal))) return true;
        reached = before;
        return false;
      },
    }),
    requireDays(wanted) {
      days = Math.max(days, wanted);
    },
  };
}
