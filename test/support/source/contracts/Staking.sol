// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

// Failures inside one contract; `//~name` marks a line that a test expects in a stack.

type Shares is uint128;
using {addShares as +, subShares as -, lessShares as <, isNone} for Shares global;

error SharesExhausted(Shares have, Shares want);

function addShares(Shares a, Shares b) pure returns (Shares) {
    return Shares.wrap(Shares.unwrap(a) + Shares.unwrap(b)); //~addShares
}

function subShares(Shares a, Shares b) pure returns (Shares) {
    if (a < b) revert SharesExhausted(a, b); //~subShares
    unchecked {
        return Shares.wrap(Shares.unwrap(a) - Shares.unwrap(b));
    }
}

function lessShares(Shares a, Shares b) pure returns (bool) {
    return Shares.unwrap(a) < Shares.unwrap(b);
}

function isNone(Shares a) pure returns (bool) {
    return Shares.unwrap(a) == 0;
}

struct RingData {
    uint64[] items;
    uint64 head;
}
using Ring for RingData global;

library Ring {
    error RingEmpty(string name, uint256 head, bytes32[] trail);

    function push(RingData storage self, uint64 item) internal {
        require(self.items.length < 3, "ring is full"); //~ringFull
        self.items.push(item);
    }

    function shift(RingData storage self, string memory name) internal returns (uint64 item) {
        if (self.head >= self.items.length) {
            bytes32[] memory trail = new bytes32[](2);
            trail[1] = keccak256(bytes(name));
            revert RingEmpty(name, self.head, trail); //~ringEmpty
        }
        item = self.items[self.head++];
    }

    function drop(RingData storage self) internal {
        self.items.pop(); //~ringPop
    }

    function at(RingData storage self, uint256 index) internal view returns (uint64) {
        return self.items[index]; //~ringAt
    }
}

abstract contract Roles {
    mapping(bytes32 => mapping(address => bool)) internal roles;
    address[] internal guardians;
    bytes32 internal constant KEEPER = "keeper";

    error MissingRole(bytes32 role, address account);

    modifier onlyRole(bytes32 role) {
        _checkRole(role, msg.sender); //~onlyRole
        _;
    }

    modifier allGuardians(uint256 quorum) {
        uint256 agreed;
        for (uint256 i = 0; i < guardians.length; i++) {
            if (guardians[i] == msg.sender) agreed += 1;
            require(agreed <= quorum, "too many agree"); //~tooManyAgree
        }
        require(agreed > 0, "no guardian agrees"); //~noGuardian
        _;
        require(guardians.length < 5, "guardians grew"); //~guardiansGrew
    }

    function _checkRole(bytes32 role, address account) internal view virtual {
        if (!roles[role][account]) {
            revert MissingRole(role, account); //~missingRole
        }
    }

    function _before(uint256 amount) internal virtual {
        require(amount > 1, "roles: dust"); //~rolesDust
    }

    function _price(uint256 amount) internal view virtual returns (uint256);

    function _cost(uint256 amount) internal view returns (uint256) {
        return _price(amount) * 2; //~cost
    }
}

abstract contract Capped is Roles {
    function _before(uint256 amount) internal virtual override {
        require(amount < 1_000_000, "capped"); //~capped
        super._before(amount); //~cappedSuper
    }
}

abstract contract Timed is Roles {
    uint64 public immutable opensAt;

    error OpensInThePast(uint64 opens, uint256 time);

    constructor(uint64 opens) {
        if (opens < 1000) revert OpensInThePast(opens, 1000); //~opens
        opensAt = opens;
    }

    function _before(uint256 amount) internal virtual override {
        require(amount % 7 != 0, "timed: seven"); //~timedSeven
        super._before(amount); //~timedSuper
    }
}

