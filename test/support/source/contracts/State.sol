// SPDX-License-Identifier: MIT
pragma solidity >=0.8.24;

type Price is int64;

library Names {
    struct Book { mapping(string => uint256) byName; string[] all; }

    /// Linked: it works on the storage of its caller.
    function add(Book storage book, string memory name, uint256 value) external {
        book.byName[name] = value;
        book.all.push(name);
    }
}

/// Called by the contract itself, caught when it fails.
contract Failing {
    uint256 public kept;

    function set(uint256 value) external {
        kept = value;
        require(value % 2 == 0, "odd");
    }
}

abstract contract Base {
    enum Mode { Open, Paused, Closed }

    uint256 internal gap;
    bool public isOn;
    address public owner;
    Mode public mode;
}

contract State is Base {
    struct Position { uint96 amount; int32 bias; Mode mode; bool isActive; bytes4 tag; string label; }

    /// @custom:storage-location erc7201:example.state
    struct MainStorage { uint128 count; address last; mapping(address => uint256) shares; }

    bytes32 private constant MAIN = 0x21bdf80a1db7b6a61b25582f864f3c890bc3209ac3679dc71c3dc3187acde800;
    bytes32 private constant RAW_SLOT = keccak256("example.raw");

    mapping(address => mapping(uint256 => Position)) public positions;
    uint16[] public small;
    Position[] internal list;
    string public title;
    bytes public data;
    int128[3][] internal grid;
    mapping(bytes4 => Price) public prices;
    mapping(uint8 => uint256) public constants;
    Names.Book internal book;
    Failing public failing = new Failing();

    function main() private pure returns (MainStorage storage $) {
        assembly { $.slot := MAIN }
    }

    function setBase(bool on, address next, uint8 value) external { isOn = on; owner = next; mode = Mode(value % 3); }

    function setPosition(address who, uint256 id, uint96 amount, int32 bias, uint8 value) external {
        Position storage position = positions[who][id];
        position.amount = amount;
        position.bias = bias;
        position.mode = Mode(value % 3);
    }

    function setLabel(address who, uint256 id, string calldata label) external { positions[who][id].label = label; }

    function pushSmall(uint16 value) external { small.push(value); }

    function popSmall() external { small.pop(); }

    function setSmall(uint256 index, uint16 value) external { small[index] = value; }

    function smallLength() external view returns (uint256) { return small.length; }

    function pushPosition(uint96 amount, bytes4 tag, string calldata label) external {
        list.push(Position(amount, -1, Mode.Paused, true, tag, label));
    }

    function popPosition() external { list.pop(); }

    function listLength() external view returns (uint256) { return list.length; }

    function setTitle(string calldata next) external { title = next; }

    function setData(bytes calldata next) external { data = next; }

    function setGrid(uint256 row, uint256 column, int128 value) external {
        while (grid.length <= row) grid.push();
        grid[row][column] = value;
    }

    function gridAt(uint256 row, uint256 column) external view returns (int128) {
        return row < grid.length ? grid[row][column] : int128(0);
    }

    function setPrice(bytes4 key, int64 value) external { prices[key] = Price.wrap(value); }

    /// The optimizer computes these hashes.
    function setConstant(uint256 value) external { constants[7] = value; }

    function setMain(uint128 count, address last, uint256 share) external {
        MainStorage storage $ = main();
        $.count = count;
        $.last = last;
        $.shares[last] = share;
    }

    function mainCount() external view returns (uint128) { return main().count; }

    function shareOf(address who) external view returns (uint256) { return main().shares[who]; }

    function addName(string calldata name, uint256 value) external { Names.add(book, name, value); }

    function valueOf(string calldata name) external view returns (uint256) { return book.byName[name]; }

    function setRaw(uint256 value) external {
        bytes32 slot = RAW_SLOT;
        assembly { sstore(slot, value) tstore(slot, value) }
    }

    function setUnknown(uint256 slot, uint256 value) external { assembly { sstore(slot, value) } }

    /// Of an odd value the inner call fails, and what it wrote is undone.
    function tryFailing(uint256 value) external { try failing.set(value) { gap++; } catch { gap += 2; } }

    function gapValue() external view returns (uint256) { return gap; }

    /// What is the same after it is no change.
    function setTwice(uint256 value) external { uint256 before = gap; gap = value; gap = before; }

    receive() external payable {}

    function pay(address payable to, uint256 amount) external { to.transfer(amount); }
}

/// ERC-1967.
contract StateProxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address implementation) { assembly { sstore(SLOT, implementation) } }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
