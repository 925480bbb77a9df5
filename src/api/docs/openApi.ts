// Renders the OpenAPI 3.1 document of the service from the table of operations.
import { type FaultCode, faults } from '../../base/errors.ts';
import { type AnyOperation, type ApiGroup, basePaths } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import {
  type AnyParameter,
  getWireName,
  isListKind,
  type Parameters,
  type Precedence,
} from '../operations/parameters.ts';
import type { JsonSchema } from '../records/jsonSchema.ts';
import { FAULT_HEADER } from '../wire/responseHeaders.ts';
import { getRouteTemplates } from '../wire/routes.ts';
import { createReplySchemas } from './replySchemas.ts';

export const groupTitles: Readonly<Record<ApiGroup, string>> = {
  auth: 'Sign-in verification',
  evm: 'EVM data',
  aptos: 'Aptos data',
};

const text: JsonSchema = { type: 'string' };

/** The shapes of `encodeFaultBody`. */
const faultSchemas: Readonly<Record<ApiGroup, readonly [name: string, schema: JsonSchema]>> = {
  auth: [
    'AuthFault',
    {
      type: 'object',
      properties: { statusCode: { type: 'integer' }, name: text, message: text },
      required: ['statusCode', 'name', 'message'],
    },
  ],
  evm: ['EvmFault', { type: 'object', properties: { message: text }, required: ['message'] }],
  aptos: [
    'AptosFault',
    {
      type: 'object',
      properties: { statusCode: { type: 'integer' }, message: { type: 'array', items: text }, error: text },
      required: ['statusCode', 'message', 'error'],
    },
  ],
};

/** What each status means to a client; 499 is never sent, since its client has disconnected. */
export const faultStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [400, 'A parameter is wrong or missing, or no node serves the chain; the message names each field and the fix.'],
  [401, 'The API key is missing or wrong.'],
  [403, 'The key is not valid for this group, or the settings do not allow requests to the host that has the data.'],
  [404, 'It was not found.'],
  [405, 'The method is not possible at this path.'],
  [409, 'The chain was reorganized after the page that gave the cursor: start without one.'],
  [410, 'The host no longer has the operation.'],
  [413, 'The request, or the response of a node, is too large.'],
  [429, 'Too many requests.'],
  [500, 'Something went wrong inside the service.'],
  [501, 'The service does not have the operation yet.'],
  [502, 'A node is unreachable or its response is invalid.'],
  [503, 'The service is stopping or restarting, or the database of its indexes can not be reached.'],
  [504, 'A node did not respond in time.'],
];

export function getFaultCodes(status: number): readonly FaultCode[] {
  return (Object.keys(faults) as FaultCode[]).filter(code => faults[code].status === status);
}

const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
const responseName = (group: ApiGroup, status: number) => `${faultSchemas[group][0]}${status}`;

function faultResponse(group: ApiGroup, status: number, meaning: string) {
  return {
    description: `${meaning} (${getFaultCodes(status).join(', ')})`,
    headers: {
      [FAULT_HEADER]: {
        description: 'The code of the fault: closed, and safe to decide by.',
        schema: { type: 'string', enum: getFaultCodes(status) },
      },
      ...(status === 429 && {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
      }),
    },
    content: json(schemaRef(faultSchemas[group][0])),
  };
}

/** The rule as a sentence with wire names. */
export function describePrecedence({ winners, losers }: Precedence, parameters: Parameters): string {
  const names = (list: readonly string[], conjunction: string) => {
    const quoted = list.map(name => `\`${getWireName(name, parameters[name] as AnyParameter)}\``);
    return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
  };
  return `Where ${names(winners, 'or')} is given, ${names(losers, 'and')} ${losers.length === 1 ? 'is' : 'are'} not used.`;
}

/** The dated change of a parameter as a sentence; empty when there is none. */
export function describeDatedChange({ removedSince, isDeprecatedSoon, requiredSince }: AnyParameter): string {
  if (isDeprecatedSoon) return 'Soon to be deprecated.';
  if (removedSince !== undefined) return `Hosts have removed it on ${removedSince}; this service has not.`;
  return requiredSince === undefined ? '' : `Hosts require it since ${requiredSince}; this service does not.`;
}

export function describeDeprecation(since: string): string {
  return `Deprecated since ${since}; this service keeps it.`;
}

