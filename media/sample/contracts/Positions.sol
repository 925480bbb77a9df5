// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

struct Position {
    uint128 amount;
    uint64 openedAt;
    bool isLocked;
}

error InsufficientPosition(address account, uint256 amount, uint256 needed);
error PositionLocked(address account);

/// What accounts have in a vault.
library Positions {
    function increase(Position storage position, uint256 value) internal {
        if (position.amount == 0) position.openedAt = uint64(block.timestamp);
        position.amount += uint128(value);
    }

    function decrease(Position storage position, address account, uint256 value) internal {
        if (position.isLocked) revert PositionLocked(account);
        uint256 amount = position.amount;
        if (amount < value) {
            revert InsufficientPosition(account, amount, value);
        }
        position.amount = uint128(amount - value);
    }
}
