// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

// A token, a vault of shares and a market, in the style of common libraries; `//~name` marks a line of a stack.

library Address {
    error AddressEmptyCode(address target);
    error FailedCall();

    function functionCall(address target, bytes memory data) internal returns (bytes memory) {
        (bool success, bytes memory result) = target.call(data); //~functionCall
        if (!success) {
            _revert(result); //~functionCallRevert
        }
        if (result.length == 0 && target.code.length == 0) {
            revert AddressEmptyCode(target); //~emptyCode
        }
        return result;
    }

    function _revert(bytes memory result) private pure {
        if (result.length > 0) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        } else {
            revert FailedCall(); //~failedCall
        }
    }
}

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

library SafeToken {
    using Address for address;

    error TransferFailed(address token);

    function safeTransfer(IToken token, address to, uint256 value) internal {
        _callOptionalReturn(token, abi.encodeCall(token.transfer, (to, value))); //~safeTransfer
    }

    function _callOptionalReturn(IToken token, bytes memory data) private {
        bytes memory result = address(token).functionCall(data); //~optionalReturn
        if (result.length != 0 && !abi.decode(result, (bool))) revert TransferFailed(address(token)); //~transferFailed
    }
}

library FullMath {
    error MulDivOverflow();

    function mulDiv(uint256 x, uint256 y, uint256 d) internal pure returns (uint256 z) {
        assembly {
            if iszero(mul(d, iszero(mul(y, gt(x, div(not(0), y)))))) {
                mstore(0x00, 0x8a2f7a4e)
                revert(0x1c, 0x04) //~mulDiv
            }
            z := div(mul(x, y), d)
        }
    }
}

contract Token is IToken {
    error InsufficientBalance(address owner, uint256 balance, uint256 needed);
    error InvalidReceiver(address receiver);

    string public name;
    mapping(address owner => uint256) private _balances;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 10 ** 24;

    constructor(string memory nameOf) {
        name = nameOf;
        _balances[msg.sender] = totalSupply;
    }

    function balanceOf(address owner) public view virtual returns (uint256) {
        return _balances[owner];
    }

    function transfer(address to, uint256 value) public virtual override returns (bool) {
        _transfer(msg.sender, to, value); //~tokenTransfer
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        allowance[from][msg.sender] -= value; //~allowance
        _transfer(from, to, value); //~tokenTransferFrom
        return true;
    }

    function _transfer(address from, address to, uint256 value) internal {
        if (to == address(0)) {
            revert InvalidReceiver(address(0)); //~invalidReceiver
        }
        _update(from, to, value); //~transferUpdate
    }

    function _update(address from, address to, uint256 value) internal virtual {
        uint256 balance = _balances[from];
        if (balance < value) revert InsufficientBalance(from, balance, value); //~insufficientBalance
        unchecked {
            _balances[from] = balance - value;
        }
        _balances[to] += value;
    }
}

contract Guarded {
    uint256 private status = 1;

    error Reentered();

    modifier nonReentrant() {
        if (status == 2) revert Reentered(); //~reentered
        status = 2;
        _;
        status = 1;
    }

    modifier atLeast(uint256 value, uint256 minimum) {
        _checkMinimum(value, minimum); //~atLeast
        _;
    }

    function _checkMinimum(uint256 value, uint256 minimum) private pure {
        require(value >= minimum, "below the minimum"); //~checkMinimum
    }
}

