// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A wallet with one owner, whose key signs for it (ERC-1271).
contract OwnedWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// A wallet whose signatures are no ECDSA at all: the digest itself, twice, with a word in between.
contract StrangeWallet {
    function isValidSignature(bytes32 digest, bytes calldata signature) external pure returns (bytes4) {
        bytes memory wanted = abi.encodePacked(digest, "open", digest);
        return keccak256(signature) == keccak256(wanted) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Wallets that answer in every wrong way.
contract OddWallet {
    uint8 immutable way;

    constructor(uint8 way_) {
        way = way_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (way == 0) revert("no");
        if (way == 1) {
            assembly {
                mstore(0, 0x1626ba7e00000000000000000000000000000000000000000000000000000001)
                return(0, 32)
            }
        }
        if (way == 2) {
            assembly {
                mstore(0, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
                return(0, 4)
            }
        }
        if (way == 3) {
            assembly {
                invalid()
            }
        }
        if (way == 4) {
            assembly {
                return(0, 0)
            }
        }
        if (way == 5) {
            assembly {
                mstore(0, 0x000000000000000000000000000000000000000000000000000000001626ba7e)
                return(0, 32)
            }
        }
        return 0x20c13b0b; // the magic of the draft that came before
    }
}

/// A contract that knows nothing of signatures.
contract Deaf {
    uint256 public value = 1;
}

/// Deploys owned wallets at addresses that are known before (ERC-6492).
contract WalletFactory {
    function deploy(address owner, bytes32 salt) external returns (address) {
        return address(new OwnedWallet{salt: salt}(owner));
    }
}
