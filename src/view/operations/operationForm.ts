// The form of an operation: parameters to prompt for, optional ones, and defaults.

import { getParameters, type OperationId, operations } from '../../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Precedence } from '../../api/operations/parameters.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { translate } from '../../base/localize.ts';

export interface OperationFormContext {
  /** A remote host serves the operation's group, so its dated changes apply. */
  readonly isRemote: boolean;
  /** Canonical selectors of the configured chains, the default first. */
  readonly chains: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface OperationForm {
  /** Prompted one after the other, in the descriptor's order. */
  readonly prompted: readonly string[];
  /** Offered in one list at the end, in the descriptor's order. */
  readonly optional: readonly string[];
  /** Initial values. */
  readonly presets: InputTexts;
}

/** Default number of records per page. */
const PAGE_PRESET = '25';

const isPast = (day: string, now: number): boolean => now >= Date.parse(`${day}T00:00:00Z`);

/** Hosts require some parameters only since a certain day. */
export function isParameterRequired(parameter: AnyParameter, { isRemote, now }: OperationFormContext): boolean {
  const { required, requiredSince } = parameter;
  return required || (isRemote && requiredSince !== undefined && isPast(requiredSince, now));
}

/** Parameters in `given` (arguments of the command) are not prompted for. */
export function createOperationForm(
  id: OperationId,
  facts: OperationFormContext,
  given: InputTexts = {},
): OperationForm {
  const parameters = getParameters(id);
  const presets: Record<string, string | readonly string[]> = {};
  const prompted: string[] = [];
  const optional: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const [first] = facts.chains;
    if (name === 'limit' && parameter.required) presets[name] = PAGE_PRESET;
    if (parameter.kind.name === 'chain' && first !== undefined) presets[name] = first;
    if (Object.hasOwn(given, name)) presets[name] = given[name] ?? '';
    const severalChains = parameter.kind.name === 'chain' && facts.chains.length > 1;
    const open = isParameterRequired(parameter, facts) && presets[name] === undefined;
    if (!Object.hasOwn(given, name) && (open || severalChains)) prompted.push(name);
    else optional.push(name);
  }
  return { prompted, optional, presets };
}

/** The day (YYYY-MM-DD) since which hosts no longer have the operation; `null` if they still have it. */
export function getRetirementDate(id: OperationId, now: number): string | null {
  const { retiredSince }: { readonly retiredSince?: string } = operations[id];
  return retiredSince !== undefined && isPast(retiredSince, now) ? retiredSince : null;
}

/** The parameter that takes precedence over `name`; `null` when `name` is used. */
export function getOverridingParameter(id: OperationId, name: string, values: InputTexts): string | null {
  const { precedence = [] }: { readonly precedence?: readonly Precedence[] } = operations[id];
  const given = (other: string) => other !== name && (values[other]?.length ?? 0) > 0;
  for (const { winners, losers } of precedence) {
    const winner = losers.includes(name) ? winners.find(given) : undefined;
    if (winner !== undefined) return winner;
  }
  return null;
}

/** `fromBlock` is "From block", `tokenId` "Token ID", `topic0` "Topic 0". */
export function formatParameterName(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(nft|id|ids)\b/g, word => word.replace(/^(nft|id)/, part => part.toUpperCase()));
  return translate(words.charAt(0).toUpperCase() + words.slice(1));
}

/** Splits pasted text into values: separated by commas, blanks or line breaks. */
export function splitValues(parameter: AnyParameter, text: string): readonly string[] {
  // A coin type may contain commas between its type arguments.
  const separator = isListKind(parameter.kind) && parameter.kind.item.name === 'coinType' ? /[\s;]+/ : /[\s,;]+/;
  return text.split(separator).flatMap(part => {
    const value = part.replace(/^["'`[\](]+|(?<!["'`[\])])["'`[\])]+$/g, '');
    return value === '' ? [] : [value];
  });
}
