// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// Contracts that a debugger is led through by scripts; `//~name` marks a line that they name.

type Meters is uint32;
type Tag is bytes3;
type Delta is int40;

using {scale} for Meters global;

function scale(Meters m, uint32 by) pure returns (Meters) {
    uint32 raw = Meters.unwrap(m) * by; //~scaleRaw
    return Meters.wrap(raw); //~scaleRet
}

enum Grade { None, Low, Mid, High }

struct Point { int16 x; int16 y; }
struct Crate {
    uint64 id;
    Grade grade;
    bool sealed_;
    address owner;
    bytes4 mark;
    Point[] path;
    mapping(bytes32 => uint256) notes;
    string title;
}
struct Plain { uint8 a; int24 b; bytes5 c; address d; uint256[] list; string s; }
struct Nest { Plain inner; Point[2] pts; Grade g; }

interface IOracle { function ask(uint256 q) external view returns (uint256 a, string memory why); }

contract Oracle is IOracle {
    error Unknown(uint256 q);
    uint256 internal base = 100;
    function ask(uint256 q) external view override returns (uint256 a, string memory why) {
        if (q == 7) revert Unknown(q); //~oracleRevert
        require(q != 8, "eight is bad"); //~oracleRequire
        a = base + q; //~oracleA
        why = q > 40 ? "a very long reason that has more than thirty-one bytes" : "short"; //~oracleWhy
    }
    function bump(uint256 by) external returns (uint256) {
        base += by; //~bump
        return base; //~bumpRet
    }
}

library Rack {
    struct Row { uint256 total; uint128[] cells; mapping(address => uint64) seen; }
    function place(Row storage row, uint128 v) external returns (uint256 at) {
        at = row.cells.length; //~placeAt
        row.cells.push(v); //~placePush
        row.seen[msg.sender] += 1; //~placeSeen
        row.total += v; //~placeTotal
    }
    function peek(Row storage row) internal view returns (uint128 last) {
        if (row.cells.length == 0) return 0; //~peekEmpty
        last = row.cells[row.cells.length - 1]; //~peekLast
    }
}

