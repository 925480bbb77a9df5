// Names of addresses that are the same on every chain, or that no key can own.
import { type Hex, isHex } from '../base/hex.ts';
import { t } from '../base/localize.ts';

/**
 * `zero`, `burn`: without an owner. `sentinel`: a placeholder in contracts. `precompile`: part of the client. `system`:
 * called by the protocol. `contract`: deployed at this address on many chains.
 */
export type WellKnownNature = 'zero' | 'burn' | 'sentinel' | 'precompile' | 'system' | 'contract';

/**
 * First two letters of the nature, 40 digits with their EIP-55 checksum, name, keccak-256 of the runtime code as
 * `AddressSummary.codeHash` has it: of Permit2 and EntryPoint 0.8 without what differs between chains. Wrapped coins of other
 * chains have no hash: some are proxies, and the code of others differs between chains with the same address.
 *
 * Sources of the hashes: Safe from `codeHash` in @safe-global/safe-deployments 1.37.63. EntryPoint from the creation code in
 * @account-abstraction/contracts 0.6.0, 0.7.0 and 0.8.0, which CREATE2 deploys at these addresses. Permit2 from its runtime
 * code in Uniswap/permit2 (test/utils/DeployPermit2.sol), WETH from ethereum/portal-network-specs (state network). CREATE2 deployer from Anvil,
 * which has it from the start; the Safe singleton factory has the same code (@safe-global/safe-singleton-factory 2.0.0).
 * Multicall3 and the ERC-1820 registry from their signed deployments (README of mds1/multicall3, @openzeppelin/test-helpers
 * 0.5.16), whose senders create these addresses.
 */
const TABLE = `
ze 0000000000000000000000000000000000000000 Zero address
bu 000000000000000000000000000000000000dEaD Burn address
bu dEAD000000000000000042069420694206942069 Burn address
se EeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE Native coin (placeholder)
se ffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE System caller (EIP-4788)
sy 000F3df6D732807Ef1319fB7B8bB8522d0Beac02 Beacon roots (EIP-4788)
sy 0000F90827F1C53a10cb7A02335B175320002935 Block hash history (EIP-2935)
sy 00000961Ef480Eb55e80D19ad83579A64c007002 Withdrawal requests (EIP-7002)
sy 0000BBdDc7CE488642fb579F8B00f3a590007251 Consolidation requests (EIP-7251)
co 00000000219ab540356cBB839Cbe05303d7705Fa Beacon deposit contract
co cA11bde05977b3631167028862bE2a173976CA11 Multicall3 0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891
co 4e59b44847b379578588920cA78FbF26c0B4956C CREATE2 deployer 0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989
co 1820a4B7618BdE71Dce8cdc73aAB6C95905faD24 ERC-1820 registry 0xf0aa940bb32e37c5f7268b53acc48c7cdd148cd0fc196f30faa00a4d66c0443a
co 000000000022D473030F116dDEE9F6B43aC78BA3 Permit2 0x463331fa7a0d5f07488e42c37b461bb56a822145c161a821fbafe7d4e916b546
co 5FF137D4b0FDCD49DcA30c7CF57E578a026d2789 ERC-4337 EntryPoint 0.6 0xc93c806e738300b5357ecdc2e971d6438d34d8e4e17b99b758b1f9cac91c8e70
co 0000000071727De22E5E9d8BAf0edAc6f37da032 ERC-4337 EntryPoint 0.7 0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58
co 4337084D9E255Ff0702461CF8895CE9E3b5Ff108 ERC-4337 EntryPoint 0.8 0xcd5b53edac47ab1c7000f8168d6970a9a980453377ee5340690ea8e238167e98
co 00000000000001ad428e4906aE43D8F9852d0dD6 Seaport 1.4
co 00000000000000ADc04C56Bf30aC9d3c0aAF14dC Seaport 1.5
co 0000000000000068F116a894984e2DB1123eB395 Seaport 1.6
co 00000000F9490004C11Cef243f5400493c00Ad63 Seaport conduit controller
co 1E0049783F008A0085193E00003D00cd54003c71 OpenSea conduit
co 914d7Fec6aaC8cd542e72Bca78B30650d45643d7 Safe singleton factory 0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989
co ba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed CreateX
co d9Db270c1B5E3Bd161E8c8503c55cEABeE709552 Safe 1.3.0 0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e
co 3E5c63644E683549055b9Be8653de26E0B4CD36E Safe 1.3.0 (L2) 0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f
co 41675C099F32341bf84BFc5382aF534df5C7461a Safe 1.4.1 0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4
co 29fcB43b46531BcA003ddC8FCB67FFE91900C762 Safe 1.4.1 (L2) 0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff
co a6B71E26C5e0845f74c812102Ca7114b6a896AB2 Safe proxy factory 1.3.0 0x337d7f54be11b6ed55fef7b667ea5488db53db8320a05d1146aa4bd169a39a9b
co 4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67 Safe proxy factory 1.4.1 0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317
co 40A2aCCbd92BCA938b02010E17A5b8929b49130D Safe MultiSendCallOnly 1.3.0 0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad
co 9641d764fc13c8B624c04430C7356C1C7C8102e2 Safe MultiSendCallOnly 1.4.1 0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939
co C02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 WETH (Ethereum) 0xd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23
co 4200000000000000000000000000000000000006 WETH (OP Stack)
co 82aF49447D8a07e3bd95BD0d56f35241523fBab1 WETH (Arbitrum One)
co 0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270 WPOL (Polygon)
co bb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c WBNB (BNB Smart Chain)
co B31f66AA3C1e785363F0875A1B74E27b85FD66c7 WAVAX (Avalanche)
co e91D153E0b41518A2Ce8Dd3D7944Fa863463a97d WXDAI (Gnosis)
se 7109709ECfa91a80626fF3989D68f67F5b1DD12D Foundry cheatcodes
se 000000000000000000636F6e736F6c652e6c6f67 console.log
se 1804c8AB1F12E6bbf3894d4083f33e07309d1f38 Foundry default sender
se 7FA9385bE102ac3EAc297483Dd6233D62b3e1496 Foundry test contract
`;

