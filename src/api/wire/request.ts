// Requests: typed input to method, path, query and body, and back; all invalid fields are reported at once.

import { quote } from '../../base/displayText.ts';
import { createBadInputFault, type PlainFault } from '../../base/errors.ts';
import { joinLocalizable, type LocalizableText, localizable } from '../../base/localize.ts';
import type { Freshness } from '../freshness.ts';
import type { ApiGroup } from '../operations/operation.ts';
import { type Input, type OperationId, operations } from '../operations/operations.ts';
import { InvalidValueError } from '../operations/parameterKinds.ts';
import {
  type AnyParameter,
  applyPrecedence,
  getWireName,
  isListKind,
  type Parameters,
} from '../operations/parameters.ts';
import { groupQueryValues, type QueryPairs } from './queryString.ts';
import { matchPath } from './routes.ts';

/** A request of one operation, independent of the host. The path is below the group's base, percent-encoded. */
export interface WireRequest {
  readonly operation: OperationId;
  readonly group: ApiGroup;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: QueryPairs;
  readonly body: Readonly<Record<string, string>> | null;
}

/** The response to it: status and body as on the wire, header names in lower case. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A parsed JSON value; the text itself if it is not JSON. */
  readonly body: unknown;
  /** How long it may be cached; set by our own service only. Absent: not at all. */
  readonly freshness?: Freshness;
  /** The fault of an error response, which can be localized; not sent over HTTP, where the body has the message. */
  readonly fault?: PlainFault;
}

type Values = Readonly<Record<string, unknown>>;

interface Specification {
  readonly parameters: Parameters;
  readonly precedence?: readonly { readonly winners: readonly string[]; readonly losers: readonly string[] }[];
}

const specification = (id: OperationId): Specification => operations[id];

/** Parses the texts of one parameter as on the wire; throws `InvalidValueError`. */
export function parseParameterTexts(parameter: AnyParameter, texts: readonly string[]): unknown {
  const { kind } = parameter;
  if (!isListKind(kind)) {
    const [text = '', ...more] = texts;
    if (more.some(other => other !== text)) throw new InvalidValueError(localizable('must be given once'));
    return kind.parse(text);
  }
  const { min, max } = kind.bounds;
  if (texts.length > max)
    throw new InvalidValueError(localizable('must contain not more than {0} elements: it has {1}', max, texts.length));
  if (texts.length < min)
    throw new InvalidValueError(
      min === 1
        ? localizable('must contain at least 1 element')
        : localizable('must contain at least {0} elements', min),
    );
  return texts.map((text, index) => {
    try {
      return kind.item.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      const reason = text.includes(',')
        ? localizable('{0}; repeat the parameter for several values instead of using commas', error.reason)
        : error.reason;
      throw new InvalidValueError(texts.length > 1 ? localizable('element {0} {1}', index + 1, reason) : reason);
    }
  });
}

function formatValue(parameter: AnyParameter, value: unknown): string[] {
  const { kind } = parameter;
  const format = (itemKind: { format(value: never): string }, item: unknown) => {
    try {
      return itemKind.format(item as never);
    } catch {
      throw new InvalidValueError(localizable('is of the wrong type')); // an untyped caller gave, say, text for a date
    }
  };
  if (!isListKind(kind)) return [format(kind, value)];
  if (!Array.isArray(value)) throw new InvalidValueError(localizable('must be a list'));
  return value.map(item => format(kind.item, item));
}

/** Follows the name of a required parameter. Hints are translated with the operations table. */
export const describeMissing = ({ kind }: AnyParameter) =>
  localizable('is required: {0}', { english: kind.hint, values: [] });

interface ParameterIssue {
  readonly field: string;
  readonly message: LocalizableText;
}

/**
 * Parses every given parameter that no other one takes precedence over; throws one `bad-input` with these issues and all
 * parameters that are invalid.
 */
function readParameters<Given>(
  { parameters, precedence = [] }: Specification,
  given: Readonly<Record<string, Given>>,
  parse: (given: Given, parameter: AnyParameter) => unknown,
  issues: ParameterIssue[] = [],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const used = applyPrecedence(given, precedence);
  for (const [name, parameter] of Object.entries(parameters)) {
    const field = getWireName(name, parameter);
    const value = used[name];
    try {
      if (value !== undefined) values[name] = parse(value, parameter);
      else if (parameter.required)
        issues.push({ field, message: joinLocalizable([field, describeMissing(parameter)], ' ') });
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      issues.push({ field, message: joinLocalizable([field, error.reason], ' ') });
    }
  }
  if (issues.length > 0) throw createBadInputFault(issues);
  return values;
}

/**
 * The request for typed input. Values are validated as on the server and normalized (lower-case addresses); parameters
 * that others take precedence over are left out.
 *
 * @throws `bad-input` with all invalid fields.
 */
