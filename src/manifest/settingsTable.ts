// All settings: scope, description and schema, for package.json.
import { chains, LOCAL_CHAIN } from '../api/chains.ts';
import { MAX_CLOCK_SKEW_MS } from '../api/configuration.ts';
import { type NlsText, nlsText } from './nlsText.ts';
import {
  checksumSeverities,
  type HoverPart,
  HTTP_PORT,
  hoverPartNames,
  MAX_CONTRACT_VALUES,
  type SettingKey,
  TIMEOUT_MS,
} from './settingDefaults.ts';

/**
 * `machine`: user settings of this machine only, so that no workspace can redirect a key. `application`: user settings
 * only. `window`: workspaces too; `restricted` keeps workspaces out that are not trusted.
 */
export type SettingScope = 'machine' | 'application' | 'window';

export interface SettingSpec {
  readonly group: SettingGroup;
  readonly scope: SettingScope;
  readonly restricted?: true;
  readonly description: NlsText;
  /** A valid value other than the default, shown below the description. */
  readonly example: unknown;
  /** JSON Schema with VS Code's additions, without the default (settingDefaults.ts); texts in it are `NlsText`. */
  readonly schema: { readonly type: string } & Readonly<Record<string, unknown>>;
}

/** Sections of the settings page, in order. */
export const settingGroups = {
  sources: nlsText('Nodes and Hosts'),
  hover: nlsText('Hover'),
  metadata: nlsText('Token Metadata'),
  decoding: nlsText('Decoding'),
  editor: nlsText('Editor'),
  names: nlsText('Address Book'),
  privacy: nlsText('Privacy'),
  requests: nlsText('Requests'),
  http: nlsText('HTTP Service'),
} as const;

export type SettingGroup = keyof typeof settingGroups;

export const hoverParts = {
  kind: nlsText('Kind of the literal: address, hash, selector, topic.'),
  checksum: nlsText('Whether the EIP-55 checksum of an address is valid.'),
  savedName: nlsText('The name under which you saved it, with its tags and notes.'),
  signature: nlsText('The signature of a known event topic or function selector.'),
  balance: nlsText('Native balance on each chain.'),
  contract: nlsText('Account or contract, code size, proxy and delegation.'),
  token: nlsText('Name, symbol and standard of a token contract.'),
  activity: nlsText('Activity of an account: transactions sent.'),
  transaction: nlsText('Status, sender, recipient, value, fee and logs of a transaction.'),
  block: nlsText('Time, transactions and gas of a block.'),
  transfers: nlsText('The newest coin transfers of an Aptos address.'),
  nfts: nlsText('The NFTs that an Aptos address owns.'),
  actions: nlsText('Links: save, copy, open in an explorer.'),
} as const satisfies Readonly<Record<HoverPart, NlsText>>;

const URL_PATTERN = '^(https?://\\S+)?$';
/** Without spaces several URLs look like one. */
const URLS_PATTERN = '^((http|ws)s?://\\S+(, +(http|ws)s?://\\S+)*)?$';
const chainNames = {
  pattern: '^([A-Za-z][A-Za-z0-9 _-]{1,59}|0[xX][0-9a-fA-F]{1,14}|[1-9][0-9]{0,15})$',
  patternErrorMessage: nlsText('Use a chain name such as eth, base or local, or a chain id such as 8453 or 0x2105'),
};

const source = (what: string, group: string): SettingSpec => ({
  group: 'sources',
  scope: 'machine',
  description: nlsText(`Source of ${what}.`),
  example: 'remote',
  schema: {
    type: 'string',
    enum: ['embedded', 'remote'],
    enumDescriptions: [
      nlsText('HexLens itself, over your own nodes. No key is needed.'),
      nlsText(`The hosted service at hexlens.${group}.baseUrl, with your API key.`),
    ],
  },
});

const baseUrl = (what: string, group: string, example: string): SettingSpec => ({
  group: 'sources',
  scope: 'machine',
  description: nlsText(
    `Address of the hosted service for ${what}, path prefix included. Used when \`#hexlens.${group}.source#\` is \`remote\`. Your API key is sent to this host and to no other; set it with **HexLens: Set API Key**.`,
  ),
  example,
  schema: {
    type: 'string',
    pattern: URL_PATTERN,
    patternErrorMessage: nlsText('Write the whole address, starting with https://'),
  },
});

