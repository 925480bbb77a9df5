// Parameters of operations: where they are sent, whether they are required, and what dates changed about them.
import { toWireName } from '../wire/wireName.ts';
import type { ListKind, ParameterKind } from './parameterKinds.ts';

export interface Parameter<T, Required extends boolean> {
  readonly in: 'path' | 'query' | 'body';
  readonly kind: ParameterKind<T> | (T extends readonly (infer Item)[] ? ListKind<Item> : never);
  readonly required: Required;
  /** Name on the wire; absent means the snake_case form of the property. */
  readonly wire?: string;
  readonly doc: string;
  /** The day (YYYY-MM-DD) from which hosts no longer know it; our service keeps it. */
  readonly removedSince?: string;
  /** The description marks it as soon to be deprecated. */
  readonly isDeprecatedSoon?: true;
  /** The day from which hosts require it. */
  readonly requiredSince?: string;
  /** How to filter the records of a host that has removed the parameter; `null` when the input selects all records. */
  readonly createFilter?: CreateRecordFilter;
}

/** Makes a filter of records from the input; fields of both have their property names. */
export type CreateRecordFilter = (
  input: Readonly<Record<string, unknown>>,
) => ((record: Readonly<Record<string, unknown>>) => boolean) | null;

// biome-ignore lint/suspicious/noExplicitAny: the one place where parameters of every value type meet.
export type AnyParameter = Parameter<any, boolean>;
export type Parameters = Readonly<Record<string, AnyParameter>>;

type Extra = Partial<
  Pick<AnyParameter, 'wire' | 'removedSince' | 'isDeprecatedSoon' | 'requiredSince' | 'createFilter'>
>;

export const path = <T>(kind: ParameterKind<T>, doc: string, extra: Extra = {}): Parameter<T, true> => ({
  in: 'path',
  kind: kind as Parameter<T, true>['kind'],
  required: true,
  doc,
  ...extra,
});

export const query = <T>(kind: ParameterKind<T>, doc: string, extra: Extra = {}): Parameter<T, false> => ({
  in: 'query',
  kind: kind as Parameter<T, false>['kind'],
  required: false,
  doc,
  ...extra,
});

export const requiredQuery = <T>(kind: ParameterKind<T>, doc: string): Parameter<T, true> => ({
  ...query(kind, doc),
  required: true,
});

export const queryList = <T>(kind: ListKind<T>, doc: string): Parameter<readonly T[], false> => ({
  in: 'query',
  kind: kind as Parameter<readonly T[], false>['kind'],
  required: false,
  doc,
});

export const requiredQueryList = <T>(kind: ListKind<T>, doc: string): Parameter<readonly T[], true> => ({
  ...queryList(kind, doc),
  required: true,
});

export const body = <T>(kind: ParameterKind<T>, doc: string): Parameter<T, true> => ({
  in: 'body',
  kind: kind as Parameter<T, true>['kind'],
  required: true,
  doc,
});

type ValueOf<P> = P extends Parameter<infer T, boolean> ? T : never;
type RequiredNames<P extends Parameters> = { [K in keyof P]: P[K]['required'] extends true ? K : never }[keyof P];
type Simplify<T> = { [K in keyof T]: T[K] };

/** Input of an operation: required parameters, and optional ones. */
export type InferInput<P extends Parameters> = Simplify<
  { readonly [K in RequiredNames<P>]: ValueOf<P[K]> } & {
    readonly [K in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[K]> | undefined;
  }
>;

export function isListKind(kind: AnyParameter['kind']): kind is ListKind<unknown> {
  return 'item' in kind;
}

export function getWireName(name: string, parameter: AnyParameter): string {
  return parameter.wire ?? toWireName(name);
}

/** Parameters that make others irrelevant: when a winner is given, losers are ignored. */
export interface Precedence {
  readonly winners: readonly string[];
  readonly losers: readonly string[];
}

/** When the end of a range is given as block and as date, the block is used. */
export const blockBeatsDate: readonly Precedence[] = [
  { winners: ['fromBlock'], losers: ['fromDate'] },
  { winners: ['toBlock'], losers: ['toDate'] },
];

/** `block_number` takes precedence over ranges, any block parameter over all dates (contract logs). */
export const blockNumberBeatsRanges: readonly Precedence[] = [
  { winners: ['blockNumber'], losers: ['fromBlock', 'toBlock', 'fromDate', 'toDate'] },
  { winners: ['fromBlock', 'toBlock'], losers: ['fromDate', 'toDate'] },
];

/** A copy without the parameters that others take precedence over. */
export function applyPrecedence<T extends object>(input: T, rules: readonly Precedence[]): T {
  const result = { ...input } as Record<string, unknown>;
  for (const rule of rules) {
    if (rule.winners.some(name => result[name] !== undefined && result[name] !== null))
      for (const loser of rule.losers) delete result[loser];
  }
  return result as T;
}
