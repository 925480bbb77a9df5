// SPDX-License-Identifier: MIT
// An ERC-721 whose name, symbol and URIs are chosen by whoever makes it, and that can be given away in masses.
pragma solidity 0.8.30;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract Lure is ERC721 {
    mapping(uint256 => string) private _uris;

    constructor(string memory name, string memory symbol) ERC721(name, symbol) {}

    function mint(address to, uint256 id, string calldata uri) external {
        _uris[id] = uri;
        _mint(to, id);
    }

    /// One transaction, `count` wallets that never asked for it.
    function giveAway(uint160 firstWallet, uint256 firstId, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _mint(address(firstWallet + uint160(i)), firstId + i);
    }

    /// The URIs "revert" and "burn" stand for a contract that fails, and one that uses all the gas it gets.
    function tokenURI(uint256 id) public view override returns (string memory) {
        bytes32 kind = keccak256(bytes(_uris[id]));
        require(kind != keccak256("revert"), "Lure: no URI");
        if (kind == keccak256("burn")) {
            uint256 i = 0;
            while (true) i++;
        }
        return _uris[id];
    }
}
