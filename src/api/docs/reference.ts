// Renders docs/reference.md, the reference of the service, from the table of operations.
import { createBadInputFault } from '../../base/errors.ts';
import { chains, LOCAL_CHAIN, toHexChainId } from '../chains.ts';
import { APTOS_LIST_LENGTH, APTOS_PAGE_SIZE, DEFAULT_CHAIN, EVM_PAGE_SIZE } from '../decisions.ts';
import { type AnyOperation, type ApiGroup, basePaths } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import {
  type AnyParameter,
  getWireName,
  isListKind,
  type Parameters,
  type Precedence,
} from '../operations/parameters.ts';
import type { Absence, AnyRecord } from '../records/record.ts';
import type { ValueKind } from '../records/valueKinds.ts';
import { encodeFaultBody } from '../wire/faultBody.ts';
import { DATE_GRAMMAR } from '../wire/parseDate.ts';
import { type Envelope, type ReplyShape, replySchema } from '../wire/reply.ts';
import { headerDescriptions } from '../wire/responseHeaders.ts';
import {
  describeDatedChange,
  describeDeprecation,
  describePrecedence,
  faultStatuses,
  getFaultCodes,
  groupTitles,
} from './openApi.ts';
import { isListValueKind, isRecordKind } from './replySchemas.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const groups = Object.keys(basePaths) as ApiGroup[];
const letters: Readonly<Record<ApiGroup, string>> = { auth: 'A', evm: 'B', aptos: 'C' };

/** What each kind of value is on the wire; a test fails for kinds that are missing here. */
const valueDescriptions: Readonly<Record<string, string>> = {
  text: 'string',
  hex: 'string, hex',
  address: 'string, address in lower case',
  hash: 'string, 32 bytes in lower-case hex',
  checksummed: 'string, address with EIP-55 checksum',
  amount: 'string, whole number',
  count: 'string, whole number',
  number: 'number',
  decimal: 'string, decimal number',
  flag: 'string, `true` or `false`',
  boolean: 'boolean',
  stringFlag: 'string, `true` or `false`',
  time: 'string, ISO 8601 time in UTC',
  tokenId: 'string, token id (decimal, or hex with `format=hex`)',
  jsonText: 'string holding a JSON object',
  json: 'any JSON',
};

const absenceDescriptions: Readonly<Record<Absence, string>> = {
  always: 'always there',
  null: '`null`',
  absent: 'left out',
  extra: 'left out',
  requested: '`null` where it is requested',
};

const envelopeDescriptions: Readonly<Record<Envelope, string>> = {
  plain: 'a page',
  transfers: 'a transfers page',
  status: 'a status page',
  aptos: 'an Aptos page',
};

/** Escapes HTML and column separators in a line or cell; code spans are left unchanged. */
function escapeInline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[<>]/g, '\\$&')))
    .join('`')
    .replaceAll('|', '\\|');
}

const code = (text: string) => `\`${text}\``;
const codeList = (texts: readonly string[]) => texts.map(code).join(', ');

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(row => line(row.map(escapeInline)))].join('\n');
}

/** The anchor that Markdown renderers give a heading. */
export const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
/** More than the name: `block` is also an operation, and headings that differ only in case would share an anchor. */
const formatRecordHeading = (name: string) => `${name} record`;
const recordLink = (name: string) => `[${name}](#${toAnchor(formatRecordHeading(name))})`;

function describeValueKind(kind: ValueKind<unknown>): string {
  if (isRecordKind(kind)) return recordLink(kind.name);
  if (isListValueKind(kind)) return `array of ${describeValueKind(kind.item)}`;
  const description = valueDescriptions[kind.name];
  if (description === undefined) throw new Error(`The reference has no description of values of kind ${kind.name}.`);
  return description;
}

function getType({ kind }: AnyParameter): string {
  const type = (schema: unknown) => String((schema as { readonly type?: unknown }).type);
  return isListKind(kind) ? `array of ${type(kind.item.schema)}` : type(kind.schema);
}