// A: structs in storage, packed, mappings with struct values
contract Depository {
    uint8 internal tiny = 3;
    int8 internal neg = -7;
    bytes2 internal two = 0xbeef;
    bool internal flag;
    Grade internal grade = Grade.Mid;
    Tag internal tag = Tag.wrap("abc");
    Delta internal delta = Delta.wrap(-1000);
    uint96 internal wide = 1e18;
    mapping(address => mapping(uint64 => Crate)) internal crates;
    mapping(Grade => uint256[]) internal byGrade;
    Crate[] internal list;
    Point[3][2] internal grid;
    string internal name31 = "0123456789012345678901234567890";
    string internal name32 = "01234567890123456789012345678901";
    bytes internal blob;
    uint256[] internal nums;
    mapping(string => mapping(bool => int256)) internal votes;
    mapping(bytes4 => Meters) internal lengths;

    function fill(uint64 id, string calldata title) external {
        Crate storage c = crates[msg.sender][id]; //~fillC
        c.id = id; //~fillId
        c.grade = Grade.High; //~fillGrade
        c.sealed_ = true; //~fillSealed
        c.owner = msg.sender; //~fillOwner
        c.mark = 0xcafebabe; //~fillMark
        c.path.push(Point(-3, 4)); //~fillPush1
        c.path.push(Point({x: 5, y: -6})); //~fillPush2
        c.notes[keccak256("k")] = 99; //~fillNote
        c.title = title; //~fillTitle
        Point storage p = c.path[1]; //~fillP
        p.y = int16(uint16(id)); //~fillPy
        byGrade[c.grade].push(id); //~fillBy
        byGrade[Grade.High].push(id * 2); //~fillBy2
        grid[1][2].x = -9; //~fillGrid
        votes[title][true] = -int256(uint256(id)); //~fillVote
        lengths[c.mark] = Meters.wrap(uint32(id)).scale(3); //~fillLen
    }

    function pack(int8 n, bytes2 t, uint96 w) external returns (bytes32 h) {
        neg = n; //~packNeg
        two = t; //~packTwo
        flag = !flag; //~packFlag
        wide -= w; //~packWide
        tiny++; //~packTiny
        tag = Tag.wrap(bytes3(bytes.concat(t, hex"01"))); //~packTag
        delta = Delta.wrap(Delta.unwrap(delta) - n); //~packDelta
        h = keccak256(abi.encodePacked(neg, two, flag)); //~packH
    }

    function strings(uint256 extra) external returns (uint256 n) {
        bytes(name31)[0] = "X"; //~strX
        name31 = string.concat(name31, "!"); //~strGrow
        string memory s = name32; //~strS
        bytes(s)[31] = "Z"; //~strZ
        name32 = "tiny"; //~strTiny
        for (uint256 i; i < extra; ++i) { //~strFor
            blob.push(bytes1(uint8(65 + i))); //~strPush
        }
        n = blob.length; //~strN
        blob.pop(); //~strPop
        delete name31; //~strDel
    }

    function arrays(uint256[3] memory fixedMem, uint256[2][] calldata pairs) external returns (uint256[] memory out) {
        out = new uint256[](2); //~arrOut
        out[0] = fixedMem[2]; //~arrOut0
        nums = out; //~arrNums
        nums.push() = pairs[1][0]; //~arrNumsPush
        uint256[2] memory pair = pairs[0]; //~arrPair
        uint256[2] calldata second = pairs[1]; //~arrSecond
        out[1] = pair[1] + second[1]; //~arrOut1
        uint256[] storage ref = nums; //~arrRef
        ref.pop(); //~arrPop
        delete nums[0]; //~arrDel
        int24[] memory deltas = new int24[](3); //~arrDeltas
        deltas[2] = -5; //~arrD2
        bool[2] memory flags = [true, false]; //~arrFlags
        flags[1] = flags[0] && deltas[2] < 0; //~arrFlag1
    }
}

