// 32-byte values that are the same everywhere: storage slots, roles, hashes of nothing.

const TABLE: ReadonlyMap<string, string> = new Map(
  `
c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470 keccak-256 of no bytes
56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421 Root of an empty trie
1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347 Hash of no uncles
360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc ERC-1967 implementation slot
b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103 ERC-1967 admin slot
a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50 ERC-1967 beacon slot
4910fdfa16fed3260ed0e7147f7cc6da11a60208b5b9406d12a635614ffd9143 ERC-1967 rollback slot
c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7 ERC-1822 PROXIABLE slot
7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3 OpenZeppelin implementation slot (before ERC-1967)
10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b OpenZeppelin admin slot (before ERC-1967)
c8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c ERC-2535 diamond storage slot
9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6 MINTER_ROLE
65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a PAUSER_ROLE
3c11d16cbaffd01df69ce1c404f6340ee057498f5f00246190ea54220576a848 BURNER_ROLE
189ab7a9244df0848122154315af71fe140f3db0fe014031783b0946b8c9d2e3 UPGRADER_ROLE
b09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1 PROPOSER_ROLE
d8aa0f3194971a2a116679f7c2090f6939c8d4e01a2a8d7e41d55e5351469e63 EXECUTOR_ROLE
fd643c72710c63c0180259aba6b2d05451e3591a24e58b62239378085726f783 CANCELLER_ROLE
5f58e3a2316349923ce3780f8d587db2d72378aed66a8261c916544fa6846ca5 TIMELOCK_ADMIN_ROLE
a49807205ce4d355092ef5a8a18f56e8913cf4a201fbe287825b095693c21775 ADMIN_ROLE
97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b929 OPERATOR_ROLE
241ecf16d79d0f8dbfb92cbc07fe17840425976cf0667f022fe9877caa831b08 MANAGER_ROLE
8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f EIP-712 domain type hash
6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9 ERC-2612 Permit type hash
`
    .trim()
    .split('\n')
    .map(line => [line.slice(0, 64), line.slice(65)]),
);

/** With more digits that differ it is another value. */
const MAX_DIFFERENCES = 6;

export interface WellKnownHash {
  readonly name: string;
  /** How many digits differ from those of the well-known value: more than none if it was mistyped. */
  readonly differences: number;
}

/** What these 64 lower-case digits are, or nearly are; `null` when they are nothing special. */
export function findWellKnownHash(digits: string): WellKnownHash | null {
  const name = TABLE.get(digits);
  if (name !== undefined) return { name, differences: 0 };
  for (const [known, nearly] of TABLE) {
    const differences = countDifferences(digits, known);
    if (differences <= MAX_DIFFERENCES) return { name: nearly, differences };
  }
  return null;
}

function countDifferences(digits: string, known: string): number {
  let differences = 0;
  for (let at = 0; at < 64 && differences <= MAX_DIFFERENCES; at++) if (digits[at] !== known[at]) differences++;
  return differences;
}
