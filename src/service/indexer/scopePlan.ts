// The plans of sparse indexes: a contract from its deployment on, a wallet from the beginning, sales of the last days.
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { firstBlockAt } from '../evm/fetchBlockNumberAtTime.ts';
import type { Subject } from '../store/store.ts';
import { deploymentOf } from './fetchDeployment.ts';
import type { SyncPlan } from './indexPlan.ts';
import { createSubjectReader } from './scopeRangeReader.ts';

const DAY = 86_400;

export interface SubjectPlan extends SyncPlan {
  readonly subject: Subject;
  /** Sales: so many days before the newest block must be in the index from now on. */
  reachBack(days: number): void;
}

export function subjectPlan(node: EvmNode, subject: Subject, log: Log): SubjectPlan {
  let days = 0;
  const since = (headTime: Date) => Math.max(0, headTime.getTime() / 1000 - days * DAY);
  /** From when on the store has sales, once that was worked out. */
  let reached: number | null = null;

  const first: SyncPlan['first'] = async (state, signal) => {
    if (subject.kind === 'wallet') return 0;
    if (subject.kind === 'contract') {
      const { block, exact } = await deploymentOf(node, subject.address, state.headNumber, signal);
      if (!exact)
        log.info(
          `The node of ${node.selector} keeps too little old state to tell when ${subject.address} was deployed: its logs are looked for from block ${block} on.`,
        );
      return block;
    }
    const wanted = since(state.head.time);
    const block = await firstBlockAt(node, state, wanted, signal);
    reached = wanted;
    return Math.min(block, state.headNumber);
  };

  return {
    subject,
    reader: book => createSubjectReader(node, subject, book),
    first,
    ...(subject.kind === 'trades' && {
      async reaches(coverage, state, signal) {
        if (reached !== null && since(state.head.time) >= reached) return true;
        const before = reached;
        if (coverage.from <= (await first(state, signal))) return true;
        reached = before;
        return false;
      },
    }),
    reachBack(wanted) {
      days = Math.max(days, wanted);
    },
  };
}
