// SPDX-License-Identifier: MIT
pragma solidity >=0.8.8;

// What a debugger runs again by an unoptimized build; `//~name` marks a line that a test expects to stop at.

library Rates {
    struct Rate {
        uint128 share;
        uint64 since;
        bool isFixed;
    }

    function scale(uint256 amount, uint256 percent) external pure returns (uint256) {
        uint256 scaled = amount * percent; //~scaled
        return scaled / 100;
    }

    function set(Rate storage rate, uint128 share) internal {
        rate.share = share; //~share
        rate.since = 77;
        rate.isFixed = true;
    }
}

contract Child {
    address public immutable parent = msg.sender;
    uint256 public value;

    event Opened(address parent, uint256 value);

    constructor(uint256 first) {
        uint256 doubled = first * 2; //~doubledFirst
        value = doubled;
        emit Opened(parent, doubled); //~opened
    }

    receive() external payable {
        uint256 sent = msg.value; //~sent
        value += sent;
    }

    function close(address payable to) external {
        require(msg.sender == parent, "only the parent");
        selfdestruct(to);
    }
}

contract Vaults {
    using Rates for Rates.Rate;

    error TooMuch(uint256 wanted, uint256 limit);

    uint256 public immutable limit;
    address public immutable owner;
    mapping(address => uint256) public balances;
    Rates.Rate public rate;
    Child public child;
    bytes32 public seen;
    uint256 public spent;

    modifier only(address who) {
        require(msg.sender == who, "not allowed"); //~only
        _;
    }

    constructor(uint256 limit_) payable {
        uint256 margin = limit_ / 10; //~margin
        limit = limit_ + margin;
        owner = msg.sender;
    }

    function fund(uint256 amount) external only(owner) returns (uint256) {
        uint256 unused = balances[address(1)]; //~unused
        uint256 fee = Rates.scale(amount, 5); //~fee
        uint256 left = amount - fee; //~left
        balances[msg.sender] += left; //~balance
        rate.set(uint128(left)); //~rate
        if (left > limit) revert TooMuch(left, limit); //~tooMuch
        return _twice(left) + unused - unused; //~twice
    }

    function _twice(uint256 value) internal pure returns (uint256) {
        uint256 result = value * 2; //~result
        return result;
    }

    function openChild(uint256 first, bytes32 salt) external returns (address) {
        Child made = new Child{salt: salt}(first); //~made
        child = made;
        uint256 value = made.value(); //~value
        return value > 0 ? address(made) : address(0);
    }

    function openPlain(uint256 first) external payable returns (uint256 size) {
        Child made = new Child(first); //~plain
        payable(address(made)).call{value: msg.value}("");
        size = address(made).code.length; //~size
        made.close(payable(msg.sender)); //~close
    }

    function predict(bytes32 salt, uint256 first) external returns (address at) {
        bytes32 code = keccak256(abi.encodePacked(type(Child).creationCode, abi.encode(first))); //~code
        at = address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
        seen = bytes32(uint256(uint160(at)));
    }

    function burnGas() external returns (uint256) {
        uint256 before = gasleft(); //~before
        for (uint256 i = 0; i < 20; i++) spent += i;
        spent = before - gasleft();
        return spent;
    }

    function branchOnGas() external returns (bool isRich) {
        isRich = gasleft() > 100_000; //~isRich
    }

    function checkHash(address other) external returns (bool) {
        seen = other.codehash; //~seen
        return other.code.length > 10;
    }

    function ownSize() external returns (uint256 size) {
        assembly {
            size := codesize() //~codesize
        }
        seen = bytes32(size);
    }

    function attempt(uint256 amount) external returns (bool isDone) {
        try this.fund(amount) returns (uint256 result) { //~try
            isDone = result > 0;
        } catch (bytes memory reason) {
            seen = keccak256(reason); //~caught
        }
    }

    function useUp() external {
        for (uint256 i = 0; ; i++) spent = i; //~useUp
    }
}
