// SPDX-License-Identifier: MIT
pragma solidity ^0.6.2;

// Failures of contracts for compilers before 0.8: no custom errors, no panics, checks by a library.

library SafeMath {
    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction overflow"); //~safeSub
        return a - b;
    }

    function div(uint256 a, uint256 b) internal pure returns (uint256) {
        return a / b; //~safeDiv
    }
}

interface IPrice {
    function price() external view returns (uint256);
}

contract Base {
    address public owner;

    constructor(address first) public {
        require(first != address(0), "owner is zero"); //~oldOwnerIsZero
        owner = first;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner"); //~oldOnlyOwner
        _;
    }
}

contract Zero is Base(address(0)) { //~oldZero
}

contract Old is Base {
    using SafeMath for uint256;

    uint256[] public list;
    uint256 public stock;
    IPrice public oracle;

    constructor(IPrice source) public Base(msg.sender) {
        oracle = source;
    }

    function take(uint256 amount) external {
        stock = stock.sub(amount); //~oldTake
    }

    function divide(uint256 amount) external view returns (uint256) {
        return stock.div(amount); //~oldDivide
    }

    function own(address next) external onlyOwner { //~oldOwn
        owner = next;
    }

    function at(uint256 index) external view returns (uint256) {
        return list[index]; //~oldAt
    }

    function check(uint256 value) external view {
        assert(value > stock); //~oldCheck
    }

    function quote() external view returns (uint256) {
        return _quote() + 1; //~oldQuote
    }

    function _quote() internal view returns (uint256) {
        return oracle.price(); //~oldInnerQuote
    }

    function bare(uint256 value) external view {
        require(value > stock + 5); //~oldBare
        if (value == 7) revert(); //~oldRevert
        if (value == 8) revert("eight"); //~oldEight
    }

    function make(address first) external returns (address) {
        return address(new Base(first)); //~oldMake
    }
}
