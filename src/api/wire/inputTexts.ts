// Parses input that is given as text, in forms and on the command line.
import { createBadInputFault, type FieldIssue } from '../../base/errors.ts';
import { localize } from '../../base/localize.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { getParameters, type Input, type OperationId, operations } from '../operations/operations.ts';
import { InvalidValueError } from '../operations/parameterKinds.ts';
import { type AnyParameter, applyPrecedence } from '../operations/parameters.ts';
import { describeMissing, parseParameterTexts } from './request.ts';

/** By the property names of the operation's input (`fromBlock`), each value as on the wire; lists as arrays. */
export type InputTexts = Readonly<Record<string, string | readonly string[]>>;

/** Texts from JSON values, such as those of language models, which also pass numbers and booleans; `null` is absent. */
export function toInputTexts(values: Readonly<Record<string, unknown>>): InputTexts {
  const toText = (value: unknown) => (typeof value === 'string' ? value : String(value));
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(toText) : toText(value)]),
  );
}

const toList = (texts: string | readonly string[]): readonly string[] =>
  (typeof texts === 'string' ? [texts] : texts).map(text => text.trim()).filter(text => text !== '');

/** What is wrong with the text of one parameter, to follow its name ("must be ..."); `null` when it is valid. */
export function validateParameter(parameter: AnyParameter, texts: string | readonly string[]): string | null {
  const list = toList(texts);
  if (list.length === 0) return parameter.required ? localize(describeMissing(parameter)) : null;
  try {
    parseParameterTexts(parameter, list);
    return null;
  } catch (error) {
    if (error instanceof InvalidValueError) return error.message;
    throw error;
  }
}

/**
 * Typed input of an operation. Empty texts count as absent.
 *
 * @throws `bad-input` with all invalid fields.
 */
export function parseInputTexts<Id extends OperationId>(id: Id, texts: InputTexts): Input<Id> {
  const parameters = getParameters(id);
  const issues: FieldIssue[] = Object.keys(texts)
    .filter(name => !Object.hasOwn(parameters, name))
    .map(name => ({ field: name, message: `${name} is not a parameter of ${id}` }));
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const list = toList(Object.hasOwn(texts, name) ? (texts[name] ?? '') : '');
    const problem = validateParameter(parameter, list);
    if (problem !== null) issues.push({ field: name, message: `${name} ${problem}` });
    else if (list.length > 0) values[name] = parseParameterTexts(parameter, list);
  }
  if (issues.length > 0) throw createBadInputFault(issues);
  const { precedence = [] }: AnyOperation = operations[id];
  return applyPrecedence(values, precedence) as Input<Id>;
}
