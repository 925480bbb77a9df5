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
f0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00 OpenZeppelin Initializable storage slot (ERC-7201)
9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300 OpenZeppelin Ownable storage slot (ERC-7201)
237e158222e3e6968b72b9db0d8043aacf074ad9f650f0d1606b4d82ee432c00 OpenZeppelin Ownable2Step storage slot (ERC-7201)
02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800 OpenZeppelin AccessControl storage slot (ERC-7201)
c1f6fe24621ce81ec5827caf0253cadb74709b061630e6b55e82371705932000 OpenZeppelin AccessControlEnumerable storage slot (ERC-7201)
eef3dac4538c82c8ace4063ab0acd2d15cdb5883aa1dff7c2673abb3d8698400 OpenZeppelin AccessControlDefaultAdminRules storage slot (ERC-7201)
f3177357ab46d8af007ab3fdb9af81da189e1068fefdc0073dca88a2cab40a00 OpenZeppelin AccessManaged storage slot (ERC-7201)
9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00 OpenZeppelin ReentrancyGuard storage slot (ERC-7201)
cd5ed15c6e187e77e9aee88184c21f4f2182ab5827cb3b7e07fbedcd63f03300 OpenZeppelin Pausable storage slot (ERC-7201)
a16a46d94261c7517cc8ff89f61c0ce93598e3c849801011dee649a6a557d100 OpenZeppelin EIP712 storage slot (ERC-7201)
5ab42ced628888259c08ac98db1eb0cf702fc1501344311d8b100cd1bfe4bb00 OpenZeppelin Nonces storage slot (ERC-7201)
52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00 OpenZeppelin ERC20 storage slot (ERC-7201)
3018fc9e0e3a0416c52c193b44e9131c03bceac694873dac0812c3c043462800 OpenZeppelin ERC20Votes storage slot (ERC-7201)
e8b26c30fad74198956032a3533d903385d56dd795af560196f9c78d4af40d00 OpenZeppelin Votes storage slot (ERC-7201)
0f070392f17d5f958cc1ac31867dabecfc5c9758b4a419a200803226d7155d00 OpenZeppelin ERC20Capped storage slot (ERC-7201)
80bb2b638cc20bc4d0a60d66940f3ab4a00c1d7b313497ca82fb0b4ab0079300 OpenZeppelin ERC721 storage slot (ERC-7201)
645e039705490088daad89bae25049a34f4a9072d398537b1ab2425f24cbed00 OpenZeppelin ERC721Enumerable storage slot (ERC-7201)
0542a41881ee128a365a727b282c86fa859579490b9bb45aab8503648c8e7900 OpenZeppelin ERC721URIStorage storage slot (ERC-7201)
88be536d5240c274a3b1d3a1be54482fd9caa294f08c62a7cde569f49a3c4500 OpenZeppelin ERC1155 storage slot (ERC-7201)
4a593662ee04d27b6a00ebb31be7fe0c102c2ade82a7c5d764f2df05dc4e2800 OpenZeppelin ERC1155Supply storage slot (ERC-7201)
0773e532dfede91f04b12a73d3d2acd361424f41f76b4fb79f090161e36b4e00 OpenZeppelin ERC4626 storage slot (ERC-7201)
daedc9ab023613a7caf35e703657e986ccfad7e3eb0af93a2853f8d65dd86b00 OpenZeppelin ERC2981 storage slot (ERC-7201)
7c712897014dbe49c045ef1299aa2d5f9e67e48eea4403efa21f1e0f3ac0cb00 OpenZeppelin Governor storage slot (ERC-7201)
9a37c2aa9d186a0969ff8a8267bf4e07e864c2f2768f5040949e28a624fb3600 OpenZeppelin TimelockController storage slot (ERC-7201)
a1eac494560f7591e4da38ed031587f09556afdfc4399dd2e205b935fdfa3900 OpenZeppelin VestingWallet storage slot (ERC-7201)
4287e470cbf46696a28976e393dd2bc41e9738c3cefa99c6aab4ea627387ab00 OpenZeppelin PaymentSplitter storage slot (ERC-7201)
6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5 Safe fallback handler slot
4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8 Safe guard slot
b104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947 Safe module guard slot
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