// B: memory and calldata structs, tuples, blocks
contract Bench {
    uint256 internal last;
    function(uint256) internal view returns (uint256) internal op;
    function(uint256) external returns (uint256) internal ext;

    function nested(Nest calldata input) external pure returns (Nest memory copy, uint256 sum) {
        copy = input; //~nestCopy
        copy.inner.a = 200; //~nestA
        copy.pts[1] = Point(1, -1); //~nestPts
        Plain memory in2 = copy.inner; //~nestIn2
        in2.list = new uint256[](1); //~nestList
        in2.list[0] = 77; //~nestList0
        Plain calldata raw = input.inner; //~nestRaw
        uint256[] calldata nums = raw.list; //~nestNums
        for (uint256 i = 0; i < nums.length; i++) sum += nums[i]; //~nestSum
        copy.g = Grade(uint8(copy.g) + 1); //~nestG
        bytes memory enc = abi.encode(copy.pts, in2.c); //~nestEnc
        sum += enc.length; //~nestLen
    }

    function blocks(uint256 n) external pure returns (uint256 r) {
        uint256 x = n; //~blkX
        {
            uint256 y = x * 2; //~blkY
            x = y + 1; //~blkX2
            {
                int256 y2 = -int256(y); //~blkY2
                bool z = y2 < 0; //~blkZ
                r = z ? 1 : 2; //~blkR
            }
        }
        {
            bytes1 y = 0x7f; //~blkYb
            r += uint8(y); //~blkR2
        }
        for (uint256 i = 0; i < 2; i++) { //~blkFor
            uint256 y = i + 10; //~blkYi
            r += y; //~blkR3
        }
        for (int8 i = 3; i > 1; i--) { //~blkFor2
            string memory y = "s"; //~blkYs
            r += bytes(y).length; //~blkR4
        }
        x += r; //~blkX3
    }

    function trio(uint256 a) internal pure returns (uint256 one, int128 minus, string memory text) {
        one = a + 1; //~trioOne
        minus = -int128(int256(a)); //~trioMinus
        text = "trio"; //~trioText
    }
    function unnamed(uint256 a) private pure returns (uint256, bool) {
        return (a * a, a % 2 == 0); //~unnamed
    }
    function tuples(uint256 a) external returns (uint256 total, string memory) {
        (uint256 p, int128 q, string memory t) = trio(a); //~tupAll
        (, bool even) = unnamed(p); //~tupEven
        (p, total) = (total, p); //~tupSwap
        uint256 sq; //~tupSq
        (sq, ) = unnamed(total); //~tupSq2
        if (even) last = sq; //~tupLast
        else last = total; //~tupElse
        q--; //~tupQ
        return (last + p, t); //~tupRet
    }

    function twice(uint256 v) internal pure returns (uint256) {
        return v * 2; //~twice
    }
    function plusLast(uint256 v) internal view returns (uint256 w) {
        w = v + last; //~plusLast
    }
    function take(uint256 v) external returns (uint256) {
        last = v; //~take
        return last + 1; //~takeRet
    }
    function pointers(uint256 v, bool which) external returns (uint256 r) {
        function(uint256) internal view returns (uint256) f = which ? plusLast : twice; //~ptrF
        op = f; //~ptrOp
        r = op(v); //~ptrCall
        ext = this.take; //~ptrExt
        function(uint256) external returns (uint256) g = ext; //~ptrG
        r += g(r); //~ptrG2
        r += f(1); //~ptrF2
    }

    function loops(uint256 n) external pure returns (uint256 acc) {
        uint256 i = 0; //~loopI
        while (true) { //~loopWhile
            i++; //~loopInc
            if (i % 2 == 0) continue; //~loopCont
            if (i > n) break; //~loopBreak
            acc += i; //~loopAcc
        }
        do { acc -= 1; } while (acc > 3); //~loopDo
        for (uint256 j = n; ; ) { //~loopFor
            if (j == 0) break; //~loopFB
            unchecked { j--; acc = acc << 1; } //~loopUn
        }
    }

    function gcd(uint256 a, uint256 b) public pure returns (uint256) {
        if (b == 0) { //~gcdIf
            return a; //~gcdRet
        }
        return gcd(b, a % b); //~gcdRec
    }

    function asm(uint256 v) external pure returns (uint256 r, bytes32 w) {
        uint256[] memory mem = new uint256[](2); //~asmMem
        assembly {
            let t := add(v, 5) //~asmT
            mstore(add(mem, 0x20), t) //~asmStore
            for { let k := 0 } lt(k, 2) { k := add(k, 1) } { //~asmFor
                r := add(r, mul(k, t)) //~asmR
            }
            function f(z) -> q { q := mul(z, z) } //~asmF
            w := f(t) //~asmW
            if gt(r, 100) { r := 100 } //~asmIf
            switch v case 1 { r := 1 } default { r := add(r, 1) } //~asmSwitch
        }
        r += mem[0]; //~asmSum
    }

    function small(int8 a, uint16 b, bytes3 c, bool d, address payable e) external view returns (int16 s, bytes32 k) {
        int8 half = a / 2; //~smHalf
        unchecked { b -= 3; } //~smB
        bytes1 first = c[1]; //~smFirst
        uint24 asNum = uint24(c); //~smNum
        address me = address(this); //~smMe
        s = int16(half) * int16(uint16(uint8(first))); //~smS
        d = !d && e != me; //~smD
        k = keccak256(abi.encode(a, b, c)); //~smK
    }
}