function renderParameterRow(name: string, parameter: AnyParameter): readonly string[] {
  const { kind, required, doc } = parameter;
  return [
    code(getWireName(name, parameter)) + (required ? ' **required**' : ''),
    parameter.in,
    `${getType(parameter)}, ${kind.hint}`,
    [doc, describeDatedChange(parameter)].join(' ').trim(),
  ];
}

function describeReply(reply: ReplyShape<AnyRecord>): string {
  const link = recordLink(reply.record.name);
  if (reply.shape === 'record') return link;
  if (reply.shape === 'array') return `array of ${link}`;
  return `[${envelopeDescriptions[reply.envelope]}](#pages) of ${link}`;
}

function renderOperation(operation: AnyOperation): string {
  const { id, title, group, method, path, summary, deprecatedSince, ours, precedence = [] } = operation;
  const parameters = operation.parameters as Parameters;
  const notes = [
    ...(precedence as readonly Precedence[]).map(rule => describePrecedence(rule, parameters)),
    ...(deprecatedSince === undefined ? [] : [`**${describeDeprecation(deprecatedSince)}**`]),
    ...(ours ? ['An addition of this service: it is not in the description.'] : []),
  ];
  return [
    `### ${id}`,
    `**${title}.** ${escapeInline(summary)}`,
    `\`\`\`http\n${method} ${basePaths[group][0]}${path}\n\`\`\``,
    renderTable(
      ['Parameter', 'In', 'Value', 'Meaning'],
      Object.entries(parameters).map(([name, parameter]) => renderParameterRow(name, parameter)),
    ),
    ...(notes.length === 0 ? [] : [notes.map(note => `- ${note}`).join('\n')]),
    `Reply ${operation.reply.status}: ${describeReply(operation.reply as ReplyShape<AnyRecord>)}.`,
  ].join('\n\n');
}

function renderGroup(group: ApiGroup): string {
  const [base, ...aliases] = basePaths[group].map(path => code(path === '' ? '/' : path));
  const also = aliases.length === 0 ? '' : `, also at ${aliases.join(', ')}`;
  return [
    `## ${letters[group]}. ${groupTitles[group]}`,
    `At ${base}${also}.`,
    ...all.filter(operation => operation.group === group).map(renderOperation),
  ].join('\n\n');
}

/** All records of replies, in the order of first use; nested records after their parents. */
function getAllRecords(): readonly AnyRecord[] {
  const found = new Set<AnyRecord>();
  const visit = (kind: ValueKind<unknown>): void => {
    if (isListValueKind(kind)) visit(kind.item);
    if (!isRecordKind(kind) || found.has(kind)) return;
    found.add(kind);
    for (const [, , field] of kind.wires) visit(field.kind);
  };
  for (const { reply } of all) visit((reply as ReplyShape<AnyRecord>).record);
  return [...found];
}

function renderRecord({ name, wires }: AnyRecord): string {
  const rows = wires.map(([, wire, { kind, absence }]) => [
    code(wire),
    describeValueKind(kind),
    absenceDescriptions[absence],
  ]);
  return `### ${formatRecordHeading(name)}\n\n${renderTable(['Field', 'Type', 'Without a value'], rows)}`;
}

interface EnvelopeSchema {
  readonly properties: Readonly<Record<string, SchemaPart>>;
}

interface SchemaPart {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly anyOf?: readonly SchemaPart[];
}

function describeSchema({ type = '', enum: values, pattern, anyOf }: SchemaPart): string {
  if (anyOf !== undefined)
    return anyOf.map(part => (part.type === 'null' ? '`null`' : describeSchema(part))).join(' or ');
  if (values !== undefined) return values.map(code).join(' or ');
  if (type === 'array') return 'array of records';
  return pattern === undefined ? type : `${type}, whole number`;
}

