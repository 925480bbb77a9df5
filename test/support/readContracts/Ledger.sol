// SPDX-License-Identifier: MIT
// A contract to be read, behind a proxy: every kind of result, and every way to revert.
pragma solidity 0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract Ledger {
    struct Account {
        address owner;
        uint256 amount;
        string label;
    }

    error NoSuchAccount(uint256 index, address asked);

    uint256 public total;
    Account[] internal entries;

    function add(address owner, uint256 amount, string calldata label) external {
        entries.push(Account(owner, amount, label));
        total += amount;
    }

    function treasurer() external view returns (address) {
        return entries[0].owner;
    }

    function accounts() external view returns (Account[] memory) {
        return entries;
    }

    function accountAt(uint256 index, address asked) external view returns (Account memory account, bool isFirst) {
        if (index >= entries.length) revert NoSuchAccount(index, asked);
        return (entries[index], index == 0);
    }

    function sum(Account[] calldata given, uint256[2] calldata more) external pure returns (uint256 result) {
        for (uint256 i = 0; i < given.length; i++) result += given[i].amount;
        return result + more[0] + more[1];
    }

    function share(uint256 amount, uint256 parts) external pure returns (uint256) {
        return amount / parts;
    }

    function closed() external pure returns (uint256) {
        revert("Ledger: closed");
    }
}