contract Market is Guarded {
    using SafeToken for IToken;
    using FullMath for uint256;

    string private constant NOT_LISTED = "not listed";

    enum State {
        None,
        Listed,
        Sold
    }

    struct Offer {
        address seller;
        uint128 price;
        State state;
        uint256[] tiers;
    }

    error PriceTooLow(uint256 price);

    IToken public immutable token;
    mapping(uint256 => Offer) public offers;
    address[] private sellers;
    uint256 private nonce;

    constructor(IToken tokenOf) {
        token = tokenOf;
    }

    receive() external payable nonReentrant {
        nonce = nonce + msg.value - 1; //~receiveNonce
    }

    function list(uint256 id, uint128 price, uint256[] calldata tiers) external nonReentrant atLeast(price, 10) { //~list
        Offer storage offer = offers[id];
        require(offer.state == State.None, "listed already"); //~listedAlready
        offer.seller = msg.sender;
        offer.price = price;
        offer.state = State.Listed;
        for (uint256 i = 0; i < tiers.length; i++) {
            if (i > 0 && tiers[i] <= tiers[i - 1]) {
                revert PriceTooLow(tiers[i]); //~priceTooLow
            }
            offer.tiers.push(tiers[i]);
        }
        sellers.push(msg.sender);
    }

    function tier(uint256 id, uint256 index) external view returns (uint256) {
        return _offer(id).tiers[index]; //~tier
    }

    function _offer(uint256 id) internal view returns (Offer storage offer) {
        offer = offers[id];
        require(offer.state == State.Listed, NOT_LISTED); //~notListed
    }

    function buy(uint256 id) external nonReentrant {
        Offer storage offer = _offer(id); //~buyOffer
        offer.state = State.Sold;
        token.safeTransfer(offer.seller, offer.price); //~buyTransfer
    }

    function payOut(address to, uint256 amount) external {
        token.transfer(to, amount); //~payOut
    }

    function quote(uint256 x, uint256 y, uint256 d) external pure returns (uint256) {
        return x.mulDiv(y, d); //~quoteMulDiv
    }

    function scale(uint256 a) public pure returns (uint256) {
        return a > 5 ? a * 2 : _strict(a); //~scale
    }

    function scale(uint256 a, uint256 b) public pure returns (uint256) {
        return scale(a) / b; //~scaleTwo
    }

    function _strict(uint256 a) private pure returns (uint256) {
        if (a == 3) revert("three"); //~three
        if (a == 4) revert("four"); //~four
        return a;
    }

    function reenter() external nonReentrant {
        (bool ok, bytes memory data) = address(this).call(abi.encodeCall(this.buy, (1))); //~reenterCall
        require(ok, string(data));
        nonce++;
    }

    function tryQuote(uint256 id) external returns (uint256) {
        try this.tier(id, 7) returns (uint256 value) {
            return value;
        } catch Error(string memory reason) {
            revert(string.concat("tier: ", reason)); //~tryReason
        } catch Panic(uint256 code) {
            nonce = code;
            revert PriceTooLow(code); //~tryPanic
        }
    }

    function probe(address target) external view returns (uint256) {
        (bool ok, bytes memory data) = target.staticcall(abi.encodeCall(IToken.balanceOf, (address(this))));
        if (!ok || data.length < 32) {
            revert("no token"); //~probe
        }
        return abi.decode(data, (uint256));
    }

    function spread(uint256[] memory list_) external pure returns (uint256 best) {
        best = type(uint256).max;
        for (uint256 i; i < list_.length; ++i) {
            uint256 value = list_[i];
            best = value < best ? value : best;
        }
        return best - list_[0] - list_[1]; //~spread
    }

    function sellerAt(uint256 index) external view returns (address) {
        return sellers[index]; //~sellerAt
    }

    function narrow(uint8 a, uint8 b) external pure returns (uint8) {
        uint8 c = a - b; //~narrowMinus
        uint8 d = a * 2; //~narrowTimes
        return c + d; //~narrowPlus
    }

    function power(uint256 base, uint256 exponent) external pure returns (uint256) {
        return base ** exponent; //~power
    }

    function negate(int256 value) external pure returns (int256) {
        return -value; //~negate
    }

    function slice(bytes calldata data, uint256 from) external pure returns (bytes32) {
        return bytes32(data[from:from + 32]); //~slice
    }

    function assertAll(uint256 a, uint256 b) external pure {
        assert(a > 0); //~assertA
        assert(b > a); //~assertB
    }

    function deploy(string memory name) external returns (address) {
        return address(new Failing(name)); //~deploy
    }

    function stateOf(uint8 value) external pure returns (State) {
        return State(value); //~stateOf
    }

    function emptyAfterCheck(uint256 value) external view {
        _only(value); //~emptyAfterCheck
    }

    function _only(uint256 value) internal view {
        if (value > nonce) {
            assembly {
                revert(0, 0) //~onlyAssembly
            }
        }
    }

    function chain(uint256 value) external view returns (uint256) {
        return
            _one(value) +
            _two(value); //~chainTwo
    }

    function _one(uint256 value) internal view returns (uint256) {
        require(value != 1, "one is not two"); //~one
        return value + nonce;
    }

    function _two(uint256 value) internal view returns (uint256) {
        require(value != 2, "two is not one"); //~two
        return value + nonce;
    }
}

contract Failing {
    uint256 private limit = _limit(); //~failingLimit
    string private name;

    constructor(string memory nameOf) {
        name = nameOf;
        _check(nameOf); //~failingCheck
    }

    function _limit() private pure returns (uint256) {
        return 3;
    }

    function _check(string memory nameOf) private view {
        require(bytes(nameOf).length <= limit, "name is long"); //~nameIsLong
    }
}
