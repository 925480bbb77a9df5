// SPDX-License-Identifier: MIT
// Contracts that move ether inside transactions: nested calls, a caught revert, creations, and every way to fail.
pragma solidity 0.8.30;

/// Passes ether on along a path of forwarders, one call deeper at each.
contract Forwarder {
    event Forwarded(address indexed to, uint256 amount);

    function forward(address payable[] calldata path) external payable {
        if (path.length == 1) {
            (bool paid,) = path[0].call{value: msg.value}("");
            require(paid, "Forwarder: not paid");
        } else {
            Forwarder(path[0]).forward{value: msg.value}(path[1:]);
        }
        emit Forwarded(path[0], msg.value);
    }
}

/// Takes no ether at all.
contract Picky {
    error NoThanks(address from, uint256 amount);

    receive() external payable {
        revert NoThanks(msg.sender, msg.value);
    }
}

/// Holds what it was created with until it is told to give it back.
contract Purse {
    address payable public immutable owner;

    constructor(address payable owner_) payable {
        owner = owner_;
    }

    function close() external {
        selfdestruct(owner);
    }
}

contract Vault {
    event Deposited(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount);
    event Refused(address indexed to, uint256 amount, bytes reason);
    event Opened(address indexed purse, uint256 amount);

    error TooMuch(uint256 asked, uint256 available);

    receive() external payable {
        emit Deposited(msg.sender, msg.value);
    }

    function pay(address payable to, uint256 amount) public {
        if (amount > address(this).balance) revert TooMuch(amount, address(this).balance);
        (bool paid,) = to.call{value: amount}("");
        require(paid, "Vault: not paid");
        emit Paid(to, amount);
    }

    /// One internal transfer to each address.
    function split(address payable[] calldata to) external payable {
        uint256 share = msg.value / to.length;
        for (uint256 i = 0; i < to.length; i++) pay(to[i], share);
    }

    /// Nested: sender -> vault -> path[0] -> path[1] -> ... Before that it offers 1 wei to `picky` and survives the no.
    function payThrough(address payable[] calldata path, address payable picky) external payable {
        (bool taken, bytes memory reason) = picky.call{value: 1}("");
        if (!taken) emit Refused(picky, 1, reason);
        Forwarder(path[0]).forward{value: msg.value}(path[1:]);
    }

    /// Internal CREATE and CREATE2, both with ether; the first purse gives it back at once (SELFDESTRUCT).
    function openPurses(address payable owner, bytes32 salt) external payable {
        uint256 half = msg.value / 2;
        Purse first = new Purse{value: half}(owner);
        Purse second = new Purse{salt: salt, value: msg.value - half}(owner);
        emit Opened(address(first), half);
        emit Opened(address(second), msg.value - half);
        first.close();
    }

    function failWithReason() external payable {
        require(msg.sender == address(0), "Vault: always fails");
    }

    function failWithPanic(uint256 zero) external pure returns (uint256) {
        return 1 / zero;
    }

    /// Uses all the gas it is given.
    function burnGas() external {
        uint256 slot = 1 << 128;
        while (true) {
            assembly ("memory-safe") {
                sstore(slot, 1)
                slot := add(slot, 1)
            }
        }
    }
}
