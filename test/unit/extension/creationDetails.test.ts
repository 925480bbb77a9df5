// The lines that a contract's page names for its creation.
import { expect, test } from 'vitest';
import type { SourceLocation, StackFrame } from '../../../src/api/transactionStack.ts';
import { findPlaces } from '../../../src/extension/inspector/creationDetails.ts';

const at = (source: string, line: number): SourceLocation => {
  const position = { line, character: 0 };
  return { source, file: source, isChanged: false, start: position, end: position };
};
const frame = (location: SourceLocation, isInferred = false): StackFrame => ({
  ...{ contract: null, functionName: null, address: '0x', excerpt: null },
  ...{ location, isInferred },
});
const made = at('src/Kiln.sol', 8);
const outer = frame(at('src/Kiln.sol', 3));

test.each([
  ['a `new` of the project', made, [outer, frame(made)], ['src/Kiln.sol:8']],
  ...[
    'node_modules/copies/Copies.sol',
    'npm/copies@1.0.0/Copies.sol',
    'lib/copies/Copies.sol',
    '@copies/Copies.sol',
  ].map(path => {
    const create = at(path, 40);
    const frames = [outer, frame(made, true), frame(at(path, 70)), frame(create)];
    return [`the call of ${path}`, create, frames, ['src/Kiln.sol:8 inferred', `${path}:40`]] as const;
  }),
  ['a library that calls itself', at('lib/a/A.sol', 1), [frame(at('lib/a/A.sol', 1))], ['lib/a/A.sol:1']],
] as const)('names %s', (_, callSite, callers, expected) => {
  const call = { call: 3, calledContract: null, contract: null, functionName: null, definition: null, callSite };
  const places = findPlaces({ calls: [call], callers }, 3);
  expect(
    places.map(
      ({ location: { source, start }, isInferred }) => `${source}:${start.line}${isInferred ? ' inferred' : ''}`,
    ),
  ).toEqual(expected);
});
