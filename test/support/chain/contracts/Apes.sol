// SPDX-License-Identifier: MIT
// A plain ERC-721 whose metadata and picture live on the chain.
pragma solidity 0.8.30;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

contract Apes is ERC721, ERC721Burnable {
    using Strings for uint256;

    constructor() ERC721("HexLens Test Apes", "APE") {}

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    /// Several ERC-721 mints in one transaction: ids first, first + 1, ...
    function mintMany(address to, uint256 first, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _mint(to, first + i);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        string memory picture = Base64.encode(
            abi.encodePacked(
                '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="hsl(',
                ((id * 47) % 360).toString(),
                ',70%,60%)"/><text x="8" y="40">#',
                id.toString(),
                "</text></svg>"
            )
        );
        return string.concat(
            "data:application/json;base64,",
            Base64.encode(
                abi.encodePacked(
                    '{"name":"Ape #',
                    id.toString(),
                    '","description":"A test ape that lives on the chain.","image":"data:image/svg+xml;base64,',
                    picture,
                    '","attributes":[{"trait_type":"Mood","value":"',
                    id % 2 == 0 ? "calm" : "curious",
                    '"},{"trait_type":"Level","value":',
                    (id % 5).toString(),
                    "}]}"
                )
            )
        );
    }
}
