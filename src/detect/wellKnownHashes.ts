// 32-byte values that are the same everywhere: storage slots, roles, hashes of nothing.

/** First 8 bytes, name. */
const TABLE = `
c5d2460186f7233c keccak-256 of no bytes
56e81f171bcc55a6 Root of an empty trie
1dcc4de8dec75d7a Hash of no uncles
360894a13ba1a321 ERC-1967 implementation slot
b53127684a568b31 ERC-1967 admin slot
a3f0ad74e5423aeb ERC-1967 beacon slot
4910fdfa16fed326 ERC-1967 rollback slot
c5f16f0fcc639fa4 ERC-1822 PROXIABLE slot
7050c9e0f4ca769c OpenZeppelin implementation slot (before ERC-1967)
10d6a54a4754c886 OpenZeppelin admin slot (before ERC-1967)
c8fcad8db84d3cc1 ERC-2535 diamond storage slot
9f2df0fed2c77648 MINTER_ROLE
65d7a28e3265b37a PAUSER_ROLE
3c11d16cbaffd01d BURNER_ROLE
189ab7a9244df084 UPGRADER_ROLE
b09aa5aeb3702cfd PROPOSER_ROLE
d8aa0f3194971a2a EXECUTOR_ROLE
fd643c72710c63c0 CANCELLER_ROLE
5f58e3a231634992 TIMELOCK_ADMIN_ROLE
a49807205ce4d355 ADMIN_ROLE
97667070c54ef182 OPERATOR_ROLE
241ecf16d79d0f8d MANAGER_ROLE
8b73c3c69bb8fe3d EIP-712 domain type hash
6e71edae12b1b97f ERC-2612 Permit type hash
`;

/** The name of these 64 lower-case digits; `null` when they are nothing special. */
export function getWellKnownHashName(digits: string): string | null {
  const at = TABLE.indexOf(`\n${digits.slice(0, 16)} `);
  return at < 0 ? null : TABLE.slice(at + 18, TABLE.indexOf('\n', at + 1));
}
