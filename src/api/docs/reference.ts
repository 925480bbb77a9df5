// The reference of the service in Markdown (docs/reference.md), rendered from the table of operations.
import { badInputFault } from '../../base/errors.ts';
import { chains, LOCAL_CHAIN, toHexChainId } from '../chains.ts';
import { decisions } from '../decisions.ts';
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
import { type Envelope, type ReplyShape, replySchema } from '../wire/reply.ts';
import {
  describeDatedChange,
  describePrecedence,
  describeRetirement,
  faultStatuses,
  getFaultCodes,
  groupTitles,
} from './openApi.ts';
import { isListValueKind, isRecordKind } from './replySchemas.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const groups = Object.keys(basePaths) as ApiGroup[];
const letters: Readonly<Record<ApiGroup, string>> = { auth: 'A', evm: 'B', aptos: 'C' };

/** What each kind of value is on the wire; a kind that is missing here fails the reference's test. */
const valueWords: Readonly<Record<string, string>> = {
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

const absenceWords: Readonly<Record<Absence, string>> = {
  always: 'always there',
  null: '`null`',
  absent: 'left out',
  extra: 'left out',
};

const envelopeWords: Readonly<Record<Envelope, string>> = {
  plain: 'a page',
  transfers: 'a transfers page',
  status: 'a status page',
  aptos: 'an Aptos page',
};

/** Text for a table's cell or a line: what Markdown would take for HTML or a column is escaped, code is left alone. */
function inline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[<>]/g, '\\$&')))
    .join('`')
    .replaceAll('|', '\\|');
}

const code = (text: string) => `\`${text}\``;
const codeList = (texts: readonly string[]) => texts.map(code).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(row => line(row.map(inline)))].join('\n');
}

const anchor = (heading: string) =>
  `#${heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')}`;
/** Not the bare name: `block` is also an operation, and headings that differ in case only share an anchor. */
const recordHeading = (name: string) => `${name} record`;
const recordLink = (name: string) => `[${name}](${anchor(recordHeading(name))})`;

function wordsOf(kind: ValueKind<unknown>): string {
  if (isRecordKind(kind)) return recordLink(kind.name);
  if (isListValueKind(kind)) return `array of ${wordsOf(kind.item)}`;
  const words = valueWords[kind.name];
  if (words === undefined) throw new Error(`The reference has no words for values of kind ${kind.name}.`);
  return words;
}

function typeOf({ kind }: AnyParameter): string {
  const type = (schema: unknown) => String((schema as { readonly type?: unknown }).type);
  return isListKind(kind) ? `array of ${type(kind.item.schema)}` : type(kind.schema);
}

function parameterRow(name: string, parameter: AnyParameter): readonly string[] {
  const { kind, required, doc } = parameter;
  return [
    code(getWireName(name, parameter)) + (required ? ' **required**' : ''),
    parameter.in,
    `${typeOf(parameter)}, ${kind.hint}`,
    [doc, describeDatedChange(parameter)].join(' ').trim(),
  ];
}

function replyText(reply: ReplyShape<AnyRecord>): string {
  const link = recordLink(reply.record.name);
  if (reply.shape === 'record') return link;
  if (reply.shape === 'array') return `array of ${link}`;
  return `[${envelopeWords[reply.envelope]}](#pages) of ${link}`;
}

function operationSection(operation: AnyOperation): string {
  const { id, title, group, method, path, summary, retired, ours, precedence = [] } = operation;
  const parameters = operation.parameters as Parameters;
  const notes = [
    ...(precedence as readonly Precedence[]).map(rule => describePrecedence(rule, parameters)),
    ...(retired === undefined ? [] : [`**${describeRetirement(retired)}**`]),
    ...(ours ? ['An operation of ours: the description does not have it.'] : []),
  ];
  return [
    `### ${id}`,
    `**${title}.** ${inline(summary)}`,
    `\`\`\`http\n${method} ${basePaths[group][0]}${path}\n\`\`\``,
    table(
      ['Parameter', 'In', 'Value', 'Meaning'],
      Object.entries(parameters).map(([name, parameter]) => parameterRow(name, parameter)),
    ),
    ...(notes.length === 0 ? [] : [notes.map(note => `- ${note}`).join('\n')]),
    `Reply ${operation.reply.status}: ${replyText(operation.reply as ReplyShape<AnyRecord>)}.`,
  ].join('\n\n');
}

