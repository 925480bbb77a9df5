// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

// An exchange that fails in further ways; `//~name` marks a line that a test expects in a stack.

interface IPriceErrors {
    error StalePrice(uint64 at, string pair);
}

interface IVenue {
    function quote(uint256 size) external view returns (uint256);
    function isOpen() external view returns (bool);
    function raw() external view returns (bytes memory);
}

library SafeCast {
    error Overflow(uint8 bits, uint256 value);

    function toUint8(uint256 value) internal pure returns (uint8) {
        if (value > type(uint8).max) {
            revert Overflow(8, value); //~castOverflow
        }
        return uint8(value);
    }

    function toInt(uint256 value) internal pure returns (int256) {
        require(value <= uint256(type(int256).max), "cast: int256"); //~castInt
        return int256(value);
    }
}

library Wad {
    uint256 internal constant ONE = 1e18;

    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b; //~wadAdd
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        return add(a * b, ONE / 2) / ONE; //~wadMul
    }
}

library Ray {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        unchecked {
            c = a + b;
        }
        require(c >= a, "ray: add"); //~rayAdd
    }
}

contract Venue is IVenue {
    uint256 internal depth;
    address internal owner = msg.sender;

    constructor(uint256 depth_) {
        depth = depth_;
    }

    function quote(uint256 size) external view override returns (uint256) {
        return _quote(size, 0); //~venueQuote
    }

    function _quote(uint256 size, uint256 level) private view returns (uint256) {
        if (level == 2) return depth - size; //~venueDepth
        return _quote(size, level + 1) + 1; //~venueLevel
    }

    function isOpen() external pure override returns (bool) {
        assembly {
            mstore(0, 2)
            return(0, 32)
        }
    }

    function raw() external pure override returns (bytes memory) {
        return hex"0102";
    }
}

abstract contract Guard {
    uint256 internal lock = 1;
    uint256 internal minimum = 3;

    error Reentered(uint256 depth);
    error Below(uint256 value, uint256 minimum);

    modifier once() virtual {
        if (lock == 2) revert Reentered(lock); //~reentered
        lock = 2;
        _;
        lock = 1;
    }

    modifier least(uint256 value) {
        _requireLeast(value); //~leastCheck
        _;
    }

    function _requireLeast(uint256 value) private view {
        if (value < minimum) revert Below(value, minimum); //~below
    }

    function _label(uint256 value) internal pure returns (string memory) {
        return value > 5 ? "value is large" : "value is small";
    }

    function _fee(uint256 value) internal view virtual returns (uint256) {
        return value / (minimum - 3); //~guardFee
    }
}

