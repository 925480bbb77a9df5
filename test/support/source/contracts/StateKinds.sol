// SPDX-License-Identifier: MIT
pragma solidity >=0.8.28;

type Share is uint72;

enum Phase { Idle, Open, Settling, Closed }

struct Leg { int56 tick; uint40 since; bytes3 venue; bool isLong; }
struct Order { Phase phase; Leg first; Leg second; string memo; uint24[] fills; mapping(bytes32 => uint96) limits; }

abstract contract Root {
    uint128 internal rootCount;
    uint64 internal rootEpoch;
    uint256[47] private __gap;

    function rootCountValue() external view returns (uint128) { return rootCount; }
    function rootEpochValue() external view returns (uint64) { return rootEpoch; }
}

abstract contract Middle is Root {
    address public steward;
    bool internal sealedOff;
    bytes32[48] private __gap;

    function sealedOffValue() external view returns (bool) { return sealedOff; }
}

/// Names that a derived contract has too.
abstract contract Side {
    uint8 private shade;
    Phase public sidePhase;

    function shadeValue() external view returns (uint8) { return shade; }
    function setShade(uint8 value, uint8 phase) external { shade = value; sidePhase = Phase(phase % 4); }
}

contract Ledger is Middle, Side {
    /// @custom:storage-location erc7201:ledger.vault
    struct VaultStorage { Share[] shares; mapping(address => Order) orders; Phase[5] phases; bytes note; }

    uint8 private shade;
    mapping(Phase => mapping(address => Leg)) public legs;
    mapping(string => Order) private named;
    bytes5[] public tags;
    bytes1[7] public marks;
    Share[3][] public grid;
    Order[2] private fixedOrders;
    string[] public memos;
    mapping(int24 => bool[40]) private flags;
    function() external returns (uint256) private hook;
    mapping(address => mapping(Phase => uint256[])) private queues;
    uint256 transient locked;
    bytes11 transient ticket;

    function vault() private pure returns (VaultStorage storage $) {
        bytes32 slot = keccak256(abi.encode(uint256(keccak256("ledger.vault")) - 1)) & ~bytes32(uint256(0xff));
        assembly { $.slot := slot }
    }

    function setRoot(uint128 count, uint64 epoch, address who, bool isSealed) external {
        rootCount = count; rootEpoch = epoch; steward = who; sealedOff = isSealed;
    }

    function setOwnShade(uint8 value) external { shade = value; }
    function ownShadeValue() external view returns (uint8) { return shade; }

    function setLeg(uint8 phase, address who, int56 tick, uint40 since, bytes3 venue, bool isLong) external {
        legs[Phase(phase % 4)][who] = Leg(tick, since, venue, isLong);
    }
    function deleteLeg(uint8 phase, address who) external { delete legs[Phase(phase % 4)][who]; }

    function setNamed(string calldata name, int56 tick, string calldata memo, bytes32 key, uint96 limit) external {
        Order storage order = named[name];
        order.phase = Phase(uint8(limit % 4));
        order.second.tick = tick;
        order.memo = memo;
        order.limits[key] = limit;
    }
    function namedOf(string calldata name, bytes32 key) external view returns (Phase, int56, string memory, uint96) {
        Order storage order = named[name];
        return (order.phase, order.second.tick, order.memo, order.limits[key]);
    }

    function pushTag(bytes5 tag) external { tags.push(tag); }
    function popTag() external { if (tags.length > 0) tags.pop(); }
    function tagAt(uint256 index) external view returns (bytes5) { return index < tags.length ? tags[index] : bytes5(0); }
    function tagCount() external view returns (uint256) { return tags.length; }
    function setMark(uint256 index, bytes1 mark) external { marks[index % 7] = mark; }

    function setGrid(uint256 row, uint256 column, uint72 value) external {
        while (grid.length <= row) grid.push();
        grid[row][column % 3] = Share.wrap(value);
    }
    function cutGrid() external { if (grid.length > 0) grid.pop(); }
    function gridAt(uint256 row, uint256 column) external view returns (uint72) {
        return row < grid.length ? Share.unwrap(grid[row][column]) : 0;
    }
    function gridRows() external view returns (uint256) { return grid.length; }

    function setFixed(uint256 index, int56 tick, string calldata memo, uint24 fill) external {
        Order storage order = fixedOrders[index % 2];
        order.first.tick = tick;
        order.first.isLong = tick > 0;
        order.memo = memo;
        order.fills.push(fill);
    }
    function deleteFixedLeg(uint256 index) external {
        delete fixedOrders[index % 2].first;
        delete fixedOrders[index % 2].memo;
        delete fixedOrders[index % 2].fills;
    }
    function fixedOf(uint256 index, uint256 fill) external view returns (int56, bool, string memory, uint256, uint24) {
        Order storage order = fixedOrders[index];
        uint256 count = order.fills.length;
        return (order.first.tick, order.first.isLong, order.memo, count, fill < count ? order.fills[fill] : 0);
    }

    function setMemo(uint256 index, string calldata memo) external {
        while (memos.length <= index) memos.push();
        memos[index] = memo;
    }
    function deleteMemos() external { delete memos; }
    function memoAt(uint256 index) external view returns (string memory) { return index < memos.length ? memos[index] : ""; }
    function memoCount() external view returns (uint256) { return memos.length; }

    function setFlag(int24 key, uint256 index, bool value) external { flags[key][index % 40] = value; }
    function flagOf(int24 key, uint256 index) external view returns (bool) { return flags[key][index]; }

    function pushQueue(address who, uint8 phase, uint256 value) external { queues[who][Phase(phase % 4)].push(value); }
    function popQueue(address who, uint8 phase) external {
        uint256[] storage queue = queues[who][Phase(phase % 4)];
        if (queue.length > 0) queue.pop();
    }
    function queueOf(address who, uint8 phase, uint256 index) external view returns (uint256, uint256) {
        uint256[] storage queue = queues[who][Phase(phase)];
        return (queue.length, index < queue.length ? queue[index] : 0);
    }

    function setVault(address who, uint72 share, uint8 phase, bytes calldata note, string calldata memo) external {
        VaultStorage storage $ = vault();
        $.shares.push(Share.wrap(share));
        $.phases[phase % 5] = Phase(phase % 4);
        $.note = note;
        $.orders[who].memo = memo;
        $.orders[who].first.venue = bytes3(note);
    }
    function vaultOf(address who, uint256 phase) external view returns (uint256, Phase, bytes memory, string memory, bytes3) {
        VaultStorage storage $ = vault();
        return ($.shares.length, $.phases[phase], $.note, $.orders[who].memo, $.orders[who].first.venue);
    }

    function setTransient(uint256 value, bytes11 id) external { locked = value; ticket = id; rootEpoch += uint64(value % 7); locked = 0; }
}
