// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Part {
    uint256 public immutable seed;
    uint256 public uses;

    constructor(uint256 seed_) payable {
        require(seed_ % 7 != 0, "a part needs a seed");
        seed = seed_;
    }

    function scrap(address payable to) external {
        uses = 1;
        selfdestruct(to);
    }
}

contract Workshop {
    error TooHeavy(uint256 weight, address sender);
    event Stored(uint256 indexed key, uint256 value);
    event Made(address part);

    mapping(uint256 => uint256) public stock;
    uint64 private low;
    uint128 private high;
    bool private isOpen;
    bytes public note;
    Part[] public parts;

    receive() external payable {}

    function store(uint256 key, uint256 value) external returns (uint256 before) {
        before = stock[key];
        stock[key] = value;
        emit Stored(key, value);
    }

    function clear(uint256 from, uint8 count) external {
        for (uint256 i; i < count; i++) delete stock[from + i];
    }

    function pack(uint64 a, uint128 b, bool c) external {
        (low, high, isOpen) = (a, b, c);
    }

    function write(bytes calldata text) external returns (bytes32) {
        note = text;
        return sha256(text);
    }

    function pay(address payable to) external payable {
        (bool success, ) = to.call{value: msg.value / 2}("");
        require(success, "not paid");
    }

    function make(uint256 seed, bytes32 salt, bool scraps) external payable returns (Part part) {
        part = salt == 0 ? new Part{value: msg.value}(seed) : new Part{value: msg.value, salt: salt}(seed);
        if (scraps) part.scrap(payable(msg.sender));
        else parts.push(part);
        emit Made(address(part));
    }

    function weigh(uint256 weight) external returns (uint256) {
        stock[weight] = weight;
        if (weight % 5 == 0) revert TooHeavy(weight, msg.sender);
        if (weight % 5 == 1) assert(weight == 0);
        if (weight % 5 == 2) while (true) stock[weight]++;
        if (weight % 5 == 3) assembly { invalid() }
        return weight;
    }

    function attempt(uint256 weight) external returns (uint256 result) {
        try this.weigh{gas: 60_000}(weight) returns (uint256 weighed) {
            result = weighed;
        } catch (bytes memory data) {
            result = data.length;
            emit Stored(weight, result);
        }
    }

    function nest(uint8 depth) external returns (uint256) {
        if (depth == 0) return gasleft() > 0 ? block.number + block.timestamp + block.basefee : 0;
        (bool success, bytes memory data) = address(this).delegatecall(abi.encodeCall(this.nest, (depth - 1)));
        require(success);
        stock[depth]++;
        return abi.decode(data, (uint256));
    }

    function facts() external view returns (address, uint256, uint256, uint256, uint256, address, uint256, bytes32) {
        return (
            tx.origin, tx.gasprice, block.number, block.timestamp, block.chainid, block.coinbase,
            address(this).balance, blockhash(block.number - 1)
        );
    }
}
