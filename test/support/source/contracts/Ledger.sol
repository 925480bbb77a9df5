// SPDX-License-Identifier: MIT
pragma solidity >=0.8.8;

// Contracts that fail in every way a contract can; `//~name` marks a line that a test expects in a stack.

import {clampFee, FeeTooHigh} from "./Fees.sol";

error Unauthorized(address caller);
error InsufficientPosition(address owner, uint256 wanted, uint256 held);

library Amounts {
    error BelowMinimum(uint256 amount);

    function requirePositive(uint256 amount) internal pure returns (uint256) {
        if (amount < 10) {
            revert BelowMinimum(amount); //~belowMinimum
        }
        return amount;
    }

    function checked(uint256 amount) internal pure returns (uint256) {
        return requirePositive(amount) * 2; //~checked
    }

    function subtract(uint256 a, uint256 b) internal pure returns (uint256) {
        return a - b; //~subtract
    }

    function average(uint256[] memory values) internal pure returns (uint256 sum) {
        for (uint256 i = 0; i <= values.length; i++) {
            sum += values[i]; //~averageIndex
        }
        sum /= values.length;
    }
}

library Linked {
    function assertEven(uint256 value) public pure returns (uint256) {
        require(value % 2 == 0, "value is odd"); //~linkedOdd
        return value / 2;
    }
}

interface IOracle {
    function price() external view returns (uint256);
}

contract Oracle is IOracle {
    uint256 public current;

    error StalePrice(uint256 age);

    function set(uint256 value) external {
        current = value;
    }

    function price() external view returns (uint256) {
        if (current == 0) revert StalePrice(99); //~stalePrice
        return current;
    }

    function burn() external view returns (uint256 sum) {
        for (uint256 i = 0; i < 100000; i++) sum += current / (i + 1); //~burn
    }

    function assertSet() external view {
        assert(current != 0); //~assertSet
    }
}

contract Blunt {
    fallback() external payable {}
}

contract Refuser {
    receive() external payable {
        revert("no ether wanted"); //~refuser
    }
}

abstract contract Owned {
    address public owner;
    bool public paused;

    constructor(address first) {
        require(first != address(0), "owner is zero"); //~ownerIsZero
        owner = first;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert Unauthorized(msg.sender); //~onlyOwner
        _;
    }

    modifier whenNotPaused() {
        require(!paused, "paused"); //~whenNotPaused
        _;
    }

    modifier solvent(uint256 limit) {
        _;
        require(total() <= limit, "total above the limit"); //~solvent
    }

    function total() public view virtual returns (uint256);

    function hook(uint256 amount) internal virtual {
        require(amount != 13, "thirteen is refused"); //~ownedHook
    }
}

abstract contract Counted is Owned {
    uint256 public count;

    function hook(uint256 amount) internal virtual override {
        count++;
        super.hook(amount); //~countedHook
    }
}

contract Child {
    uint256 public immutable seed;

    constructor(uint256 value) {
        require(value < 100, "seed too large"); //~childSeed
        seed = value;
    }
}

contract NakedOwner is Owned { //~nakedOwner
    constructor() Owned(address(0)) {} //~nakedOwnerConstructor

    function total() public pure override returns (uint256) {
        return 0;
    }
}

