// More contracts in the debug adapter, also of solc 0.6, by scripts whose lines and values were marked by hand.
import { describe, test } from 'vitest';
import { SENDER as ALICE, DebugChain } from '../../support/source/debugChain.ts';
import { DebugScript, type LedRun } from '../../support/source/debugScript.ts';
import { createSourceProject } from '../../support/source/sourceProject.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';

const MILL: readonly LedRun[] = [
  {
    title: 'a library with a set in storage, and a struct that a function changes by reference',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'join', [6n, 'gold']),
    script: `
      entry lockReq
      next lockSet joinA
      eval entered == true
      next joinShares joinScore
      eval a.shares == 6 ;; a.score == 0 ;; accounts[msg.sender].shares == 6
      next joinPush joinLabel
      eval a.score == -7 ;; a.history.length == 1 ;; a.history[0].votes == 12 ;; a.history[0].fromBlock == 7 ;; a.labels[1] == ""
      next joinAdd
      eval a.labels[1] == "gold" ;; accounts[$ALICE].labels[1] == "gold"
      in setHas
      frames Sets.add Ledger2.join
      next setPush setPos
      eval set.values.length == 1 ;; uint160(uint256(v)) == 659918 ;; set.values[0] == v == true
      next setTrue
      eval set.positions[v] == 1
      out joinAdd
      next joinAdd2 joinLast
      eval isNew == true ;; members.values.length == 2 ;; members.positions[keccak256("gold")] == 2
      next joinVotes joinTouch
      locals shares=6 label="gold" count=0 a={shares:6,score:-7,history:[{fromBlock:7,votes:12}],labels:["","gold"]} isNew=true last={fromBlock:7,votes:13}
      in touch
      eval c.votes == 13 ;; c.fromBlock == 7
      out joinTouch
      next joinCount
      eval last.fromBlock == 77
      next joinRemove
      in remPos
      next remIf remLast remMoved remMove remFix remPop
      eval position == 2 ;; last == 1 ;; moved == v == true ;; set.values.length == 2
      next remDel remDone
      eval set.values.length == 1 ;; set.positions[v] == 0 ;; done == false
      out joinRemove
      next joinEmit
      eval count == 2 ;; members.values.length == 1
      next lockClear
      back joinEmit joinRemove
    `,
  },
  {
    title: 'a modifier with a loop, and enums',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'classify', [-20, 1]),
    script: `
      entry onlyFor
      next onlyIf
      locals k=B n=5 i=0
      next onlyFor onlyIf
      eval i == 1 ;; k == B
      next clOut clTern
      eval out.length == 3 ;; x == -20 ;; k == B
      next clKinds
      eval out[0] == C ;; out[1] == A
      next clPush clFlag
      eval kinds.length == 4 ;; kinds[3] == B ;; kinds[0] == C
      next clName
      eval flags[k]["abcdefgh"].length == 1 ;; flags[Kind.B]["abcdefgh"][0] == true
      next clRoots
      eval name == "bee"
      next clDel
      eval roots[2] == 0x726f6f7400000000000000000000000000000000000000000000000000000000 ;; roots[1] == bytes32(0) == true
    `,
  },
  {
    title: 'a condition whose second part fails',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'classify', [5, 2]),
    script: `
      to clName
      eval out[0] == A
      fails boom
      frames Ledger2._boom Ledger2.classify
    `,
  },
  {
    title: 'operators of user-defined types, signed and unchecked numbers',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'math', [-300, 3]),
    script: `
      entry maBig
      next maR
      eval big == -300000
      next maBits
      eval r == -1
      next maUn maQ
      eval bits == 63 ;; b == 9 ;; a == -300
      in rneg
      frames rneg Ledger2.math
      eval a == 25
      out maQ
      in radd
      eval a == -25 ;; b == 3
      out maQ
      next maRate maPow
      eval q == -22 ;; rate == -22
      next maSel
      eval r == 3968
      next maNib maEnd
      eval sel == 0x0c55699c ;; nib == 0x0c ;; sel[3] & 0x0f == 12
    `,
  },
  {
    title: 'slices of calldata and nested arrays in memory',
    self: 'Ledger2',
    run: chain =>
      chain
        .deploy('Ledger2')
        .traceCall('Ledger2', 'slices', [
          '0xaabbccdd00000000000000000000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000000000000000b0bfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe',
        ]),
    script: `
      entry slHead
      next slRest
      eval head == 0xaabbccdd ;; data.length == 100
      next slDecode
      eval rest.length == 96
      next slValue
      eval v == 5 ;; who == $BOB ;; small == -2
      next slTail
      eval value == 2832
      next slGrid
      eval tail == 0xfe
      next slGrid1 slGrid10 slIf
      eval grid.length == 2 ;; grid[1][0] == 2832 ;; grid[0].length == 0
    `,
  },
  {
    title: 'a binary search',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'search', [[2n, 4n, 6n, 8n, 10n], 7n]),
    script: `
      entry seHi
      next seWhile seMid seIf
      locals sorted=[2,4,6,8,10] want=7 lo=0 hi=5 mid=2
      next seLo seWhile seMid seIf
      eval mid == 4 ;; lo == 3
      next seElse seWhile seMid seIf seElse seWhile
      eval hi == 3 ;; lo == 3
    `,
  },
  {
    title: 'calls of itself by delegatecall',
    self: 'Ledger2',
    run: chain =>
      chain
        .deploy('Ledger2')
        .traceCall('Ledger2', 'multi', [
          [
            '0xd43fc4710000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000000700000000000000000000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000a',
          ],
        ]),
    script: `
      entry muNew
      next muFor muCall
      in seHi
      frames Ledger2.search Ledger2.multi
      eval want == 7
      out muCall
      next muIf
      eval ok == true ;; out.length == 32 ;; results.length == 1
      next muSet muFor
      eval results[0].length == 32
    `,
  },
  {
    title: 'an error with values',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'fail', [3n]),
    script: `
      entry faHave
      fails faRevert
      locals want=3 have=0
    `,
  },
  {
    title: 'a minimal proxy that assembly creates',
    self: 'Ledger2',
    run: chain =>
      chain
        .deploy('Plainer')
        .deploy('Ledger2')
        .traceCall('Ledger2', 'clone', [chain.addressOf('Plainer')]),
    script: `
      entry cloTarget
      next cloPtr
      eval uint160(target) == uint160(impl) == true
      next cloA
      eval ptr == 128
      next cloB cloC cloMake cloSize
      next cloSet
      eval size == 45
      next cloPoke
      eval treasury == made == true
      in poke
      next pokePush
      eval seen == 9 ;; msg.sender == $Ledger2
      out cloPoke
      next cloSeen
      eval Plainer(made).seen() == 9 ;; Plainer(impl).seen() == 0
    `,
  },
  {
    title: 'a recursion that branches',
    self: 'Ledger2',
    run: chain => chain.deploy('Ledger2').traceCall('Ledger2', 'tree', [2n, 2n]),
    script: `
      entry trOne
      at trOne depth == 0
      frames Ledger2.tree Ledger2.tree Ledger2.tree
      eval width == 2
      out trFor
      eval depth == 1
      out trFor
      eval depth == 2
    `,
  },
  {
    title: 'constructors of a chain of bases',
    self: 'C0',
    run: chain => chain.traceDeployment('C0', [4]),
    script: `
      entry many
      next a0 b0 c0Digest
      eval a0 == 5 ;; many.length == 3 ;; many[0] == 3
      next c0Names
      eval nm == "cee" ;; b0 == 8 ;; digest == keccak256(abi.encodePacked(p, nm)) == true
      next c0For c0Mul
      eval names[a0] == "cee" ;; i == 0 ;; names[5] == "cee"
      next c0For c0Mul
      eval many[0] == 12 ;; many[1] == 1
    `,
  },
];

