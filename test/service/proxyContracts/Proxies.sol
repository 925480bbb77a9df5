// SPDX-License-Identifier: MIT
// Contracts to be recognized: with immutables, a linked library, and behind every kind of proxy.
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

library Fees {
    function share(uint256 amount, uint256 percent) external pure returns (uint256) {
        return amount * percent / 100;
    }
}

contract Vault {
    address public immutable owner;
    uint256 public immutable percent;
    uint256 public total;

    event Deposited(address indexed from, uint256 amount);

    constructor(address owner_, uint256 percent_) {
        owner = owner_;
        percent = percent_;
    }

    function deposit(uint256 amount) external {
        total += amount - Fees.share(amount, percent);
        emit Deposited(msg.sender, amount);
    }
}

contract Counter {
    uint256 public number;

    function increment() external {
        number++;
    }
}

/// The same code as `Counter`, so that only the metadata tells them apart.
contract Twin {
    uint256 public number;

    function increment() external {
        number++;
    }
}

contract Cloner {
    event Cloned(address clone);

    function cloneAll(address target) external {
        emit Cloned(Clones.clone(target));
        emit Cloned(Clones.cloneWithImmutableArgs(target, abi.encode(uint256(7))));
    }
}

/// As a diamond: every call goes to a facet by its selector, the loupe's too.
contract DiamondLike {
    mapping(bytes4 selector => address facet) internal facets;

    constructor(address loupe, address counter) {
        facets[Loupe.facetAddresses.selector] = loupe;
        facets[Counter.increment.selector] = counter;
        facets[Loupe.setFacets.selector] = loupe;
    }

    fallback() external payable {
        address facet = facets[msg.sig];
        require(facet != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if eq(success, 0) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract Loupe {
    mapping(bytes4 selector => address facet) internal facets;
    address[] internal list;

    function setFacets(address[] calldata addresses) external {
        list = addresses;
    }

    function facetAddresses() external view returns (address[] memory) {
        return list;
    }
}
