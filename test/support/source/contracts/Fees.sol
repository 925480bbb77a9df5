// SPDX-License-Identifier: MIT
pragma solidity >=0.8.8;

// Prüft Gebühren: bytes and characters differ in this file, and no contract is in it. 费用

error FeeTooHigh(uint256 fee, string hint);

function clampFee(uint256 fee) pure returns (uint256) {
    if (fee > 500) revert FeeTooHigh(fee, unicode"höchstens 500"); //~clampFee
    return fee;
}
