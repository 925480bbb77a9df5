// What a person is asked before an operation runs: which parameters in which order, which may wait, which are set already.

import { type OperationId, operations } from '../../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters, type Precedence } from '../../api/operations/parameters.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { translate } from '../../base/localize.ts';

export interface OperationFormContext {
  /** A remote host answers the operation's group, so dated changes of hosts count. */
  readonly isRemote: boolean;
  /** Canonical selectors of the configured chains, the one that answers first at the front. */
  readonly chains: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface OperationForm {
  /** Asked one after the other, in the table's order. */
  readonly prompted: readonly string[];
  /** Offered in one list at the end, in the table's order. */
  readonly optional: readonly string[];
  /** What stands there before anybody has said anything. */
  readonly presets: InputTexts;
}

/** A page that is quick to read; whoever wants more says so. */
const PAGE_PRESET = '25';

const hasCome = (day: string, now: number): boolean => now >= Date.parse(`${day}T00:00:00Z`);

export const getParameters = (id: OperationId): Parameters => operations[id].parameters;

/** Whether the operation runs without it; hosts began to require some on a certain day. */
export function isParameterRequired(parameter: AnyParameter, { isRemote: remote, now }: OperationFormContext): boolean {
  const { required, requiredSince } = parameter;
  return required || (remote && requiredSince !== undefined && hasCome(requiredSince, now));
}

/** Parameters of `given` are not asked for: whoever runs the command has said them. */
export function createOperationForm(
  id: OperationId,
  facts: OperationFormContext,
  given: InputTexts = {},
): OperationForm {
  const parameters = getParameters(id);
  const presets: Record<string, string | readonly string[]> = {};
  const asked: string[] = [];
  const more: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const [first] = facts.chains;
    if (name === 'limit' && parameter.required) presets[name] = PAGE_PRESET;
    if (parameter.kind.name === 'chain' && first !== undefined) presets[name] = first;
    if (Object.hasOwn(given, name)) presets[name] = given[name] ?? '';
    const severalChains = parameter.kind.name === 'chain' && facts.chains.length > 1;
    const open = isParameterRequired(parameter, facts) && presets[name] === undefined;
    if (!Object.hasOwn(given, name) && (open || severalChains)) asked.push(name);
    else more.push(name);
  }
  return { prompted: asked, optional: more, presets };
}

/** The day (YYYY-MM-DD) since which hosts no longer have it, when that day has come; else `null`. */
export function getRetirementDate(id: OperationId, now: number): string | null {
  const { retired }: { readonly retired?: string } = operations[id];
  return retired !== undefined && hasCome(retired, now) ? retired : null;
}

/** The parameter that is used in place of `name` because both are given; `null` when `name` counts. */
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

/** One text as the values that it holds: a list of addresses is pasted with commas, spaces or line breaks between. */
export function splitValues(parameter: AnyParameter, text: string): readonly string[] {
  // A coin type may hold commas between its type arguments.
  const separator = isListKind(parameter.kind) && parameter.kind.item.name === 'coinType' ? /[\s;]+/ : /[\s,;]+/;
  return text.split(separator).flatMap(part => {
    const value = part.replace(/^["'`[\](]+|["'`[\])]+$/g, '');
    return value === '' ? [] : [value];
  });
}
