// Which functions made a call, over contracts that run in memory.
import { expect, test } from 'vitest';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { findCallers } from '../../../../src/decode/source/traceStack.ts';
import { markerOf, traceArtifactCall } from '../../../support/source/tracedArtifact.ts';

const SOURCE = `
library Copies {
    function copy(bytes32 salt) internal returns (address made) {
        assembly {
            mstore(0, 0x6001600c60003960016000f300000000000000000000000000000000000000)
            made := create2(0, 0, 13, salt) //~create
        }
    }
}

contract Kiln {
    address[] internal made;

    function fire(uint256 count) external {
        for (uint256 i = 0; i < count; i++) _add(bytes32(i)); //~add
    }

    function _add(bytes32 salt) internal {
        made.push(Copies.copy(salt)); //~copy
    }
}
`;

test.each([
  ['without the optimizer', {}],
  ['by IR with the optimizer', { viaIR: true, optimizer: { enabled: true, runs: 200 } }],
])('finds the functions that led to a creation inside a library, %s', async (_, settings) => {
  const { trace, findProgram } = await traceArtifactCall('Kiln', SOURCE, settings, {
    functionName: 'fire',
    args: [2n],
  });
  const frames = await findCallers(trace, findProgram, 2, new TaskPacer(undefined));
  expect(
    frames.map(({ functionName, location }) => [functionName, markerOf(SOURCE, location?.start.line ?? -1)]),
  ).toEqual([
    ['fire', 'add'],
    ['_add', 'copy'],
    ['copy', 'create'],
  ]);
});
