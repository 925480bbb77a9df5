// Sample values, requests of both sides, and rejected fields by name, for tests of parameters.
import { expect } from 'vitest';
import type { Input, OperationId } from '../../src/api/operations/operations.ts';
import { parseQueryString } from '../../src/api/wire/queryString.ts';
import { decodeRequest, encodeRequest } from '../../src/api/wire/request.ts';
import { HexLensError } from '../../src/base/errors.ts';

/** An address in normal form, and one that is not. */
export const A = `0x${'a'.repeat(40)}`;
export const B = `0x${'B'.repeat(40)}`;
export const HASH = `0x${'cd'.repeat(32)}`;

/** Field -> message of everything that is refused; empty when nothing is. */
export function collectIssues(run: () => unknown): Readonly<Record<string, string>> {
  try {
    run();
  } catch (error) {
    if (!(error instanceof HexLensError)) throw error;
    expect(error.code).toBe('bad-input');
    expect(error.status).toBe(400);
    for (const { field, message } of error.issues) expect(message.startsWith(`${field} `), message).toBe(true);
    return Object.fromEntries(error.issues.map(({ field, message }) => [field, message]));
  }
  return {};
}

/** The same where something must be refused. */
export function getIssues(run: () => unknown): Readonly<Record<string, string>> {
  const issues = collectIssues(run);
  if (Object.keys(issues).length === 0) throw new Error('nothing was refused');
  return issues;
}

export const get = (path: string, query = '') =>
  decodeRequest('GET', path, parseQueryString(query)).input as Readonly<Record<string, unknown>>;
export const getRequestIssues = (path: string, query = '') => getIssues(() => get(path, query));

/** What a client without types may give. */
export const encodeAny = (id: OperationId, input: unknown) => encodeRequest(id, input as Input<OperationId>);
