// The well-known accounts of Anvil and Hardhat nodes.
import { keccak256 } from 'ox/Hash';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';

/**
 * Mnemonic `test test test test test test test test test test test junk`, path m/44'/60'/0'/0/index. One line per index:
 * address, first 2 bytes of its private key, first 6 bytes of that key's keccak-256: enough to recognize a key without
 * containing it. Anvil starts 10 of them, Hardhat 20.
 */
const ACCOUNTS = `
0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 ac09 5b2ef0b493f7
0x70997970C51812dc3A010C7d01b50e0d17dc79C8 59c6 977470c9b1b2
0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC 5de4 30f7c014eb73
0x90F79bf6EB2c4f870365E785982E1f101E93b906 7c85 76d9bac655fe
0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65 47e1 d786047899d0
0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc 8b3a 68f437445166
0x976EA74026E726554dB657fA54763abd0C3a0aa9 92db fa1e36acb801
0x14dC79964da2C08b23698B3D3cc7Ca32193d9955 4bbb 45bf32a0a4cf
0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f dbda b29b7c425a58
0xa0Ee7A142d267C1f36714E4a8F75612F20a79720 2a87 a4bd269fc7a2
0xBcd4042DE499D14e55001CcbB24a551F3b954096 f214 e0e3c8deeebd
0x71bE63f3384f5fb98995898A86B02Fb2426c5788 701b 062c6369ef0d
0xFABB0ac9d68B0B445fB7357272Ff202C5651694a a267 71d02740eb86
0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec 47c9 ae0a506c8cc4
0xdF3e18d64BC6A983f673Ab319CCaE4f1a57C7097 c526 e7f8c8c50754
0xcd3B766CCDd6AE721141F452C550Ca635964ce71 8166 3fabd9ac2987
0x2546BcD3c84621e976D8185a91A922aE77ECEc30 ea6c 225d845e63f5
0xbDA5747bFD65F08deb54cb465eB87D40e51B197E 689a 0a384d7b8cab
0xdD2FD4581271e230360230F9337D5c0430Bf44C0 de9b 6ca3417f418c
0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199 df57 95ca021f50fc
`
  .trim()
  .split('\n');

export interface DevelopmentAccount {
  readonly index: number;
  /** EIP-55. */
  readonly address: Hex;
  /** `Dev account #0`, in the display language. */
  readonly name: string;
}

function parseAccount(row: string): DevelopmentAccount {
  const index = ACCOUNTS.indexOf(row);
  return { index, address: row.slice(0, 42) as Hex, name: t('Dev account #{0}', index) };
}

/** All accounts, in the order of the mnemonic. */
export const getDevelopmentAccounts = (): readonly DevelopmentAccount[] => ACCOUNTS.map(parseAccount);

const BY_ADDRESS: ReadonlyMap<string, string> = new Map(ACCOUNTS.map(row => [row.slice(2, 42).toLowerCase(), row]));
const KEY_STARTS: ReadonlySet<string> = new Set(ACCOUNTS.map(row => row.slice(43, 47)));

/** The development account with this address (any case). */
export function findDevelopmentAccount(address: string): DevelopmentAccount | null {
  const row = BY_ADDRESS.get(address.slice(2).toLowerCase());
  return row === undefined ? null : parseAccount(row);
}

/** The development account whose private key is among these bytes (`0x` and digits), wherever it begins. */
export function findDevelopmentAccountWithin(data: string): DevelopmentAccount | null {
  for (let at = 2; at + 64 <= data.length; at += 2) {
    if (!KEY_STARTS.has(data.slice(at, at + 4).toLowerCase())) continue;
    const account = findDevelopmentAccountByKey(`0x${data.slice(at, at + 64)}`);
    if (account !== null) return account;
  }
  return null;
}

/** The development account whose private key this is (`0x` and 64 digits, any case). */
export function findDevelopmentAccountByKey(key: Hex): DevelopmentAccount | null {
  const start = key.slice(2, 6).toLowerCase();
  if (!KEY_STARTS.has(start)) return null;
  for (const row of ACCOUNTS) {
    if (row.slice(43, 47) === start && keccak256(key).slice(2, 14) === row.slice(48)) return parseAccount(row);
  }
  return null;
}