function renderPages(): string {
  const rows = (Object.keys(envelopeDescriptions) as Envelope[]).map(envelope => {
    const reply = all
      .map(operation => operation.reply as ReplyShape<AnyRecord>)
      .find(candidate => candidate.shape === 'page' && candidate.envelope === envelope);
    const { properties } = (reply === undefined ? { properties: {} } : replySchema(reply)) as unknown as EnvelopeSchema;
    const fields = Object.entries(properties).map(([name, part]) => `${code(name)} (${describeSchema(part)})`);
    return [envelopeDescriptions[envelope].replace(/^an? /, ''), fields.join(', ')];
  });
  return `## Pages\n\nLists come in pages. Pass \`cursor\` with all other parameters unchanged to get the next one; the last page has none. A reorg of the block in which a page ended makes its cursor a 409 (\`chain-changed\`): start without a cursor.\n\n${renderTable(['Page', 'Fields'], rows)}`;
}

function renderLimits(): string {
  const users = new Map<string, { readonly cells: readonly [string, string]; readonly ids: string[] }>();
  for (const { id, parameters } of all) {
    for (const [name, parameter] of Object.entries(parameters as Parameters)) {
      const { kind } = parameter;
      const limit = isListKind(kind)
        ? `${kind.bounds.min} to ${kind.bounds.max} items`
        : kind.name === 'integer'
          ? kind.hint
          : null;
      if (limit === null) continue;
      const cells = [code(getWireName(name, parameter)), `${limit}${parameter.required ? '; required' : ''}`] as const;
      const entry = users.get(cells.join()) ?? { cells, ids: [] };
      entry.ids.push(id);
      users.set(cells.join(), entry);
    }
  }
  const rows = [...users.values()].map(({ cells, ids }) => [...cells, ids.join(', ')]);
  return `## Limits\n\n${renderTable(['Parameter', 'Limit', 'Operations'], rows)}`;
}

function renderFaults(): string {
  const fault = createBadInputFault([{ field: 'limit', message: 'limit must not be greater than 100' }]);
  const bodies = groups.map(group => [
    `${letters[group]}. ${groupTitles[group]}`,
    code(JSON.stringify(encodeFaultBody(group, fault))),
  ]);
  const statuses = faultStatuses.map(([status, meaning]) => [String(status), codeList(getFaultCodes(status)), meaning]);
  return [
    '## Errors',
    'The header `x-hexlens-fault` holds the code: decide by it or by the status, never by the text. All invalid fields are reported at once.',
    renderTable(['Status', 'Codes', 'Meaning'], statuses),
    'Bodies, for a `limit` of 500:',
    renderTable(['Group', 'Body'], bodies),
  ].join('\n\n');
}

function renderHeaders(): string {
  const rows = Object.entries(headerDescriptions).map(([name, meaning]) => [code(name), meaning]);
  return `## Response headers\n\nBeside those of HTTP, security and CORS. They are sent only where they say something.\n\n${renderTable(['Header', 'Meaning'], rows)}`;
}

function renderChains(): string {
  const rows = chains.map(({ name, id, title, coin }) => [code(name), code(toHexChainId(id)), title, coin]);
  return `## Chains\n\nThe parameter \`chain\` takes a name or a hex id, in any case. \`${LOCAL_CHAIN}\` is the chain of your own node; any other hex id works if a node is configured for it.\n\n${renderTable(['Name', 'Id', 'Chain', 'Coin'], rows)}`;
}

