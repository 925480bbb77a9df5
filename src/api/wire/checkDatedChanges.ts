// Rejects what hosts of the API have dropped by its dated changes, for `--strict-dates`.
import { createBadInputFault, type FieldIssue, HexLensError } from '../../base/errors.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { getWireName, type Parameters } from '../operations/parameters.ts';
import type { WireRequest } from './request.ts';

/**
 * Accepts only what still works on hosts that follow the description's dates, so that a program which was tested here works
 * there.
 *
 * @throws `removed` for an operation, `bad-input` with all parameters that were removed or are required since then.
 */
export function checkDatedChanges({ operation: id, query }: Pick<WireRequest, 'operation' | 'query'>): void {
  const operation: AnyOperation = operations[id];
  if (operation.deprecatedSince !== undefined)
    throw new HexLensError('removed', `${operation.title} was removed on ${operation.deprecatedSince}.`, {
      fix: 'Use another operation, or leave out --strict-dates: this service still has it.',
    });
  const issues: FieldIssue[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters as Parameters)) {
    const field = getWireName(name, parameter);
    const isGiven = query.some(([key]) => key === field);
    if (isGiven && parameter.removedSince !== undefined)
      issues.push({ field, message: `${field} was removed on ${parameter.removedSince}` });
    if (!isGiven && parameter.requiredSince !== undefined)
      issues.push({ field, message: `${field} is required since ${parameter.requiredSince}` });
  }
  if (issues.length > 0) throw createBadInputFault(issues);
}
