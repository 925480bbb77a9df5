// Transactions that fail in Merged.sol: code of several statements is merged, moved or without a place of its own.
import type { Scenario } from './scenarios.ts';

const of = (call: string, args: readonly unknown[], stack: readonly string[], gas?: number): Scenario => ({
  ...{ name: `${call}(${args.join()})`, to: 'merged', call, args, stack },
  ...(gas !== undefined && { gas }),
});

export const MERGED_SCENARIOS: readonly Scenario[] = [
  of('store', [500n], ['Merged.store ~mgStore', 'Metered.metered ~mgSettleCall', 'Metered._settle ~mgSettle']),
  of(
    'forward',
    ['$merged', '$refuseTwo'],
    ['Merged.forward ~mgForward', 'Merged._forward ~mgDelegate', 'Merged.refuse ~mgRefuseTwo'],
  ),
  of('refuse', [1n], ['Merged.refuse ~mgRefuseOne']),
  of('refuse', [2n], ['Merged.refuse ~mgRefuseTwo']),
  of('refuse', [9n], ['Merged.refuse ~mgRefuseLoop']),
  of('refuse', [4n], ['Merged.refuse ~mgRefuseEnd']),
  of('arms', [101n], ['Merged.arms ~mgArmOne']),
  of('arms', [51n], ['Merged.arms ~mgArmTwo', 'Merged._nonZero ~mgNonZero']),
  of('arms', [0n], ['Merged.arms ~mgArmThree']),
  of('branch', [11n, 0n], ['Merged.branch ~mgBranchRefuse']),
  of('branch', [1n, 10n], ['Merged.branch ~mgBranch', 'Merged._third ~mgThird']),
  of('again', [7n], ['Merged.again ~mgAgain', 'Merged._again ~mgAgainHead', 'Metered.below ~mgBelow']),
  of('pick', [1n, 2], ['Merged.pick ~mgPick']),
  of('bare', [11n], ['Merged.bare ~mgBareData']),
  of('bare', [5n], ['Merged.bare ~mgBare']),
  of('loose', [5n], ['Merged.loose ~mgLoose']),
  of('twice', [52n], ['Merged.twice ~mgTwice']),
  of('selected', [11n], ['Merged.selected ~mgSelected']),
  of('selected', [3n], ['Merged.selected ~mgSelectedEmpty']),
  of('selected', [1n], ['Merged.selected ~mgUnlucky']),
  of('through', [1n], ['Merged.through ~mgThrough', ' unknown line', 'Merged.refuse ~mgRefuseOne']),
  of('fill', [50n], ['Merged.fill ~mgFill'], 150_000),
];
