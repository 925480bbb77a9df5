// The lines that wrote storage, in builds whose optimizer moved the instructions, over contracts that run in memory.
import { describe, expect, test } from 'vitest';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { formatPath } from '../../../../src/decode/source/slotNames.ts';
import { StateChangeList } from '../../../../src/decode/source/stateChanges.ts';
import type { CompilerSettings } from '../../../support/source/sourceProject.ts';
import { markerOf, traceArtifactCall } from '../../../support/source/tracedArtifact.ts';

const SOURCE = `
abstract contract Wharf {
    uint64 internal tide;
    bool internal open;
    struct Slip { string name; uint32 reach; }
    Slip[] internal slips;
    uint8[40] internal lamps;

    function _raise(uint64 by) internal virtual {
        tide += by; //~tide
    }
}

library Slips {
    function widen(Wharf.Slip storage slip, uint32 by) internal {
        uint32 reach = slip.reach;
        slip.reach = reach + by; //~reach
    }
}

contract Pier is Wharf {
    using Slips for Wharf.Slip;
    uint256 internal visits;

    function arrive(uint64 by, bool isOpen) external {
        open = isOpen; //~open
        _raise(by);
        visits = 3; //~visits
    }

    function build(string calldata name, uint32 by) external {
        Slip storage slip = slips.push(); //~push
        slip.name = name; //~name
        slip.widen(by);
    }

    function light(uint8[40] calldata all) external {
        lamps = all; //~lamps
    }

    function twice(uint256 by) external {
        visits = by; //~first
        for (uint256 i = 0; i < 3; i++) visits += i; //~second
    }
}
`;
const LAMPS = Array.from({ length: 40 }, (_, i) => (i === 7 || i === 39 ? 9 : 0));

/** `variable marker` of each change, with `?` where the line is inferred. */
async function listLines(settings: CompilerSettings, functionName: string, args: readonly unknown[]) {
  const { trace, findProgram } = await traceArtifactCall('Pier', SOURCE, settings, { functionName, args });
  const { accounts } = await new StateChangeList(trace, findProgram, new TaskPacer(undefined)).list();
  const changes = accounts.flatMap(({ storage }) => storage);
  return changes.map(
    ({ path, location, isInferred }) =>
      `${formatPath(path)} ${markerOf(SOURCE, location?.start.line ?? -1)}${isInferred ? '?' : ''}`,
  );
}

const optimizer = { enabled: true, runs: 200 };
describe.each([
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer }],
  ['by IR', { viaIR: true }],
])('%s', (_, settings: CompilerSettings) => {
  test.each([
    // Both are written at once by the optimizer.
    ['packed variables and one of a base', 'arrive', [5n, true], ['open open', 'tide tide', 'visits visits']],
    [
      'a member that a library was given',
      'build',
      ['a', 4],
      ['slips.length push', 'slips[0].name name', 'slips[0].reach reach'],
    ],
    // The copy runs thousands of instructions of the compiler.
    ['a long array', 'light', [LAMPS], ['lamps[7] lamps', 'lamps[39] lamps']],
    ['the last of several writes', 'twice', [5n], ['visits second']],
  ] as const)('the line of %s is that of its statement', async (__, functionName, args, expected) => {
    expect((await listLines(settings, functionName, args)).sort()).toEqual([...expected].sort());
  });
});

test('lines from which the optimizer moved the instruction are marked, where the source leaves no other', async () => {
  const settings = { viaIR: true, optimizer };
  expect((await listLines(settings, 'arrive', [5n, true])).sort()).toEqual([
    'open open?',
    'tide tide?',
    'visits visits',
  ]);
  const built = await listLines(settings, 'build', ['a', 4]);
  expect(built.map(each => each.replace('?', '')).sort()).toEqual([
    ...['slips.length push', 'slips[0].name name', 'slips[0].reach reach'],
  ]);
});
