// JSON schema of `.hexlens/addresses.json`: completion, descriptions and validation in the editor.

import { listChainNames } from '../api/chainNames.ts';
import { chains, LOCAL_CHAIN } from '../api/chains.ts';
import { BOOK_FILE_PATH, BOOK_FILE_VERSION } from './bookFile.ts';
import { entryColors, trustLevels } from './entry.ts';
import {
  ABI_PATH_PATTERN,
  aptosEntryNetworks,
  MAX_ABI_PATH_LENGTH,
  MAX_LOGO_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NOTES_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
} from './validateEntry.ts';

const ADDRESS = '^\\s*0[xX][0-9a-fA-F]{1,64}\\s*$';
const chainNames = [...new Set([LOCAL_CHAIN, ...chains.map(({ name }) => name), ...listChainNames()])];

const address = {
  description:
    'An EVM address (0x and 40 hex digits, best with its EIP-55 checksum) or an Aptos one (up to 64 hex digits).',
  type: 'string',
  pattern: ADDRESS,
  patternErrorMessage: 'Enter 0x and 40 hex digits (EVM) or up to 64 (Aptos).',
};

const entry = {
  type: 'object',
  required: ['address', 'name'],
  defaultSnippets: [
    { label: 'Address', body: { address: '$1', name: '$2' } },
    { label: 'Contract on one chain', body: { address: '$1', name: '$2', kind: 'contract', chains: ['$3'] } },
  ],
  properties: {
    address,
    name: {
      description: 'Name of the address in hovers, lists and labels.',
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
    },
    kind: {
      description:
        'Kind of the address. Default: a wallet, or an Aptos account if the address has more than 40 digits.',
      enum: ['wallet', 'contract', 'collection', 'aptos'],
      enumDescriptions: [
        'An account with a private key',
        'A contract',
        'An NFT contract',
        'An account or object of Aptos',
      ],
    },
    chains: {
      description: 'The chains (or Aptos networks) that it is limited to: names, or chain IDs. Default: all of them.',
      type: ['array', 'string', 'integer'],
      minimum: 1,
      uniqueItems: true,
      items: {
        anyOf: [
          { enum: [...chainNames, ...aptosEntryNetworks.filter(name => !chainNames.includes(name))] },
          { type: 'string', pattern: '^(0[xX][0-9a-fA-F]{1,14}|[1-9][0-9]{0,15})$' },
          { type: 'integer', minimum: 1 },
        ],
      },
    },
    folder: { description: 'Folders from the outermost, joined by /.', type: 'string' },
    tags: {
      description: 'Labels to search for.',
      type: ['array', 'string'],
      maxItems: MAX_TAGS,
      items: { type: 'string', maxLength: MAX_TAG_LENGTH },
    },
    notes: { description: 'Free text.', type: 'string', maxLength: MAX_NOTES_LENGTH },
    color: { description: 'Color of its icon.', enum: [...entryColors, null] },
    mark: {
      description: 'Your trust in a token contract; it overrides the rules of HexLens.',
      enum: [...trustLevels, null],
      enumDescriptions: ['Never counted as spam', 'Always counted as spam', 'By the rules of HexLens'],
    },
    logo: {
      description: "https address of a token's image: the field token_logo of the service.",
      type: 'string',
      pattern: '^https://',
      maxLength: MAX_LOGO_LENGTH,
    },
    abi: {
      description:
        "The contract's ABI: path of a JSON ABI or a compiler's artifact below the folder that has .hexlens, such as abis/Vault.json.",
      type: 'string',
      pattern: ABI_PATH_PATTERN,
      patternErrorMessage: 'Enter the path of a JSON file below this folder, such as abis/Vault.json.',
      maxLength: MAX_ABI_PATH_LENGTH,
    },
  },
};

export const bookFileSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `HexLens address book (${BOOK_FILE_PATH})`,
  description: 'Names of addresses, shared by all who work in this folder.',
  type: 'object',
  allowComments: true,
  allowTrailingCommas: true,
  required: ['addresses'],
  defaultSnippets: [
    { label: 'New address book', body: { version: BOOK_FILE_VERSION, addresses: [{ address: '$1', name: '$2' }] } },
  ],
  properties: {
    version: {
      description: 'Version of this format.',
      type: 'integer',
      const: BOOK_FILE_VERSION,
      default: BOOK_FILE_VERSION,
    },
    addresses: { description: 'The entries, in any order.', type: 'array', items: entry },
    folders: {
      description: 'Folders to show even while they are empty.',
      type: 'array',
      items: { type: 'string' },
    },
  },
} as const;