const severity = (): SettingSpec['schema'] => ({
  type: 'string',
  enum: checksumSeverities,
  enumDescriptions: [
    nlsText('As an error.'),
    nlsText('As a warning.'),
    nlsText('As a piece of information.'),
    nlsText('As a hint: three dots, not in Problems.'),
    nlsText('Not at all.'),
  ],
});
export const settings = {
  'hexlens.nodes': {
    group: 'sources',
    scope: 'window',
    restricted: true,
    description: nlsText(
      "JSON-RPC nodes that HexLens reads chains from. The item is a chain: a name (`eth`, `base`, `sepolia`, …), a chain id (`8453`, `0x2105`), or `local` for whatever your own node serves; further nodes of your own have names such as `anvil`, `hardhat2` or `fork-mainnet`, beside which `local` counts only where it is written. The value is the node's `http` or `https` URL; leave it empty to remove a chain. Of several URLs with commas between them, the others are used when the first fails, is slow or is behind. The first chain is used where a request names none.",
    ),
    example: { local: 'http://127.0.0.1:8545', eth: `https://mainnet.infura.io/v3/\${secret:infura}` },
    schema: {
      type: 'object',
      propertyNames: chainNames,
      properties: Object.fromEntries(
        [{ name: LOCAL_CHAIN, title: nlsText('Your own node') }, ...chains].map(({ name, title }) => [
          name,
          { type: 'string', pattern: URLS_PATTERN, description: title },
        ]),
      ),
      additionalProperties: {
        type: 'string',
        pattern: URLS_PATTERN,
        patternErrorMessage: nlsText('Write the whole address of the node, such as http://127.0.0.1:8545'),
      },
    },
  },
  'hexlens.explorers': {
    group: 'sources',
    scope: 'window',
    restricted: true,
    description: nlsText(
      'Block explorers in place of the well-known ones, such as an Otterscan or Blockscout of your own. The item is a chain as in `#hexlens.nodes#`, the value the address to which `/address/…`, `/tx/…` and `/block/…` are added.',
    ),
    example: { local: 'http://127.0.0.1:5100' },
    schema: {
      type: 'object',
      propertyNames: chainNames,
      additionalProperties: {
        type: 'string',
        pattern: URL_PATTERN,
        patternErrorMessage: nlsText('Write the whole address of the explorer, such as http://127.0.0.1:5100'),
      },
    },
  },
  'hexlens.chain': {
    group: 'sources',
    scope: 'window',
    description: nlsText(
      'Puts a chain of `#hexlens.nodes#` first, before the others in their order: in the status bar, and for commands that could use several. Empty: the first of them. Change it with **HexLens: Switch Chain…**.',
    ),
    example: 'eth',
    schema: {
      type: 'string',
      pattern: `^$|${chainNames.pattern}`,
      patternErrorMessage: chainNames.patternErrorMessage,
    },
  },
  'hexlens.evm.source': source('EVM data', 'evm'),
  'hexlens.evm.baseUrl': baseUrl('EVM data', 'evm', 'https://deep-index.example/api/v2.2'),
  'hexlens.auth.source': source('sign-in verification', 'auth'),
  'hexlens.auth.baseUrl': baseUrl('sign-in verification', 'auth', 'https://auth.example'),
  'hexlens.auth.requireChecksum': {
    group: 'sources',
    scope: 'application',
    description: nlsText(
      'Verified sign-in messages must spell the address with its EIP-55 checksum. Otherwise all lower case is accepted too, as wallets return it; mixed case must always be correct.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.auth.compactSignatures': {
    group: 'sources',
    scope: 'application',
    description: nlsText('Verified sign-in messages may have a compact signature of 64 bytes (EIP-2098).'),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.auth.clockSkew': {
    group: 'sources',
    scope: 'application',
    description: nlsText('Milliseconds that the clock of a signer may be ahead when a sign-in message is verified.'),
    example: 5_000,
    schema: { type: 'integer', minimum: 0, maximum: MAX_CLOCK_SKEW_MS },
  },
  'hexlens.aptos.source': source('Aptos data', 'aptos'),
  'hexlens.aptos.baseUrl': baseUrl('Aptos data', 'aptos', 'https://aptos.example'),
  'hexlens.aptos.networks': {
    group: 'sources',
    scope: 'window',
    restricted: true,
    description: nlsText(
      'Aptos networks that HexLens reads. The value is the REST address of a fullnode, `/v1` included, or an object with `node` and `indexer` (the Indexer GraphQL API) for a network that has both; leave it empty to remove a network. The public networks come with their public indexer. A node without an indexer is read from its first transaction on, which takes a small chain such as a localnet. The first network is used where a request names none; a public one is only read for what you look up there.',
    ),
    example: { local: 'http://127.0.0.1:8080/v1', mainnet: '' },
    schema: {
      type: 'object',
      propertyNames: {
        pattern: '^[A-Za-z][A-Za-z0-9-]{0,31}$',
        patternErrorMessage: nlsText('Use a name such as mainnet, testnet, devnet or local'),
      },
      additionalProperties: {
        type: ['string', 'object'],
        pattern: URL_PATTERN,
        patternErrorMessage: nlsText('Write the whole address of the node, such as http://127.0.0.1:8080/v1'),
        properties: {
          node: { type: 'string', pattern: URL_PATTERN },
          indexer: { type: 'string', pattern: URL_PATTERN },
        },
        additionalProperties: false,
      },
    },
  },
  'hexlens.hover.enabled': {
    group: 'hover',
    scope: 'window',
    description: nlsText('Show hovers for addresses, hashes, topics and selectors.'),
    example: false,
    schema: { type: 'boolean' },
  },
  'hexlens.hover.parts': {
    group: 'hover',
    scope: 'window',
    description: nlsText('The parts of a hover.'),
    example: { balance: false },
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        hoverPartNames.map(name => [name, { type: 'boolean', default: true, description: hoverParts[name] }]),
      ),
      additionalProperties: false,
    },
  },
  'hexlens.hover.chains': {
    group: 'hover',
    scope: 'window',
    description: nlsText(
      'Chains that hovers read, by the names used in `#hexlens.nodes#`. Empty means all chains with a node.',
    ),
    example: ['local', 'eth'],
    schema: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', ...chainNames },
    },
  },
  'hexlens.hover.contractValues': {
    group: 'hover',
    scope: 'window',
    description: nlsText(
      'Read-only functions without arguments whose values the hover of a contract shows, at most three: names such as `owner`, of functions that the contract is known to have, or declarations such as `paused() returns (bool)`.',
    ),
    example: ['owner', 'totalSupply'],
    schema: {
      type: 'array',
      maxItems: MAX_CONTRACT_VALUES,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 200 },
    },
  },
  'hexlens.metadata.hosts': {
    group: 'metadata',
    scope: 'application',
    description: nlsText(
      'Hosts that names and images of NFTs may be fetched from, over https, when you ask for them: `example.com`, `*.example.com` with all names below it, or `*` for every public host. The host learns which token you look at. Private networks are never used; metadata in the contract itself needs no host.',
    ),
    example: ['*.example.com'],
    schema: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } },
  },
  'hexlens.metadata.ipfsGateway': {
    group: 'metadata',
    scope: 'application',
    description: nlsText(
      'Gateway that `ipfs://` addresses of NFTs are read from, when you ask for them. Leave it empty to read nothing from IPFS.',
    ),
    example: 'https://gateway.example/ipfs/',
    schema: { type: 'string', pattern: '^(https://\\S+)?$' },
  },
  'hexlens.abi.files': {
    group: 'decoding',
    scope: 'window',
    restricted: true,
    description: nlsText(
      'Compiler artifacts that events, calls and errors are decoded with: patterns below each workspace folder. They are read as data, never run. An empty list leaves the bundled well-known signatures.',
    ),
    example: ['**/out/**/*.json', 'deployments/**/*.json'],
    schema: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', minLength: 1 },
    },
  },
  'hexlens.abi.verifiedSources': {
    group: 'decoding',
    scope: 'application',
    description: nlsText(
      'Hosts from which Read Contract can load the ABI of a verified contract on a public chain: Sourcify, or another host with its API (v2). A host learns the chain and the address only when you click, and never those of a contract on a development chain.',
    ),
    example: ['https://sourcify.dev/server'],
    schema: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^https?://\\S+$' } },
  },
  'hexlens.checksum.severity': {
    group: 'editor',
    scope: 'window',
    description: nlsText(
      'Severity of an address whose mixed case does not match its digits (EIP-55): it was mistyped or changed. Masks such as `0xAbC…000` are ignored.',
    ),
    example: 'error',
    schema: severity(),
  },
  'hexlens.checksum.missing': {
    group: 'editor',
    scope: 'window',
    description: nlsText(
      'Severity of an address that is all lower or all upper case, and so has no checksum (EIP-55).',
    ),
    example: 'hint',
    schema: severity(),
  },
  'hexlens.missingCode.enabled': {
    group: 'editor',
    scope: 'window',
    description: nlsText(
      'Mark addresses that have no code, balance or transaction on the chain that the file names (a key around the address, a chain ID beside it, a link to an explorer), on chains of this machine.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.documentLinks.enabled': {
    restricted: true,
    group: 'editor',
    scope: 'window',
    description: nlsText(
      'Make addresses and transaction hashes in documents links: to the public explorer of their chain, or to the inspector where the chain has none.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.codeLens.deployments': {
    group: 'names',
    scope: 'window',
    description: nlsText(
      'Show above each contract in Solidity where it is deployed on chains of this machine, and whether that is your build.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.inlayHints.enabled': {
    restricted: true,
    group: 'names',
    scope: 'window',
    description: nlsText(
      'Show the saved name behind each address in the editor, else the ENS name where a hover or the inspector has looked it up.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.inlayHints.values': {
    group: 'names',
    scope: 'window',
    description: nlsText(
      'Show behind each state variable in Solidity its value on the known deployments of the contract, on chains of this machine.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.commandPalette.operations': {
    group: 'editor',
    scope: 'window',
    description: nlsText(
      'Show a command for each operation in the Command Palette, besides **HexLens: Run Operation…**. Key bindings and tasks can run these commands in any case.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.privacy.lookUp': {
    group: 'privacy',
    scope: 'application',
    description: nlsText(
      'When an address that you hover may be sent to a node or host that is not on this machine. Development chains on this machine are always read; a fork of a public chain counts as one of another machine. Whatever you choose here, 32 bytes that could be a private key are only sent after a click, or when the text around them or a file of a deployment tool shows that they are a hash; next to words such as key or secret they are never sent.',
    ),
    example: 'onClick',
    schema: {
      type: 'string',
      enum: ['automatic', 'onClick'],
      enumDescriptions: [
        nlsText('As soon as you hover it, to the nodes and hosts of your settings.'),
        nlsText('Only after you click "Look up" in the hover.'),
      ],
    },
  },
  'hexlens.privacy.ensNames': {
    group: 'privacy',
    scope: 'application',
    description: nlsText(
      'Look up the ENS name of an address that you hover or inspect also through an Ethereum node that is not on this machine: three more requests with the address. Nodes on this machine are always used.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.mcp.allowedHosts': {
    group: 'privacy',
    scope: 'application',
    description: nlsText(
      'Hosts of your nodes that agents may query through the MCP server of HexLens, such as `mainnet.example.com`, with the port if the address has one. Nodes on this machine need no entry; without one, agents reach no other host.',
    ),
    example: ['mainnet.example.com'],
    schema: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } },
  },
  'hexlens.watch.allowedHosts': {
    group: 'privacy',
    scope: 'application',
    description: nlsText(
      'Hosts of your nodes that watched addresses are sent to again and again, such as `mainnet.example.com`, with the port if the address has one. Without an entry, only chains of nodes on this machine are watched.',
    ),
    example: ['mainnet.example.com'],
    schema: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } },
  },
  'hexlens.watch.notify': {
    group: 'names',
    scope: 'window',
    description: nlsText(
      'Show a notification for new activity of watched addresses, besides the number on the icon of HexLens.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
  'hexlens.request.timeout': {
    group: 'requests',
    scope: 'window',
    description: nlsText(
      "Milliseconds that one request to a node or host may take. Proxy and certificates are VS Code's own `#http.proxy#` settings.",
    ),
    example: 60_000,
    schema: { type: 'integer', minimum: TIMEOUT_MS.min, maximum: TIMEOUT_MS.max },
  },
  'hexlens.http.port': {
    group: 'http',
    scope: 'machine',
    description: nlsText(
      'Port of the HTTP service that **HexLens: Start HTTP Service** opens on this machine; 0 chooses a free one.',
    ),
    example: 0,
    schema: { type: 'integer', default: HTTP_PORT, minimum: 0, maximum: 65_535 },
  },
  'hexlens.http.strictDates': {
    group: 'http',
    scope: 'application',
    description: nlsText(
      'The HTTP service rejects what hosted services have dropped on 4 September 2023, so that a program tested here works there: logs without `topic0`, the parameters `topic1` to `topic3` and `direction`, ERC-20 mints.',
    ),
    example: true,
    schema: { type: 'boolean' },
  },
} as const satisfies Readonly<Record<SettingKey, SettingSpec>>;
