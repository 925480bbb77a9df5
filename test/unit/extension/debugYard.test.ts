// Contracts of many kinds in the debug adapter, led by scripts whose lines and values were marked by hand before it ran.
import { beforeAll, describe, test } from 'vitest';
import { SENDER as ALICE, DebugChain } from '../../support/source/debugChain.ts';
import { DebugScript, type LedRun } from '../../support/source/debugScript.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';
const ZERO = '0x0000000000000000000000000000000000000000';

const LED: readonly LedRun[] = [
  {
    title: 'a struct with arrays, mappings and text in storage',
    self: 'Depository',
    run: chain => chain.deploy('Depository').traceCall('Depository', 'fill', [7n, 'short']),
    script: `
        entry fillC
        locals id=7 title="short"
        next fillId fillGrade fillSealed fillOwner fillMark
        eval c.grade == High ;; c.sealed_ == true ;; c.owner == $ALICE ;; c.mark == 0x00000000 ;; c.id == 7
        next fillPush1 fillPush2 fillNote fillTitle fillP
        eval c.path.length == 2 ;; c.path[0].x == -3 ;; c.title == "short" ;; crates[msg.sender][id].title == "short" ;; crates[msg.sender][7].notes[keccak256("k")] == 99 ;; crates[msg.sender][id].path[1].y == -6 ;; crates[msg.sender][8].id == 0
        next fillPy fillBy
        locals id=7 title="short" c={id:7,grade:High,sealed_:true,owner:$ALICE,mark:0xcafebabe,path:[{x:-3,y:4},{x:5,y:7}],notes:{[0xf3d0adcb6a1c70832365e9da0a6b2f5199422f6a53c67cfad171114e3442aa0f]:99},title:"short"} p={x:5,y:7}
        next fillBy2 fillGrid
        eval byGrade[Grade.High].length == 2 ;; byGrade[c.grade][1] == 14 ;; byGrade[c.grade][0] + 1 == 8
        next fillVote
        eval grid[1][2].x == -9 ;; grid[0][0].x == 0 ;; grid[1].length == 3
        next fillLen
        eval votes[title][true] == -7 ;; votes["short"][true] < 0 == true ;; votes["short"][false] == 0
        in scaleRaw
        frames scale Depository.fill
        locals m=7 by=3
        next scaleRet
        eval raw == 21
        out fillLen
        back scaleRet scaleRaw fillLen fillVote
    `,
  },
  {
    title: 'variables that share a slot',
    self: 'Depository',
    run: chain => chain.deploy('Depository').traceCall('Depository', 'pack', [-100n, '0x1234', 5n]),
    script: `
        entry packNeg
        state tiny=3 neg=-7 two=0xbeef flag=false grade=Mid tag=0x616263 delta=-1000 wide=1000000000000000000
        next packTwo
        eval neg == -100 ;; two == 0xbeef
        next packFlag packWide packTiny packTag packDelta packH
        state tiny=4 neg=-100 two=0x1234 flag=true grade=Mid tag=0x123401 delta=-900 wide=999999999999999995
        eval tiny + 1 == 5 ;; neg * 2 == -200 ;; uint8(neg) == 156 ;; two == 0x1234 == true ;; flag ? neg : 0 == -100
        locals n=-100 t=0x1234 w=5 h=0x0000000000000000000000000000000000000000000000000000000000000000
        back packDelta
        eval delta == -1000
    `,
  },
  {
    title: 'text that grows beyond a slot',
    self: 'Depository',
    run: chain => chain.deploy('Depository').traceCall('Depository', 'strings', [35n]),
    script: `
        entry strX
        next strGrow
        eval name31 == "X123456789012345678901234567890" ;; bytes(name31).length == 31
        next strS
        eval name31 == "X123456789012345678901234567890!" ;; bytes(name31).length == 32
        next strZ
        eval s == "01234567890123456789012345678901"
        next strTiny
        eval s == "0123456789012345678901234567890Z" ;; name32 == "01234567890123456789012345678901"
        next strFor
        eval name32 == "tiny"
        at strPush i == 31
        eval blob.length == 31 ;; blob == 0x4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f
        next strFor strPush
        eval blob.length == 32 ;; i == 32 ;; blob == 0x4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f60
        to strN
        eval blob.length == 35 ;; blob[34] == 0x63 ;; blob == 0x4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f60616263
        next strPop strDel
        eval n == 35 ;; blob.length == 34
        locals extra=35 n=35 s="0123456789012345678901234567890Z"
    `,
  },
  {
    title: 'arrays in memory, calldata and storage',
    self: 'Depository',
    run: chain =>
      chain.deploy('Depository').traceCall('Depository', 'arrays', [
        [1n, 2n, 3n],
        [
          [4n, 5n],
          [6n, 7n],
        ],
      ]),
    script: `
        entry arrOut
        locals fixedMem=[1,2,3] pairs=[[4,5],[6,7]] out=[]
        next arrOut0 arrNums
        eval out[0] == 3 ;; out.length == 2 ;; pairs.length == 2 ;; pairs[1][0] == 6
        next arrNumsPush arrPair
        eval nums.length == 3 ;; nums[2] == 6
        next arrSecond arrOut1
        locals fixedMem=[1,2,3] pairs=[[4,5],[6,7]] out=[3,0] pair=[4,5] second=[6,7]
        next arrRef arrPop
        locals fixedMem=[1,2,3] pairs=[[4,5],[6,7]] out=[3,12] pair=[4,5] second=[6,7] ref=[3,0,6]
        next arrDel arrDeltas
        eval ref.length == 2 ;; nums[0] == 0
        next arrD2 arrFlags arrFlag1
        locals fixedMem=[1,2,3] pairs=[[4,5],[6,7]] out=[3,12] pair=[4,5] second=[6,7] ref=[0,0] deltas=[0,0,-5] flags=[true,false]
        state nums=[0,0]
    `,
  },
  {
    title: 'structs in structs in calldata and memory',
    self: 'Bench',
    run: chain =>
      chain.deploy('Bench').traceCall('Bench', 'nested', [
        {
          inner: { a: 1, b: -2, c: '0x0102030405', d: BOB, list: [10n, 20n], s: 'hey' },
          pts: [
            { x: -1, y: 2 },
            { x: 3, y: -4 },
          ],
          g: 1,
        },
      ]),
    script: `
        entry nestCopy
        eval input.inner.s == "hey" ;; input.pts[1].y == -4 ;; input.g == Low ;; input.inner.list[1] == 20 ;; input.inner.d == $BOB
        locals input={inner:{a:1,b:-2,c:0x0102030405,d:$BOB,list:[10,20],s:"hey"},pts:[{x:-1,y:2},{x:3,y:-4}],g:Low} copy={inner:{a:0,b:0,c:0x0000000000,d:$ZERO,list:[],s:""},pts:[{x:0,y:0},{x:0,y:0}],g:None} sum=0
        next nestA nestPts nestIn2
        eval copy.inner.a == 200 ;; copy.pts[1].y == -1 ;; copy.pts[0].x == -1 ;; copy.inner.b == -2 ;; copy.g == Low
        next nestList nestList0 nestRaw
        eval in2.list[0] == 77 ;; copy.inner.list[0] == 77 ;; copy.inner.list.length == 1 ;; in2.s == "hey" ;; input.inner.list[0] == 10
        next nestNums nestSum nestG
        eval sum == 30 ;; nums[1] == 20 ;; raw.c == 0x0102030405 ;; raw.s == "hey" ;; nums.length == 2
        next nestEnc nestLen
        eval copy.g == Mid ;; enc.length == 160 ;; in2.a == 200
    `,
  },
  {
    title: 'variables of one name in several blocks',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'blocks', [5n]),
    script: `
        entry blkX
        next blkY blkX2
        locals n=5 r=0 x=5 y=10
        next blkY2
        locals n=5 r=0 x=11 y=10
        next blkZ blkR
        locals n=5 r=0 x=11 y=10 y2=-10 z=true
        next blkYb
        locals n=5 r=1 x=11
        next blkR2
        locals n=5 r=1 x=11 y=0x7f
        next blkFor blkYi blkR3
        locals n=5 r=128 x=11 i=0 y=10
        next blkFor blkYi blkR3
        locals n=5 r=138 x=11 i=1 y=11
        eval y + i == 12
        next blkFor blkFor2 blkYs blkR4
        locals n=5 r=149 x=11 i=3 y="s"
        next blkFor2 blkYs blkR4
        locals n=5 r=150 x=11 i=2 y="s"
        next blkFor2 blkX3
        locals n=5 r=151 x=11
        back blkFor2 blkR4 blkYs blkFor2 blkR4 blkYs blkFor2 blkFor blkR3
        eval y == 11
    `,
  },
  {
    title: 'several results',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'tuples', [4n]),
    script: `
        entry tupAll
        in trioOne
        frames Bench.trio Bench.tuples
        locals a=4 one=0 minus=0 text=""
        next trioMinus trioText
        eval minus == -4 ;; one == 5
        next tupAll tupEven
        eval p == 5 ;; q == -4 ;; t == "trio" ;; total == 0
        in unnamed
        eval a == 5
        frames Bench.unnamed Bench.tuples
        out tupEven
        next tupSwap
        eval even == false ;; p == 5
        next tupSq
        eval p == 0 ;; total == 5
        next tupSq2
        eval sq == 0
        next tupLast
        eval sq == 25
        next tupElse tupQ
        state last=5
        next tupRet
        eval q == -5 ;; last + p == 5
    `,
  },
  {
    title: 'pointers to functions',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'pointers', [10n, true]),
    script: `
        entry ptrF
        next ptrOp
        eval f == Bench.plusLast
        next ptrCall
        eval op == Bench.plusLast
        in plusLast
        frames Bench.plusLast Bench.pointers
        locals v=10 w=0
        out ptrCall
        next ptrExt
        eval r == 10
        next ptrG
        eval ext == $SELF.take
        next ptrG2
        eval g == $SELF.take
        in take
        frames Bench.take Bench.pointers
        eval msg.sender == $SELF ;; v == 10
        next takeRet
        state last=10
        out ptrG2
        next ptrF2
        eval r == 21 ;; last == 10
        in plusLast
        eval v == 1
    `,
  },
  {
    title: 'loops of all kinds',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'loops', [4n]),
    script: `
        entry loopI
        next loopWhile loopInc loopCont loopBreak loopAcc loopWhile loopInc loopCont loopWhile loopInc loopCont loopBreak loopAcc
        locals n=4 acc=1 i=3
        next loopWhile loopInc loopCont loopWhile loopInc loopCont loopBreak loopDo
        eval acc == 4 ;; i == 5
        next loopFor loopFB
        locals n=4 acc=3 i=5 j=4
        next loopUn loopFor loopFB loopUn loopFor loopFB loopUn loopFor loopFB loopUn loopFor loopFB
        locals n=4 acc=48 i=5 j=0
    `,
  },
  {
    title: 'a recursion',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'gcd', [12n, 18n]),
    script: `
        entry gcdIf
        next gcdRec
        in gcdIf
        frames Bench.gcd Bench.gcd
        next gcdRec
        in gcdIf
        next gcdRec
        in gcdIf
        next gcdRet
        frames Bench.gcd Bench.gcd Bench.gcd Bench.gcd
        eval a == 6 ;; b == 0
        out gcdRec
        frames Bench.gcd Bench.gcd Bench.gcd
        eval a == 12 ;; b == 6
        out gcdRec
        out gcdRec
        eval a == 12 ;; b == 18
    `,
  },
  {
    title: 'variables of inline assembly',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'asm', [3n]),
    script: `
        entry asmMem
        next asmT asmStore
        eval t == 8 ;; mem.length == 2
        next asmFor asmR
        eval k == 0 ;; mem[0] == 8
        next asmFor asmR
        eval k == 1 ;; r == 0
        next asmFor asmW
        eval r == 8 ;; t == 8
        next asmIf
        eval uint256(w) == 64
        next asmSwitch asmSum
        eval r == 9 ;; mem[0] + r == 17
        back asmSwitch asmIf asmW
    `,
  },
  {
    title: 'a function of inline assembly',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'asm', [3n]),
    script: `
        to asmW
        in asmF
        eval z == 8
        out asmW
    `,
  },
  {
    title: 'values that are smaller than a word',
    self: 'Bench',
    run: chain => chain.deploy('Bench').traceCall('Bench', 'small', [-7, 10, '0x0a0b0c', false, BOB]),
    script: `
        entry smHalf
        next smB
        eval half == -3 ;; a == -7
        next smFirst smNum smMe smS smD smK
        locals a=-7 b=7 c=0x0a0b0c d=true e=$BOB s=-33 k=0x0000000000000000000000000000000000000000000000000000000000000000 half=-3 first=0x0b asNum=658188 me=$SELF
        eval c[1] == 0x0b ;; d && b < 8 == true ;; uint16(s) == 65503 ;; e != me == true ;; -a == 7 ;; a / 2 == -3 ;; a % 4 == -3 ;; b ** 2 == 49 ;; b << 3 == 56 ;; asNum >> 16 == 10 ;; b & 5 == 5 ;; b | 8 == 15 ;; b ^ 1 == 6 ;; !d == false ;; block.timestamp == 1700000000 ;; block.number == 7 ;; msg.value == 0 ;; address(this) == $SELF ;; block.chainid == 1 ;; bytes3(c) == 0x0a0b0c ;; uint24(c) == 658188 ;; tx.origin == $ALICE ;; keccak256(abi.encode(a, b, c)) == 0x710d54b673e45eb74f01a6266ecd7b74e4cabb87850268a61ba580744e6fa8b8
    `,
  },
  {
    title: 'a constructor behind initial values',
    self: 'Heir',
    run: chain => chain.traceDeployment('Heir', [40, 'label']),
    script: `
        entry init0
        next initShared init1 initExtra ctorMaker ctorBorn ctorShift ctorLen
        locals s=40 label="label"
        state maker=$ALICE born=1700000000 shift=40 shared=50
        next ctorShared
        eval len == 5
        back ctorLen ctorShift
        state shift=0 born=1700000000
    `,
  },
  {
    title: 'functions and private variables of one name in several bases',
    self: 'Heir',
    run: chain => chain.deploy('Heir', [40, 'label']).traceCall('Heir', 'run', [8n]),
    script: `
        entry onceReq
        next onceSet gateSeen gateReq
        locals min=4 seen=95
        next runSecret
        locals shared_=8 res=0
        next runHook
        in hookH
        frames Heir.hook Heir.run
        next hookHSup
        eval depth == 9
        in hook2
        frames Base2.hook Heir.hook Heir.run
        next hook2Sup
        eval extra == -10 ;; v == 9
        in hook1
        next hook1Sup
        eval secret == 18
        in hook0
        frames Base0.hook Base1.hook Base2.hook Heir.hook Heir.run
        next hook0Ret
        eval secret == 24 ;; v == 19
        out hook1Sup
        next hook1Ret
        eval secret == 18 ;; r == 24
        out hook2Sup
        out hookHSup
        out runHook
        next runLog
        eval secret == 9 ;; shared == 95 ;; depth == 9 ;; busy == true ;; LIMIT == 1023 ;; LABEL == "heir" ;; shift == 40 ;; res == 42
        next runLimit runShift gateAfter
        locals min=4 seen=95
        next onceClear
        eval shared == 96 ;; busy == true
    `,
  },
  {
    title: 'a function with two modifiers',
    self: 'Heir',
    run: chain => chain.deploy('Heir', [40, 'label']).traceCall('Heir', 'run', [8n]),
    script: `
        entry onceReq
        next onceSet gateSeen gateReq runSecret runHook runLog runLimit runShift gateAfter onceClear
        back gateAfter runShift runLimit runLog runHook runSecret gateReq gateSeen onceSet onceReq
    `,
  },
  {
    title: 'a modifier that runs the body twice',
    self: 'Heir',
    run: chain => chain.deploy('Heir', [40, 'label']).traceCall('Heir', 'again', [5n]),
    script: `
        entry againShared
        next againW againBase
        eval shared == 6 ;; w == 6 ;; Base0.shared == 95
        next againShared againW againBase
        eval w == 12 ;; Base0.shared == 101
    `,
  },
  {
    title: 'a receive function',
    self: 'Heir',
    run: chain => chain.deploy('Heir', [40, 'label']).traceData('Heir', '0x', 7n),
    script: `
        entry recv
        eval msg.value == 7 ;; shared == 95 ;; address(this).balance == 7
    `,
  },
  {
    title: 'a fallback function',
    self: 'Heir',
    run: chain => chain.deploy('Heir', [40, 'label']).traceData('Heir', '0x0102030405', 0n),
    script: `
        entry fall
        next fallSel fallShared
        eval depth == 5 ;; sel == 0x01020304 ;; msg.sig == 0x01020304 ;; msg.data.length == 5 ;; msg.data == 0x0102030405
    `,
  },
  {
    title: 'a call that returns values to a try statement',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'consult', [1n]),
    script: `
        entry tryAsk
        in oracleRevert
        frames Oracle.ask Works.consult
        next oracleRequire oracleA oracleWhy
        eval a == 101 ;; base == 100 ;; q == 1 ;; msg.sender == $Works
        out tryAsk
        next tryGot
        locals q=1 got=0 err=0x a=101 why="short"
    `,
  },
  {
    title: 'a long text that a call returned',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'consult', [50n]),
    script: `
        entry tryAsk
        next tryGot
        eval why == "a very long reason that has more than thirty-one bytes" ;; a == 150 ;; bytes(why).length == 54
    `,
  },
  {
    title: 'a reason that is caught',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'consult', [8n]),
    script: `
        entry tryAsk
        next tryErr
        locals q=8 got=0 err=0x reason="eight is bad"
        next tryErr2
        state fails=1
    `,
  },
  {
    title: 'data of an error that are caught',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'consult', [7n]),
    script: `
        entry tryAsk
        next tryRaw
        eval raw.length == 36 ;; raw[35] == 0x07 ;; oracle == $Oracle
        next tryRaw2
    `,
  },
  {
    title: 'a linked library with a reference to storage',
    self: 'Works',
    run: chain => chain.deploy('Rack').deploy('Works', [ZERO]).traceCall('Works', 'shelve', [5n]),
    script: `
        entry shWhere
        in placeAt
        frames Rack.place Works.shelve
        locals row={total:0,cells:[],seen:{[$ALICE]:0}} v=5 at=0
        next placePush placeSeen placeTotal
        eval row.cells[0] == 5 ;; row.seen[msg.sender] == 1 ;; msg.sender == $ALICE
        out shWhere
        next shWhere2
        eval where == 0 ;; row.total == 5
        next shTop
        eval where == 1 ;; row.total == 11
        in peekEmpty
        frames Rack.peek Works.shelve
        next peekLast
        eval row.cells.length == 2 ;; row.cells[1] == 6
        out shTop
    `,
  },
  {
    title: 'contracts that it creates',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Works', [ZERO])
        .traceCall('Works', 'spawn', [5n, '0x0000000000000000000000000000000000000000000000000000000000000009'], 3n),
    script: `
        entry spK
        next spK1 spNew
        eval k[1] == 5
        in childRevert
        frames Child.constructor Works.spawn
        next childSeed childParent childKids
        locals s=5 k=[0,5]
        eval seed == 5 ;; parent == $Works
        out spNew
        next spA spNew2 spB spGrow
        eval address(c2).balance == 3 ;; b == c2 == true
        in grow
        next growRet
        eval kids.length == 3 ;; kids[2] == 5 ;; seed == 6
        out spGrow
        next spFails
        eval g == 9
        next spTry spCatch
        eval data.length == 132
    `,
  },
  {
    title: 'a call without an interface',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'low', [chain.addressOf('Oracle'), 5n], 10n),
    script: `
        entry lowData
        next lowRet lowCall
        eval data.length == 36 ;; amount == 5
        in bump
        frames Oracle.bump Works.low
        next bumpRet
        state base=105
        out lowCall
        next lowDecode
        eval ok == true ;; ret.length == 32
        next lowSend
        eval v == 105
        next lowOk
        eval sent == true
        next lowBal
        eval address(this).balance == 5
    `,
  },
  {
    title: 'a panic',
    self: 'Works',
    run: chain => chain.deploy('Works', [ZERO]).traceCall('Works', 'guarded', [3n, 5n]),
    script: `
        entry guFails
        fails guSub
        state fails=3
        locals a=3 b=5 c=0
        back guSub guFails
    `,
  },
  {
    title: 'a proxy with a namespace of storage',
    self: 'Relay',
    run: chain =>
      chain
        .deploy('Impl')
        .deploy('Relay', [chain.addressOf('Impl')])
        .traceCall('Impl', 'set', [5n, -3], 0n, 'Relay'),
    script: `
        entry relFall
        next relImpl relCopy
        eval impl == $Impl
        next relDel
        in setM
        frames Impl.set Relay.fallback
        in mainAsm0
        next mainAt mainAsm
        out setM
        next setA
        eval m.a == 0 ;; m.b == 0
        next setB setX setPlain
        eval m.a == 5 ;; m.b == 10 ;; m.pts[msg.sender].x == -3
        next setRet
        eval plain == 10 ;; address(this) == $Relay
        out relRet
        next relSwitch
    `,
  },
  {
    title: 'functions of contracts that expressions call at a step',
    self: 'Works',
    run: chain =>
      chain
        .deploy('Depository')
        .deploy('Heir', [40, 'label'])
        .deploy('Oracle')
        .deploy('Works', [chain.addressOf('Oracle')])
        .traceCall('Works', 'low', [chain.addressOf('Oracle'), 5n], 10n),
    script: `
        to lowRet
        eval oracle.ask(5).a == 105 ;; oracle.ask(5)[0] == 105 ;; Oracle(to).ask(2).why == "short" ;; address(this).balance == 10 ;; to.code.length > 100 == true
        in lowCall
        in bump
        next bumpRet
        eval this.ask(5).a == 110 ;; ask(5).a == 110 ;; ask(5).why == "short" ;; ask(base).a == 210
        out lowCall
    `,
  },
];

describe('a debugger shows lines and values of', () => {
  let project: SourceProject;
  beforeAll(async () => {
    project = await createSourceProject('solc-0.8.37', ['Yard.sol'], { evmVersion: 'cancun' });
  });

  test.each(LED)('$title', async ({ self, run, script }) => {
    const chain = new DebugChain(project);
    const traced = await run(chain);
    const names = { ALICE, BOB, ZERO, ...chain.names(), SELF: chain.addressOf(self) };
    await DebugScript.run(traced, script, names);
  });
});
