// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

error Refused(uint256 value);
error Unlucky();

abstract contract Metered {
    uint256 public total;
    uint256 public limit = 100;

    modifier metered() {
        _note(1);
        _;
        _settle(); //~mgSettleCall
    }

    modifier doubled() {
        _;
        total += 1;
        _;
    }

    modifier below(uint256 value) {
        if (value == limit) revert Refused(value); //~mgBelow
        _;
    }

    function _note(uint256 value) internal {
        if (value > 0) total = total + value;
    }

    function _settle() internal view {
        require(total < limit, "over the limit"); //~mgSettle
    }
}

contract Merged is Metered {
    enum Kind {
        Small,
        Large
    }

    mapping(address => uint256) public marks;

    function store(uint256 value) external metered { //~mgStore
        total += value;
        marks[msg.sender] = value;
    }

    function forward(address to, bytes calldata data) external below(data.length) {
        if (to == address(0)) revert Refused(0);
        marks[to] = data.length;
        if (data.length > 0) _forward(to, data); //~mgForward
    }

    function _forward(address to, bytes calldata data) private {
        (bool ok, bytes memory result) = to.delegatecall(data); //~mgDelegate
        if (!ok) assembly { revert(add(result, 32), mload(result)) }
    }

    function refuse(uint256 value) external {
        if (value == 1) revert Refused(value); //~mgRefuseOne
        total = value;
        if (value == 2) {
            marks[msg.sender] = value;
            revert Refused(value); //~mgRefuseTwo
        }
        for (uint256 i; i < value; i++) {
            if (i == 5) revert Refused(value); //~mgRefuseLoop
        }
        revert Refused(value); //~mgRefuseEnd
    }

    function arms(uint256 value) external pure returns (uint256) {
        if (value > 100) {
            _nonZero(value - 200 + 100); //~mgArmOne
        } else if (value > 50) {
            _nonZero(value - 51); //~mgArmTwo
        } else {
            require(value > 0, "zero"); //~mgArmThree
        }
        return value;
    }

    function _nonZero(uint256 value) private pure {
        require(value > 0, "zero"); //~mgNonZero
    }

    function branch(uint256 value, uint256 other) external returns (uint256) {
        if (value >= 10) {
            if (value % 3 != 0) revert Refused(value); //~mgBranchRefuse
        } else {
            marks[msg.sender] = value;
            if (other < 5) return value;
        }
        _third(value, 3); //~mgBranch
        return other;
    }

    function _third(uint256 value, uint256 step) private {
        if (step % 3 != 1) revert Refused(value); //~mgThird
        total += step / value;
    }

    function again(uint256 value) external below(value) {
        marks[msg.sender] = value;
        limit = value + 1;
        _again(value + 1); //~mgAgain
    }

    function _again(uint256 value) private below(value) { //~mgAgainHead
        total += value;
    }

    function pick(uint256 value, Kind kind) external { //~mgPick
        limit = kind == Kind.Small ? value : value * 2;
    }

    function bare(uint256 value) external view returns (uint256 result) {
        assembly {
            if gt(value, 10) {
                mstore(0, 0xf00)
                revert(28, 4) //~mgBareData
            }
            if eq(value, 5) { revert(0, 0) } //~mgBare
            result := sload(value)
        }
    }

    function loose(uint256 value) external pure returns (uint256 result) {
        unchecked {
            result = value - 10;
        }
        result = result + 20; //~mgLoose
    }

    function twice(uint256 by) external doubled {
        total += by;
        require(total != 105, "five"); //~mgTwice
    }

    function selected(uint256 value) external pure {
        bytes4 selector = Unlucky.selector;
        assembly ("memory-safe") {
            if gt(value, 10) {
                mstore(0, selector)
                revert(0, 4) //~mgSelected
            }
            if eq(value, 3) { revert(0, 0) } //~mgSelectedEmpty
        }
        if (value < 3) revert Unlucky(); //~mgUnlucky
    }

    function through(uint256 value) external {
        address clone;
        assembly ("memory-safe") {
            let code := mload(0x40)
            mstore(code, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000)
            mstore(add(code, 0x14), shl(96, address()))
            mstore(add(code, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000)
            clone := create(0, code, 0x37)
        }
        Merged(clone).refuse(value); //~mgThrough
    }

    function fill(uint256 count) external {
        for (uint256 i; i < count; i++) {
            marks[address(uint160(i))] = count; //~mgFill
        }
    }
}
