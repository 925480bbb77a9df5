// Headers for what hosts of the service have dropped or changed by a date: it works here, and the answer says so.
import { type OperationId, operations } from '../api/operations/operations.ts';
import type { Parameters } from '../api/operations/parameters.ts';

const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

interface Dated {
  readonly parameters: Parameters;
  readonly retired?: string;
}

/**
 * `deprecation` (RFC 9745, the earliest date of what was used) and `sunset` (RFC 8594, the day from which hosts no longer
 * have it) when the operation, or a parameter that was given, is one that hosts have dropped or will require.
 */
export function getDeprecationHeaders(id: OperationId, input: object): Readonly<Record<string, string>> {
  const { parameters, retired }: Dated = operations[id];
  const given = input as Readonly<Record<string, unknown>>;
  const days: string[] = retired === undefined ? [] : [retired];
  for (const [name, parameter] of Object.entries(parameters)) {
    const used = given[name] !== undefined;
    if (used && parameter.until !== undefined) days.push(parameter.until);
    if (!used && parameter.requiredSince !== undefined) days.push(parameter.requiredSince);
  }
  const first = days.sort()[0];
  if (first === undefined) return {};
  return {
    deprecation: `@${secondsOf(first)}`,
    sunset: new Date(secondsOf(retired ?? first) * 1000).toUTCString(),
  };
}