export function encodeRequest<Id extends OperationId>(id: Id, input: Input<Id>): WireRequest {
  const operation = operations[id];
  const { parameters } = specification(id);
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(parameters, name))
      throw createBadInputFault([{ field: name, message: localizable('{0} is not a parameter of {1}', name, id) }]);
    if (value !== undefined && value !== null) given[name] = value;
  }
  const texts = readParameters(specification(id), given, (value, parameter) => {
    const parsed = parseParameterTexts(parameter, formatValue(parameter, value));
    return formatValue(parameter, parsed);
  }) as Record<string, string[]>;
  let path: string = operation.path;
  const query: [string, string][] = [];
  const body: Record<string, string> = {};
  for (const [name, values] of Object.entries(texts)) {
    const parameter = parameters[name] as AnyParameter;
    const wire = getWireName(name, parameter);
    if (parameter.in === 'path') path = path.replace(`:${wire}`, () => encodeURIComponent(values[0] ?? ''));
    else if (parameter.in === 'query') for (const value of values) query.push([wire, value]);
    else body[wire] = values[0] ?? '';
  }
  return {
    operation: id,
    group: operation.group,
    method: operation.method,
    path,
    query,
    body: operation.method === 'POST' ? body : null,
  };
}

/** A received request that has been matched to an operation. */
export interface ReceivedRequest {
  readonly values: ReadonlyMap<string, string>;
  readonly query: QueryPairs;
  readonly body?: unknown;
}

/** `fromBlock`, `from-block` and `token_addresses[x]` without what they differ in from the name of a parameter. */
const simplifyName = (name: string) =>
  name
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/[-_]/g, '')
    .toLowerCase();

/** Other spellings of known parameters would be ignored silently. */
function findMisspelled(parameters: Parameters, names: Iterable<string>): ParameterIssue[] {
  const known = Object.entries(parameters)
    .filter(([, parameter]) => parameter.in === 'query')
    .map(([name, parameter]) => getWireName(name, parameter));
  const issues: ParameterIssue[] = [];
  for (const name of names) {
    const meant = known.includes(name) ? undefined : known.find(wire => simplifyName(wire) === simplifyName(name));
    if (meant === undefined) continue;
    const reason = localizable('must be spelled like this, not {0}', quote(name));
    issues.push({ field: meant, message: joinLocalizable([meant, reason], ' ') });
  }
  return issues;
}

/**
 * Typed input of a received request. Unknown parameters are ignored; other spellings of known ones are invalid.
 *
 * @throws `bad-input` with all invalid fields.
 */
export function decodeInput<Id extends OperationId>(id: Id, received: ReceivedRequest): Input<Id> {
  const { parameters } = specification(id);
  const query = groupQueryValues(received.query);
  const body = received.body !== null && typeof received.body === 'object' ? (received.body as Values) : {};
  const given: Record<string, readonly unknown[]> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const wire = getWireName(name, parameter);
    const inBody = parameter.in === 'body' && Object.hasOwn(body, wire) ? body[wire] : undefined;
    const single = received.values.get(wire) ?? inBody;
    // A base path can hold a parameter of the query, such as the network of Aptos.
    const inQuery = parameter.in === 'query' ? (query.get(wire) ?? []) : [];
    const texts = single === undefined || single === null || single === '' ? inQuery : [single, ...inQuery];
    if (texts.length > 0) given[name] = texts;
  }
  const parse = (texts: readonly unknown[], parameter: AnyParameter) => {
    if (!texts.every(text => typeof text === 'string')) throw new InvalidValueError(localizable('must be a string'));
    return parseParameterTexts(parameter, texts);
  };
  const issues = query.size === 0 ? [] : findMisspelled(parameters, query.keys());
  return readParameters(specification(id), given, parse, issues) as Input<Id>;
}

/** Names in the query that are no parameters of the operation, as far as a header can hold them. */
export function findIgnoredParameters(id: OperationId, query: QueryPairs): readonly string[] {
  if (query.length === 0) return [];
  const known = Object.entries(specification(id).parameters).map(([name, parameter]) => getWireName(name, parameter));
  const names = [...groupQueryValues(query).keys()].filter(
    name => !known.includes(name) && /^[\w.-]{1,64}$/.test(name),
  );
  return names.slice(0, MAX_IGNORED_NAMES);
}

const MAX_IGNORED_NAMES = 20;

export interface DecodedRequest<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly input: Input<Id>;
}

/**
 * Operation and typed input of a received request.
 *
 * @param path Percent-encoded, with the base path of its group.
 * @throws `not-found`, `method-not-allowed`, `bad-input`.
 */
export function decodeRequest(method: string, path: string, query: QueryPairs, body?: unknown): DecodedRequest {
  const { operation, values } = matchPath(method, path);
  return { id: operation.id, input: decodeInput(operation.id, { values, query, body }) };
}
