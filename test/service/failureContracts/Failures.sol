// SPDX-License-Identifier: MIT
// Calls over three contracts, behind a proxy too, that fail in every place: passed on, wrapped, swallowed.
pragma solidity 0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract Oracle {
    error StalePrice(uint256 age);

    function read(uint256 age) external pure returns (uint256) {
        if (age > 60) revert StalePrice(age);
        return 1;
    }

    function silent() external pure {
        revert();
    }

    function burnGas() external {
        uint256 slot = 1;
        while (true) {
            assembly ("memory-safe") {
                sstore(slot, 1)
                slot := add(slot, 1)
            }
        }
    }
}

contract Harbor {
    event PriceFailed(bytes reason);

    error Wrapped();

    Oracle private immutable oracle;

    constructor(Oracle oracle_) {
        oracle = oracle_;
    }

    function price(uint256 age) external view returns (uint256) {
        return oracle.read(age);
    }

    function silent() external view {
        oracle.silent();
    }

    function giveUp() external view {
        try oracle.silent() {} catch {
            revert();
        }
    }

    function burnGas() external {
        oracle.burnGas();
    }

    /// Leaves itself enough gas, and fails for a reason of its own.
    function burnSomeGas() external {
        (bool done,) = address(oracle).call{gas: 30_000}(abi.encodeCall(Oracle.burnGas, ()));
        require(done);
    }

    function wrap(uint256 age) external view returns (uint256) {
        try oracle.read(age) returns (uint256 found) {
            return found;
        } catch {
            revert Wrapped();
        }
    }

    function tryPrice(uint256 age) external {
        try oracle.read(age) returns (uint256) {}
        catch (bytes memory reason) {
            emit PriceFailed(reason);
        }
    }
}

contract HarborProxy is ERC1967Proxy {
    constructor(address harbor) ERC1967Proxy(harbor, abi.encodeCall(Harbor.price, (1))) {}
}

contract Router {
    function price(Harbor harbor, uint256 age) external view returns (uint256) {
        return harbor.price(age);
    }

    /// Fails by itself after a call that failed and was swallowed.
    function failAfter(Harbor harbor, Oracle oracle) external {
        harbor.tryPrice(99);
        oracle.read(1);
        revert();
    }
}
