// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Functions and statements that are equal but for names: the optimizer merges their code. `//~name` marks a line of a stack.

error Low(uint256 x);

library LeftLib {
    function need(uint256 x) internal pure returns (uint256) {
        require(x > 3, "need more"); //~leftNeed
        return x - 1;
    }

    function half(uint256 x) internal pure returns (uint256) {
        if (x % 2 == 1) revert Low(x); //~leftHalf
        return x / 2;
    }
}

library RightLib {
    function need(uint256 x) internal pure returns (uint256) {
        require(x > 3, "need more"); //~rightNeed
        return x - 1;
    }

    function half(uint256 x) internal pure returns (uint256) {
        if (x % 2 == 1) revert Low(x); //~rightHalf
        return x / 2;
    }
}

contract Twin {
    uint256 internal total = 10;
    uint256[] internal xs;

    function _a(uint256 x) internal view returns (uint256) {
        require(x > 3, "low"); //~twA
        return total / x;
    }

    function _b(uint256 y) internal view returns (uint256) {
        require(y > 3, "low"); //~twB
        return total / y;
    }

    function both(uint256 p, uint256 q) external view returns (uint256) {
        uint256 r = _a(p); //~twBothA
        return r + _b(q); //~twBothB
    }

    function nested(uint256 p) external view returns (uint256) {
        return _a(_b(_a(p))); //~twNested
    }

    function libs(uint256 p, uint256 q) external pure returns (uint256) {
        uint256 r = LeftLib.need(p); //~twLibsL
        r += RightLib.need(q); //~twLibsR
        return RightLib.half(r) + LeftLib.half(p); //~twHalves
    }

    function _push(uint256 x) internal {
        xs.push(x);
        require(xs.length < 4, "full"); //~twPushFull
    }

    function _add(uint256 x) internal {
        xs.push(x);
        require(xs.length < 4, "full"); //~twAddFull
    }

    function fill(uint256 n, uint256 m) external {
        for (uint256 i = 0; i < n; i++) _push(i); //~twFillPush
        for (uint256 i = 0; i < m; i++) _add(i); //~twFillAdd
    }

    function dupe(uint256 k, uint256 v) external view returns (uint256 r) {
        if (k == 1) {
            require(v < 5, "v"); //~twDupe1
            r = total / (v - 1); //~twDupe1Div
        } else if (k == 2) {
            require(v < 5, "v"); //~twDupe2
            r = total / (v - 1); //~twDupe2Div
        } else {
            require(v < 5, "v"); //~twDupe3
            r = total / (v - 1); //~twDupe3Div
        }
        require(r < 9, "v"); //~twDupeR
    }

    function steps(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        if (a > 100) revert Low(a); //~twStepA
        if (b > 100) revert Low(b); //~twStepB
        if (c > 100) revert Low(c); //~twStepC
        if (a == 5) revert Low(a); //~twStepA5
        return a + b + c;
    }

    function empty(uint256 a, uint256 b) external pure returns (uint256) {
        require(a != 1); //~twEmptyA
        require(b != 1); //~twEmptyB
        if (a == 2) revert(); //~twEmptyA2
        if (b == 2) revert(); //~twEmptyB2
        assert(a != 3); //~twAssertA
        assert(b != 3); //~twAssertB
        return a + b;
    }

    function get(uint256 i) public view virtual returns (uint256) {
        return xs[i]; //~twGet
    }

    function fetch(uint256 i) public view returns (uint256) {
        return xs[i]; //~twFetch
    }

    function pairs(uint256 i, uint256 j) external view returns (uint256) {
        return get(i) + fetch(j); //~twPairs
    }

    function viaGet(uint256 i) external view returns (uint256) {
        return get(i); //~twViaGet
    }

    function viaFetch(uint256 i) external view returns (uint256) {
        return fetch(i); //~twViaFetch
    }

    modifier upper(uint256 x) {
        require(x < 50, "bound"); //~twUpper
        _;
    }

    modifier lower(uint256 x) {
        require(x < 50, "bound"); //~twLower
        _;
    }

    function bounded(uint256 x, uint256 y) external view upper(x) lower(y) returns (uint256) { //~twBounded
        require(x + y < 50, "bound"); //~twBoundedSum
        return total / (x + y);
    }

    function ext(Twin t, uint256 a) external view {
        t.viaGet(a); //~twExtA
        t.viaFetch(a); //~twExtB
    }

    function ext2(Twin t, uint256 a, uint256 b) external {
        t.fill(a, 0); //~twExt2A
        t.fill(b, 0); //~twExt2B
    }

    function lowTwice(address t, bytes calldata x, bytes calldata y) external {
        (bool ok, bytes memory out) = t.call(x); //~twLow1
        if (!ok) _up(out);
        (ok, out) = t.call(y); //~twLow2
        if (!ok) _up(out);
        revert("none failed"); //~twNone
    }

    function _up(bytes memory b) private pure {
        assembly {
            revert(add(b, 32), mload(b))
        }
    }

    function swallow(Twin t, uint256 a) external view returns (uint256 r) {
        try t.viaGet(a) returns (uint256 v) {
            r = v;
        } catch {}
        r = xs[a]; //~twSwallow
    }

    function rethrowElse(Twin t, uint256 a) external view returns (uint256 r) {
        try t.both(a, 9) returns (uint256 v) {
            r = v;
        } catch {
            require(a > 3, "low"); //~twRethrowElse
        }
    }
}

contract TwinChild is Twin {
    function get(uint256 i) public view override(Twin) returns (uint256) {
        require(i < 2, "child"); //~tcGet
        return super.get(i); //~tcSuper
    }
}
