// The lines that wrote storage, in builds whose optimizer moved the instructions, over contracts that run in memory.
import { describe, expect, test } from 'vitest';
import type { StorageChange } from '../../../../src/api/stateChanges.ts';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { formatPath } from '../../../../src/decode/source/slotNames.ts';
import { StateChangeList } from '../../../../src/decode/source/stateChanges.ts';
import type { CompilerSettings } from '../../../support/source/sourceProject.ts';
import { markerOf, type TracedCall, traceArtifactCall } from '../../../support/source/tracedArtifact.ts';

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

const LOCKERS = `
library Notes {
    function sign(string storage note) internal {
        bytes(note).push("!"); //~sign
    }
}

contract Row {
    uint128 private total;
    function _add(uint128 by) internal {
        total += by; //~rowTotal
    }
}

contract Lockers is Row {
    uint128 private total;
    function() external internal hook;
    function(uint256) internal view returns (uint256) private rate;
    string internal note;
    uint256[4] internal keys;
    bytes[] internal tags;
    bytes internal reason;
    bytes internal ink;

    function point() external {
        hook = this.point; //~hook
        rate = half; //~rate
    }
    function half(uint256 by) internal view returns (uint256) { return by / 2 + total; }

    function write(string calldata text) external {
        note = text; //~note
        Notes.sign(note);
    }

    function both(uint128 by) external {
        _add(by);
        total += by; //~total
    }

    function rekey(uint256 a, uint256 b) external {
        keys[1] = a; //~first
        keys[3] = b; //~third
    }

    function tag(bytes calldata a, bytes calldata b) external {
        tags.push(a); //~tag
        tags.push(b); //~tag
    }

    function untag() external {
        bytes[] storage all = tags;
        all[0] = all[all.length - 1]; //~move
        all.pop(); //~pop
    }

    function check(bool isBad) external pure { require(!isBad, "it is bad"); }
    function attempt() external {
        try this.check(true) {
            reason = "none"; //~none
        } catch Error(string memory why) {
            reason = bytes(why); //~why
        }
    }

    function fill(bytes calldata all) external {
        ink = all; //~fill
    }
    function dot(uint256 at, bytes1 with) external {
        ink[at] = with; //~dot
    }

    struct Size { uint64 width; uint64 height; }
    struct Crate { Size size; uint128 load; }
    Crate internal crate;
    function stow(Crate calldata all) external {
        crate = all; //~stow
    }

    mapping(address => uint256) internal held;
    uint256 internal minted;
    function move(address from, address to, uint256 by) external {
        if (from == address(0)) minted += by; //~minted
        else {
            uint256 all = held[from];
            require(all >= by, "low");
            unchecked { held[from] = all - by; } //~from
        }
        if (to == address(0)) minted -= by; //~burned
        else {
            unchecked { held[to] += by; } //~to
        }
    }

    uint32[] internal marks;
    function mark(uint32[] calldata all) external {
        delete marks; //~unmark
        for (uint256 i = 0; i < all.length; i++) marks.push(all[i]); //~mark
    }

    struct Box { uint64 owed; uint64 paid; }
    mapping(uint32 => Box) internal boxes;
    mapping(uint16 => uint256) internal bits;
    function find(uint32 id) internal view returns (Box storage box) {
        box = boxes[id];
    }
    function set(mapping(uint16 => uint256) storage all, uint16 at) internal {
        all[at] |= 1; //~bit
    }
    function settle(Box storage box, uint64 by) internal {
        unchecked { box.owed -= by; } //~owed
        if (by > 4) box.paid += by; //~paid
    }
    function pay(uint32 id, uint64 by) external {
        Box storage box = find(id);
        set(bits, uint16(id));
        settle(box, by);
    }

    function upgrade(address to) external {
        Slots.at(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc).value = to; //~upgrade
    }
}

library Slots {
    struct AddressSlot { address value; }
    function at(bytes32 slot) internal pure returns (AddressSlot storage found) {
        assembly { found.slot := slot }
    }
}
`;
const [FROM, TO, ZERO] = ['10', '20', '00'].map(digits => `0x${digits.repeat(20)}`);
const SHORT = `0x${'41'.repeat(31)}`;
const LONG = `0x${'42'.repeat(40)}`;

