// SPDX-License-Identifier: MIT
pragma solidity >=0.6.0;
pragma experimental ABIEncoderV2;

// Loops whose statements share constants and labels: a debugger stops at those that run.

contract Rounds {
    function grid(uint8 size) external pure returns (uint256 sum) {
        uint8[][] memory cells = new uint8[][](size); //~cells
        for (uint8 i = 0; i < size; i++) { //~outer
            cells[i] = new uint8[](i + 1); //~line
            for (uint8 j = 0; j <= i; j++) { //~inner
                if (j == 1) continue; //~second
                cells[i][j] = i * 10 + j; //~cell
                sum += cells[i][j]; //~plus
            }
        }
    }

    function split(bytes calldata letters) external pure returns (bytes[] memory parts, uint256 count) {
        parts = new bytes[](3); //~parts
        uint256 start = 0; //~start
        for (uint256 i = 0; i <= letters.length; i++) { //~letter
            if (i == letters.length || letters[i] == "_") { //~isEnd
                parts[count] = bytes(letters[start:i]); //~part
                (count, start) = (count + 1, i + 1); //~next
            }
        }
    }

    function chain(uint256[] memory values) external pure returns (uint256 sum) {
        function(uint256, uint256) internal pure returns (uint256) link = values.length > 2 ? plus : times; //~link
        uint256 i = 0; //~none
        do {
            sum = link(sum, values[i]); //~called
            i++; //~step
        } while (i < values.length); //~again
    }

    function plus(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b; //~added
    }

    function times(uint256 a, uint256 b) internal pure returns (uint256 product) {
        product = a * b; //~product
    }

    function fold(bytes memory data) external pure returns (uint256 sum) {
        assembly {
            let end := mload(data) //~end
            for { let j := 0 } lt(j, end) { j := add(j, 1) } { //~byte
                let value := byte(0, mload(add(add(data, 32), j))) //~value
                if iszero(value) { continue } //~isZero
                sum := add(mul(sum, 3), value) //~fold
            }
            switch gt(sum, 9) //~switch
            case 0 { sum := 1 } //~small
            default { sum := add(sum, end) } //~large
        }
    }
}
