// The table of all operations, by id, in the description's order.
import { aptosOperations } from './aptosOperations.ts';
import { evmOperations } from './evmOperations.ts';
import type { OperationInput, OperationOutput } from './operation.ts';
import type { Parameters } from './parameters.ts';
import { siweOperations } from './siweOperations.ts';

export const operations = { ...siweOperations, ...evmOperations, ...aptosOperations } as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** What a caller gives, by operation id. */
export type Input<Id extends OperationId> = OperationInput<Operations[Id]>;
/** What a caller gets, by operation id. */
export type Output<Id extends OperationId> = OperationOutput<Operations[Id]>;

export const operationIds = Object.keys(operations) as readonly OperationId[];

/** Of any operation, where its type does not matter. */
export const getParameters = (id: OperationId): Parameters => operations[id].parameters;