// C: inheritance, modifiers, virtuals, shadowing
abstract contract Base0 {
    uint256 private secret = 5; //~init0
    uint256 internal shared = 50; //~initShared
    event Log(string what, uint256 v);
    modifier gate(uint256 min) virtual {
        uint256 seen = shared; //~gateSeen
        require(seen >= min, "gate"); //~gateReq
        _;
        shared = seen + 1; //~gateAfter
    }
    function hook(uint256 v) internal virtual returns (uint256) {
        secret += v; //~hook0
        return secret; //~hook0Ret
    }
    function getSecret0() public view returns (uint256) { return secret; } //~secret0
}
abstract contract Base1 is Base0 {
    uint256 private secret = 6; //~init1
    function hook(uint256 v) internal virtual override returns (uint256) {
        secret = v; //~hook1
        uint256 r = super.hook(v + 1); //~hook1Sup
        return r + secret; //~hook1Ret
    }
}
abstract contract Base2 is Base0 {
    int256 internal extra = -1; //~initExtra
    function hook(uint256 v) internal virtual override returns (uint256 r) {
        extra -= int256(v); //~hook2
        r = super.hook(v * 2); //~hook2Sup
    }
}
contract Heir is Base1, Base2 {
    uint256 public constant LIMIT = 2 ** 10 - 1;
    bytes32 internal constant ROLE = keccak256("ROLE");
    string internal constant LABEL = "heir";
    address internal immutable maker;
    uint64 internal immutable born;
    int16 internal immutable shift;
    uint256 transient depth;
    bool transient busy;

    constructor(int16 s, string memory label) payable {
        maker = msg.sender; //~ctorMaker
        born = uint64(block.timestamp); //~ctorBorn
        shift = s; //~ctorShift
        uint256 len = bytes(label).length; //~ctorLen
        shared += len + uint16(s); //~ctorShared
    }
    modifier once {
        require(!busy, "busy"); //~onceReq
        busy = true; //~onceSet
        _;
        busy = false; //~onceClear
    }
    modifier twiceRun() {
        _; //~twiceA
        _; //~twiceB
    }
    function hook(uint256 v) internal override(Base1, Base2) returns (uint256) {
        depth = v; //~hookH
        return super.hook(v); //~hookHSup
    }
    function run(uint256 shared_) external once gate(shared_ / 2) returns (uint256 res) {
        uint256 secret = shared_ + 1; //~runSecret
        res = hook(secret); //~runHook
        emit Log(LABEL, res); //~runLog
        if (res > LIMIT) return LIMIT; //~runLimit
        res += uint256(int256(shift)); //~runShift
    }
    function again(uint256 v) external twiceRun returns (uint256 w) {
        uint256 shared = v + 1; //~againShared
        w += shared; //~againW
        Base0.shared += w; //~againBase
    }
    receive() external payable {
        shared += msg.value; //~recv
    }
    fallback() external payable {
        depth = msg.data.length; //~fall
        bytes4 sel = msg.sig; //~fallSel
        shared = uint32(sel); //~fallShared
    }
}

