// SPDX-License-Identifier: MIT
// An ERC-20 whose name, symbol and decimals are chosen at creation.
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";

contract Token is ERC20, ERC20Burnable {
    uint8 private immutable _decimals;

    constructor(string memory name, string memory symbol, uint8 places) ERC20(name, symbol) {
        _decimals = places;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
