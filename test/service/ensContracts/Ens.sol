// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The parts of ENS that a look-up asks: registry, a plain resolver, a wildcard resolver, one that answers off-chain.

contract EnsRegistry {
    mapping(bytes32 => address) public resolver;

    function setResolver(bytes32 node, address value) external {
        resolver[node] = value;
    }
}

contract PlainResolver {
    mapping(bytes32 => address) public addr;

    mapping(bytes32 => string) public name;

    function setName(bytes32 node, string calldata value) external {
        name[node] = value;
    }

    function setAddr(bytes32 node, address value) external {
        addr[node] = value;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x3b3b57de;
    }
}

/// Answers every name below its own with an address made of the name's length, as ENSIP-10 lets it.
contract WildcardResolver {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x9061b923;
    }

    function resolve(bytes calldata name, bytes calldata data) external pure returns (bytes memory) {
        require(bytes4(data[:4]) == 0x3b3b57de && data.length == 36, "addr(bytes32) only");
        return abi.encode(address(uint160(0xE45000000000 + name.length)));
    }
}

contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x9061b923;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        string[] memory urls = new string[](1);
        urls[0] = "https://gateway.example/{sender}/{data}";
        revert OffchainLookup(address(this), urls, data, 0x00000000, name);
    }
}
