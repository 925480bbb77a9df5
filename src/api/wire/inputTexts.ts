// Input as texts, the way people and scripts give it: judged parameter by parameter, turned into typed input.
import { badInputFault, type FieldIssue } from '../../base/errors.ts';
import { localize } from '../../base/localize.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { type Input, type OperationId, operations } from '../operations/operations.ts';
import { InvalidValueError } from '../operations/parameterKinds.ts';
import { type AnyParameter, applyPrecedence, type Parameters } from '../operations/parameters.ts';
import { describeMissing, parseParameterTexts } from './request.ts';

/** By the property names of the operation's input (`fromBlock`), each value as it would stand on the wire; lists as arrays. */
export type InputTexts = Readonly<Record<string, string | readonly string[]>>;

const parametersOf = (id: OperationId): Parameters => operations[id].parameters;

const listOf = (texts: string | readonly string[]): readonly string[] =>
  (typeof texts === 'string' ? [texts] : texts).map(text => text.trim()).filter(text => text !== '');

/** What is wrong with the text of one parameter, ready to follow its name ("must be ..."); `null` when nothing is. */
export function validateParameter(parameter: AnyParameter, texts: string | readonly string[]): string | null {
  const list = listOf(texts);
  if (list.length === 0) return parameter.required ? localize(describeMissing(parameter)) : null;
  try {
    parseParameterTexts(parameter, list);
    return null;
  } catch (error) {
    if (error instanceof InvalidValueError) return error.message;
    throw error;
  }
}

/** Typed input for `createClient(...)[id]`. Empty texts are absent; throws `bad-input` naming every wrong field. */
export function parseInputTexts<Id extends OperationId>(id: Id, texts: InputTexts): Input<Id> {
  const parameters = parametersOf(id);
  const issues: FieldIssue[] = Object.keys(texts)
    .filter(name => !Object.hasOwn(parameters, name))
    .map(name => ({ field: name, message: `${name} is not a parameter of ${id}` }));
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const list = listOf(Object.hasOwn(texts, name) ? (texts[name] ?? '') : '');
    const refusal = validateParameter(parameter, list);
    if (refusal !== null) issues.push({ field: name, message: `${name} ${refusal}` });
    else if (list.length > 0) values[name] = parseParameterTexts(parameter, list);
  }
  if (issues.length > 0) throw badInputFault(issues);
  const { precedence = [] }: AnyOperation = operations[id];
  return applyPrecedence(values, precedence) as Input<Id>;
}
