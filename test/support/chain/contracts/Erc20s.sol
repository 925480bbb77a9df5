// SPDX-License-Identifier: MIT
// ERC-20 tokens whose balances do not follow from their logs, many small ones, and calls in one.
pragma solidity 0.8.30;

abstract contract Erc20Log {
    event Transfer(address indexed from, address indexed to, uint256 value);
}

/// All balances grow with `index`, without a log.
contract RebasingToken is Erc20Log {
    string public constant name = "Rebasing Test Token";
    string public constant symbol = "RBS";
    uint8 public constant decimals = 18;
    uint256 public index = 1e18;
    mapping(address => uint256) private _shares;

    function balanceOf(address holder) external view returns (uint256) {
        return (_shares[holder] * index) / 1e18;
    }

    function mint(address to, uint256 amount) external {
        _shares[to] += (amount * 1e18) / index;
        emit Transfer(address(0), to, amount);
    }

    function rebase(uint256 next) external {
        index = next;
    }
}

/// The receiver gets a tenth less than the log says.
contract FeeToken is Erc20Log {
    string public constant name = "Fee Test Token";
    string public constant symbol = "FEE";
    uint8 public constant decimals = 2;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += (amount * 9) / 10;
        emit Transfer(msg.sender, to, amount);
    }
}

/// Burns all gas when it is asked for a balance.
contract HungryToken is Erc20Log {
    string public constant name = "Hungry Test Token";
    string public constant symbol = "HUN";
    uint8 public constant decimals = 0;

    function balanceOf(address) external view returns (uint256 sum) {
        while (gasleft() > 0) sum++;
    }

    function mint(address to, uint256 amount) external {
        emit Transfer(address(0), to, amount);
    }
}

contract SmallToken is Erc20Log {
    string public constant name = "Small Test Token";
    string public constant symbol = "SML";
    uint8 public constant decimals = 6;
    address private immutable _holder;
    uint256 private immutable _amount;

    constructor(address holder, uint256 amount) {
        _holder = holder;
        _amount = amount;
        emit Transfer(address(0), holder, amount);
    }

    function balanceOf(address holder) external view returns (uint256) {
        return holder == _holder ? _amount : 0;
    }
}

/// Creates small tokens that hold 1, 2, 3 and so on.
contract TokenPress {
    uint256 public count;

    function press(address holder, uint256 more) external {
        for (uint256 i = 0; i < more; i++) new SmallToken(holder, ++count);
    }
}

/// What is called as Multicall3: calls that may fail.
contract Aggregator {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(calls[i].allowFailure || results[i].success);
        }
    }
}

/// As WETH9: what is wrapped is logged as Deposit, not as a Transfer from the zero address.
contract WrappedCoin {
    event Deposit(address indexed dst, uint256 wad);

    string public constant name = "Wrapped Test Coin";
    string public constant symbol = "WTC";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }
}