const NATURES: readonly WellKnownNature[] = ['zero', 'burn', 'sentinel', 'precompile', 'system', 'contract'];

/** Precompiles 1 to 17 in order; 256 is P256VERIFY (EIP-7951). */
const PRECOMPILES = (
  'ecRecover|SHA-256|RIPEMD-160|identity|modexp|bn254 add|bn254 mul|bn254 pairing|BLAKE2 F|KZG point evaluation|' +
  'BLS12-381 G1 add|BLS12-381 G1 MSM|BLS12-381 G2 add|BLS12-381 G2 MSM|BLS12-381 pairing|BLS12-381 map to G1|BLS12-381 map to G2'
).split('|');

export interface WellKnownAddress {
  readonly nature: WellKnownNature;
  readonly name: string;
  /** Of the runtime code; `null` where it differs between chains, or is not known. */
  readonly codeHash: Hex | null;
}

/** Names that describe; the others are names of their own in every language. */
const DESCRIPTIONS: Readonly<Record<string, () => string>> = {
  'Zero address': () => t('Zero address'),
  'Burn address': () => t('Burn address'),
};

let byDigits: ReadonlyMap<string, WellKnownAddress> | undefined;

function getByDigits(): ReadonlyMap<string, WellKnownAddress> {
  byDigits ??= new Map(
    getWellKnownAddressLines().map(line => {
      const nature = NATURES.find(name => name.startsWith(line.slice(0, 2))) ?? 'contract';
      const codeHash = line.match(/ (0x[0-9a-f]{64})$/)?.[1] ?? null;
      const name = line.slice(44).replace(/ 0x.*/, '');
      return [line.slice(3, 43).toLowerCase(), { nature, name, codeHash: isHex(codeHash) ? codeHash : null }];
    }),
  );
  return byDigits;
}

/** The first well-known contract with this code; `null` when there is none. */
export const findByCodeHash = (codeHash: Hex): WellKnownAddress | null =>
  [...getByDigits().values()].find(known => known.codeHash === codeHash) ?? null;

/** The well-known address with these 40 lower-case digits; `null` when there is none. */
export function getWellKnownAddress(digits: string): WellKnownAddress | null {
  const match = getByDigits().get(digits);
  if (match !== undefined) return { ...match, name: DESCRIPTIONS[match.name]?.() ?? match.name };
  if (!digits.startsWith('0'.repeat(37))) return null;
  const number = Number.parseInt(digits, 16);
  const name = number === 256 ? 'P256VERIFY' : PRECOMPILES[number - 1];
  return name === undefined ? null : { nature: 'precompile', name: `Precompile ${name}`, codeHash: null };
}

/** For the test that verifies the checksums. */
export function getWellKnownAddressLines(): readonly string[] {
  return TABLE.trim().split('\n');
}