function groupSection(group: ApiGroup): string {
  const [base, ...aliases] = basePaths[group].map(path => code(path === '' ? '/' : path));
  const also = aliases.length === 0 ? '' : `, also at ${aliases.join(', ')}`;
  return [
    `## ${letters[group]}. ${groupTitles[group]}`,
    `At ${base}${also}.`,
    ...all.filter(operation => operation.group === group).map(operationSection),
  ].join('\n\n');
}

/** Every record that a reply holds, in the order of first use; records within records after them. */
function allRecords(): readonly AnyRecord[] {
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

function recordSection({ name, wires }: AnyRecord): string {
  const rows = wires.map(([, wire, { kind, absence }]) => [code(wire), wordsOf(kind), absenceWords[absence]]);
  return `### ${recordHeading(name)}\n\n${table(['Field', 'Type', 'Without a value'], rows)}`;
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

function schemaWords({ type = '', enum: values, pattern, anyOf }: SchemaPart): string {
  if (anyOf !== undefined) return anyOf.map(part => (part.type === 'null' ? '`null`' : schemaWords(part))).join(' or ');
  if (values !== undefined) return values.map(code).join(' or ');
  if (type === 'array') return 'array of records';
  return pattern === undefined ? type : `${type}, whole number`;
}

function pagesSection(): string {
  const rows = (Object.keys(envelopeWords) as Envelope[]).map(envelope => {
    const reply = all
      .map(operation => operation.reply as ReplyShape<AnyRecord>)
      .find(candidate => candidate.shape === 'page' && candidate.envelope === envelope);
    const { properties } = (reply === undefined ? { properties: {} } : replySchema(reply)) as unknown as EnvelopeSchema;
    const fields = Object.entries(properties).map(([name, part]) => `${code(name)} (${schemaWords(part)})`);
    return [envelopeWords[envelope].replace(/^an? /, ''), fields.join(', ')];
  });
  return `## Pages\n\nLists come in pages. Give \`cursor\` back, with everything else unchanged, to get the next one; the last page has none.\n\n${table(['Page', 'Fields'], rows)}`;
}

function limitsSection(): string {
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
  return `## Limits\n\n${table(['Parameter', 'Limit', 'Operations'], rows)}`;
}

function faultsSection(): string {
  const fault = badInputFault([{ field: 'limit', message: 'limit must not be greater than 100' }]);
  const bodies = groups.map(group => [
    `${letters[group]}. ${groupTitles[group]}`,
    code(JSON.stringify(encodeFaultBody(group, fault))),
  ]);
  const statuses = faultStatuses.map(([status, meaning]) => [String(status), codeList(getFaultCodes(status)), meaning]);
  return [
    '## Errors',
    'The header `x-hexlens-fault` holds the code: decide by it or by the status, never by the text. Every wrong field is named at once.',
    table(['Status', 'Codes', 'Meaning'], statuses),
    'Bodies, for a `limit` of 500:',
    table(['Group', 'Body'], bodies),
  ].join('\n\n');
}

function chainsSection(): string {
  const rows = chains.map(({ name, id, title, coin }) => [code(name), code(toHexChainId(id)), title, coin]);
  return `## Chains\n\nThe parameter \`chain\` takes a name or a hex id, in any case. \`${LOCAL_CHAIN}\` is whatever your own node serves; any other hex id works that a node is configured for.\n\n${table(['Name', 'Id', 'Chain', 'Coin'], rows)}`;
}

function contents(): string {
  const rows = all.map(({ id, group, method, path }) => [
    `[${id}](${anchor(id)})`,
    code(`${method} ${basePaths[group][0]}${path}`),
    operations[id as keyof typeof operations].title,
  ]);
  return table(['Operation', 'Path', ''], rows);
}

/** The whole document; ends with a line feed. */
export function renderReference(): string {
  return `${[
    '<!-- Generated from src/contract: change it there, then run `node scripts/generate.ts`. -->',
    '# The service',
    `Every operation of HexLens's own service, as \`hexlens serve\` offers it over HTTP and as the editor uses it without. Requests carry the key in \`X-API-Key\`; answers are JSON. The same as OpenAPI 3.1 is at \`/openapi.json\`.`,
    contents(),
    'More: [pages](#pages), [records](#records), [chains](#chains), [limits](#limits), [errors](#errors), [decisions](#decisions).',
    ...groups.map(groupSection),
    pagesSection(),
    '## Records',
    'Extra fields may come: ignore what you do not know.',
    ...allRecords().map(recordSection),
    chainsSection(),
    limitsSection(),
    faultsSection(),
    '## Decisions',
    'Where the description of the service is silent, these are ours.',
    table(['Question', 'Decision'], decisions),
  ].join('\n\n')}\n`;
}
