// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

abstract contract Preset {
    uint256 internal level = 4; //~level
}

contract Moved is Preset {
    struct Bin {
        uint16 row;
        mapping(address => uint256) held;
        uint8[5] marks;
    }
    bytes32 internal constant SLOT = keccak256("moved.slot");
    uint256 internal width = 5; //~width
    uint256 internal count;
    Bin[] internal bins;
    uint256[] internal list;
    mapping(bytes32 => uint256[]) internal notes;
    event Filed(uint256 indexed number, uint256 weight);

    constructor() {
        bytes32 slot = SLOT; //~slot
        assembly { sstore(slot, 1) } //~set
        bins.push(); //~bin
    }

    function file(uint256 weight) external returns (uint256 number) {
        number = ++count; //~number
        place(number, weight); //~place
        emit Filed(number, weight); //~filed
    }

    function place(uint256 number, uint256 weight) private {
        list.push(weight); //~list
        Bin storage bin = bins[number % bins.length]; //~which
        bin.held[msg.sender] = bin.held[msg.sender] + weight; //~held
        bin.marks[number % 5] += 1; //~mark
    }

    function note(bytes32 key, uint256[] memory values) external {
        uint256[] storage found = notes[key]; //~found
        for (uint256 i = values.length; i > 0; --i) { //~each
            found.push(values[i - 1]); //~keep
        }
        if (found.length > 3) { //~many
            delete notes[key]; //~forget
        }
    }

    function tries(uint256 n) external returns (uint256 code) {
        try this.half(n) returns (uint256 v) { //~try
            code = v; //~good
        } catch Error(string memory reason) {
            code = bytes(reason).length; //~reason
        } catch Panic(uint256 p) {
            code = p; //~panic
        }
        list.push(code); //~after
    }

    function skim(uint256[] calldata values, uint256 most) external returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) { //~loop
            if (values[i] == 0) { //~zero
                continue; //~skipped
            }
            if (values[i] > most) { //~large
                count += values[i]; //~counted
                continue; //~next
            }
            if (values[i] == 7) { //~seven
                break; //~ended
            }
            sum += values[i]; //~sum
        }
        sum += count; //~total
    }

    function spoil() external {
        uint256 start = width;
        width += 1;
        width = 0;
        require(width >= start, "less");
    }

    function half(uint256 n) external view returns (uint256) {
        require(n != 9, "nine"); //~nine
        return count / n; //~half
    }
}
