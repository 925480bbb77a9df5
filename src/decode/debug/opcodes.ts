// Instructions of the EVM by name.

const NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries({
    0: 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND',
    16: 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ',
    32: 'KECCAK256',
    48: 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH',
    64: 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
    80: 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0',
    240: 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2',
    250: 'STATICCALL',
    253: 'REVERT INVALID SELFDESTRUCT',
  }).flatMap(([first, names]) => names.split(' ').map((name, i) => [Number(first) + i, name])),
);

export function getOpcodeName(op: number): string {
  if (op >= 0x60 && op <= 0x7f) return `PUSH${op - 0x5f}`;
  if (op >= 0x80 && op <= 0x8f) return `DUP${op - 0x7f}`;
  if (op >= 0x90 && op <= 0x9f) return `SWAP${op - 0x8f}`;
  if (op >= 0xa0 && op <= 0xa4) return `LOG${op - 0xa0}`;
  return NAMES[op] ?? `0x${op.toString(16).padStart(2, '0')}`;
}
