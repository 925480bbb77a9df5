// What an operation is: one entry of the table that client, routes, validation, docs and commands read.

import type { AnyRecord } from '../records/record.ts';
import type { InferOutput, ReplyShape } from '../wire/reply.ts';
import type { InferInput, Parameters, Precedence } from './parameters.ts';

/** A sign-in verification, B EVM data, C Aptos data. */
export type ApiGroup = 'auth' | 'evm' | 'aptos';

/** Where each group is served by our own HTTP service; the first is what the client writes, the rest are aliases. */
export const basePaths: Readonly<Record<ApiGroup, readonly [string, ...string[]]>> = {
  auth: [''],
  evm: ['/api/v2', '/api/v2.2'],
  aptos: ['/aptos'],
};

export interface OperationSpec<P extends Parameters, S extends ReplyShape<AnyRecord>> {
  readonly group: ApiGroup;
  readonly method: 'GET' | 'POST';
  /** Below the group's base; path parameters as `:wire_name`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** In the order in which a person is asked for them. */
  readonly parameters: P;
  readonly precedence?: readonly Precedence[];
  readonly reply: S;
  /** The day from which the description's host no longer has it; embedded it keeps working. */
  readonly retired?: string;
  /** Not in the description: an addition of ours. */
  readonly ours?: true;
}

export interface Operation<Id extends string, P extends Parameters, S extends ReplyShape<AnyRecord>>
  extends OperationSpec<P, S> {
  readonly id: Id;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where operations of every type meet.
export type AnyOperation = Operation<string, any, any>;

export const operation = <const Id extends string, const P extends Parameters, const S extends ReplyShape<AnyRecord>>(
  id: Id,
  spec: OperationSpec<P, S>,
): Operation<Id, P, S> => ({ id, ...spec });

export type OperationInput<O> = O extends Operation<string, infer P, infer _S> ? InferInput<P> : never;
export type OperationOutput<O> = O extends Operation<string, infer _P, infer S> ? InferOutput<S> : never;
