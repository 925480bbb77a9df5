// SPDX-License-Identifier: MIT
pragma solidity >=0.6.0;

contract OldRoot {
    uint128 internal rootCount;
    bool public isOpen;
    uint256[50] private __gap;

    function rootCountValue() external view returns (uint128) { return rootCount; }
}

contract OldLedger is OldRoot {
    enum Phase { Idle, Open, Closed }
    struct Leg { int56 tick; Phase phase; bytes3 venue; string memo; }

    mapping(address => mapping(uint8 => Leg)) public legs;
    bytes5[] public tags;
    Leg[] private list;
    bytes public data;

    function setRoot(uint128 count, bool value) external { rootCount = count; isOpen = value; }
    function setLeg(address who, uint8 id, int56 tick, uint8 phase, bytes3 venue, string calldata memo) external {
        legs[who][id] = Leg(tick, Phase(phase % 3), venue, memo);
    }
    function deleteLeg(address who, uint8 id) external { delete legs[who][id]; }
    function pushTag(bytes5 tag) external { tags.push(tag); }
    function popTag() external { if (tags.length > 0) tags.pop(); }
    function tagAt(uint256 index) external view returns (bytes5) { return index < tags.length ? tags[index] : bytes5(0); }
    function tagCount() external view returns (uint256) { return tags.length; }
    function pushLeg(int56 tick, string calldata memo) external { list.push(Leg(tick, Phase.Open, 0x010203, memo)); }
    function popLeg() external { if (list.length > 0) list.pop(); }
    function legAt(uint256 index) external view returns (int56, string memory, uint256) {
        if (index >= list.length) return (0, "", list.length);
        return (list[index].tick, list[index].memo, list.length);
    }
    function setData(bytes calldata next) external { data = next; }
}
