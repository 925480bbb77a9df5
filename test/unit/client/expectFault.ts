// Expects a rejection with a HexLensError that holds no secret.
import { expect } from 'vitest';
import { HexLensError } from '../../../src/base/errors.ts';

/** Fails the test when the promise resolves, or when any part of the error holds the word "secret". */
export async function expectFault(promise: Promise<unknown>): Promise<HexLensError> {
  const error = await promise.then(
    value => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HexLensError);
  const { message, fix, details, cause, issues } = error as HexLensError;
  // Tests put "secret" (also as base64) into paths, queries, keys and passwords.
  expect(JSON.stringify([message, fix, details, cause, issues])).not.toMatch(/secret|c2VjcmV0/);
  return error as HexLensError;
}
