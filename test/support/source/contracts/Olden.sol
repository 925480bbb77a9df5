// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.8.0;
pragma experimental ABIEncoderV2;

library SafeMath2 {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b; //~smAdd
        require(c >= a, "overflow"); //~smReq
    }
}

contract Base6 {
    address public owner;
    uint256 private secret = 4; //~initSecret
    constructor(address o) public { owner = o; } //~baseOwner
    modifier onlyOwner() {
        require(msg.sender == owner, "not owner"); //~onlyReq
        _;
    }
    function peek() public view virtual returns (uint256) { return secret; } //~peek
}

contract Olden is Base6 {
    using SafeMath2 for uint256;
    enum Mode { Off, On }
    struct Item { uint32 id; bytes10 tag; Mode mode; uint256[] parts; }
    mapping(uint256 => Item) internal items;
    Item[] internal list;
    uint256 private secret = 9; //~initSecret2
    uint256 internal immutable cap;
    int24 internal low = -5; //~initLow
    string internal title = "a title that is longer than thirty-one bytes"; //~initTitle
    bytes internal raw;
    mapping(bytes => mapping(address => bool)) internal seen;

    constructor(uint256 c) public Base6(msg.sender) {
        cap = c; //~ctorCap
        raw = hex"0102"; //~ctorRaw
    }
    function store(uint32 id, Item memory item, uint256[] calldata more) external onlyOwner returns (uint256 total) {
        Item storage s = items[id]; //~stS
        s.id = id; //~stId
        s.tag = item.tag; //~stTag
        s.mode = Mode.On; //~stMode
        for (uint256 i = 0; i < more.length; i++) { //~stFor
            s.parts.push(more[i].add(1)); //~stPush
            total = total.add(more[i]); //~stTotal
        }
        list.push(item); //~stList
        seen[abi.encodePacked(id)][msg.sender] = true; //~stSeen
        (uint256 a, , bool ok) = triple(total); //~stTriple
        low += int24(a); //~stLow
        if (!ok) revert("bad"); //~stOk
        low = low - 10 > 0 ? low : -low; //~stTern
        secret = peek(); //~stSecret
        uint8 small = uint8(total) + 250; //~stSmall
        total = small; //~stEnd
    }
    function triple(uint256 x) internal view returns (uint256, string memory, bool) {
        return (x * 3, "t", x < cap); //~triple
    }
    function peek() public view override returns (uint256) {
        return secret + super.peek(); //~peek2
    }
    function attempt(Olden other, uint256 n) external returns (string memory why) {
        try other.limited(n) returns (uint256 v) { //~atTry
            why = v > 3 ? "big" : "small"; //~atWhy
        } catch Error(string memory reason) {
            why = reason; //~atErr
        } catch (bytes memory) {
            why = "raw"; //~atRaw
        }
        delete list; //~atDel
    }
    function limited(uint256 n) external view returns (uint256) {
        require(n < cap, "above"); //~liReq
        assert(n != 2); //~liAssert
        return n + 1; //~liRet
    }
    receive() external payable { secret += msg.value; } //~recv
}