/** What the description leaves open, and how this service does it. */
export const decisions: readonly (readonly [question: string, answer: string])[] = [
  [
    'Page size, group B',
    `${EVM_PAGE_SIZE.default} when absent; ${EVM_PAGE_SIZE.min} to ${EVM_PAGE_SIZE.max}, else 400`,
  ],
  [
    'Page size, group C',
    `required; ${APTOS_PAGE_SIZE.min} to ${APTOS_PAGE_SIZE.max}; \`offset\` from 0; arrays of ${APTOS_LIST_LENGTH.min} to ${APTOS_LIST_LENGTH.max}`,
  ],
  ['Absent `chain`', `\`${DEFAULT_CHAIN}\`; where no node serves it, the first configured chain`],
  [
    'Arrays in queries',
    'read `a=1&a=2`, `a[]=1`, `a[0]=1` and their percent-encoded forms; written as repeated keys; never split on commas',
  ],
  [
    'Empty parameters',
    '`cursor=` and every other empty value mean absent; unknown parameters are ignored, but another spelling of a known one (`fromBlock`) is a 400 that names it; a parameter that another one takes precedence over is not validated',
  ],
  ['Order', 'newest first: block, transaction index, log index descending; Aptos by transaction version descending'],
  ['Ranges', 'inclusive at both ends; a block beats a date for the same end; `block_number` beats both'],
  [
    'Dates',
    `${DATE_GRAMMAR.join('; ')}. Without a zone UTC; a day or month is its first moment. Other digits alone, such as \`2023\` or \`20231114\`, are a 400, since they can mean a date or Unix time`,
  ],
  [
    '`total`',
    '`null` unless `disable_total=false`, and then counted on the first page; never on lists that are scanned',
  ],
  [
    '`token_logo`',
    'the `logo` of the token in your address book (`--address-book`), else `null`: a chain has no logos, and no token list is fetched',
  ],
  ['`coin_amount`', '`null`, as in the official table: events of tokens do not say what was paid'],
  ['`total_balance`', 'a wallet that is given twice counts once'],
  ['`page`', '"0" on the first page of transfers, "1" on the first page elsewhere'],
  [
    'Cursor',
    'opaque and URL-safe; names its filters and the last key; a damaged one, or one used with other filters, is a 400; the last page has `null`',
  ],
  ['Case', 'lower-case addresses and hashes in groups B and C, EIP-55 in group A'],
  ['Absent values', 'an absent topic is absent; every other value that does not exist is `null`'],
  ['Error bodies', 'A `{statusCode, name, message}`; B `{message}`; C `{statusCode, message: [..], error}`'],
  [
    'Dated changes (4 September 2023)',
    'served as before, with the header `Deprecation`; never sent to a remote host. With `--strict-dates` they are rejected, as by hosts since then: ERC-20 mints with 410, logs without `topic0`, `topic1` to `topic3` and `direction` with 400',
  ],
  [
    'Paths',
    '`/api/v2` and, as an alias, `/api/v2.2`; group A at `/`, group C at `/aptos` and `/aptos/NETWORK`; one slash at the end is ignored',
  ],
  [
    'Owners, NFTs and collections of a wallet',
    "by last change, newest first; `block_number` is where that owner's balance changed last",
  ],
  [
    '`block_exists`, `index_complete`',
    'whether the chain has the blocks that the request names (for `from_date`: one at or after it); whether the index holds everything up to the end of the range',
  ],
  [
    'Metadata',
    'read from the contract and from its token URI only with `normalizeMetadata` or `media_items`; what is not available is `null`; `last_token_uri_sync` and `last_metadata_sync` are `null` until then, and stored in the index; previews are the image itself, never resized; never from this machine, except for a development chain on it that is no fork and has not the id of a public chain, with `--loopback-metadata`',
  ],
  ['`token_hash`', 'MD5 of the lower-case contract address followed by the decimal id'],
  [
    '`possible_spam`',
    'rules that need no network: a web address, a lure, a sum of money, markup, mixed alphabets or invisible characters in name or symbol; on development chains, whose index has all transfers, a mass mint without later ones; one verdict for a contract in all lists and pages; your own trust setting overrides them',
  ],
  ['`verified_collection`', '`false` unless you trust the collection: what marketplaces verify is not on the chain'],
  [
    'Lowest price',
    "the window reaches back from the newest block; trades are Seaport's (1.1 to 1.6 and its forks, by their event, with the NFT really moved); `marketplace_address` is the contract that logged it; the price is all that was paid, fees included; of equal prices the latest; no trade is a 404",
  ],
  [
    'Aptos networks',
    "`network` names one of the configured networks, as the official SDK sends it; the first one when absent. `/aptos/testnet/…` is the same as `network=testnet`. `mainnet` that is not configured means a development network that is the first one, since that SDK's default says nothing, but never another public network; any other unknown one is a 400. `x-hexlens-network` says which one answered",
  ],
  [
    'Aptos paging',
    'by transaction version and event index, newest first; `offset` counts from the start of the list and is ignored beside a `cursor`, which SDKs repeat it with; dates are whole seconds, both ends inclusive',
  ],
  [
    'Aptos sources',
    'which versions from the indexer, each row from the node; where the node is down or pruned, the event account is the owner and the event numbers are 0 (gas: -1 and 0), the five `*_mutable` are true, and `x-hexlens-partial` says so; where the indexer is down, what the node alone knows',
  ],
  [
    'Total difficulty, internal transactions',
    'official clients read no block without them: where a node no longer tells the total difficulty, a block without work has that of the last block with work; a creation that failed has the zero address in `to`; a call that halted used all its gas',
  ],
  [
    'Repeated sign-in',
    'a message is accepted once, then it is a 401: its nonce is stored until the message expires, in the folder of `--data` or the database of `--store`, which several processes may share; without either, in the memory of the process, so that another process or a restarted one accepts the message again. `--repeat-sign-in` accepts it every time',
  ],
  ['Labels', '`*_label` fields come from the address book of the service’s operator'],
  ['`transaction`', 'an operation of ours: the record that a block holds, by transaction hash'],
  [
    'Transactions and ERC-20 tokens of a wallet',
    'additions: the paths, parameters and records of a known host. `walletTransactions` reads the index of a development chain (of a fork, its own blocks), with those that only paid or created the address by a call inside them, where the node traces; elsewhere it uses what the node has: `ots_searchTransactionsBefore`, `alchemy_getAssetTransfers`, `trace_filter` of clients with an index of traces (Erigon), else what the address sent, found by its nonce. `x-hexlens-source` names it (`index`, or the method), `x-hexlens-partial` says what it can not see',
  ],
  [
    'ERC-20 balances',
    'of every token that a transfer from or to the wallet names, or of those in `token_addresses`; of wrapped coins, which log no transfer when they are wrapped: that of the chain, and on a development chain all that log `Deposit`; by `balanceOf` at one block, through Multicall3 where it is deployed, never summed up from logs; balances of zero, contracts that do not answer and NFTs are left out; verified tokens first, possible spam last',
  ],
];

