// SPDX-License-Identifier: MIT
pragma solidity >=0.8.27;

import {clampFee as clamp} from "./Fees.sol";
import "./Fees.sol" as Fees;

// Statements that look alike, and code that the compiler moves: `//~name` marks a line of a stack.

type Grams is uint128;
using {plus as +, minus as -} for Grams global;

error Refused(uint256 index, string reason);
error Denied();
error Over(address who, uint256 amount);

function plus(Grams a, Grams b) pure returns (Grams) {
    return Grams.wrap(Grams.unwrap(a) + Grams.unwrap(b)); //~gramsPlus
}

function minus(Grams a, Grams b) pure returns (Grams) {
    return Grams.wrap(Grams.unwrap(a) - Grams.unwrap(b)); //~gramsMinus
}

abstract contract Site {
    uint256 internal immutable plot;

    constructor(uint256 number) {
        require(number != 0, "no plot"); //~noPlot
        plot = number;
    }
}

abstract contract Fence is Site {
    uint256 internal posts = 4;
}

contract Shed is Fence {
    constructor(uint256 number) Site(number / 2) { //~shedConstructor
        posts += number;
    }
}

contract Crate {
    uint256 internal weight;

    constructor(uint256 value) { //~crateConstructor
        weight = value;
    }
}

contract Scale {
    uint256[] internal weights;

    function weigh(uint256 index) external view returns (uint256) {
        return weights[index]; //~weigh
    }

    function strict(uint256 grams) external pure returns (uint256) {
        assert(grams < 10); //~strict
        return 2;
    }

    function named(uint256 value) external pure {
        require(value > 5, "too light"); //~tooLight
    }
}

interface IFlag {
    function strict(uint256 grams) external view returns (bool);
}

contract Router {
    mapping(bytes4 => address) internal targets;

    constructor(address scale) {
        targets[Scale.weigh.selector] = scale;
    }

    fallback() external {
        address target = targets[msg.sig];
        if (target == address(0)) revert Denied(); //~noTarget
        (bool ok, bytes memory data) = target.delegatecall(msg.data); //~routed
        assembly {
            if iszero(ok) {
                revert(add(data, 32), mload(data))
            }
            return(add(data, 32), mload(data))
        }
    }
}

contract Depot {
    address internal immutable keeper;
    uint256 internal stock = 100;
    function(uint256) internal view returns (uint256)[2] internal rules;
    uint256[] internal list;

    constructor() {
        keeper = msg.sender;
        rules[0] = _listed;
    }

    modifier keeperOrQueue() {
        if (msg.sender == keeper) {
            _;
        } else {
            _enqueue(7); //~queued
        }
    }

    modifier above(uint256 least) {
        require(stock > least, "stock is low"); //~stockIsLow
        _;
    }

    function _enqueue(uint256 seed) internal {
        _append(seed * 3); //~enqueue
    }

    function _append(uint256 value) internal {
        list.push(value / (value - 21)); //~append
    }

    function _listed(uint256 index) internal view returns (uint256) {
        return list[index]; //~listed
    }

    function _reserve(uint256 amount) internal view returns (uint256) {
        return stock - amount; //~reserve
    }

    function close() external keeperOrQueue {} //~close

    function ship(uint256 amount) external above(_reserve(amount)) { //~ship
        stock -= amount;
    }

    function firstShare(uint256 parts) external view returns (uint256) {
        require(parts > 10, "few parts");
        return stock / parts;
    }

    function secondShare(uint256 parts) external view returns (uint256) {
        require(parts > 10, "few parts"); //~secondShare
        return stock / parts;
    }

    function price(uint256 a, uint256 b) external view returns (uint256) {
        return b == 0
            ? stock / a //~priceFirst
            : (a * stock) / (b - 1); //~priceSecond
    }

    function rule(uint256 which, uint256 index) external view returns (uint256) {
        return rules[which](index); //~rule
    }

    function smallest(int256 a, int256 b) external pure returns (int256) {
        return a / b; //~smallest
    }

    function wrap(uint256 a, uint256 modulus) external pure returns (uint256) {
        return addmod(a, 5, modulus); //~wrap
    }

    function grams(uint128 a, uint128 b) external pure returns (Grams) {
        return Grams.wrap(a) + Grams.wrap(1) - Grams.wrap(b); //~grams
    }

    function pair(uint256 a) external pure returns (uint256, uint256) {
        return (a - 1, a); //~pair
    }

    function count(uint256 value) external pure returns (uint256) {
        value++; //~countFirst
        ++value; //~countSecond
        value += 1; //~countThird
        return value;
    }

    function admit(uint256 level) external pure {
        if (level == 1) {
            revert Denied(); //~admitOne
        } else if (level > 2 && level < 5) revert Denied(); //~admitFew
        assert(level != 6); //~admitSix
        revert Denied(); //~admitNone
    }

    function tried(Scale scale, uint256 value) external view {
        try scale.strict(value) {
            require(value == 0, "light"); //~light
            revert("too light"); //~tooLightHere
        } catch Panic(uint256 code) {
            assert(code == 0); //~triedPanic
        }
    }

    function reasons(Scale scale, uint256 value) external view {
        try scale.named(value) {
            revert Refused(value, "heavy"); //~heavy
        } catch Error(string memory reason) {
            revert Refused(value, reason); //~reasonsLight
        } catch {
            revert Refused(value, "broken"); //~broken
        }
    }

    function flags(IFlag first, IFlag second) external view {
        first.strict(3); //~flagsFirst
        second.strict(4);
    }

    function pack() external payable {
        bytes memory code = abi.encodePacked(type(Crate).creationCode, uint256(3));
        assembly {
            let crate := create(callvalue(), add(code, 32), mload(code)) //~pack
            if iszero(crate) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    function lower(uint256 level) external pure returns (uint256) {
        if (level == 1) return 5 / (level - 1);
        return level - 1; //~lower
    }

    function _guarded(uint256 least) internal view above(least) returns (uint256) { //~guarded
        return stock - least - 50; //~guardedDifference
    }

    function both(uint256 first, uint256 second) external view returns (uint256) {
        return _guarded(first) + //~bothFirst
            _guarded(second); //~bothSecond
    }

    function raw(uint256 which) external pure {
        assembly {
            if eq(which, 1) {
                mstore(0, 0x2a5d1f31)
                revert(28, 4) //~rawFirst
            }
            mstore(0, 0x4e487b71)
            mstore(32, 0x11)
            revert(28, 36) //~rawPanic
        }
    }

    function letter(string calldata text, uint256 index) external pure returns (bytes1 found) {
        found = bytes(text)[index]; //~letter
        found |= bytes1(bytes(text)[1:index]);
    }

    function imported(uint256 fee) external pure returns (uint256) {
        return clamp(fee) + Fees.clampFee(fee); //~imported
    }
}

contract Silo {
    uint256 internal immutable most = 900;
    uint256 internal stock;

    modifier balanced() {
        _;
        require(stock <= most, Over(msg.sender, stock)); //~stockOver
    }

    function load(uint256 amount) external balanced { //~load
        require(amount <= most, Over(msg.sender, amount)); //~loadOver
        stock += amount * 2;
    }
}
