// Names that people type instead of values: a saved name for an address, the name of an event for its topic.
import { parseWrittenChain } from '../../api/chainNames.ts';
import { isForChain } from '../../api/configuration.ts';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import type { AnyParameter, Parameters } from '../../api/operations/parameters.ts';
import { type InputTexts, validateParameter } from '../../api/wire/inputTexts.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { createBadInputFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { formatParameterName } from './operationForm.ts';
import {
  getSuggestions,
  getValueKind,
  type ParameterSuggestion,
  type SuggestionSources,
} from './parameterSuggestions.ts';

export type NameSources = Omit<SuggestionSources, 'literal' | 'recent'>;

/** `Withdrawn` of `Withdrawn(address,uint256)`, or a saved name. */
const getName = ({ label, source }: ParameterSuggestion): string =>
  source === 'event' ? label.slice(0, label.indexOf('(')) : label;

/** The value with this name, the text itself when it is no name, and what is wrong with it. */
function resolveText(
  parameter: AnyParameter,
  text: string,
  sources: NameSources,
): { readonly value: string; readonly problem: string | null } {
  const problem = validateParameter(parameter, [text]);
  if (problem === null || text === '') return { value: text, problem };
  const named = getSuggestions(parameter, { ...sources, literal: null, recent: [] }).filter(
    suggestion =>
      (suggestion.source === 'saved' || suggestion.source === 'event') &&
      getName(suggestion).toLowerCase() === text.trim().toLowerCase(),
  );
  const [first] = named;
  if (first === undefined) return { value: text, problem };
  if (named.length === 1) return { value: first.value, problem: null };
  const isEvent = getValueKind(parameter).name === 'eventTopic';
  const several = named.map(({ label, value }) => (isEvent ? label : toDisplayAddress(value))).join(', ');
  return {
    value: text,
    problem: isEvent
      ? t('is the name of several events: {0}', several)
      : t('is the name of several addresses: {0}', several),
  };
}

/**
 * The parameters of an operation with values in place of names.
 *
 * @throws `bad-input` with one issue for each invalid parameter, which begins with the parameter's label.
 */
export function resolveParameterNames(operation: OperationId, texts: InputTexts, sources: NameSources): InputTexts {
  const parameters: Parameters = operations[operation].parameters;
  const chain = Object.hasOwn(parameters, 'chain') && typeof texts['chain'] === 'string' ? texts['chain'].trim() : '';
  const selector = parseWrittenChain(chain);
  const saved = selector === null ? sources.saved : sources.saved.filter(({ chains }) => isForChain(chains, selector));
  const issues: { readonly field: string; readonly message: string }[] = [];
  const resolved: Record<string, string | readonly string[]> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const given =
      name === 'chain' && selector !== null ? selector : Object.hasOwn(texts, name) ? (texts[name] ?? '') : '';
    const parts = (typeof given === 'string' ? [given] : given).map(text =>
      resolveText(parameter, text, { ...sources, saved }),
    );
    const values = parts.map(({ value }) => value);
    const problem = parts.find(part => part.problem !== null)?.problem ?? validateParameter(parameter, values);
    if (problem !== null) issues.push({ field: name, message: `${formatParameterName(name)} ${problem}` });
    else if (Object.hasOwn(texts, name)) resolved[name] = typeof given === 'string' ? (values[0] ?? '') : values;
  }
  if (issues.length > 0) throw createBadInputFault(issues);
  return resolved;
}