function renderContents(): string {
  const rows = all.map(({ id, group, method, path }) => [
    `[${id}](#${toAnchor(id)})`,
    code(`${method} ${basePaths[group][0]}${path}`),
    operations[id as keyof typeof operations].title,
  ]);
  return renderTable(['Operation', 'Path', ''], rows);
}

/** The whole document; ends with a line feed. */
export function renderReference(): string {
  return `${[
    '<!-- Generated from src/api: change it there, then run `npm run manifest`. -->',
    '# The service',
    `Every operation of HexLens's own service, as \`hexlens serve\` offers it over HTTP and as the editor uses it without. Requests carry the key in \`X-API-Key\` or as \`Authorization: Bearer\`; responses are JSON. The same as OpenAPI 3.1 is at \`/openapi.json\`.`,
    renderContents(),
    'More: [pages](#pages), [records](#records), [chains](#chains), [limits](#limits), [errors](#errors), [response headers](#response-headers), [decisions](#decisions).',
    ...groups.map(renderGroup),
    renderPages(),
    '## Records',
    'Further fields may be added: ignore unknown ones.',
    ...getAllRecords().map(renderRecord),
    renderChains(),
    renderLimits(),
    renderFaults(),
    renderHeaders(),
    '## Decisions',
    'What the description of the service leaves open.',
    renderTable(['Topic', 'Decision'], decisions),
  ].join('\n\n')}\n`;
}
