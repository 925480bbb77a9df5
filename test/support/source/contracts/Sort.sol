// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// A quicksort in memory, by recursion and inner loops: a debugger stops at each of its statements.

contract Sort {
    uint256 public smallest;

    function run(uint256[] memory values) external {
        sort(values, 0, int256(values.length) - 1); //~sortAll
        smallest = values[0]; //~smallest
    }

    function sort(uint256[] memory values, int256 left, int256 right) internal pure {
        if (left >= right) return; //~isSorted
        uint256 pivot = values[uint256(left)]; //~pivot
        (int256 i, int256 j) = (left, right); //~ends
        while (i <= j) { //~while
            while (values[uint256(i)] < pivot) i++; //~fromLeft
            while (pivot < values[uint256(j)]) j--; //~fromRight
            if (i <= j) { //~if
                (values[uint256(i)], values[uint256(j)]) = (values[uint256(j)], values[uint256(i)]); //~swap
                i++; //~next
                j--; //~previous
            }
        }
        sort(values, left, j); //~lower
        sort(values, i, right); //~upper
    }
}