// D: calls, try, create, library
contract Child {
    uint256 internal immutable seed;
    address internal parent;
    uint256[] internal kids;
    error TooYoung(uint256 seed, string hint);
    constructor(uint256 s, uint256[] memory k) payable {
        if (s < 2) revert TooYoung(s, "wait"); //~childRevert
        seed = s; //~childSeed
        parent = msg.sender; //~childParent
        kids = k; //~childKids
    }
    function grow(uint256 by) external returns (uint256) {
        kids.push(by); //~grow
        return kids.length + seed; //~growRet
    }
}
contract Works {
    using Rack for Rack.Row;
    Rack.Row internal row;
    IOracle internal oracle;
    uint256 internal fails;
    Child internal child;
    constructor(IOracle o) payable { oracle = o; }

    function consult(uint256 q) external returns (uint256 got, bytes memory err) {
        try oracle.ask(q) returns (uint256 a, string memory why) { //~tryAsk
            got = a + bytes(why).length; //~tryGot
        } catch Error(string memory reason) {
            fails++; //~tryErr
            err = bytes(reason); //~tryErr2
        } catch (bytes memory raw) {
            fails += 10; //~tryRaw
            err = raw; //~tryRaw2
        }
    }
    function shelve(uint128 v) external returns (uint256 where, uint128 top) {
        where = row.place(v); //~shWhere
        where += row.place(v + 1); //~shWhere2
        top = row.peek(); //~shTop
    }
    function spawn(uint256 s, bytes32 salt) external payable returns (address a, address b) {
        uint256[] memory k = new uint256[](2); //~spK
        k[1] = s; //~spK1
        child = new Child(s, k); //~spNew
        a = address(child); //~spA
        Child c2 = new Child{salt: salt, value: 3}(s + 1, k); //~spNew2
        b = address(c2); //~spB
        uint256 g = c2.grow(s); //~spGrow
        fails = g; //~spFails
        try new Child(1, k) returns (Child c3) { //~spTry
            a = address(c3); //~spC3
        } catch (bytes memory data) {
            fails = data.length; //~spCatch
        }
    }
    function low(address to, uint256 amount) external payable returns (bool ok, uint256 balance_) {
        bytes memory data = abi.encodeWithSelector(Oracle.bump.selector, amount); //~lowData
        bytes memory ret; //~lowRet
        (ok, ret) = to.call(data); //~lowCall
        uint256 v = abi.decode(ret, (uint256)); //~lowDecode
        (bool sent, ) = payable(msg.sender).call{value: msg.value / 2}(""); //~lowSend
        ok = ok && sent; //~lowOk
        balance_ = address(this).balance + v; //~lowBal
    }
    function guarded(uint256 a, uint256 b) external returns (uint256 c) {
        fails = a; //~guFails
        c = a - b; //~guSub
        fails = c; //~guAfter
    }
}
// E: proxy
contract Relay {
    bytes32 internal constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    constructor(address impl) {
        bytes32 s = SLOT; //~relS
        assembly { sstore(s, impl) } //~relStore
    }
    fallback() external payable {
        bytes32 s = SLOT; //~relFall
        assembly {
            let impl := sload(s) //~relImpl
            calldatacopy(0, 0, calldatasize()) //~relCopy
            let ok := delegatecall(gas(), impl, 0, calldatasize(), 0, 0) //~relDel
            returndatacopy(0, 0, returndatasize()) //~relRet
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } //~relSwitch
        }
    }
}
contract Impl {
    /// @custom:storage-location erc7201:yard.impl
    struct Main { uint128 a; uint128 b; mapping(address => Point) pts; }
    bytes32 private constant AT = keccak256(abi.encode(uint256(keccak256("yard.impl")) - 1)) & ~bytes32(uint256(0xff));
    uint256 internal plain;
    function _main() private pure returns (Main storage m) {
        assembly { m.slot := 0x0 } //~mainAsm0
        bytes32 at = AT; //~mainAt
        assembly { m.slot := at } //~mainAsm
    }
    function set(uint128 a, int16 x) external returns (uint256) {
        Main storage m = _main(); //~setM
        m.a += a; //~setA
        m.b = m.a * 2; //~setB
        m.pts[msg.sender].x = x; //~setX
        plain = m.b; //~setPlain
        return plain; //~setRet
    }
}

// F: functions for the console
contract Desk {
    struct Quote {
        uint256 amount;
        string unit;
    }

    uint256 public rate = 2;
    uint256 transient nonce;
    mapping(address => uint256) public balanceOf;
    Grade internal grade = Grade.Low;

    error Closed(uint256 rate);

    function trade(uint256 amount) external payable returns (uint256 left) {
        balanceOf[msg.sender] += amount; //~deskCredit
        nonce = amount + 1; //~deskNonce
        rate = 5; //~deskRate
        left = address(this).balance; //~deskLeft
    }

    function quote(uint256 amount) public view returns (uint256) {
        return amount * rate;
    }

    function quote(address who) public view returns (uint256) {
        return balanceOf[who] + nonce;
    }

    function describe(Quote calldata given, uint256[] calldata extra) external pure returns (Quote memory, uint256 count) {
        return (Quote(given.amount + 1, given.unit), extra.length);
    }

    function graded(Grade least) external view returns (Grade, address) {
        return (grade > least ? grade : least, msg.sender);
    }

    function strict() external view returns (uint256) {
        if (rate > 1) revert Closed(rate);
        return 1;
    }

    function take(uint256 amount) external {
        rate = amount;
    }

    function _hidden() internal view returns (uint256) {
        return rate;
    }
}