/** `variable marker` of each change in the last of several calls, with `?` where the line is inferred. */
async function listLockerChanges(settings: CompilerSettings, call: TracedCall): Promise<readonly StorageChange[]> {
  const { trace, findProgram } = await traceArtifactCall('Lockers', LOCKERS, settings, call);
  const { accounts } = await new StateChangeList(trace, findProgram, new TaskPacer(undefined)).list();
  return accounts.flatMap(({ storage }) => storage);
}

const toLine = ({ path, location }: StorageChange): string =>
  `${formatPath(path)} ${markerOf(LOCKERS, location?.start.line ?? -1)}`;

describe.each([
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer }],
  ['by IR with the optimizer', { viaIR: true, optimizer }],
])('%s', (_, settings: CompilerSettings) => {
  test.each([
    ['function pointers', { functionName: 'point', args: [] }, ['hook hook', 'rate rate']],
    [
      'private variables of one name',
      { functionName: 'both', args: [5n] },
      ['Lockers.total total', 'Row.total rowTotal'],
    ],
    [
      'elements that are named by number',
      { functionName: 'rekey', args: [7n, 8n] },
      ['keys[1] first', 'keys[3] third'],
    ],
    [
      'an array that got shorter, not that of its elements',
      { functionName: 'untag', args: [], earlier: [['tag', ['0x01', '0x02']]] },
      ['tags.length pop', 'tags[0] move', 'tags[1] pop'],
    ],
    [
      'a struct with others inside, which the function takes',
      { functionName: 'stow', args: [{ size: { width: 1n, height: 2n }, load: 3n }] },
      ['crate.load stow', 'crate.size.height stow', 'crate.size.width stow'],
    ],
    [
      'values of a mapping in two branches',
      { functionName: 'move', args: [FROM, TO, 5n], earlier: [['move', [ZERO, FROM, 9n]]] },
      [`held[${FROM}] from`, `held[${TO}] to`],
    ],
    [
      'elements that were pushed, not that of what deleted the array',
      { functionName: 'mark', args: [[1, 2, 3]] },
      ['marks.length mark', 'marks[0] mark', 'marks[1] mark', 'marks[2] mark'],
    ],
    [
      'members behind a pointer that a function returned, not where it is assigned',
      { functionName: 'pay', args: [3, 5n] },
      ['bits[3] bit', 'boxes[3].owed owed', 'boxes[3].paid paid'],
    ],
    [
      'a slot of a standard, behind a pointer that a function returned',
      { functionName: 'upgrade', args: [`0x${'b0'.repeat(20)}`] },
      ['eip1967.proxy.implementation upgrade'],
    ],
    ['what is in a catch clause, not that of the clause', { functionName: 'attempt', args: [] }, ['reason why']],
  ] satisfies readonly [string, TracedCall, readonly string[]][])(
    'the line of %s is that of its statement',
    async (__, call, expected) => {
      expect((await listLockerChanges(settings, call)).map(toLine).sort()).toEqual(expected);
    },
  );

  test.each([
    ['a short one is given as a whole', SHORT, 3n, `0x414141${'ff'}${'41'.repeat(27)}`, undefined],
    ['of a long one only the bytes that it has', LONG, 38n, `0x${'42'.repeat(6)}ff42`, { from: 32n, to: 40n }],
  ])('bytes of which one is set: %s', async (__, text, at, expected, bytes) => {
    const call = { functionName: 'dot', args: [at, '0xff'], earlier: [['fill', [text]]] } satisfies TracedCall;
    const [change, ...more] = await listLockerChanges(settings, call);
    expect(more).toEqual([]);
    expect(change?.newValue).toBe(expected);
    expect(change?.bytes).toEqual(bytes);
    expect(toLine(change as StorageChange)).toBe('ink dot');
  });
});

test.each([
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer }],
])('the line of text that was written as a whole, then by a library, is the last of them %s', async (_, settings) => {
  const call = { functionName: 'write', args: ['x'.repeat(31)], earlier: [['write', ['x'.repeat(40)]]] } as const;
  expect((await listLockerChanges(settings, call)).map(toLine)).toEqual(['note sign']);
});