const sentences = (...parts: readonly string[]) => parts.filter(part => part !== '').join(' ');

function renderParameter(name: string, parameter: AnyParameter) {
  const { kind, doc, required, removedSince, isDeprecatedSoon, requiredSince } = parameter;
  const place = parameter.in === 'path' ? 'path' : 'query';
  return {
    name: getWireName(name, parameter),
    in: place,
    description: sentences(doc, describeDatedChange(parameter)),
    required,
    ...((removedSince !== undefined || isDeprecatedSoon) && { deprecated: true as const }),
    ...(removedSince !== undefined && { 'x-until': removedSince }),
    ...(requiredSince !== undefined && { 'x-required-since': requiredSince }),
    ...(isListKind(kind) && { style: 'form', explode: true }),
    schema: kind.schema,
  };
}

function renderBody(entries: readonly (readonly [name: string, parameter: AnyParameter])[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, parameter]) => [
        getWireName(name, parameter),
        { ...parameter.kind.schema, description: parameter.doc },
      ]),
    ),
    required: entries
      .filter(([, parameter]) => parameter.required)
      .map(([name, parameter]) => getWireName(name, parameter)),
  };
}

function renderOperation(operation: AnyOperation, reply: JsonSchema) {
  const { id, group, title, summary, deprecatedSince, ours, precedence = [] } = operation;
  const parameters = operation.parameters as Parameters;
  const entries = Object.entries(parameters);
  const inBody = entries.filter(([, parameter]) => parameter.in === 'body');
  const rules = (precedence as readonly Precedence[]).map(rule => describePrecedence(rule, parameters));
  const dated =
    deprecatedSince !== undefined ||
    entries.some(([, { removedSince, requiredSince }]) => removedSince ?? requiredSince);
  return {
    operationId: id,
    tags: [group],
    summary: title,
    description: sentences(
      summary,
      ...rules,
      deprecatedSince === undefined ? '' : describeDeprecation(deprecatedSince),
    ),
    ...(deprecatedSince !== undefined && { deprecated: true }),
    ...(ours && { 'x-ours': true }),
    parameters: entries
      .filter(([, parameter]) => parameter.in !== 'body')
      .map(([name, parameter]) => renderParameter(name, parameter)),
    ...(inBody.length > 0 && { requestBody: { required: true, content: json(renderBody(inBody)) } }),
    responses: {
      [operation.reply.status]: {
        description: summary,
        ...(dated && {
          headers: {
            Deprecation: { description: 'Since when what the request used is deprecated (RFC 9745).', schema: text },
          },
        }),
        content: json(reply),
      },
      ...Object.fromEntries(
        faultStatuses.map(([status]) => [status, { $ref: `#/components/responses/${responseName(group, status)}` }]),
      ),
    } as Readonly<Record<string, JsonSchema>>,
  };
}

export type OpenApiOperation = ReturnType<typeof renderOperation>;

/** Each operation is listed once, at the first base path of its group. */
export function renderOpenApi() {
  const { components, replies } = createReplySchemas(schemaRef);
  const groups = Object.keys(basePaths) as ApiGroup[];
  const paths: Record<string, Partial<Record<'get' | 'post', OpenApiOperation>>> = {};
  for (const { operation, base, template } of getRouteTemplates()) {
    const method = operation.method === 'GET' ? 'get' : 'post';
    const rendered = renderOperation(operation, replies[operation.id] ?? {});
    paths[base + template] = { ...paths[base + template], [method]: rendered };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'HexLens',
      version: '2.0',
      summary: 'Blockchain data and sign-in verification from your own nodes.',
      description: `${Object.keys(operations).length} read operations over EVM chains and Aptos, and the verification of sign-in messages. \`/api/v2.2\` is an alias of \`/api/v2\`. Array parameters are also read as \`name[]=\` and \`name[0]=\`; empty parameters are absent ones; unknown parameters are ignored.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: groups.map(name => ({ name, description: groupTitles[name] })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: { ...components, ...Object.fromEntries(groups.map(group => faultSchemas[group])) },
      responses: Object.fromEntries(
        groups.flatMap(group =>
          faultStatuses.map(([status, meaning]) => [
            responseName(group, status),
            faultResponse(group, status, meaning),
          ]),
        ),
      ),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The key of the service.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer`.' },
      },
    },
  };
}
