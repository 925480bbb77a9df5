// SPDX-License-Identifier: MIT
// Emits logs of the shapes of real tokens without touching storage: load without a growing state.
pragma solidity 0.8.30;

contract LogCannon {
    /// Per count, in turn: ERC-721 Transfer (4 topics, no data), ERC-20 Transfer (3 topics), ERC-1155 TransferSingle.
    function fire(address from, address to, uint256 firstId, uint256 count) external {
        bytes32 transfer = keccak256("Transfer(address,address,uint256)");
        bytes32 single = keccak256("TransferSingle(address,address,address,uint256,uint256)");
        for (uint256 id = firstId; id < firstId + count; id++) {
            if (id % 3 == 0) {
                assembly ("memory-safe") {
                    log4(0, 0, transfer, from, to, id)
                }
            } else if (id % 3 == 1) {
                assembly ("memory-safe") {
                    mstore(0, id)
                    log3(0, 32, transfer, from, to)
                }
            } else {
                assembly ("memory-safe") {
                    mstore(0, id)
                    mstore(32, 1)
                    log4(0, 64, single, caller(), from, to)
                }
            }
        }
    }
}
