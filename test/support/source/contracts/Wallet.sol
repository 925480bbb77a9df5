// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

// Failures of calls between contracts; `//~name` marks a line that a test expects in a stack.

interface IFeed {
    function latest(uint256 id) external view returns (uint256 value, uint64 time, string memory unit);
    function values(uint256 index) external view returns (uint256);
}

interface IHook {
    function tokensReceived(address from, uint256 amount, bytes calldata data) external;
}

error NotAllowed(address who);

contract Feed {
    uint256[] public values; //~feedValues
    mapping(uint256 => uint256) internal times;

    error NoRound(uint256 id);

    function latest(uint256 id) external view returns (uint256 value, uint64 time, string memory unit) {
        if (times[id] == 0) revert NoRound(id); //~noRound
        return (1, uint64(times[id]), "wei");
    }
}

contract ShortFeed {
    function latest(uint256) external pure returns (uint256) {
        return 5;
    }
}

contract Sink {
    uint256 internal received;
    mapping(address => uint256) internal byWho;

    receive() external payable {
        byWho[msg.sender] += msg.value; //~sinkReceive
        received += 1;
    }
}

contract Deaf {}

contract Coin {
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public nonces;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public tax;

    error Expired(uint256 deadline);
    error BadSigner(address signer, address owner);

    constructor(uint256 tax_) {
        tax = tax_;
        balanceOf[msg.sender] = 1000;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function send(address to, uint256 amount, bytes calldata data) external {
        _move(msg.sender, to, amount); //~sendMove
        _callHook(msg.sender, to, amount, data); //~sendHook
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount); //~coinTransfer
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount; //~coinAllowed
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal {
        balanceOf[from] -= amount; //~coinMove
        unchecked {
            balanceOf[to] += amount - tax;
        }
    }

    function _callHook(address from, address to, uint256 amount, bytes calldata data) private {
        if (to.code.length > 0) IHook(to).tokensReceived(from, amount, data); //~callHook
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (block.timestamp > deadline) revert Expired(deadline); //~expired
        bytes32 digest = keccak256(abi.encode(owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(digest, v, r, s);
        if (signer != owner || signer == address(0)) revert BadSigner(signer, owner); //~badSigner
        allowance[owner][spender] = value;
    }
}

contract Receiver is IHook {
    function tokensReceived(address from, uint256 amount, bytes calldata data) external view {
        require(data.length % 2 == 0, "odd data"); //~oddData
        _accept(from, amount); //~hookAccept
    }

    function _accept(address from, uint256 amount) internal view {
        if (amount > 50) {
            revert NotAllowed(from); //~hookNotAllowed
        }
        assert(from != address(this));
    }
}

library Plugin {
    event Plugged(uint256 value);

    function plug(uint256 value) external returns (uint256) {
        emit Plugged(value);
        require(value > 3, "plug is small"); //~plugSmall
        return value;
    }
}

contract Gate {
    address internal keeper;

    function pass(address who) external view {
        if (who != keeper) revert NotAllowed(who); //~gatePass
    }
}

contract Wallet {
    Coin internal coin;
    IFeed internal feed;
    Gate internal gate = new Gate();
    address internal plugin;
    uint256 internal price = 10;
    bool internal open;

    event Paid(address to, uint256 amount);
    event Tried(uint256 step);

    error WrongValue(uint256 sent, uint256 wanted);
    error PluginFailed(bytes reason);
    error Closed();
    error PayFailed(address to);

    constructor(Coin coin_, IFeed feed_, address plugin_) payable {
        coin = coin_;
        feed = feed_;
        plugin = plugin_;
    }

    modifier whenOpen() {
        if (!open) revert Closed(); //~closed
        _;
    }

    receive() external payable whenOpen { //~walletReceive
        emit Paid(msg.sender, msg.value);
    }

    fallback(bytes calldata data) external payable whenOpen returns (bytes memory) { //~walletFallback
        return data;
    }

    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]); //~multicall
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function transferOut(address to, uint256 amount) public {
        require(to != address(0), "to the zero address"); //~toZero
        require(coin.transfer(to, amount), "transfer failed"); //~transferOut
        emit Paid(to, amount);
    }

    function transferChecked(address to, uint256 amount) external {
        uint256 before = coin.balanceOf(to);
        coin.transfer(to, amount);
        require(coin.balanceOf(to) >= before + amount, "received too little"); //~receivedTooLittle
    }

    function risky(uint256 value) external returns (uint256) {
        emit Tried(value);
        if (value == 1) revert NotAllowed(address(this)); //~riskyNotAllowed
        if (value == 2) assert(value == 0); //~riskyAssert
        if (value == 3) return this.risky(4); //~riskyDeeper
        if (value == 4) revert("four is too risky"); //~riskyFour
        return 100 / (value - 5); //~riskyDivide
    }

    function rethrow(uint256 value) external returns (uint256) {
        try this.risky(value) returns (uint256 result) { //~rethrowTry
            return result;
        } catch (bytes memory reason) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function rethrowText(uint256 value) external returns (uint256) {
        try this.risky(value) returns (uint256 result) { //~rethrowTextTry
            return result;
        } catch Error(string memory reason) {
            revert(reason);
        } catch Panic(uint256 code) {
            emit Tried(code);
            return this.risky(value + 2); //~rethrowAgain
        }
    }

    function rethrowTwice(uint256 value) external returns (uint256) {
        try this.rethrow(value) returns (uint256 result) { //~rethrowTwiceTry
            return result;
        } catch (bytes memory reason) {
            if (reason.length == 36) revert PluginFailed(reason); //~rethrowTwicePlugin
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function enter(address who) external view {
        try gate.pass(who) {} catch {
            revert NotAllowed(who); //~enter
        }
    }

    function peek(address who) external view returns (uint256) {
        try gate.pass(who) {} catch {}
        return feed.values(3); //~peek
    }

    function read(uint256 id) external view returns (uint256, string memory) {
        (uint256 value, , string memory unit) = feed.latest(id); //~read
        require(value > 0, "no value");
        return (value, unit);
    }

    function readTwice(uint256 id) external view returns (uint256 sum) {
        try feed.latest(id) returns (uint256 value, uint64, string memory) { //~readTwiceTry
            sum = value;
        } catch {
            sum = 1;
        }
        (uint256 second, , ) = feed.latest(id + sum); //~readSecond
        sum += second;
    }

    function plugIn(uint256 value) external returns (bytes memory) {
        (bool ok, bytes memory result) = plugin.delegatecall(abi.encodeWithSelector(Plugin.plug.selector, value));
        if (!ok) revert PluginFailed(result); //~pluginFailed
        return result;
    }

    function plugDirect(uint256 value) external returns (uint256) {
        return Plugin.plug(value) + 1; //~plugDirect
    }

    function buy(uint256 count) external payable {
        if (msg.value != price * count) { //~buyTimes
            revert WrongValue(msg.value, price * count); //~wrongValue
        }
    }

    function payLittle(address payable to) external {
        emit Paid(to, 1);
        to.transfer(1); //~payLittle
    }

    function payMuch(address payable to) external {
        (bool ok, ) = to.call{value: 1}("");
        if (!ok) revert PayFailed(to); //~payFailed
    }

    function payTooMuch(address payable to) external {
        to.transfer(1000 ether); //~payTooMuch
    }

    function payDeaf(address payable to) external {
        to.transfer(1); //~payDeaf
    }

    function sendCoins(address to, uint256 amount, bytes calldata data) external {
        coin.send(to, amount, data); //~sendCoins
    }

    function pull(address from, uint256 amount) external returns (bool) {
        return coin.transferFrom(from, address(this), amount); //~pull
    }

    function notContract(address at) external view returns (uint256) {
        return IFeed(at).values(0); //~notContract
    }
}

contract Made {
    uint256 internal immutable id;

    constructor(uint256 made) {
        require(made != 13, "made: thirteen"); //~madeThirteen
        id = made;
    }
}

contract Maker {
    error NotMade(bytes32 salt);

    function make(bytes32 salt, uint256 id) external returns (Made) {
        return new Made{salt: salt}(id); //~make
    }

    function makeTwice(bytes32 salt) external returns (Made made) {
        made = new Made{salt: salt}(1);
        made = new Made{salt: salt}(1); //~makeAgain
    }

    function makeRaw(bytes32 salt) external returns (address made) {
        bytes memory code = abi.encodePacked(type(Made).creationCode, uint256(13));
        assembly {
            made := create2(0, add(code, 32), mload(code), salt)
        }
        if (made == address(0)) revert NotMade(salt); //~notMade
    }
}

library Slots {
    struct Layout {
        mapping(bytes4 => address) facets;
        address owner;
    }

    error NotOwner(address user, address owner);

    function layout() internal pure returns (Layout storage l) {
        bytes32 position = keccak256("example.diamond");
        assembly {
            l.slot := position
        }
    }

    function enforceOwner() internal view {
        if (msg.sender != layout().owner) revert NotOwner(msg.sender, layout().owner); //~enforceOwner
    }
}

contract Diamond {
    constructor(address cutter, address counter) payable {
        Slots.layout().facets[Cutter.cut.selector] = cutter;
        Slots.layout().facets[Counter.increase.selector] = counter;
        Slots.layout().facets[Counter.limit.selector] = address(0xdead);
    }

    fallback() external payable {
        address facet = Slots.layout().facets[msg.sig];
        require(facet != address(0), "Diamond: no such function"); //~noFacet
        assembly {
            calldatacopy(0, 0, calldatasize())
            let result := delegatecall(gas(), facet, 0, calldatasize(), 0, 0) //~diamondCall
            returndatacopy(0, 0, returndatasize())
            switch result
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract Cutter {
    function cut(bytes4 selector, address facet) external {
        Slots.enforceOwner(); //~cut
        Slots.layout().facets[selector] = facet;
    }
}

contract Counter {
    uint8 internal count;

    function increase(uint8 by) external {
        for (uint8 i = 0; i < 3; i++) count += by; //~increase
    }

    function limit() external view returns (uint8) {
        return count;
    }

    function missing() external {}
}

abstract contract Initializable {
    uint64 private version;
    bool private running;

    error InvalidInitialization();
    error NotInitializing();

    modifier initializer() {
        if (running || version != 0) revert InvalidInitialization(); //~initializer
        version = 1;
        running = true;
        _;
        running = false;
    }

    modifier onlyInitializing() {
        _checkInitializing(); //~onlyInitializing
        _;
    }

    function _checkInitializing() internal view {
        if (!running) revert NotInitializing(); //~checkInitializing
    }
}

abstract contract Upgradeable is Initializable {
    bytes32 internal constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    address private immutable self = address(this);

    error OnlyProxy();
    error InvalidImplementation(address implementation);

    modifier onlyProxy() {
        if (address(this) == self) revert OnlyProxy(); //~onlyProxy
        _;
    }

    function uuid() external view virtual returns (bytes32) {
        return SLOT;
    }

    function upgradeTo(address next, bytes memory data) public payable virtual onlyProxy { //~upgradeTo
        _authorize(next); //~upgradeAuthorize
        _upgrade(next, data); //~upgradeUpgrade
    }

    function _authorize(address next) internal virtual;

    function _upgrade(address next, bytes memory data) private {
        try Upgradeable(next).uuid() returns (bytes32 slot) {
            require(slot == SLOT, "other slot");
        } catch {
            revert InvalidImplementation(next); //~invalidImplementation
        }
        if (data.length > 0) {
            (bool ok, bytes memory result) = next.delegatecall(data); //~upgradeCall
            if (!ok) {
                if (result.length == 0) revert("upgrade failed"); //~upgradeFailed
                assembly {
                    revert(add(32, result), mload(result))
                }
            }
        }
    }
}

contract Shares4626 is Upgradeable {
    Coin internal asset;
    address internal owner;
    uint256 internal supply;
    mapping(address => uint256) internal shares;

    error ExceedsMax(address owner, uint256 assets, uint256 max);
    error ZeroShares();

    function initialize(Coin asset_) external initializer { //~initialize
        _initShares(asset_);
    }

    function initAgain(Coin asset_) external {
        _initShares(asset_); //~initAgain
    }

    function _initShares(Coin asset_) internal onlyInitializing { //~initShares
        asset = asset_;
        owner = msg.sender;
    }

    function _authorize(address next) internal view override {
        require(msg.sender == owner && next != address(0), "only the owner"); //~authorize
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function _toShares(uint256 assets, bool isUp) internal view returns (uint256) {
        return _mulDiv(assets, supply + 1, totalAssets() - supply, isUp); //~toShares
    }

    function _mulDiv(uint256 a, uint256 b, uint256 c, bool isUp) internal pure returns (uint256 result) {
        result = (a * b) / c; //~mulDivide
        if (isUp && mulmod(a, b, c) > 0) result += 1;
    }

    function deposit(uint256 assets, address to) external returns (uint256 minted) {
        minted = _toShares(assets, false); //~depositShares
        if (minted == 0) revert ZeroShares(); //~zeroShares
        shares[to] += minted;
        supply += minted;
    }

    function withdraw(uint256 assets, address from) external returns (uint256 burned) {
        uint256 max = shares[from];
        if (assets > max) {
            revert ExceedsMax(from, assets, max); //~exceedsMax
        }
        burned = _toShares(assets, true);
    }
}

contract Upgraded {
    constructor(address implementation, bytes memory data) {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation)
        }
        if (data.length > 0) {
            (bool ok, bytes memory result) = implementation.delegatecall(data); //~upgradedInit
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
        }
    }

    fallback() external payable {
        _delegate(_implementation()); //~upgradedFallback
    }

    function _implementation() internal view returns (address at) {
        assembly {
            at := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
        }
    }

    function _delegate(address target) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let result := delegatecall(gas(), target, 0, calldatasize(), 0, 0) //~upgradedDelegate
            returndatacopy(0, 0, returndatasize())
            switch result
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
