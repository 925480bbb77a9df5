// SPDX-License-Identifier: MIT
// A token of the first years: name and symbol are bytes32, transfer answers nothing, there is no ERC-165.
pragma solidity 0.8.30;

contract OldToken {
    bytes32 public constant name = "Old Test Token";
    bytes32 public constant symbol = "OLD";
    uint256 public constant decimals = 9;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external {
        require(balanceOf[msg.sender] >= value, "too little");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}