contract Staking is Capped, Timed {
    enum Kind {
        Flat,
        Steep,
        Odd
    }
    struct Position {
        Shares shares;
        uint64 since;
        Kind kind;
    }

    uint128 public immutable cap;
    uint256 public immutable perShare;
    mapping(address => Position) internal positions;
    mapping(bytes4 => function(uint256) internal returns (uint256)) internal handlers;
    RingData internal ring;
    uint8[3][2] internal grid;
    uint256[] internal costs = [5, 4, 3, 2, 1, 1, 9, 1];
    uint256 internal total = 100;
    Kind public kind;

    event Stepped(uint256 indexed step, string what);
    event Left(address indexed who, Shares shares);

    error BadTerms(uint256 index, string reason);
    error NotFresh(uint256 since);
    error LimitReached(uint256 limit);

    constructor(uint64 opens, uint128 limit, uint256 unit)
        Timed(opens * 2) //~ctorTimed
    {
        cap = limit;
        perShare = _share(limit, unit); //~ctorShare
        guardians.push(msg.sender);
        roles[KEEPER][address(this)] = true;
    }

    function _share(uint256 limit, uint256 unit) private pure returns (uint256) {
        return limit / unit; //~share
    }

    function _before(uint256 amount) internal override(Capped, Timed) {
        super._before(amount); //~stakingSuper
    }

    function _price(uint256 amount) internal view override returns (uint256) {
        require(amount != 77, "no price for 77"); //~noPrice
        return amount * perShare;
    }

    function stake(uint256 amount) external {
        _before(amount); //~stakeBefore
        positions[msg.sender].shares = positions[msg.sender].shares + Shares.wrap(uint128(amount)); //~stakeAdd
    }

    function priceOf(uint256 amount) external view returns (uint256) {
        return _cost(amount); //~priceOf
    }

    function setRate(uint256 rate) external onlyRole(KEEPER) { //~setRate
        total = rate;
    }

    function drain() external allGuardians(1) { //~drain
        total = 0;
    }

    function enlist(uint256 many) external allGuardians(1) { //~enlist
        for (uint256 i = 0; i < many; i++) guardians.push(address(uint160(i + 1)));
    }

    function leave(uint128 shares) external {
        Position storage position = positions[msg.sender];
        emit Left(msg.sender, Shares.wrap(shares));
        position.shares = position.shares - Shares.wrap(shares); //~leave
    }

    function huge(uint128 shares) external returns (Shares all) {
        all = Shares.wrap(type(uint128).max);
        all = all + Shares.wrap(shares); //~huge
        positions[msg.sender].shares = all;
    }

    function enqueue(uint64 many) external {
        for (uint64 i = 0; i < many; i++) {
            emit Stepped(i, "enqueue");
            ring.push(i); //~enqueue
        }
    }

    function dequeue() external returns (uint64) {
        return ring.shift("main ring of the staking contract, with a long name"); //~dequeue
    }

    function dropNewest() external {
        ring.drop(); //~dropNewest
    }

    function ringItem(uint256 index) external view returns (uint64) {
        uint64 item = ring.at(index); //~ringItem
        return item + 1;
    }

    function terms(uint256[] calldata values) external view returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) {
            require(values[i] <= cap, BadTerms(i, "above the cap")); //~termsCap
            require(values[i] != 0, BadTerms(i, "zero")); //~termsZero
            sum += values[i];
        }
    }

    function choose(uint8 which, uint256 x) external view returns (uint256 result) {
        result = which == 0
            ? x * perShare * 3 //~chooseTimes
            : which == 1
                ? perShare / (x - 10) //~chooseDivide
                : _steep(x); //~chooseSteep
    }

    function _steep(uint256 x) internal pure returns (uint256) {
        if (x > 40) revert LimitReached(40); //~steep
        return 2 ** x;
    }

    function both(uint256 a, uint256 b) external view returns (bool) {
        require(a < 10 && _isFresh(b), "not fresh"); //~both
        return true;
    }

    function _isFresh(uint256 since) internal view returns (bool) {
        if (since > total) revert NotFresh(since); //~isFresh
        return since > 5;
    }

    function seventh(uint256 budget) external view returns (uint256 left) {
        left = budget;
        for (uint256 i; i < costs.length; ++i) {
            left -= costs[i]; //~seventh
        }
    }

    function loose(uint128 a, uint128 b) external view returns (uint256) {
        uint128 difference;
        unchecked {
            difference = a - b;
        }
        uint128 sum = difference + cap; //~loose
        return sum;
    }

    function arm(bytes4 key) external {
        handlers[key] = key == bytes4(0) ? _handleNothing : _handleStrict;
    }

    function handle(bytes4 key, uint256 value) external returns (uint256) {
        function(uint256) internal returns (uint256) handler = handlers[key];
        return handler(value); //~handle
    }

    function _handleNothing(uint256 value) internal pure returns (uint256) {
        return value;
    }

    function _handleStrict(uint256 value) internal returns (uint256) {
        total += value;
        require(value < total - 100, "handler is strict"); //~handleStrict
        return value;
    }

    function set(uint256 value) public {
        require(value != 1, "bad value"); //~setOne
        total = value;
    }

    function set(address guardian) public {
        require(guardian != address(0), "bad value"); //~setAddress
        guardians.push(guardian);
    }

    function set(uint256 value, string calldata why) external {
        require(bytes(why).length > 2, "bad value"); //~setWhy
        set(value); //~setBoth
        require(value != 2, "bad value"); //~setTwo
    }

    function setKind(uint8 value) external {
        Kind next = Kind(value); //~setKind
        kind = next;
    }

    function cell(uint256 row, uint256 column) external view returns (uint8) {
        return grid[row][column]; //~cell
    }

    function find(uint256[] memory list, uint256 wanted) external pure returns (uint256 index) {
        do {
            index++;
        } while (list[index] != wanted); //~find
    }

    function letter(string calldata text, uint256 index) external pure returns (bytes1) {
        return bytes(text)[index]; //~letter
    }

    function slotOf(uint256 value) external pure {
        assembly {
            if gt(value, 100) {
                let free := mload(0x40)
                mstore(free, shl(224, 0x08c379a0))
                mstore(add(free, 4), 0x20)
                mstore(add(free, 0x24), 7)
                mstore(add(free, 0x44), "too big")
                revert(free, 0x64) //~slotOf
            }
        }
    }

    function outOfBounds(uint256 offset) external pure returns (uint256 word) {
        word = 5;
        assembly {
            word := add(word, mload(offset)) //~outOfBounds
        }
    }

    function note(bool isFine, uint256 depth) external view {
        _note(isFine, depth, "note: not fine"); //~note
    }

    function _note(bool isFine, uint256 depth, string memory message) internal view {
        if (depth > 0) {
            _note(isFine, depth - 1, message); //~noteAgain
            return;
        }
        require(isFine, message); //~noteMessage
    }

    function parse(bytes calldata data) external pure returns (uint256) {
        (uint256 size, string[] memory names) = _parse(data); //~parse
        return size + names.length;
    }

    function _parse(bytes calldata data) private pure returns (uint256, string[] memory) {
        return abi.decode(data, (uint256, string[])); //~parseDecode
    }

    function rest(uint256 a, uint256 b) external pure returns (uint256) {
        return a % b; //~rest
    }

    function shrink(uint256 value) external returns (uint256) {
        total -= value; //~shrink
        total--; //~shrinkOne
        return total;
    }

    function average(uint256[] calldata values) external pure returns (uint256) {
        uint256 sum;
        for (uint256 i = 0; i < values.length; i++) sum += values[i]; //~averageSum
        return sum / values.length; //~averageDivide
    }

    function early(uint256 value) external returns (uint256) {
        if (value == 0) return 0;
        if (value < 10) {
            total += value;
        } else if (value < 100) {
            emit Stepped(value, "early");
            revert BadTerms(value, "hundred"); //~earlyHundred
        } else {
            revert BadTerms(value, "thousand"); //~earlyThousand
        }
        return value;
    }
}