contract Ledger is Counted {
    using Amounts for uint256;

    enum Phase {
        Open,
        Closed
    }

    struct Position {
        uint256 amount;
        uint256 since;
    }

    mapping(address => Position) public positions;
    uint256[] public history;
    uint256 private sum;
    Phase public phase;
    IOracle public oracle;
    bytes public note;
    uint256 public immutable fee;

    event Moved(address indexed owner, uint256 amount);

    constructor(IOracle source, uint256 feeOf) Owned(msg.sender) {
        oracle = source;
        fee = feeOf;
    }

    function total() public view override returns (uint256) {
        return sum;
    }

    function pause(bool on) external {
        paused = on;
    }

    function deposit(uint256 amount) external whenNotPaused { //~deposit
        require(amount != 0, "nothing to deposit"); //~depositZero
        _credit(msg.sender, amount); //~depositCredit
    }

    function _credit(address to, uint256 amount) internal {
        hook(amount); //~creditHook
        positions[to].amount += amount.checked(); //~creditChecked
        sum += amount;
        history.push(amount);
        emit Moved(to, amount);
    }

    function withdraw(uint256 amount) external {
        Position storage position = positions[msg.sender];
        if (position.amount < amount) {
            revert InsufficientPosition(msg.sender, amount, position.amount); //~withdraw
        }
        position.amount -= amount;
    }

    function setOwner(address next) external onlyOwner { //~setOwner
        owner = next;
    }

    function grow(uint256 by) external solvent(1000) { //~grow
        sum += by;
    }

    function lose(uint256 amount) external {
        sum = sum.subtract(amount); //~lose
    }

    function overflow(uint8 by) external pure returns (uint8) {
        uint8 start = 250;
        start += by; //~overflow
        return start;
    }

    function divide(uint256 by) external view returns (uint256) {
        return 1000 / by + fee; //~divide
    }

    function pick(uint256 index) external view returns (uint256) {
        return history[index]; //~pick
    }

    function mean(uint256[] calldata values) external pure returns (uint256) {
        return Amounts.average(values); //~mean
    }

    function setPhase(uint256 value) external {
        phase = Phase(value); //~setPhase
    }

    function dropLast() external {
        delete history;
        history.pop(); //~dropLast
    }

    function allocate(uint256 size) external pure returns (uint256) {
        uint256[] memory list = new uint256[](size); //~allocate
        return list.length;
    }

    function callPointer(uint256 value) external pure returns (uint256) {
        function(uint256) internal pure returns (uint256) pointer;
        if (value > 5) pointer = Amounts.requirePositive;
        return pointer(value); //~callPointer
    }

    function isSound(uint256 value) external pure {
        uint256 half = value / 2;
        assert(half * 2 == value); //~isSound
    }

    function quote() external view returns (uint256) {
        return oracle.price() * 2; //~quote
    }

    function _quote() internal view returns (uint256) {
        uint256 value = oracle.price(); //~innerQuote
        return value + 1;
    }

    function quoteTwice() external view returns (uint256) {
        uint256 first = _quote(); //~quoteTwice
        return first + _quote();
    }

    function bubble(address target) external returns (bytes memory) {
        (bool ok, bytes memory data) = target.call(abi.encodeWithSignature("price()")); //~bubbleCall
        if (!ok) {
            assembly {
                revert(add(data, 32), mload(data))
            }
        }
        return data;
    }

    function attempt() external view returns (uint256) {
        try oracle.price() returns (uint256 value) {
            return value;
        } catch {
            revert("the oracle failed"); //~attempt
        }
    }

    function create(uint256 seed) external returns (address) {
        Child child = new Child(seed); //~create
        return address(child);
    }

    function half(uint256 value) external pure returns (uint256) {
        return Linked.assertEven(value); //~half
    }

    function takeFee(uint256 value) external pure returns (uint256) {
        return clampFee(value); //~takeFee
    }

    function descend(uint256 depth) external pure returns (uint256) {
        return _descend(depth); //~descend
    }

    function _descend(uint256 depth) internal pure returns (uint256) {
        if (depth == 0) {
            revert("bottom"); //~bottom
        }
        return _descend(depth - 1) + 1; //~descendAgain
    }

    function bare(uint256 value) external pure {
        assembly {
            if gt(value, 1) {
                revert(0, 0) //~bare
            }
        }
    }

    function bareRequire(uint256 value) external pure {
        require(value < 5); //~bareRequire
    }

    function refuse() external pure {
        revert(); //~refuse
    }

    function twice(uint256 a, uint256 b) external pure returns (uint256) {
        require(a > 10, "out of range"); //~twiceFirst
        uint256 c = a + b;
        require(c < 1000, "out of range"); //~twiceSecond
        return c;
    }

    function choose(uint256 what) external view returns (uint256) {
        function(uint256) internal view returns (uint256) chosen = what == 0 ? _first : _second;
        return chosen(what); //~choose
    }

    function _first(uint256 what) internal view returns (uint256) {
        return what + fee;
    }

    function _second(uint256 what) internal view returns (uint256) {
        require(what > fee + 1000, "second choice"); //~second
        return what;
    }

    function decode(bytes calldata data) external pure returns (uint256) {
        (uint256 a, address b) = abi.decode(data, (uint256, address)); //~decode
        return a + uint160(b);
    }

    function waste() external view returns (uint256) {
        return Oracle(address(oracle)).burn{gas: 30000}(); //~waste
    }

    function wasteAll() external view returns (uint256 sumOf) {
        for (uint256 i = 0; i < 1000000; i++) sumOf += i ^ fee; //~wasteAll
    }

    function pay(address payable to) external {
        to.transfer(0); //~pay
    }

    function payNothing(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent, "payment failed"); //~payNothing
    }

    function nested(uint256 value) external view returns (uint256) {
        return _outer(value) + 1; //~nested
    }

    function _outer(uint256 value) private view returns (uint256) {
        return _middle(value) * 2; //~outer
    }

    function _middle(uint256 value) private view returns (uint256) {
        if (value > 100) {
            return value / (value - 101); //~middle
        }
        return fee;
    }

    function twin(uint256 value) external view returns (uint256) {
        return _middle(value + 1) * 3; //~twin
    }

    function strings(string calldata text) external view {
        require(bytes(text).length > 3, string(abi.encodePacked("text is short: ", text))); //~strings
        if (fee == 77) revert(text);
    }

    function catchEmpty() external view returns (uint256) {
        try Oracle(address(oracle)).burn{gas: 30000}() returns (uint256 sumOf) {
            return sumOf;
        } catch {
            revert(); //~catchEmpty
        }
    }

    function catchSame() external view returns (uint256) {
        try oracle.price() returns (uint256 value) {
            return value;
        } catch {
            revert Oracle.StalePrice(99); //~catchSame
        }
    }

    function catchAndWaste() external view returns (uint256 sumOf) {
        try Oracle(address(oracle)).burn{gas: 30000}() returns (uint256 value) {
            return value;
        } catch {
            sumOf = fee;
        }
        for (uint256 i = 0; i < 1000000; i++) sumOf += i ^ fee; //~catchAndWaste
    }

    function multi(
        uint256 value,
        address who
    ) external view returns (uint256) {
        require( //~multi
            value > fee &&
                who != address(0),
            "several lines"
        );
        return value -
            1;
    }
}
