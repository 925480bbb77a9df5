// SPDX-License-Identifier: MIT
pragma solidity >=0.8.8;

// What a debugger walks through; `//~name` marks a line that a test expects to stop at.

library Sums {
    function twice(uint256 value) internal pure returns (uint256) {
        uint256 doubled = value * 2; //~doubled
        return doubled; //~returnDoubled
    }

    function outside(uint256 value) external pure returns (uint256) {
        return value + 7; //~outside
    }
}

abstract contract Base {
    uint256 public start = 5; //~startValue
    address internal maker;

    constructor(uint256 first) {
        start += first; //~baseConstructor
        maker = msg.sender; //~maker
    }

    modifier counted() {
        calls++; //~before
        _;
        calls += 10; //~after
    }

    uint256 public calls;
}

contract Walk is Base {
    struct Item {
        uint128 amount;
        bool isOpen;
        string name;
    }

    error TooMuch(uint256 value);

    uint256[] public values;
    mapping(address => mapping(uint256 => Item)) public items;
    uint256 public total;

    constructor(uint256 first) Base(first * 2) {
        total = first; //~ownConstructor
    }

    function loop(uint256 count) external returns (uint256 sum) {
        for (uint256 i = 0; i < count; i++) { //~for
            sum += i; //~sum
        }
        uint256 left = count; //~left
        while (left > 0) left--; //~while
        total = sum; //~total
    }

    function spin(uint256 count) external returns (uint256 sum) {
        for (uint256 i = 0; i < count; i++) { //~spinFor
            sum = Sums.twice(i) + i; //~spinCall
        }
        total = sum;
    }

    function nested(uint256 value) external counted returns (uint256) {
        uint256 first = Sums.twice(value); //~first
        uint256 second = _add(first, Sums.twice(1)); //~second
        if (second > 100) { //~if
            revert TooMuch(second); //~tooMuch
        }
        total = second; //~setTotal
        return second; //~returnSecond
    }

    function _add(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b; //~add
    }

    function linked(uint256 value) external returns (uint256) {
        uint256 result = Sums.outside(value); //~callOutside
        total = result; //~linkedTotal
        return result; //~returnLinked
    }

    function attempt(uint256 value) external returns (bool) {
        try this.nested(value) returns (uint256) { //~try
            return true; //~succeeded
        } catch {
            calls = 99; //~caught
        }
        return false; //~returnFalse
    }

    function store(uint128 amount, string calldata name) external {
        Item storage item = items[msg.sender][amount]; //~item
        item.amount = amount; //~amount
        item.name = name; //~name
        item.isOpen = true; //~isOpen
        uint256[] memory copy = new uint256[](2); //~copy
        copy[1] = amount; //~copyOne
        values = copy; //~values
        assembly {
            sstore(9, 1) //~assembly
        }
    }
}
