// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Calls the implementation at the slot of ERC-1967.
contract HarborProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);

    event Upgraded(address indexed implementation);

    constructor(address implementation, bytes memory data) {
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            sstore(slot, implementation)
        }
        emit Upgraded(implementation);
        (bool isInitialized, bytes memory reason) = implementation.delegatecall(data);
        if (!isInitialized) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    fallback() external payable {
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isSuccessful := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch isSuccessful
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    receive() external payable {}
}
