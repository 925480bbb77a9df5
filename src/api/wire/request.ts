// Requests: typed input to method, path, query and body, and back; all invalid fields are reported at once.
import { badInputFault, type PlainFault } from '../../base/errors.ts';
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

/** Reads every parameter; throws one `bad-input` with all that are invalid. */
function readParameters(
  parameters: Parameters,
  read: (name: string, parameter: AnyParameter) => unknown,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const issues: { readonly field: string; readonly message: LocalizableText }[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const field = getWireName(name, parameter);
    try {
      const value = read(name, parameter);
      if (value !== undefined) values[name] = value;
      else if (parameter.required)
        issues.push({ field, message: joinLocalizable([field, describeMissing(parameter)], ' ') });
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      issues.push({ field, message: joinLocalizable([field, error.reason], ' ') });
    }
  }
  if (issues.length > 0) throw badInputFault(issues);
  return values;
}

/**
 * The request for typed input. Values are validated as on the server and normalised (lower-case addresses); parameters
 * that others take precedence over are left out.
 *
 * @throws `bad-input` with all invalid fields.
 */
export function encodeRequest<Id extends OperationId>(id: Id, input: Input<Id>): WireRequest {
  const operation = operations[id];
  const { parameters, precedence = [] } = specification(id);
  const given = input as Values;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(parameters, name))
      throw badInputFault([{ field: name, message: localizable('{0} is not a parameter of {1}', name, id) }]);
  }
  const valid = readParameters(parameters, (name, parameter) => {
    const value = given[name];
    if (value === undefined || value === null) return undefined;
    const printed = formatValue(parameter, value);
    const parsed = parseParameterTexts(parameter, printed);
    return formatValue(parameter, parsed);
  });
  // After validation, as on the server: an invalid value is reported even if another parameter takes precedence.
  const texts = applyPrecedence(valid, precedence) as Record<string, string[]>;
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

/**
 * Typed input of a received request. Unknown parameters are ignored.
 *
 * @throws `bad-input` with all invalid fields.
 */
export function decodeInput<Id extends OperationId>(id: Id, received: ReceivedRequest): Input<Id> {
  const { parameters, precedence = [] } = specification(id);
  const query = groupQueryValues(received.query);
  const body = received.body !== null && typeof received.body === 'object' ? (received.body as Values) : {};
  const textsOf = (wire: string, parameter: AnyParameter): readonly string[] => {
    if (parameter.in === 'query') return query.get(wire) ?? [];
    const value =
      parameter.in === 'path' ? received.values.get(wire) : Object.hasOwn(body, wire) ? body[wire] : undefined;
    if (value === undefined || value === null) return [];
    if (typeof value !== 'string') throw new InvalidValueError(localizable('must be a string'));
    return value === '' ? [] : [value];
  };
  const values = readParameters(parameters, (name, parameter) => {
    const texts = textsOf(getWireName(name, parameter), parameter);
    return texts.length === 0 ? undefined : parseParameterTexts(parameter, texts);
  });
  return applyPrecedence(values, precedence) as Input<Id>;
}

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