const OLDEN: readonly LedRun[] = [
  {
    title: 'initial values and constructors',
    self: 'Olden',
    run: chain => chain.traceDeployment('Olden', [20n]),
    script: `
      entry initSecret
      next initSecret2 initLow initTitle baseOwner ctorCap
      next ctorRaw
      eval cap == 20 ;; owner == $ALICE ;; low == -5
    `,
  },
  {
    title: 'structs, arrays and virtual functions',
    self: 'Olden',
    run: chain =>
      chain
        .deploy('Olden', [20])
        .traceCall('Olden', 'store', [3n, { id: 8, tag: '0x00112233445566778899', mode: 1, parts: [5n] }, [1n, 2n]]),
    script: `
      entry onlyReq
      next stS
      eval item.tag == 0x00112233445566778899 ;; item.mode == On ;; item.parts[0] == 5 ;; more.length == 2 ;; more[1] == 2 ;; item.id == 8
      next stId stTag stMode stFor
      eval s.id == 3 ;; s.tag == 0x00112233445566778899 ;; s.mode == On ;; items[3].mode == Mode.On == true
      next stPush
      in smAdd
      frames SafeMath2.add Olden.store
      eval a == 1 ;; b == 1
      next smReq
      eval c == 2
      out stPush
      next stTotal stFor stPush
      eval i == 1 ;; total == 1 ;; s.parts[0] == 2
      next stTotal stFor stList
      locals id=3 item={id:8,tag:0x00112233445566778899,mode:On,parts:[5]} more=[1,2] total=3 s={id:3,tag:0x00112233445566778899,mode:On,parts:[2,3]}
      next stSeen
      eval list.length == 1 ;; list[0].id == 8 ;; list[0].parts[0] == 5
      next stTriple
      eval seen[0x00000003][msg.sender] == true ;; title == "a title that is longer than thirty-one bytes"
      in triple
      eval x == 3 ;; cap == 20
      out stTriple
      next stLow
      eval a == 9 ;; ok == true
      next stOk
      eval low == 4
      next stTern stSecret
      eval low == -4
      in peek2
      eval secret == 9
      in peek
      eval secret == 4
      out peek2
      out stSecret
      next stSmall
      eval secret == 13 ;; Base6.secret == 4 ;; raw == 0x0102
      next stEnd
      eval small == 253
    `,
  },
  {
    title: 'a call that is tried',
    self: 'Olden',
    run: chain => chain.deploy('Olden', [20]).traceCall('Olden', 'attempt', [chain.addressOf('Olden'), 5n]),
    script: `
      entry atTry
      in liReq
      next liAssert liRet
      eval n == 5 ;; msg.sender == $SELF
      out atTry
      next atWhy
      eval v == 6
      next atDel
      eval why == "big"
    `,
  },
  {
    title: 'a reason that is caught',
    self: 'Olden',
    run: chain => chain.deploy('Olden', [20]).traceCall('Olden', 'attempt', [chain.addressOf('Olden'), 50n]),
    script: `
      entry atTry
      next atErr
      eval reason == "above"
      next atDel
    `,
  },
  {
    title: 'a failed assertion that is caught',
    self: 'Olden',
    run: chain => chain.deploy('Olden', [20]).traceCall('Olden', 'attempt', [chain.addressOf('Olden'), 2n]),
    script: `
      entry atTry
      next atRaw atDel
    `,
  },
  {
    title: 'a receive function',
    self: 'Olden',
    run: chain => chain.deploy('Olden', [20]).traceData('Olden', '0x', 7n),
    script: `
      entry recv
      eval secret == 9 ;; msg.value == 7
    `,
  },
];

describe.each([
  ['solc-0.8.37', 'Mill.sol', 'cancun', MILL],
  ['solc-0.6', 'Olden.sol', 'istanbul', OLDEN],
] as const)('a debugger shows lines and values of %s', (compiler, file, evmVersion, led) => {
  test.each(led)('$title', async ({ self, run, script }) => {
    const chain = new DebugChain(await createSourceProject(compiler, [file], { evmVersion }));
    const traced = await run(chain);
    await DebugScript.run(traced, script, { ALICE, BOB, ...chain.names(), SELF: chain.addressOf(self) });
  });
});

test('a debugger passes over the rest of statements that the optimizer moved behind others', async () => {
  const optimizer = { enabled: true, runs: 200 };
  const project = await createSourceProject('solc-0.8.37', ['Yard.sol'], { evmVersion: 'cancun', optimizer });
  const traced = await new DebugChain(project).deploy('Bench').traceCall('Bench', 'blocks', [5n]);
  const script = `
      entry blkX
      next blkY blkX2 blkY2 blkZ blkR blkYb blkR2 blkFor blkYi blkR3 blkFor blkYi blkR3 blkFor blkFor2
      back blkFor blkR3
    `;
  await DebugScript.run(traced, script, {});
});
