// Assembles EVM code for tests: names of instructions, numbers that are pushed, and labels.

const NAMES: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
    [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
    [0x20, 'KECCAK256'],
    [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE'],
    [0x3b, 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
    [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE'],
    [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0'],
    [0x80, Array.from({ length: 16 }, (_, index) => `DUP${index + 1}`).join(' ')],
    [0x90, Array.from({ length: 16 }, (_, index) => `SWAP${index + 1}`).join(' ')],
    [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
    [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
    [0xfa, 'STATICCALL'],
    [0xfd, 'REVERT INVALID SELFDESTRUCT'],
  ].flatMap(([first, names]) =>
    String(names)
      .split(' ')
      .map((name, index) => [name, Number(first) + index] as const),
  ),
);

const toBytes = (value: bigint): string => {
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
};

/** Words are names of instructions, decimal or hex numbers (pushed in as few bytes as they need), `label:` and `@label`. */
export function assemble(source: string): string {
  const labels = new Map<string, number>();
  let code = '';
  const uses: { readonly at: number; readonly label: string }[] = [];
  for (const word of source.trim().split(/\s+/)) {
    const op = NAMES[word];
    if (op !== undefined) code += toBytes(BigInt(op));
    else if (word.endsWith(':')) {
      labels.set(word.slice(0, -1), code.length / 2);
      code += '5b';
    } else if (word.startsWith('@')) {
      uses.push({ at: code.length + 2, label: word.slice(1) });
      code += '610000';
    } else {
      const bytes = toBytes(BigInt(word));
      code += `${(0x5f + bytes.length / 2).toString(16)}${bytes}`;
    }
  }
  for (const { at, label } of uses) {
    const target = labels.get(label);
    if (target === undefined) throw new Error(`There is no label ${label}.`);
    code = `${code.slice(0, at)}${target.toString(16).padStart(4, '0')}${code.slice(at + 4)}`;
  }
  return code;
}

/** Creation code of a contract with this code. */
export function toCreationCode(code: string): `0x${string}` {
  const size = (code.length / 2).toString(16).padStart(4, '0');
  return `0x61${size}80600a5f395ff3${code}`;
}
