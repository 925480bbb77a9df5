// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

type Ray is int128;
using {radd as +, rneg as -} for Ray global;
function radd(Ray a, Ray b) pure returns (Ray) {
    return Ray.wrap(Ray.unwrap(a) + Ray.unwrap(b)); //~radd
}
function rneg(Ray a) pure returns (Ray c) {
    c = Ray.wrap(-Ray.unwrap(a)); //~rneg
}

library Sets {
    struct Set { bytes32[] values; mapping(bytes32 => uint256) positions; }
    function add(Set storage set, bytes32 v) internal returns (bool) {
        if (set.positions[v] != 0) return false; //~setHas
        set.values.push(v); //~setPush
        set.positions[v] = set.values.length; //~setPos
        return true; //~setTrue
    }
    function remove(Set storage set, bytes32 v) internal returns (bool done) {
        uint256 position = set.positions[v]; //~remPos
        if (position != 0) { //~remIf
            uint256 last = set.values.length - 1; //~remLast
            bytes32 moved = set.values[last]; //~remMoved
            set.values[position - 1] = moved; //~remMove
            set.positions[moved] = position; //~remFix
            set.values.pop(); //~remPop
            delete set.positions[v]; //~remDel
            done = true; //~remDone
        }
    }
}

contract Ledger2 {
    struct Checkpoint { uint32 fromBlock; uint224 votes; }
    struct Account { uint128 shares; int64 score; Checkpoint[] history; string[2] labels; }
    enum Kind { A, B, C }
    using Sets for Sets.Set;

    mapping(address => Account) internal accounts;
    Sets.Set internal members;
    Kind[] internal kinds;
    Ray internal rate = Ray.wrap(25);
    bytes32[4] internal roots;
    mapping(Kind => mapping(bytes8 => bool[])) internal flags;
    address payable internal treasury;
    bool transient entered;

    error Low(uint256 have, uint256 want, Kind kind);
    event Done(address indexed who, uint256 n);

    modifier lock() {
        require(!entered, "locked"); //~lockReq
        entered = true; //~lockSet
        _;
        entered = false; //~lockClear
    }
    modifier only(Kind k, uint256 n) {
        for (uint256 i; i < n; i++) { //~onlyFor
            if (i == uint256(k)) break; //~onlyIf
        }
        _;
    }

    function join(uint128 shares, string calldata label) external lock returns (uint256 count) {
        Account storage a = accounts[msg.sender]; //~joinA
        a.shares += shares; //~joinShares
        a.score = -int64(uint64(shares)) - 1; //~joinScore
        a.history.push(Checkpoint(uint32(block.number), uint224(shares) * 2)); //~joinPush
        a.labels[1] = label; //~joinLabel
        bool isNew = members.add(bytes32(uint256(uint160(msg.sender)))); //~joinAdd
        isNew = members.add(keccak256(bytes(label))) && isNew; //~joinAdd2
        Checkpoint memory last = a.history[a.history.length - 1]; //~joinLast
        last.votes += 1; //~joinVotes
        _touch(last); //~joinTouch
        count = members.values.length; //~joinCount
        members.remove(keccak256(bytes(label))); //~joinRemove
        emit Done(msg.sender, last.fromBlock); //~joinEmit
    }
    function _touch(Checkpoint memory c) private pure {
        c.fromBlock = 77; //~touch
    }
    function classify(int256 x, Kind k) external only(k, 5) returns (Kind[] memory out, string memory name) {
        out = new Kind[](3); //~clOut
        out[0] = x < 0 ? (x < -10 ? Kind.C : Kind.B) : Kind.A; //~clTern
        kinds = out; //~clKinds
        kinds.push(k); //~clPush
        flags[k]["abcdefgh"].push(true); //~clFlag
        name = k == Kind.B || _boom() ? "bee" : "other"; //~clName
        roots[2] = bytes32(bytes("root")); //~clRoots
        delete kinds[3]; //~clDel
    }
    function _boom() private pure returns (bool) {
        revert("boom"); //~boom
    }
    function math(int16 a, uint8 b) external returns (int256 r, Ray q) {
        int256 big = int256(a) * 1000; //~maBig
        r = big / 7 % 11; //~maR
        uint256 bits = (uint256(b) << 4) | 0xf; //~maBits
        unchecked { b = b - 250; } //~maUn
        q = -rate + Ray.wrap(3); //~maQ
        rate = q; //~maRate
        r += int256(bits ** 2); //~maPow
        bytes4 sel = bytes4(keccak256("x()")); //~maSel
        bytes1 nib = sel[3] & 0x0f; //~maNib
        r -= int8(uint8(nib)); //~maEnd
    }
    function slices(bytes calldata data) external pure returns (bytes4 head, uint256 value, bytes memory tail) {
        head = bytes4(data[:4]); //~slHead
        bytes calldata rest = data[4:]; //~slRest
        (uint256 v, address who, int8 small) = abi.decode(rest, (uint256, address, int8)); //~slDecode
        value = v + uint160(who); //~slValue
        tail = rest[95:]; //~slTail
        uint256[][] memory grid = new uint256[][](2); //~slGrid
        grid[1] = new uint256[](1); //~slGrid1
        grid[1][0] = value; //~slGrid10
        if (small < 0) value = 0; //~slIf
    }
    function search(uint256[] memory sorted, uint256 want) public pure returns (uint256 lo) {
        uint256 hi = sorted.length; //~seHi
        while (lo < hi) { //~seWhile
            uint256 mid = (lo + hi) >> 1; //~seMid
            if (sorted[mid] < want) { //~seIf
                lo = mid + 1; //~seLo
            } else {
                hi = mid; //~seElse
            }
        }
    }
    function multi(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length); //~muNew
        for (uint256 i = 0; i < calls.length; ++i) { //~muFor
            (bool ok, bytes memory out) = address(this).delegatecall(calls[i]); //~muCall
            if (!ok) { //~muIf
                assembly { revert(add(out, 32), mload(out)) } //~muRevert
            }
            results[i] = out; //~muSet
        }
    }
    function fail(uint256 want) external view {
        uint256 have = accounts[msg.sender].shares; //~faHave
        if (have < want) revert Low(have, want, Kind.C); //~faRevert
    }
    function clone(address impl) external returns (address made, uint256 size) {
        bytes20 target = bytes20(impl); //~cloTarget
        assembly {
            let ptr := mload(0x40) //~cloPtr
            mstore(ptr, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000) //~cloA
            mstore(add(ptr, 0x14), target) //~cloB
            mstore(add(ptr, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000) //~cloC
            made := create(0, ptr, 0x37) //~cloMake
            size := extcodesize(made) //~cloSize
        }
        treasury = payable(made); //~cloSet
        Plainer(made).poke(9); //~cloPoke
        size += Plainer(made).seen(); //~cloSeen
    }
    function tree(uint256 depth, uint256 width) public pure returns (uint256 nodes) {
        nodes = 1; //~trOne
        if (depth > 0) for (uint256 i = 0; i < width; i++) nodes += tree(depth - 1, width); //~trFor
    }
}

contract Plainer {
    uint256 public seen;
    address[] internal callers;
    function poke(uint256 v) external {
        seen += v; //~poke
        callers.push(msg.sender); //~pokePush
    }
}

abstract contract A0 {
    uint8 internal a0;
    string internal nm;
    constructor(uint8 x) { a0 = x; } //~a0
}
abstract contract B0 is A0 {
    uint16 internal immutable b0;
    constructor(uint16 y, string memory n) { b0 = y; nm = n; } //~b0
}
contract C0 is B0 {
    uint256[] internal many = [uint256(3), 1, 2]; //~many
    mapping(uint8 => string) internal names;
    bytes32 internal immutable digest;
    constructor(uint8 p) A0(p + 1) B0(uint16(p) * 2, "cee") { //~c0
        digest = keccak256(abi.encodePacked(p, nm)); //~c0Digest
        names[a0] = nm; //~c0Names
        for (uint256 i = 0; i < many.length; i++) { //~c0For
            many[i] *= p; //~c0Mul
        }
    }
}