contract Exchange is Guard, IPriceErrors {
    using SafeCast for uint256;
    using Wad for uint256;

    struct Fill {
        uint128 amount;
        address maker;
    }
    struct Order {
        uint64 placed;
        Fill[] fills;
        mapping(uint256 => uint256) notes;
    }

    mapping(address => mapping(uint256 => Order)) internal orders;
    IVenue[] internal venues;
    bytes internal memo = "memo";
    uint256 public total;
    uint256[4] internal levels;
    mapping(address => uint256[]) internal queue;

    event Moved(uint256 difference, uint256 ratio);

    error LengthMismatch(uint256 a, uint256 b);
    error Rejected();
    error Failed(uint256 index, bytes reason);
    error NotPaid();

    constructor(IVenue[] memory venues_) payable {
        venues = venues_;
    }

    function place(uint256 id, uint128 amount) external once least(amount) { //~place
        Order storage order = orders[msg.sender][id];
        order.placed = uint64(block.timestamp);
        order.fills.push(Fill(amount, msg.sender));
    }

    function reduce(uint256 id, uint256 index, uint128 by) external {
        orders[msg.sender][id].fills[index].amount -= by; //~reduce
        total += by;
    }

    function best(uint256 size) external view returns (uint256 found) {
        for (uint256 i = 0; i < venues.length; i++) {
            uint256 price = venues[i].quote(size); //~best
            if (price > found) found = price;
        }
    }

    function bestOrNone(uint256 size) external view returns (uint256 found) {
        for (uint256 i = 0; i < venues.length; i++) {
            try venues[i].quote(size) returns (uint256 price) {
                if (price > found) found = price;
            } catch {}
        }
        if (found == 0) revert StalePrice(uint64(size), "ETH/USD"); //~stale
    }

    function isOpen() external view returns (bool) {
        bool first = venues[0].isOpen(); //~isOpen
        return first;
    }

    function decodeRaw() external view returns (uint256) {
        bytes memory data = venues[0].raw();
        return abi.decode(data, (uint256)); //~decodeRaw
    }

    function labeled(uint256 value) external pure {
        require(value == 5, _label(value)); //~labeled
    }

    function lines(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        return (a * b) //~linesMul
            + a / c //~linesDiv
            - b; //~linesSub
    }

    function nested(uint256 value) external view returns (uint256) {
        return _outer(_inner(_fee(value))); //~nested
    }

    function _fee(uint256 value) internal view override returns (uint256) {
        if (value == 1) return super._fee(value); //~feeSuper
        return value;
    }

    function _inner(uint256 value) internal pure returns (uint256) {
        require(value != 2, "inner: two"); //~inner
        return value + 1;
    }

    function _outer(uint256 value) internal pure returns (uint256) {
        require(value != 4, "outer: four"); //~outer
        return value;
    }

    function store(uint256 a, uint256 b) external {
        _store( //~storeCall
            a - b, //~storeMinus
            a / b //~storeDivide
        );
    }

    function _store(uint256 difference, uint256 ratio) internal {
        emit Moved(difference, ratio);
        levels[ratio] = difference; //~storeLevel
    }

    function announce(uint256 a, uint256 b) external {
        emit Moved(a, b);
        emit Moved(a - b, total); //~announce
    }

    function sumSmall(uint8 from) external pure returns (uint256 sum) {
        for (uint8 i = from; i > 0; i++) { //~sumSmall
            sum += i;
        }
    }

    function countDown(uint256 from) external pure returns (uint256 steps) {
        while (true) {
            from -= 3; //~countDown
            steps++;
        }
    }

    function scaled(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 product = a.mul(b); //~scaledMul
        return Ray.add(product, b); //~scaledAdd
    }

    function small(uint256 value) external returns (uint8 result) {
        result = (value + 1).toUint8(); //~small
        total = result;
    }

    function signed(uint256 a, int256 b) external pure returns (int256) {
        int256 x = a.toInt(); //~signedCast
        return x * b - 1; //~signedTimes
    }

    function reject(uint256 kind) external view {
        if (kind == 1) revert Rejected(); //~rejectOne
        else if (kind == 2) revert Rejected(); //~rejectTwo
        if (total < kind) {
            revert Rejected(); //~rejectTotal
        }
    }

    function either(uint256 a, uint256 b) external view returns (bool) {
        return a > 10 || _positive(b) || total / a > 3; //~either
    }

    function _positive(uint256 b) private pure returns (bool) {
        if (b == 7) revert("seven is odd"); //~positive
        return b > 7;
    }

    function batch(uint256[] calldata ids, uint256[] calldata amounts) external {
        require(ids.length == amounts.length, LengthMismatch(ids.length, amounts.length)); //~lengths
        for (uint256 i = 0; i < ids.length; i++) {
            try this.reduce(ids[i], 0, uint128(amounts[i])) {} catch (bytes memory reason) {
                revert Failed(i, reason); //~batchFailed
            }
        }
    }

    function byteAt(uint256 index) external view returns (bytes1) {
        return memo[index]; //~byteAt
    }

    function forget(uint256 index) external {
        delete venues[index]; //~forget
    }

    function level(int256 index) external view returns (uint256) {
        return levels[uint256(index)]; //~level
    }

    function pay(address payable to) external once {
        (bool ok, ) = to.call{value: 1}("");
        require(ok, NotPaid()); //~notPaid
    }

    function payBubbling(address payable to) external once {
        (bool ok, bytes memory data) = to.call{value: 1}(""); //~payBubbling
        if (!ok) {
            assembly ("memory-safe") {
                let size := mload(data)
                revert(add(data, 0x20), size)
            }
        }
    }

    function check(address at) external view returns (uint256) {
        (bool ok, bytes memory data) = at.staticcall(abi.encodeCall(IVenue.quote, (1)));
        require(ok, "static call failed"); //~checkFailed
        return abi.decode(data, (uint256)); //~checkDecode
    }

    function noValue(uint256 value) external pure returns (uint256) { //~noValue
        return value;
    }

    function power(uint256 base, uint8 by) external pure returns (uint256 result) {
        result = 1;
        for (uint8 i = 0; i < by; ++i) {
            result *= base; //~power
        }
    }

    function dequeue() external returns (uint256 first) {
        uint256[] storage mine = queue[msg.sender];
        first = mine[0]; //~dequeueFirst
        mine[0] = mine[mine.length - 1];
        mine.pop();
    }

    function share(uint256[] memory parts) external pure returns (uint256 sum, uint256 first) {
        for (uint256 i = parts.length - 1; i >= 0; --i) { //~shareLoop
            sum += parts[i];
        }
        first = parts[0];
    }
}

contract Attacker {
    receive() external payable {
        Exchange(msg.sender).place(1, 10); //~attack
    }
}

abstract contract BaseA {
    uint256 internal immutable a;

    constructor(uint256 value) {
        require(value != 1, "A: one"); //~baseA
        a = value;
    }
}

abstract contract BaseB is BaseA {
    uint256 internal b = 10;

    constructor(uint256 value) BaseA(value - 1) { //~baseB
        b = b / (value - 5); //~baseBBody
    }
}

contract Built is BaseB {
    Venue internal immutable venue;

    constructor(uint256 value)
        BaseB(value * 2) //~builtBase
    {
        venue = new Venue(value);
        _check(); //~builtCheck
    }

    function _check() private view {
        assert(a != 19); //~builtAssert
    }
}

contract Builder {
    error BuildFailed(uint256 value);

    function build(uint256 value) external returns (Built) {
        return new Built(value); //~build
    }

    function tryBuild(uint256 value) external returns (address) {
        try new Built(value) returns (Built built) {
            return address(built);
        } catch Panic(uint256) {
            revert BuildFailed(value); //~buildFailed
        }
    }
}
