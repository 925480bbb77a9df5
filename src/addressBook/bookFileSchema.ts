// JSON schema of `.hexlens/addresses.json`: completion, explanations and checks while somebody edits it.
import { chains, LOCAL_CHAIN } from '../api/chains.ts';
import { BOOK_FILE_PATH, BOOK_FILE_VERSION } from './bookFile.ts';
import { entryColors, trustLevels } from './entry.ts';
import { aptosEntryNetworks, MAX_NAME_LENGTH, MAX_NOTES_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './validateEntry.ts';

const ADDRESS = '^\\s*0[xX][0-9a-fA-F]{1,64}\\s*$';
const chainNames = [LOCAL_CHAIN, ...chains.map(({ name }) => name)];

const address = {
  description:
    'An EVM address (0x and 40 hex digits, best with its EIP-55 checksum) or an Aptos one (up to 64 hex digits).',
  type: 'string',
  pattern: ADDRESS,
  patternErrorMessage: 'Write 0x and 40 hex digits (EVM) or up to 64 (Aptos).',
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
      description: 'What the address is called in hovers, lists and labels.',
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
    },
    kind: {
      description: 'What it is. Without it: a wallet, or an Aptos account where the address has more than 40 digits.',
      enum: ['wallet', 'contract', 'collection', 'aptos'],
      enumDescriptions: [
        'An account that somebody holds the key of',
        'A contract',
        'An NFT contract',
        'An account or object of Aptos',
      ],
    },
    chains: {
      description: 'The chains (or Aptos networks) it is meant for. Without it: all of them.',
      type: ['array', 'string'],
      uniqueItems: true,
      items: {
        anyOf: [
          { enum: [...chainNames, ...aptosEntryNetworks.filter(name => !chainNames.includes(name))] },
          { type: 'string', pattern: '^0[xX][0-9a-fA-F]{1,14}$' },
        ],
      },
    },
    folder: { description: 'Folders from the outermost, joined by /.', type: 'string' },
    tags: {
      description: 'Words to find it by.',
      type: ['array', 'string'],
      maxItems: MAX_TAGS,
      items: { type: 'string', maxLength: MAX_TAG_LENGTH },
    },
    notes: { description: 'Anything else that is worth knowing.', type: 'string', maxLength: MAX_NOTES_LENGTH },
    color: { description: 'Colour of its icon.', enum: [...entryColors, null] },
    mark: {
      description: 'Your word on a token contract, which beats every rule of HexLens.',
      enum: [...trustLevels, null],
      enumDescriptions: ['Never counted as spam', 'Always counted as spam', 'As the rules say'],
    },
  },
};

export const bookFileSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `HexLens address book (${BOOK_FILE_PATH})`,
  description: 'Names of addresses that everybody who works in this folder shares.',
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
      description: 'Folders that are there even while they are empty.',
      type: 'array',
      items: { type: 'string' },
    },
  },
} as const;
