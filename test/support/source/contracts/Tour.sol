// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// Ten contracts that a debugger is led through; `//~name` marks a line that a test expects to stop at.

type Price is uint128;

function half(uint256 value) pure returns (uint256) {
    return value / 2; //~half
}

// 1: mappings, constants, units

contract Coin {
    string public constant NAME = "Tour Coin";
    uint8 public constant decimals = 6;
    uint256 internal constant CAP = 1_000 * 10 ** 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(string => uint256) internal notes;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function mint(address to, uint256 amount) external {
        uint256 supply = totalSupply + amount; //~supply
        require(supply <= CAP, "above the cap"); //~cap
        totalSupply = supply; //~totalSupply
        unchecked {
            balanceOf[to] += amount; //~credit
        }
        notes["last"] = amount; //~note
        emit Transfer(address(0), to, amount); //~transfer
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount; //~debit
        balanceOf[to] += amount; //~creditTo
        return true; //~done
    }
}

// 2: enums, structs, modifiers with arguments, msg.value

contract Auction {
    enum Phase {
        Closed,
        Open,
        Ended
    }

    struct Bid {
        address bidder;
        uint96 amount;
        Phase phase;
        bytes4 tag;
    }

    Phase public phase;
    Bid public best;
    Bid[] internal history;

    modifier inPhase(Phase wanted) {
        Phase current = phase; //~current
        require(current == wanted, "wrong phase"); //~wanted
        _;
        current = phase; //~afterBody
    }

    modifier atLeast(uint256 minimum, string memory what) {
        require(msg.value >= minimum, what); //~minimum
        _;
    }

    function open() external {
        phase = Phase.Open; //~open
    }

    function bid(bytes4 tag) external payable inPhase(Phase.Open) atLeast(10, "too little") {
        Bid memory offer = Bid(msg.sender, uint96(msg.value), phase, tag); //~offer
        best = offer; //~best
        history.push(offer); //~push
        uint256 count = history.length; //~count
        if (count > 1) phase = Phase.Ended; //~ended
    }
}

// 3: proxy

