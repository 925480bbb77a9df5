// Headers that warn of operations and parameters which the hosts of the API have dropped or changed by a date.
import { type OperationId, operations } from '../api/operations/operations.ts';
import type { Parameters } from '../api/operations/parameters.ts';

const toUnixSeconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

interface DatedOperation {
  readonly parameters: Parameters;
  readonly retired?: string;
}

/**
 * `deprecation` (RFC 9745, the earliest date of what the request uses) and `sunset` (RFC 8594, the day from which hosts no
 * longer have it). They still work in the embedded service.
 */
export function getDeprecationHeaders(id: OperationId, input: object): Readonly<Record<string, string>> {
  const { parameters, retired }: DatedOperation = operations[id];
  const values = input as Readonly<Record<string, unknown>>;
  const days: string[] = retired === undefined ? [] : [retired];
  for (const [name, parameter] of Object.entries(parameters)) {
    const isGiven = values[name] !== undefined;
    if (isGiven && parameter.until !== undefined) days.push(parameter.until);
    if (!isGiven && parameter.requiredSince !== undefined) days.push(parameter.requiredSince);
  }
  const firstDay = days.sort()[0];
  if (firstDay === undefined) return {};
  return {
    deprecation: `@${toUnixSeconds(firstDay)}`,
    sunset: new Date(toUnixSeconds(retired ?? firstDay) * 1000).toUTCString(),
  };
}
