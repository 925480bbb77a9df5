// Keys and defaults of all settings, separate from settingsTable.ts to keep the start bundle small.
import { DEFAULT_TIMEOUT_MS, defaultConfiguration, publicAptosNetworks, siweDefaults } from '../api/configuration.ts';

/** Parts of a hover, in the order of the settings page. */
export const hoverPartNames = [
  'kind',
  'checksum',
  'savedName',
  'signature',
  'balance',
  'contract',
  'token',
  'activity',
  'transaction',
  'block',
  'transfers',
  'nfts',
  'actions',
] as const;
export type HoverPart = (typeof hoverPartNames)[number];

/** Also the default port of `hexlens serve`. */
export const HTTP_PORT = 8547;

/** Functions of a contract whose values one hover shows. */
export const MAX_CONTRACT_VALUES = 3;

export const TIMEOUT_MS = { min: 1_000, max: 120_000, default: DEFAULT_TIMEOUT_MS } as const;

export const checksumSeverities = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type ChecksumSeverity = (typeof checksumSeverities)[number];

/** The localnet first, so that nothing is sent to a public network unless it is named. */
const aptosNetworks = Object.fromEntries(
  Object.entries({ ...defaultConfiguration.aptos, ...publicAptosNetworks }).map(([name, { node }]) => [name, node]),
);

export const defaults = {
  'hexlens.nodes': defaultConfiguration.nodes,
  'hexlens.explorers': {},
  'hexlens.chain': '',
  'hexlens.evm.source': 'embedded',
  'hexlens.evm.baseUrl': '',
  'hexlens.auth.source': 'embedded',
  'hexlens.auth.baseUrl': '',
  'hexlens.auth.requireChecksum': false,
  'hexlens.auth.compactSignatures': false,
  'hexlens.auth.clockSkew': siweDefaults.clockSkewMs,
  'hexlens.aptos.source': 'embedded',
  'hexlens.aptos.baseUrl': '',
  'hexlens.aptos.networks': aptosNetworks,
  'hexlens.hover.enabled': true,
  'hexlens.hover.parts': Object.fromEntries(hoverPartNames.map(name => [name, true])),
  'hexlens.hover.chains': [] as readonly string[],
  'hexlens.hover.contractValues': [] as readonly string[],
  'hexlens.metadata.hosts': [] as readonly string[],
  'hexlens.metadata.ipfsGateway': 'https://ipfs.io/ipfs/',
  'hexlens.abi.files': ['**/out/**/*.json', '**/artifacts/**/*.json'] as readonly string[],
  'hexlens.abi.verifiedSources': [] as readonly string[],
  'hexlens.checksum.severity': 'warning',
  'hexlens.checksum.missing': 'off',
  'hexlens.missingCode.enabled': false,
  'hexlens.documentLinks.enabled': false,
  'hexlens.inlayHints.enabled': false,
  'hexlens.inlayHints.values': false,
  'hexlens.codeLens.deployments': false,
  'hexlens.commandPalette.operations': false,
  'hexlens.privacy.ensNames': false,
  'hexlens.privacy.lookUp': 'automatic',
  'hexlens.mcp.allowedHosts': [] as readonly string[],
  'hexlens.watch.allowedHosts': [] as readonly string[],
  'hexlens.watch.notify': false,
  'hexlens.request.timeout': TIMEOUT_MS.default,
  'hexlens.http.port': HTTP_PORT,
  'hexlens.http.strictDates': false,
} as const satisfies Readonly<Record<`hexlens.${string}`, unknown>>;

export type SettingKey = keyof typeof defaults;
export const settingKeys = Object.keys(defaults) as readonly SettingKey[];
