// A place in a source, checked on both sides of the page's channel.
import type { SourceLocation, SourcePosition } from '../api/transactionStack.ts';
import {
  hasProperties,
  isBoolean,
  isNonNegativeInteger,
  isNullOr,
  isOptional,
  isString,
  isStringUpTo,
  type TypeGuard,
} from './typeGuards.ts';

const isPosition = hasProperties<SourcePosition>({ line: isNonNegativeInteger, character: isNonNegativeInteger });

export const isSourceLocation = hasProperties<SourceLocation>({
  source: isString,
  file: isNullOr(isString),
  isChanged: isBoolean,
  textHash: isOptional(isStringUpTo(64)) as TypeGuard<string>,
  start: isPosition,
  end: isPosition,
});
