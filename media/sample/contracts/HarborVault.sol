// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {HarborToken} from "./HarborToken.sol";
import {Position, Positions} from "./Positions.sol";

/// Holds coins for accounts. It runs behind HarborProxy.
contract HarborVault {
    using Positions for Position;

    HarborToken public token;
    address public keeper;
    uint256 public total;
    mapping(address account => Position) public positions;
    address[] public depositors;

    event Deposited(address indexed account, uint256 value);
    event Withdrawn(address indexed account, uint256 value);
    event Locked(address indexed account);

    error NotKeeper(address caller);
    error AlreadyInitialized();

    modifier onlyKeeper() {
        if (msg.sender != keeper) revert NotKeeper(msg.sender);
        _;
    }

    function initialize(HarborToken token_) external {
        if (keeper != address(0)) revert AlreadyInitialized();
        token = token_;
        keeper = msg.sender;
    }

    function deposit(uint256 value) external {
        if (positions[msg.sender].amount == 0) depositors.push(msg.sender);
        positions[msg.sender].increase(value);
        total += value;
        token.transferFrom(msg.sender, address(this), value);
        emit Deposited(msg.sender, value);
    }

    function withdraw(uint256 value) external {
        _take(msg.sender, value);
        token.transfer(msg.sender, value);
        emit Withdrawn(msg.sender, value);
    }

    function lock(address account) external onlyKeeper {
        positions[account].isLocked = true;
        emit Locked(account);
    }

    /// What each depositor has of `value`, in proportion to the positions.
    function shareOf(address account, uint256 value) external view returns (uint256) {
        return (value * positions[account].amount) / total;
    }

    function _take(address account, uint256 value) internal {
        positions[account].decrease(account, value);
        total -= value;
    }
}