contract Forwarder {
    address internal immutable target;

    constructor(address target_) {
        target = target_; //~target
    }

    fallback() external payable {
        address to = target; //~to
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) //~delegate
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract Counter {
    uint256 internal gap = 1;
    uint256 public count = 5;

    function add(uint256 by) external payable returns (uint256) {
        count += by; //~add
        return count; //~counted
    }
}

// 4: constructors of bases

abstract contract Root {
    uint256 public rootValue = 3; //~rootInit

    constructor(uint256 first, string memory name) {
        uint256 length = bytes(name).length; //~length
        rootValue += first + length; //~rootValue
    }
}

abstract contract Middle is Root {
    uint256 public middleValue;

    modifier once(uint256 limit) {
        require(middleValue < limit, "again"); //~once
        _;
    }

    constructor(uint256 value) once(value + 1) {
        uint256 next = value + rootValue; //~next
        middleValue = next; //~middleValue
    }
}

contract Leaf is Middle {
    uint256 public leafValue;

    constructor(uint256 a, uint256 b) Root(a * 10, "leaf") Middle(b) {
        uint256 sum = a + b; //~leafSum
        leafValue = sum; //~leafValue
    }
}

// 5: fallback with data, receive

contract Inbox {
    uint256 public received;
    bytes public last;

    receive() external payable {
        uint256 before = received; //~before
        received = before + msg.value; //~received
    }

    fallback(bytes calldata input) external returns (bytes memory output) {
        uint256 size = input.length; //~inputSize
        last = input; //~last
        output = abi.encode(size); //~output
    }
}

// 6: libraries with storage, several results

library Ledger {
    struct Book {
        mapping(uint256 => uint256) entries;
        uint256 length;
    }

    function add(Book storage book, uint256 value) internal returns (uint256 index, uint256 total) {
        index = book.length++; //~index
        book.entries[index] = value; //~entry
        for (uint256 i = 0; i <= index; i++) total += book.entries[i]; //~total
    }
}

contract Books {
    using Ledger for Ledger.Book;

    Ledger.Book internal book;
    uint256 public sum;

    function record(uint256[] calldata values) external returns (uint256) {
        for (uint256 i = 0; i < values.length; i++) {
            (uint256 index, uint256 total) = book.add(values[i]); //~recorded
            sum = total + index; //~sum
        }
        return sum; //~returnSum
    }
}

// 7: arrays, bytes and strings

contract Lists {
    uint256[][] internal nested;
    string public text;
    uint8[3] internal small;

    struct Pair {
        uint256 left;
        string right;
    }

    function fill(Pair[] calldata pairs, bytes calldata data, string memory word) external returns (uint256 size) {
        Pair memory first = pairs[0]; //~firstPair
        uint256[] memory lefts = new uint256[](pairs.length); //~lefts
        for (uint256 i = 0; i < pairs.length; ++i) lefts[i] = pairs[i].left; //~left
        nested.push(lefts); //~nested
        text = string.concat(word, first.right); //~text
        small[1] = uint8(data[0]); //~small
        bytes memory joined = bytes.concat(data, bytes(word)); //~joined
        size = joined.length; //~size
    }
}

// 8: control flow

contract Flow {
    uint256 public result;

    function run(uint256 n) external returns (uint256 sum) {
        uint256 i; //~i
        do {
            i++; //~doBody
            if (i == 2) continue; //~continue
            if (i > 4) break; //~break
            sum += i; //~flowSum
        } while (i < n); //~doWhile
        uint256 bonus = sum > 5 //~bonus
            ? half(sum) //~bonusYes
            : 0;
        for (uint256 a = 0; a < 2; a++)
            for (uint256 b = 0; b < 2; b++) sum += a * b; //~inner
        result = sum + bonus; //~result
    }

    function factorial(uint256 n) public pure returns (uint256) {
        if (n < 2) return 1; //~base
        uint256 rest = factorial(n - 1); //~rest
        return n * rest; //~product
    }
}

// 9: failures

contract Caller {
    error Refused(address who, uint256 code);

    uint256 public failures;

    function tryAll(uint256 count) external returns (uint256 caught) {
        for (uint256 i = 0; i < count; i++) {
            try this.check(i) returns (uint256 value) { //~try
                failures += value; //~success
            } catch Error(string memory reason) {
                caught += bytes(reason).length; //~catchError
            } catch Panic(uint256 code) {
                caught += code; //~catchPanic
            } catch (bytes memory data) {
                caught += data.length; //~catchData
            }
        }
        _finish(caught); //~finish
    }

    function check(uint256 kind) external view returns (uint256) {
        if (kind == 0) return 1; //~kindZero
        require(kind != 1, "one"); //~kindOne
        uint256 zero = kind - kind; //~zero
        if (kind == 2) return kind / zero; //~kindTwo
        revert Refused(msg.sender, kind); //~refused
    }

    function _finish(uint256 caught) private {
        failures += caught; //~finished
        if (caught > 80) revert Refused(address(this), caught); //~tooMany
    }
}

// 10: types of the user, function pointers, assembly, transient storage

contract Tools {
    Price public price;
    uint256 transient lock;
    int64 public balance = -5;
    address public immutable owner = msg.sender;

    function use(Price next, bool isDouble, int64 change) external returns (uint256) {
        lock = 1; //~lock
        price = next; //~price
        balance += change; //~balanceSet
        function(uint256) internal pure returns (uint256) op = isDouble ? _double : half; //~op
        uint256 value = op(Price.unwrap(price)); //~apply
        assembly {
            let doubled := mul(value, 2) //~asmDouble
            value := add(doubled, 1) //~asmAdd
        }
        lock = 0; //~unlock
        return value; //~returnValue
    }

    function _double(uint256 value) internal pure returns (uint256) {
        return value * 2; //~double
    }
}
